"""A fixed model asked about the rows of a table: what it says, and what came. Nothing is fitted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.learn.target import check_lengths, read_numbers, target_name
from bough.learn.weights import scaled_weights
from bough.model.given import model_of
from bough.model.inputs import Rows
from bough.model.kinds import Model
from bough.model.provenance import provenance_of
from bough.model.text import class_text
from bough.table import Table, is_missing, table_digest, target_column
from bough.table.schema import UNSEEN
from bough.validate.fitting import name_of_estimator
from bough.validate.folds import Trial
from bough.validate.target import Target, row_weights

__all__ = ["Asked", "answered", "ask", "is_training_table", "known_classes", "read_truth", "refuse_nothing"]

Array = npt.NDArray[Any]
_SHOWN = 5  # labels in a message


@dataclass(frozen=True)
class Asked:
    """A model and what it says of the rows of a table.

    Attributes
    ----------
    name : str
    model : Model
    rows : Rows
        The table as the model reads it.
    trial : Trial
        What came, what was answered, with which probabilities.
    """

    name: str
    model: Model
    rows: Rows
    trial: Trial

    def unseen(self) -> dict[str, int]:
        """How many rows hold a level that no training row held, by the name of the column."""
        counts = {
            column.name: int(np.count_nonzero(encoded.data == UNSEEN))
            for column, encoded in zip(self.model.inputs.schema, self.rows.encoded, strict=True)
            if column.kind != "numeric"
        }
        return {name: count for name, count in counts.items() if count}


def known_classes(models: Iterable[Model]) -> Array | None:
    """The classes that models know, sorted; None for numbers. Models of both kinds have nothing to be compared by."""
    every = [model.answer.classes for model in models]
    of_classes = [classes for classes in every if classes is not None]
    if not of_classes:
        return None
    if len(of_classes) < len(every):
        raise ParameterError("some of the models predict classes and others numbers: judge them one by one.")
    return _sorted(dict.fromkeys(label for classes in of_classes for label in classes.tolist()))


def _sorted(labels: Iterable[Any]) -> Array:
    given = list(labels)
    try:
        given.sort()
    except TypeError:
        given.sort(key=str)
    return _objects(given)


def _objects(values: list[Any]) -> Array:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def refuse_nothing(y: Any) -> None:
    """Refuse a target without rows, before the table is read."""
    if y is None:
        raise DataError("y is None: to judge a model, give what came in each row, its class or its number.")
    if hasattr(y, "__len__") and len(y) == 0:
        raise DataError("there are no rows to judge the model by: y is empty.")


def read_truth(classes: Array | None, y: Any, sample_weight: Any, n_rows: int, name: str) -> Target:
    """What came: numbers, or classes, those that no model knows after those that some do.

    Parameters
    ----------
    classes : ndarray or None
        The classes that are known.
    y : array of shape (n_rows,)
    sample_weight : array of shape (n_rows,) or None
    n_rows : int
        Of the table.
    name : str
        What the model calls its target, where y has no name.
    """
    if classes is None:
        values: Array = _numbers(y)
    else:
        classes, values = _classes(classes, _cells(y))
    check_lengths(n_rows, values)
    called = target_name(y)
    weights, unweighted = row_weights(sample_weight, n_rows)
    return Target(classes, values, weights, unweighted, name if called == "y" else called)


def _numbers(y: Any) -> Array:
    cells = _cells(y)
    other = next((cell for cell in cells if isinstance(cell, str | bytes)), None)
    if other is not None:
        raise DataError(f"the model predicts numbers, and y holds {other!r:.60}: give the numbers that came.")
    return np.asarray(read_numbers(y), dtype=np.float64)


def _cells(y: Any) -> list[Any]:
    """The cells of a target, one for each row; none may be missing."""
    if isinstance(y, str | bytes):
        raise DataError(
            f"y is the text {y!r:.60}: give the values of the target, such as table[{y!r:.60}], one for each row."
        )
    array = _objects(list(y)) if isinstance(y, list | tuple) else np.asarray(y)
    if array.ndim != 1:
        raise DataError(f"y must have one value for each row; its shape is {array.shape}.")
    cells: list[Any] = array.tolist()
    lacking = next((row for row, cell in enumerate(cells) if is_missing(cell)), None)
    if lacking is not None:
        raise DataError(f"y is missing in row {lacking}: leave out rows of which nobody knows what came.")
    return cells


def _classes(known: Array, cells: list[Any]) -> tuple[Array, Array]:
    """All classes, those that are known first, and the number of each row's."""
    place = {label: code for code, label in enumerate(known.tolist())}
    try:
        other = [label for label in dict.fromkeys(cells) if label not in place]
    except TypeError as error:
        raise DataError(f"y holds values that cannot be classes ({error}).") from error
    if cells and len(other) == len(set(cells)):
        raise DataError(
            f"none of the classes in y is one that the model knows: y holds {_listing(other)}; the model knows "
            f"{_listing(known.tolist())}. Name the column that holds its target, and write classes as in training."
        )
    every = [*known.tolist(), *_sorted(other).tolist()]
    place = {label: code for code, label in enumerate(every)}
    return _objects(every), np.array([place[cell] for cell in cells], dtype=np.intp)


def _listing(labels: list[Any]) -> str:
    shown = ", ".join(class_text(label)[:40] for label in labels[:_SHOWN])
    return shown + (", ..." if len(labels) > _SHOWN else "")


def ask(given: Any, X: Any, name: str | None = None) -> tuple[str, Model, Rows]:
    """Read a table as a model reads it; the name of the model, the model and the rows.

    Parameters
    ----------
    given : fitted estimator or Model
    X : table
    name : str, optional
        What the model is called; by default what it is.
    """
    model = model_of(given)
    if name is None:
        name = name_of_estimator(given) if hasattr(given, "get_params") else f"a {model.kind}"
    reader = type(given).__name__ if hasattr(given, "fit") else "the model"
    return name, model, model.read(X, reader=reader)


def is_training_table(given: Any, X: Any, target: Target) -> bool:
    """Whether the rows are the very table that a model was fitted to, by its digest; a part of it is not told."""
    origin, model = provenance_of(given), model_of(given)
    own = None if model.answer.classes is None else sorted(model.answer.classes.tolist(), key=str)
    told = None if target.classes is None else sorted(target.classes.tolist(), key=str)
    if origin is None or origin.rows != len(target) or own != told:
        return False
    schema, encoded = model.inputs.schema, model.inputs.read_given(X).encoded
    levels = zip(schema, encoded, strict=True)
    if any((held.data == UNSEEN).any() for column, held in levels if column.levels is not None):
        return False
    classes = None if target.classes is None else target.classes.tolist()
    every = [None] if target.unweighted else [None, target.weights, scaled_weights(target.weights)]
    table, column = Table(schema, encoded, len(target)), target_column(classes, target.values)
    return any(table_digest(table, column, weights) == origin.table for weights in every)


def answered(name: str, model: Model, rows: Rows, target: Target) -> Asked:
    """What a model says of rows whose target is known."""
    answer: Array = np.asarray(model.predict(rows))
    shares = None
    own = model.answer.classes
    if target.classes is not None and own is not None:
        place = {label: code for code, label in enumerate(target.classes.tolist())}
        labels, inverse = np.unique(answer, return_inverse=True)
        answer = np.array([place[label] for label in labels.tolist()], dtype=np.intp)[inverse]
        columns = [place[label] for label in np.sort(np.asarray(own)).tolist()]  # as predict_proba has them
        shares = np.zeros((len(target), len(target.classes)))
        shares[:, columns] = model.predict_proba(rows)
    trial = Trial(target.values, answer, shares, target.weights, None, None)
    return Asked(name, model, rows, trial)
