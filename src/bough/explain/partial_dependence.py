"""Partial dependence: the mean answer of a model to given rows, if all of them had the same value in a column.

Of any model of bough: a forest, a tree, rules. Levels are taken as they are, and where values are missing, "missing" is
a value like another.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.model.frame import as_frame
from bough.model.inputs import Rows
from bough.model.kinds import Model
from bough.model.text import class_text
from bough.table import Column, Encoded, format_value, missing_rows, value_of, weight_array

__all__ = ["PartialDependence", "partial_dependence"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PartialDependence:
    """What a model answers on average, by the value of one column, or by those of two.

    Parameters
    ----------
    columns : tuple of str
    values : tuple of lists
        For each column its values: numbers, dates or levels; None for a missing one, which comes last.
    mean : ndarray of shape (n_values,) or (n_values, n_values of the second column), for classes with one axis more
        Mean numbers, or mean probabilities of the classes.
    target : str
    classes : ndarray, optional
        The labels, sorted; None where numbers are answered.
    kinds : tuple of str
        For each column "numeric", "ordered" or "nominal".
    places : tuple of ndarrays
        For each column where its values stand on an axis: numbers, or 0, 1, ... for levels; NaN for a missing one.
    texts : tuple of lists
        For each column its values as text.
    individual : ndarray, optional
        The answers row by row, rows first, then as `mean`: what is also called individual conditional expectation.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=20).fit(X, y)
    >>> found = bough.explain.partial_dependence(clf, X, "island")
    >>> found.values[0], found.mean.shape
    (['Biscoe', 'Dream', 'Torgersen'], (3, 3))
    >>> found.to_frame().columns.tolist()
    ['island', 'p[Adelie]', 'p[Chinstrap]', 'p[Gentoo]']
    """

    columns: tuple[str, ...]
    values: tuple[list[Any], ...]
    mean: Floats
    target: str
    kinds: tuple[str, ...]
    places: tuple[Floats, ...]
    texts: tuple[list[str], ...]
    classes: npt.NDArray[Any] | None = None
    individual: Floats | None = None

    def to_frame(self) -> Any:
        """Return a data frame with a line for each value, or pair of values, and the mean answers.

        Returns
        -------
        data frame
            The columns by their names; `mean`, or `p[label]` for each class.
        """
        pairs = list(itertools.product(*self.values))
        table: dict[str, Any] = {name: [pair[i] for pair in pairs] for i, name in enumerate(self.columns)}
        if self.classes is None:
            return as_frame({**table, "mean": self.mean.ravel()})
        flat = self.mean.reshape(-1, len(self.classes))
        return as_frame({**table, **{f"p[{class_text(c)}]": flat[:, k] for k, c in enumerate(self.classes.tolist())}})

    def __str__(self) -> str:
        heads = ["mean"] if self.classes is None else [class_text(label)[:20] for label in self.classes.tolist()]
        names = [" ".join(pair) for pair in itertools.product(*self.texts)]
        title = " ".join(" ".join(name.split())[:40] for name in self.columns)
        width = max(map(len, [title, *names]))
        wide = max(12, *(len(head) + 2 for head in heads))
        lines = [f"{title:{width}}" + "".join(f"{head:>{wide}}" for head in heads)]
        for name, row in zip(names, self.mean.reshape(-1, len(heads)), strict=True):
            lines.append(f"{name:{width}}" + "".join(f"{value:{wide}.4g}" for value in row))
        return "\n".join(lines)


def partial_dependence(
    model: Any,
    X: Any,
    columns: str | int | Sequence[str | int],
    *,
    grid_resolution: int = 100,
    percentiles: tuple[float, float] = (0.05, 0.95),
    sample_weight: Any = None,
    individual: bool = False,
    n_threads: int = 1,
) -> PartialDependence:
    """Return what a model answers on average if all rows had the same value in a column, value by value.

    It tells what the model does, not what the world does: where columns go together, it asks for rows that do not
    exist.

    Parameters
    ----------
    model : fitted estimator or model of bough
    X : table
        The rows to average over; a few hundred are mostly enough.
    columns : str or int, or two of them
        By name, or by position.
    grid_resolution : int, default=100
        A column of numbers that has more values than these in X is asked at so many places, evenly between two
        percentiles. Levels are asked one by one. Where values are missing in X, a missing one is asked, too.
    percentiles : (float, float), default=(0.05, 0.95)
    sample_weight : array of shape (n_rows,), optional
    individual : bool, default=False
        Whether to keep the answers row by row, too.
    n_threads : int, default=1

    Returns
    -------
    PartialDependence
        `bough.plot.partial_dependence` draws it.

    References
    ----------
    J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29, 2001.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1").xy()
    >>> reg = bough.RandomForestRegressor(n_estimators=50).fit(X, y)
    >>> found = bough.explain.partial_dependence(reg, X, "x4", grid_resolution=5)
    >>> bool(found.mean[-1] - found.mean[0] > 3)
    True
    """
    asked = getattr(model, "model_", model)
    if not isinstance(asked, Model):
        raise ParameterError(
            f"partial_dependence takes a fitted estimator or model of bough; got {type(model).__name__}. For others "
            "there is sklearn.inspection.partial_dependence."
        )
    schema = asked.inputs.schema
    numbers = [_number(schema.names, one) for one in ([columns] if isinstance(columns, str | int) else columns)]
    if len(numbers) not in (1, 2) or len(set(numbers)) < len(numbers):
        raise ParameterError(f"columns must name one column, or two; got {columns!r:.80}.")
    asked.read(X, every=True)  # refuses what the model refuses
    given = asked.inputs.read_given(X).encoded
    n_rows = len(given[0].data)
    weights = None if sample_weight is None else weight_array(sample_weight)
    if weights is not None and weights.shape != (n_rows,):
        raise DataError(f"sample_weight has the shape {weights.shape}, but X has {n_rows} rows.")
    grids = [_grid(schema.columns[number], given[number], grid_resolution, percentiles) for number in numbers]
    told, means = [], []
    for values in itertools.product(*grids):
        changed = list(given)
        for number, value in zip(numbers, values, strict=True):
            changed[number] = _constant(schema.columns[number], value, n_rows)
        answers = _answers(asked, changed, n_threads)
        means.append(np.average(answers, axis=0, weights=weights))
        if individual:
            told.append(answers)
    shape = tuple(len(grid) for grid in grids)
    mean = np.array(means).reshape(*shape, *np.shape(means[0]))
    columns_of = [schema.columns[number] for number in numbers]
    pairs = list(zip(columns_of, grids, strict=True))
    return PartialDependence(
        tuple(column.name for column in columns_of),
        tuple([None if np.isnan(one) else value_of(column, one) for one in grid.tolist()] for column, grid in pairs),
        mean,
        asked.target,
        tuple(column.kind for column in columns_of),
        tuple(grids),
        tuple([_text(column, one) for one in grid.tolist()] for column, grid in pairs),
        None if asked.answer.classes is None else np.sort(np.asarray(asked.answer.classes)),
        np.stack(told, axis=1).reshape(n_rows, *mean.shape) if individual else None,
    )


def _number(names: Sequence[str], column: Any) -> int:
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, int | np.integer) and not isinstance(column, bool) and -len(names) <= column < len(names):
        return int(column) % len(names)
    raise ParameterError(f"columns: the model has no column {column!r:.60}; it has {', '.join(names[:20])}.")


def _grid(column: Column, encoded: Encoded, resolution: Any, percentiles: Any) -> Floats:
    """The places at which a column is asked: numbers or codes, NaN for a missing value last."""
    if not isinstance(resolution, int | np.integer) or resolution < 2:
        raise ParameterError(f"grid_resolution must be a whole number, at least 2; got {resolution!r:.60}.")
    missing = missing_rows(encoded)
    if column.levels is not None:
        places = np.array([code for code in range(column.n_levels) if code not in column.unused], dtype=np.float64)
    else:
        low, high = _percentiles(percentiles)
        known = encoded.data[~missing].astype(np.float64)
        places = np.unique(known[np.isfinite(known)])
        if len(places) > resolution:
            first, last = np.quantile(known[np.isfinite(known)], [low, high])
            places = np.linspace(first, last, int(resolution)) if first < last else np.array([first])
    if missing.any():
        places = np.append(places, np.nan)
    if not len(places):
        raise DataError(f"column {column.name!r} has no value to ask for: all are infinite.")
    return places


def _percentiles(given: Any) -> tuple[float, float]:
    try:
        low, high = (float(one) for one in given)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0 <= low < high <= 1:
        raise ParameterError(f"percentiles must be two rising numbers from 0 to 1; got {given!r:.60}.")
    return low, high


def _constant(column: Column, value: float, n_rows: int) -> Encoded:
    if column.levels is None:
        return Encoded(np.full(n_rows, value, dtype=np.float64))
    return Encoded(np.full(n_rows, -1 if np.isnan(value) else int(value), dtype=np.int32))


def _answers(model: Model, encoded: list[Encoded], n_threads: int) -> Floats:
    bins = model.inputs.bins
    rows = Rows(model.inputs.asked, encoded if bins is None else bins.encode(encoded))
    if model.answer.classes is None:
        return np.asarray(model.predict(rows, n_threads=n_threads), dtype=np.float64)
    return model.predict_proba(rows, n_threads=n_threads)


def _text(column: Column, value: float) -> str:
    if np.isnan(value):
        return "missing"
    return format_value(column, value, digits=4, quoted=False)
