"""`bough predict`: the answers of a saved tree for the rows of a table of any size."""

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from bough.cli.options import ReadOptions, complete_table, config_option, quiet_option

__all__ = ["command", "run"]


@click.command("predict")
@click.argument("model", type=click.Path(exists=True, dir_okay=False))
@click.argument("table", shell_complete=complete_table)
@click.option("--output", "-o", default="-", show_default=True, help="File to write (.csv, .tsv, .jsonl; also .gz).")
@click.option("--proba", is_flag=True, help="Also one column for the probability of each class.")
@click.option("--keep", multiple=True, metavar="NAME", help="Column of TABLE to copy, such as an identifier.")
@click.option("--separator", metavar="CHAR", help="Between the fields of a text file; guessed if not given.")
@click.option("--header/--no-header", default=None, help="Whether the first line names the columns; guessed.")
@click.option("--missing", multiple=True, metavar="TEXT", help="A cell that says nothing, instead of NA, ?, ...")
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines.")
@config_option
@quiet_option
def command(**options: Any) -> None:
    """Apply the tree in MODEL to the rows of TABLE and write the answers, in constant memory."""
    run(**options)


def run(
    *, model: str, table: str, output: str, proba: bool, keep: tuple[str, ...], separator: str | None,
    header: bool | None, missing: tuple[str, ...], as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Read, predict, write, batch by batch."""
    import warnings

    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.cli.read import check_columns
    from bough.cli.say import progress
    from bough.cli.stream import open_batches
    from bough.errors import DataWarning, ParameterError
    from bough.learn import load
    from bough.model.writing import check_output

    estimator: Any = load(model)
    if proba and not hasattr(estimator, "classes_"):
        raise ParameterError("--proba needs a classification tree; this one predicts numbers.")
    if output != "-":
        check_output(output, "answers")
    schema = estimator.schema_
    names = list(schema.names) if schema.named else None
    read = ReadOptions(separator=separator, header=header, missing=missing)
    wanted = None if names is None else list(dict.fromkeys([*_asked(estimator), *keep]))
    batches = open_batches(table, read, wanted, names or [])
    if batches.columns:
        check_columns(batches.name, batches.columns, list(keep))
    lines = as_json or output.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    mark = "\t" if output.removesuffix(".gz").endswith(".tsv") else ","
    done = 0
    with _writer(output) as out, progress("scoring", quiet) as tell:
        for batch in batches:
            rows = fit_to_schema(batch, schema, text=batches.text) if names is not None else batch.drop(keep)
            with warnings.catch_warnings():
                if done:  # what is odd is said of the first rows
                    warnings.simplefilter("ignore", DataWarning)
                answers: dict[str, Any] = {name: batch[name] for name in keep}
                answers["prediction"] = estimator.predict(rows)
                if proba:
                    shares = estimator.predict_proba(rows)
                    for place, label in enumerate(estimator.classes_.tolist()):
                        answers[f"probability of {label}"] = shares[:, place]
            frame = pl.DataFrame(answers)
            frame.write_ndjson(out) if lines else frame.write_csv(out, include_header=not done, separator=mark)
            done += frame.height
            tell(done, 0)


def _asked(estimator: Any) -> list[str]:
    """The columns that some test asks, by itself or as a surrogate: the others need not be read.

    All of them where a level that was never seen, or a missing value, is to be refused in any column.
    """
    names = list(estimator.schema_.names)
    missing = getattr(estimator, "missing", "")
    if getattr(estimator, "unseen", "") == "error" or not isinstance(missing, str) or missing == "refuse":
        return names
    arrays = estimator.tree_.arrays
    asked = {*arrays.split_column.tolist(), *arrays.term_column.tolist()}
    return [name for place, name in enumerate(names) if place in asked]


@contextmanager
def _writer(output: str) -> Iterator[Any]:
    if output == "-":
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:  # a stand-in for standard output that takes text only
            import io

            held = io.BytesIO()
            yield held
            sys.stdout.write(held.getvalue().decode())
            return
        yield stream
        stream.flush()
        return
    with gzip.open(output, "wb") if output.endswith(".gz") else open(output, "wb") as file:  # noqa: PTH123
        yield file
