"""The commands and their options; the work is imported only when a command runs, so that `--help` answers at once."""

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

__all__ = ["main"]

_NEEDS = "the command line needs click, rich and polars: install them with  pip install 'bough[cli]'"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 if all went well, 2 with one line on standard error if not."""
    try:
        import click
    except ImportError:
        sys.exit(_NEEDS)
    from bough.errors import BoughError, DataWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", DataWarning)
            warnings.showwarning = _show_warning
            commands()(args=arguments, prog_name="bough", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit("bough: interrupted")
    except click.ClickException as error:
        _fail(error.format_message())
    except (BoughError, OSError) as error:
        _fail(str(error))
    except ImportError as error:
        _fail(f"{error}. {_NEEDS}" if error.name in ("rich", "polars") else str(error))
    except Exception as error:  # a user of the command line has no use for a traceback
        if os.environ.get("BOUGH_TRACEBACK"):
            raise
        _fail(f"{type(error).__name__}: {error} (a fault in bough: BOUGH_TRACEBACK=1 shows where; please report it)")


def _fail(message: str) -> None:
    _say(message)
    sys.exit(2)


def _say(message: str) -> None:
    print("bough: " + " ".join(message.split()), file=sys.stderr)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(f"warning: {message}")


def commands() -> Any:
    """The click group."""
    import click

    @click.group(context_settings={"help_option_names": ["-h", "--help"]})
    @click.version_option(package_name="bough")
    def bough() -> None:
        """Readable decision trees from nominal, numeric, ordered and incomplete data."""

    @bough.command()
    @click.argument("table")
    @click.option("--target", required=True, metavar="NAME", help="Column to predict.")
    @click.option(
        "--task", type=click.Choice(["auto", "classification", "regression"]), default="auto", show_default=True,
        help="auto: many different numbers, or numbers with a fraction, are a regression; anything else classes.",
    )  # fmt: skip
    @click.option("--output", "-o", default="model.json", show_default=True, help="Where to write the model.")
    @click.option("--weights", metavar="NAME", help="Column of sample weights.")
    @click.option("--drop", multiple=True, metavar="NAME", help="Column to leave out; may be given several times.")
    @click.option("--nominal", multiple=True, metavar="NAME", help="Numeric column to read as nominal.")
    @click.option("--pruning", default="0.01", show_default=True, help="Relative complexity, 'cv' or 'none'.")
    @click.option("--max-depth", type=int, help="Most tests on a path.")
    @click.option(
        "--min-leaf", type=int, help="Least rows in a leaf (7); a node needs three times as many to be split."
    )
    @click.option(
        "--folds", type=click.IntRange(min=0), default=10, show_default=True, help="Cross-validation; 0: none."
    )
    @click.option("--separator", metavar="CHAR", help="Between the fields of a text file; guessed if not given.")
    @click.option(
        "--surrogates/--no-surrogates", default=True, show_default=True,
        help="Draw the questions that are asked where a value is missing.",
    )  # fmt: skip
    @click.option("--jobs", type=int, default=-1, show_default=True, help="Threads; -1: all.")
    def fit(**options: Any) -> None:
        """Grow a tree from TABLE, print it with its cross-validated accuracy, and write it to a file.

        TABLE is a CSV, TSV or Parquet file, or the name of a bundled data set such as `penguins`.
        """
        from bough.cli.fit import run

        run(**options)

    @bough.command()
    @click.argument("model", type=click.Path(exists=True, dir_okay=False))
    @click.argument("table")
    @click.option("--output", "-o", default="-", show_default=True, help="CSV file to write; '-': standard output.")
    @click.option("--proba", is_flag=True, help="Also one column for the probability of each class.")
    @click.option("--separator", metavar="CHAR", help="Between the fields of a text file; guessed if not given.")
    def predict(**options: Any) -> None:
        """Apply the tree in MODEL to the rows of TABLE and write the answers as CSV."""
        from bough.cli.predict import run

        run(**options)

    return bough
