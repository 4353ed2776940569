"""A table to learn from: inputs, target, weights and groups, checked before any work begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.cli.options import ReadOptions
from bough.cli.read import check_columns, read_with_origin
from bough.cli.say import Notes
from bough.errors import DataError, ParameterError
from bough.model.provenance import Origin
from bough.model.text import counted

__all__ = ["Training", "labelled_rows", "read_training"]


@dataclass(frozen=True)
class Training:
    """What an estimator is fitted to.

    Attributes
    ----------
    X, y : polars frame and series
    weights, groups : ndarray or None
    task : {"classification", "regression"}
    kinds : dict
        Parameters of the estimator: which columns are nominal or ordered.
    origin : Origin
        The file and how it was read, for the provenance of a model.
    """

    X: Any
    y: Any
    weights: Any
    groups: Any
    task: str
    kinds: dict[str, Any]
    origin: Origin


def read_training(
    table: str,
    read: ReadOptions,
    notes: Notes,
    *,
    target: str,
    task: str,
    weights: str | None,
    ordered: tuple[str, ...],
    drop_unlabelled: bool,
    groups: str | None = None,
) -> Training:
    """Read a table and take it apart."""
    levels = _ordered(ordered)
    _check_named_once(read, levels, [target, weights, groups])
    frame, origin = read_with_origin(table, read, notes)
    aside = [target, *([weights] if weights else []), *([groups] if groups else [])]
    check_columns(table, frame.columns, [*aside, *levels])
    if weights and not frame[weights].dtype.is_numeric():
        raise DataError(f"the column of weights, {weights!r}, must hold numbers; it holds {frame[weights].dtype}.")
    frame = labelled_rows(frame, table, target, drop_unlabelled, notes)
    y = frame[target]
    if y.n_unique() < 2:
        raise DataError(f"the target {target!r} is {y[0]!r:.60} in every row: there is nothing to tell apart.")
    X = frame.drop(aside)
    if X.width == 0:
        raise DataError(f"{table} has no column left to predict {target!r} from.")
    if task == "auto":
        task = "classification" if _holds_classes(y) else "regression"
        if y.dtype.is_numeric():
            notes.add(f"target {target}: {_target_words(y, task)}")
    kinds: dict[str, Any] = {"categorical_features": list(read.nominal) or "from_dtype"}
    if levels:
        kinds["ordered_features"] = levels
    numbers = frame[weights].to_numpy() if weights else None
    return Training(X, y, numbers, frame[groups].to_numpy() if groups else None, task, kinds, origin)


def _check_named_once(read: ReadOptions, levels: Iterable[str], aside: Sequence[str | None]) -> None:
    """Refuse a column of which two options say different things."""
    said: dict[str, str] = {}
    every = {"drop": read.drop, "numeric": read.numeric, "date": read.date, "nominal": read.nominal, "ordered": levels}
    for option, names in every.items():
        for name in names:
            if option not in ("numeric", "date") and name in aside:
                raise ParameterError(f"--{option} names {name!r:.60}, which is not an input here.")
            if said.setdefault(name, option) != option:
                raise ParameterError(f"--{said[name]} and --{option} both name {name!r:.60}: leave one out.")


def _ordered(given: tuple[str, ...]) -> dict[str, list[str]]:
    levels = {}
    for text in given:
        name, sign, rest = text.partition("=")
        found = [level.strip() for level in rest.split(",")]
        if not sign or len(found) < 2:
            raise ParameterError(f"--ordered takes NAME=LOW,...,HIGH, such as size=S,M,L; got {text!r:.80}.")
        if name in levels:
            raise ParameterError(f"--ordered names {name!r:.60} twice.")
        levels[name] = found
    return levels


def labelled_rows(frame: Any, table: str, target: str, drop: bool | None, notes: Notes) -> Any:
    """Rows whose target is known; others are left out or refused, by a command without that option if it is None."""
    y = frame[target]
    lacking = y.is_null() | y.is_nan() if y.dtype.is_float() else y.is_null()
    gone = int(lacking.sum())
    if gone == len(y):
        raise DataError(f"the target {target!r} is missing in every row.")
    if gone and not drop:
        first = int(lacking.arg_true()[0]) + 1
        raise DataError(
            f"the target {target!r} is missing in {counted(gone, 'row')} of {table}, first in row {first}: complete "
            f"it, or leave such rows out{'' if drop is None else ' with --drop-unlabelled'}."
        )
    if gone:
        notes.add(f"{counted(gone, 'row')} without {target} left out")
    return frame.filter(~lacking) if gone else frame


def _holds_classes(y: Any) -> bool:
    if not y.dtype.is_numeric():
        return True
    values = y.to_numpy()
    return bool((values == np.floor(values)).all() and len(np.unique(values)) <= max(20, len(values) // 50))


def _target_words(y: Any, task: str) -> str:
    if task == "regression":
        return "numbers, so a regression; --task classification makes them classes"
    return f"{y.n_unique()} classes; --task regression makes them numbers"
