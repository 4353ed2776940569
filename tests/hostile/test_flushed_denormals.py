"""Where the smallest numbers are flushed to zero, as libraries built with -ffast-math have it on import."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent

# Sets "flush to zero" and "denormals are zero" in the control register of the calling thread, which those it starts
# inherit: stmxcsr [rsp-4]; or dword [rsp-4], 0x8040; ldmxcsr [rsp-4]; ret.
FLUSH = """
import ctypes, mmap, sys
import pytest
try:
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
except OSError:
    sys.exit(77)  # the system allows no code outside of files
page.write(bytes.fromhex("0fae5c24fc" "814c24fc40800000" "0fae5424fc" "c3"))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
tiny = 1e-310
assert tiny * 1.0 == 0.0
sys.exit(pytest.main(sys.argv[1:]))
"""


# Absolute errors in a unit of 2^-1000 lose their last digits, and a target that is itself flushed is constant, which is
# no reason to refuse it.
WEIGHTS = "tests/hostile/test_weights_and_decisions.py::test_34_"
FLUSHED = [
    WEIGHTS + "the_unit_of_weights_does_not_matter[-1000-absolute_error]",
    WEIGHTS + "targets_whose_errors_do_not_fit_are_refused[0.0-absolute_error]",
]


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or sys.platform == "win32", reason="sets a register of x86-64"
)
@pytest.mark.parametrize("tests", ["hostile/test_weights_and_decisions.py", "search/test_open_tests.py"])
def test_promises_hold_where_the_smallest_numbers_are_flushed_to_zero(tests):
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-W", "ignore:The value of the smallest subnormal"]
    done = subprocess.run(
        [sys.executable, "-c", FLUSH, *options, *(f"--deselect={test}" for test in FLUSHED), str(TESTS / tests)],
        capture_output=True,
        text=True,
        check=False,
        cwd=TESTS.parent,
    )
    if done.returncode == 77:
        pytest.skip("the system allows no code outside of files")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
