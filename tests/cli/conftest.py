"""The command line run inside the test process."""

import pytest

from bough.cli import main


@pytest.fixture
def bough(capsys, tmp_path, monkeypatch):
    """Run one command in an empty folder; return its exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        try:
            main([str(argument) for argument in arguments])
            status = 0
        except SystemExit as error:
            status = error.code or 0
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run
