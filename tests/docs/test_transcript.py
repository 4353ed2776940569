"""The transcript of the command line: every command in it is run, and prints what the page shows.

Commands of bough run in this process and only those that need a shell in one, because starting Python and importing
what a command needs takes most of its time: a few seconds each on a busy machine, more than twenty times.
"""

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bough.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "command-line.md"
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r"\d+\.\d+\.\d+(\.\w+)?")  # of Python and of bough
NEEDS_SHELL = re.compile(r"[|<>;$*]")


def steps():
    """Commands with what they print."""
    text = "".join(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, plain(shown)


def plain(text):
    lines = [line.rstrip() for line in VERSION.sub("VERSION", text).splitlines()]
    return "\n".join(lines).strip("\n")


def run(command):
    """Exit code, standard output and standard error of a command."""
    if not command.startswith("bough ") or NEEDS_SHELL.search(command):
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr
    code = 0
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main(shlex.split(command)[1:])
        except SystemExit as stop:
            code = stop.code
    return code or 0, out.getvalue(), err.getvalue()


def test_the_transcript_is_what_the_commands_print(tmp_path, monkeypatch):
    if shutil.which("sh") is None:
        pytest.skip("the transcript is one of a Unix shell")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1794817800")
    monkeypatch.chdir(tmp_path)
    count = 0
    for command, shown in steps():
        code, out, err = run(command)
        assert shown in (plain(err + out), plain(out + err)), command
        assert (code == 2) == shown.startswith("bough: "), command
        count += 1
    assert count > 20
