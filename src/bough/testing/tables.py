"""Problems made at random, problems as frames, and a check of monotone predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.testing.problem import Column, Problem, Rules

WEIGHTS = ("ones", "integers", "quarters", "reals", "zeros")


def random_table(
    rng: np.random.Generator,
    n: int = 40,
    *,
    numeric: int = 2,
    ordered: int = 1,
    nominal: int = 2,
    classes: int = 2,
    missing: float = 0.1,
    weights: str = "ones",
    max_levels: int = 6,
    rules: Rules | None = None,
) -> Problem:
    """A small table with ties, missing values and some signal.

    Parameters
    ----------
    rng : numpy Generator
    n : int, default=40
        Rows.
    numeric, ordered, nominal : int
        How many columns of each kind. Half of the numeric ones hold few values, so that they tie.
    classes : int, default=2
        Number of classes, 0 for a regression problem.
    missing : float, default=0.1
        Chance of each cell to be missing.
    weights : {"ones", "integers", "quarters", "reals", "zeros"}, default="ones"
        Sample weights: 1, or 1 to 3, or multiples of 1/4, or any reals, or 0 to 2.
    max_levels : int, default=6
        Nominal columns have 1 to this many levels, ordered ones 2 to this many.
    rules : Rules, optional
        By default gini, or squared error.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import numpy as np
    >>> from bough.testing import random_table
    >>> problem = random_table(np.random.default_rng(0), 20, classes=3)
    >>> [column.kind for column in problem.columns]
    ['numeric', 'numeric', 'ordered', 'nominal', 'nominal']
    """
    values: list[np.ndarray[Any, Any]] = []
    kinds = ["numeric"] * numeric + ["ordered"] * ordered + ["nominal"] * nominal
    for number, kind in enumerate(kinds):
        if kind == "numeric":
            values.append(rng.integers(0, 6, n) if number % 2 else rng.normal(size=n).round(3))
        else:
            levels = rng.integers(1 if kind == "nominal" else 2, max_levels + 1)
            values.append(rng.integers(0, levels, n))
    signal = sum((rng.permutation(11)[np.abs(column).astype(int) % 11] for column in values), np.zeros(n))
    signal = signal + 4 * rng.normal(size=n)
    if classes:
        cuts = np.quantile(signal, np.arange(1, classes) / classes)
        labels = np.searchsorted(cuts, signal)
        labels[: min(classes, n)] = np.arange(classes)[:n]  # every class occurs
        y = labels.tolist()
    else:
        y = signal.round(2).tolist()
    columns = []
    for kind, column in zip(kinds, values, strict=True):
        hidden = rng.random(n) < missing
        cells = [None if gone else cell for cell, gone in zip(column.tolist(), hidden, strict=True)]
        columns.append(Column(kind, cells))
    if rules is None:
        rules = Rules() if classes else Rules(criterion="squared_error")
    return Problem(columns, y, _weights(rng, n, weights), rules, classes)


def _weights(rng: np.random.Generator, n: int, kind: str) -> list[float]:
    if kind == "ones":
        return [1.0] * n
    if kind == "integers":
        return [float(weight) for weight in rng.integers(1, 4, n)]
    if kind == "quarters":
        return [float(weight) / 4 for weight in rng.integers(1, 9, n)]
    if kind == "reals":
        return [float(weight) for weight in rng.uniform(0.1, 2.0, n)]
    if kind == "zeros":
        return [1.0, *(float(weight) for weight in rng.integers(0, 3, n - 1))]
    raise ParameterError(f"weights is {kind!r}; choose one of {', '.join(WEIGHTS)}")


def to_frame(problem: Problem) -> Any:
    """The columns of a problem as a pandas frame: numbers, ordered and plain categories under the names x0, x1, ...

    Examples
    --------
    >>> from bough.testing import Column, Problem, to_frame
    >>> frame = to_frame(Problem([Column("nominal", [1, None, 0])], [0, 1, 1]))
    >>> frame["x0"].tolist()
    ['b', nan, 'a']
    """
    import pandas as pd

    frame: dict[str, Any] = {}
    for number, column in enumerate(problem.columns):
        if column.kind == "numeric":
            frame[f"x{number}"] = np.array([np.nan if v is None else v for v in column.cells], dtype=np.float64)
        else:
            codes = [-1 if value is None else int(value) for value in column.cells]
            names = pd.Index([chr(ord("a") + code) for code in range(max([*codes, 0]) + 1)])
            frame[f"x{number}"] = pd.Categorical.from_codes(codes, names, ordered=column.kind == "ordered")
    return pd.DataFrame(frame)


def monotone_violations(
    predict: Callable[[Sequence[float | None]], float], problem: Problem, column: int, direction: int
) -> list[tuple[int, float, float]]:
    """Where a prediction moves against a promised direction.

    In every row the column is set to each of its values in turn, upwards; the prediction may never step the wrong
    way. A tree that passes is monotone in the column wherever the other columns are as in the table.

    Parameters
    ----------
    predict : function of a case
        Gives a number, such as a mean or the probability of the second class.
    problem : Problem
    column : int
    direction : {1, -1}
        1: the prediction may not fall when the value grows, -1: it may not grow.

    Returns
    -------
    list of (row, value, next value)

    Examples
    --------
    >>> from bough.testing import Column, Problem, monotone_violations
    >>> problem = Problem([Column("numeric", [1, 2, 3])], [0, 1, 0])
    >>> monotone_violations(lambda case: case[0] == 2, problem, 0, 1)
    [(0, 2, 3), (1, 2, 3), (2, 2, 3)]
    """
    steps = sorted({value for value in problem.columns[column].cells if value is not None})
    found: list[tuple[int, float, float]] = []
    for row in range(len(problem.y)):
        case = [other.cells[row] for other in problem.columns]
        answers = []
        for value in steps:
            case[column] = value
            answers.append(predict(case))
        moves = zip(pairwise(steps), pairwise(answers), strict=True)
        found += [(row, here, there) for (here, there), (now, then) in moves if (then - now) * direction < 0]
    return found
