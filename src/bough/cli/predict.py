"""`bough predict`: the answers of a saved tree for the rows of a table of any size."""

from collections.abc import Callable, Iterator
from typing import Any

import click

from bough.cli.options import (
    MODEL_FILE,
    column_option,
    complete_table,
    config_option,
    quiet_option,
    take_read,
    text_options,
)

__all__ = ["command", "run"]


@click.command("predict")
@click.argument("model", type=MODEL_FILE)
@click.argument("table", shell_complete=complete_table)
@click.option(
    "--output", "-o", default="-", show_default=True, metavar="FILE",
    help="File to write: .csv, .tsv, .jsonl (also .gz and .zst), .parquet or .arrow; -: standard output.",
)  # fmt: skip
@click.option("--proba", is_flag=True, help="Also one column for the probability of each class.")
@column_option("--keep", "Column of TABLE to copy, such as an identifier.")
@text_options
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines.")
@config_option
@quiet_option
def command(**options: Any) -> None:
    """Apply the tree in MODEL to the rows of TABLE and write the answers, in constant memory."""
    run(**options)


def run(
    *, model: str, table: str, output: str, proba: bool, keep: tuple[str, ...], as_json: bool, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Read, predict, write, batch by batch."""
    from bough.cli.read import check_columns
    from bough.cli.saved import load_model, read_as_trained
    from bough.cli.say import Notes, progress
    from bough.cli.stream import open_batches
    from bough.cli.write import check_place, table_form, write_frames
    from bough.errors import ParameterError

    form = table_form(output, as_json)
    check_place(output, "answers")
    estimator: Any = load_model(model)
    if proba and not hasattr(estimator, "classes_"):
        raise ParameterError("--proba needs a classification tree; this one predicts numbers.")
    labels = [f"probability of {label}" for label in estimator.classes_.tolist()] if proba else []
    for name in keep:
        if name in ("prediction", *labels):
            raise ParameterError(f"--keep {name!r:.60}: the answers have a column of that name; rename it in {table}.")
    names = list(estimator.schema_.names) if estimator.schema_.named else None
    wanted = None if names is None else list(dict.fromkeys([*_asked(estimator), *keep]))
    read = read_as_trained(take_read(options), estimator.schema_.names, estimator)
    batches = open_batches(table, read, wanted, names or [])
    notes = Notes(quiet)
    if read.remembered and batches.text:
        notes.add(f"read as in training: {read.typed(read.remembered)}")
    notes.show()
    if batches.columns:
        check_columns(batches.name, batches.columns, list(keep))
    with progress("scoring", quiet) as tell:
        write_frames(_answers(estimator, batches, keep, labels, tell), output, form, "answers")


def _answers(
    estimator: Any, batches: Any, keep: tuple[str, ...], labels: list[str], tell: Callable[[int, int], None]
) -> Iterator[Any]:
    import warnings

    import polars as pl

    from bough.cli.levels import fit_to_schema
    from bough.errors import DataWarning

    schema = estimator.schema_
    for batch in batches:
        rows = batch.drop(keep)
        if schema.named:
            rows = fit_to_schema(batch, schema, text=batches.text, before=batches.before)
        with warnings.catch_warnings(), batches.counted():
            if batches.before:  # what is odd is said of the first rows
                warnings.simplefilter("ignore", DataWarning)
            answers: dict[str, Any] = {name: batch[name] for name in keep}
            answers["prediction"] = estimator.predict(rows)
            if labels:
                answers |= zip(labels, estimator.predict_proba(rows).T, strict=True)
        yield pl.DataFrame(answers)
        tell(batches.before + batch.height, 0)


def _asked(estimator: Any) -> list[str]:
    """The columns that some test asks, by itself or as a surrogate: the others need not be read.

    All of them where a level that was never seen, or a missing value, is to be refused in any column; many trees read
    all of them, too.
    """
    from bough.cli.say import is_many, is_rules
    from bough.recipe import Refuse

    names = list(estimator.schema_.names)
    missing = getattr(estimator, "missing", "")
    refuses = isinstance(missing, Refuse) or (isinstance(missing, str) and missing == "refuse")
    if refuses or getattr(estimator, "unseen", "") == "error" or is_many(estimator):
        return names
    if is_rules(estimator):
        return list(estimator.rules_.columns_used) or names[:1]
    arrays = estimator.tree_.arrays
    asked = {*arrays.split_column.tolist(), *arrays.term_column.tolist()}
    return [name for place, name in enumerate(names) if place in asked] or names[:1]  # rows of no column are none
