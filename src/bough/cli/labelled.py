"""Rows whose target is known, in the words of a saved model: to judge it by, or to prune it by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bough.cli.classes import classes_of
from bough.cli.levels import as_levels, as_numbers, fit_to_schema
from bough.cli.options import ReadOptions
from bough.cli.saved import read_as_trained
from bough.cli.say import Notes
from bough.cli.stream import open_batches
from bough.cli.training import labelled_rows
from bough.errors import DataError, ParameterError

__all__ = ["Labelled", "check_target", "read_labelled"]


@dataclass(frozen=True)
class Labelled:
    """Inputs and target of a table, as models read them.

    Attributes
    ----------
    X : dict of columns
    y : series or list
    weights : ndarray or None
    """

    X: Any
    y: Any
    weights: Any = None


def read_labelled(
    table: str,
    read: ReadOptions,
    estimators: Sequence[Any],
    target: str,
    notes: Notes,
    *,
    weights: str | None = None,
    drop_unlabelled: bool | None = None,
) -> Labelled:
    """Read the columns that models ask, their target and weights.

    Parameters
    ----------
    table : str
    read : ReadOptions
    estimators : sequence of fitted estimators
        Levels and classes are written as the first that knows them has them.
    target : str
    notes : Notes
    weights : str, optional
        The column of weights.
    drop_unlabelled : bool, optional
        Whether rows without a target are left out; None where a command cannot.
    """
    import polars as pl

    known = {column.name: column for one in reversed(estimators) for column in one.schema_}
    if weights == target:
        raise ParameterError(f"--weights and --target both name {target!r:.60}.")
    for name in (target, weights):
        if name in known:
            raise ParameterError(f"the model asks {name!r:.60}, which is an input: it is no target and no weight.")
    aside = [target, *([weights] if weights else [])]
    read = read_as_trained(read, [*known, *aside], *estimators)
    check_target(table, read, target)
    batches = open_batches(table, read, [*known, *aside])
    frame = labelled_rows(pl.concat(list(batches), how="vertical_relaxed"), table, target, drop_unlabelled, notes)
    y = frame[target]
    if batches.text or y.dtype.is_numeric():
        classes = classes_of(estimators)
        y = _as_classes(y, classes) if classes else as_numbers(y, target)
    X = fit_to_schema(frame, known.values(), text=batches.text, before=0)
    return Labelled(X, y, as_numbers(frame[weights], weights).to_numpy() if weights else None)


def _as_classes(cells: Any, classes: list[Any]) -> Any:
    """Cells as the classes that they name; where these are numbers, others are numbers, too."""
    found = as_levels(cells, classes)
    if not all(type(label) in (int, float) for label in classes):
        return found
    return [_number(cell) if isinstance(cell, str) else cell for cell in found]


def _number(cell: str) -> float | int | str:
    try:
        value = float(cell)
    except ValueError:
        return cell
    return int(value) if value.is_integer() else value


def check_target(table: str, read: ReadOptions, target: str) -> None:
    """Refuse a table without the target before it is read; not of a pipe, which can be opened only once."""
    if table == "-":
        return
    columns = open_batches(table, read, None).columns
    if columns and target not in columns:
        import difflib

        near = difflib.get_close_matches(target, columns, n=1, cutoff=0.7)
        hint = f"did you mean --target {near[0]}?" if near else "name the column that holds it with --target."
        raise DataError(f"{table} has no column {target!r:.80}, the target of the model: {hint}")
