"""Points in the unit square whose boundary no axis-parallel tree can follow: a slope, two lines, a circle.

They show what oblique splits and sphere nodes are for.
"""

from __future__ import annotations

import numpy as np

from bough.datasets._build import Array, RandomState, check_size, generator, mislabel
from bough.datasets.dataset import Dataset


def make_diagonal(n: int = 200, *, noise: float = 0.0, random_state: RandomState = None) -> Dataset:
    """Two classes on either side of the diagonal: axis-parallel tests need a staircase, one linear test is enough.

    Parameters
    ----------
    n : int, default=200
        Rows, uniform in the unit square.
    noise : float, default=0.0
        Share of the labels to turn wrong.
    random_state : int, numpy Generator or None, default=None
        The seed; None is a fixed one.

    Returns
    -------
    Dataset
        The target is 1 where x2 > x1.

    Examples
    --------
    >>> from bough.datasets import make_diagonal
    >>> points = make_diagonal(20, random_state=0)
    >>> bool(((points.data["x2"] > points.data["x1"]) == points.target).all())
    True
    """
    x = _square(n, rng := generator(random_state))
    return _labelled("diagonal", x, x[:, 1] > x[:, 0], noise, rng, "Above or below the diagonal?")


def make_two_lines(n: int = 200, *, noise: float = 0.0, random_state: RandomState = None) -> Dataset:
    """Two classes in the four wedges between two crossing lines: a linear test at the root and one on each side.

    Parameters
    ----------
    n, noise, random_state
        As for `make_diagonal`.

    Returns
    -------
    Dataset
        The lines are both diagonals; the target is 1 in the wedges above and below their crossing.

    Examples
    --------
    >>> from bough.datasets import make_two_lines
    >>> points = make_two_lines(20, random_state=0)
    >>> above = points.data["x2"] > points.data["x1"]
    >>> bool(((above == (points.data["x1"] + points.data["x2"] > 1)) == points.target).all())
    True
    """
    x = _square(n, rng := generator(random_state))
    inside = (x[:, 1] > x[:, 0]) == (x[:, 0] + x[:, 1] > 1)
    return _labelled("two_lines", x, inside, noise, rng, "Which wedge between two crossing lines?")


def make_circle(n: int = 200, *, noise: float = 0.0, random_state: RandomState = None) -> Dataset:
    """Two classes inside and outside a circle that takes half of the unit square.

    Parameters
    ----------
    n, noise, random_state
        As for `make_diagonal`.

    Returns
    -------
    Dataset
        The target is 1 inside.

    Examples
    --------
    >>> from bough.datasets import make_circle
    >>> float(make_circle(10_000, random_state=0).target.mean().round(1))
    0.5
    """
    x = _square(n, rng := generator(random_state))
    inside = ((x - 0.5) ** 2).sum(axis=1) < 0.5 / np.pi
    return _labelled("circle", x, inside, noise, rng, "Inside or outside a circle?")


def _square(n: int, rng: np.random.Generator) -> Array:
    check_size(n)
    return rng.random((n, 2))


def _labelled(name: str, x: Array, inside: Array, noise: float, rng: np.random.Generator, description: str) -> Dataset:
    target = mislabel(inside.astype(np.int64), noise, rng)
    return Dataset(name, {"x1": x[:, 0].copy(), "x2": x[:, 1].copy()}, target, "class", description)
