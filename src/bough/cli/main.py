"""The entry of the command line: commands are loaded when they run, and whatever goes wrong is one line."""

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

__all__ = ["main"]

_NEEDS = "the command line needs click, rich and polars: install them with  pip install 'bough[cli]'"
_LONGEST = 2000  # characters of a message: a name of a megabyte would help nobody


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 if all went well, 2 with one line on standard error if not."""
    try:
        import click
    except ImportError:
        sys.exit(_NEEDS)
    from bough.cli.commands import bough
    from bough.errors import BoughError, DataWarning

    screen = sys.stdout
    said: set[str] = set()

    def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in said:  # what is odd about a row is found by all who look at it
            said.add(str(message))
            _say(f"warning: {message}")

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", DataWarning)
            warnings.showwarning = show_warning
            bough(args=arguments, prog_name="bough", standalone_mode=False)
        sys.stdout.flush()  # what stands in the way of it is met here, not when nobody listens any more
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit("bough: interrupted")
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        _fail(error.format_message())
    except SystemExit as done:  # click fails where a reader has had enough; it is then that it wraps standard output
        sys.exit(done.code if sys.stdout is screen else 0)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except BoughError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}." if error.filename else str(error))
    except ImportError as error:
        _fail(f"{error}. {_NEEDS}" if error.name in ("rich", "polars") else str(error))
    except MemoryError:
        _fail("there is not enough memory for this table: take a sample of its rows.")
    except Exception as error:  # a user of the command line has no use for a traceback
        if os.environ.get("BOUGH_TRACEBACK"):
            raise
        _fail(f"{type(error).__name__}: {error} (a fault in bough: BOUGH_TRACEBACK=1 shows where; please report it)")


def _fail(message: str) -> None:
    _say(message)
    sys.exit(2)


def _say(message: str) -> None:
    text = " ".join(message.split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    print("bough: " + "".join(mark if mark.isprintable() else "?" for mark in text), file=sys.stderr)
