"""Helpers of the loaders: tables typed as text, random generators, and labels turned wrong on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError

Array = npt.NDArray[Any]
RandomState = int | np.random.Generator | None


def nominal(values: Sequence[str | None]) -> Array:
    """Strings as an object array; None stays None."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def parse(text: str, missing: str = "-") -> dict[str, Array]:
    """A table typed as text, its head in the first line and words apart by blanks, as nominal columns."""
    head, *rows = [line.split() for line in text.strip().splitlines()]
    cells = [[None if cell == missing else cell for cell in row] for row in rows]
    return {name: nominal([row[k] for row in cells]) for k, name in enumerate(head)}


def generator(random_state: RandomState) -> np.random.Generator:
    """The generator to draw from: an int seeds a new one; None is a fixed key, so that examples are repeatable."""
    return np.random.default_rng(0 if random_state is None else random_state)


def check_size(n: Any, name: str = "n") -> None:
    """Refuse what is not a whole number of at least 1."""
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 1:
        raise ParameterError(f"{name} is {n!r}; give a whole number of at least 1")


def check_share(share: float, name: str = "noise") -> None:
    """Refuse what is not between 0 and 1."""
    if not 0 <= share <= 1:
        raise ParameterError(f"{name} is {share!r}; give a share between 0 and 1")


def check_spread(spread: float, name: str = "noise") -> None:
    """Refuse what cannot be a standard deviation."""
    if not 0 <= spread < np.inf:
        raise ParameterError(f"{name} is {spread!r}; give a standard deviation of at least 0")


def mislabel(target: Array, noise: float, rng: np.random.Generator) -> Array:
    """A copy in which exactly ``round(noise * rows)`` of the labels 0 and 1, drawn at random, are exchanged."""
    check_share(noise)
    wrong = rng.choice(len(target), size=round(noise * len(target)), replace=False)
    target = target.copy()
    target[wrong] = 1 - target[wrong]
    return target
