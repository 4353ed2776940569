"""What a run of the tests says at its end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("test_penguins_equal_the_shared_copy", "1 test was skipped because"),
        ("test_watermelon_cells_equal_the_shared_copy", "3 tests were skipped because"),
    ],
)
def test_a_run_without_the_shared_folder_says_how_many_tests_it_left_out(tmp_path, test, said):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, f"{TESTS / 'datasets' / 'test_textbook.py'}::{test}"],
        env={**os.environ, "BOUGH_SHARED": str(tmp_path)},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{said} the folder `shared` is not beside the clone." in done.stdout
