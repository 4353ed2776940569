"""The transcript of the command line: every command in it is run, and prints what the page shows."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "command-line.md"
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r"\d+\.\d+\.\d+(\.\w+)?")  # of Python and of bough


def steps():
    """Commands with what they print."""
    text = "".join(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, plain(shown)


def plain(text):
    lines = [line.rstrip() for line in VERSION.sub("VERSION", text).splitlines()]
    return "\n".join(lines).strip("\n")


def test_the_transcript_is_what_the_commands_print(tmp_path, monkeypatch):
    if shutil.which("sh") is None:
        pytest.skip("the transcript is one of a Unix shell")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    monkeypatch.setenv("COLUMNS", "100")
    count = 0
    for command, shown in steps():
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert shown in (plain(done.stderr + done.stdout), plain(done.stdout + done.stderr)), command
        assert (done.returncode == 2) == shown.startswith("bough: "), command
        count += 1
    assert count > 20
