"""Draws of rows and columns for the members of an ensemble, by (seed, number of the member) alone.

So nothing that was drawn needs to be kept: whoever asks which rows a member has not seen draws them again. The numbers
are splitmix64's, as in the kernel, and the same on any machine, in any order and for any number of threads.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.model.text import class_text, counted
from bough.recipe.sampling import Sampling
from bough.table import is_missing, warn

__all__ = ["Draws", "columns", "counts", "mix", "own_counts"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]

_STEP = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
_FEW = 10  # rows of each class of a balanced bag, below which a warning says so
_MOST = 2**31  # rows of a bag, in which the kernel adds weights


def mix(seed: int, number: int) -> int:
    """A seed of its own for each number: that of a member from the seed of the fit.

    Examples
    --------
    >>> mix(0, 0) != mix(0, 1) != mix(1, 0)
    True
    """
    return _finished(_finished(seed + _STEP) + (number + 1) * _STEP)


def _finished(z: int) -> int:
    z &= _WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
    return z ^ (z >> 31)


class _Stream:
    """Numbers in [0, 1) from a seed."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _WORD

    def uniform(self, size: int) -> Floats:
        """The next numbers of the stream."""
        z = np.uint64(self.state) + np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
        self.state = (self.state + size * _STEP) & _WORD
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class _Unit:
    """What is drawn as a whole: rows, or groups of them."""

    of_row: Ints  # by row: the unit that it belongs to, -1 for none
    weight: Floats  # by unit
    strata: Ints | None  # by unit


def counts(
    seed: int,
    number: int,
    n_rows: int,
    *,
    sampling: Sampling | None = None,
    weights: Floats | None = None,
    classes: npt.NDArray[Any] | None = None,
    groups: Any = None,
) -> Counts:
    """Return how often each row is drawn for a member.

    Parameters
    ----------
    seed, number : int
        Of the fit, and of the member: no other draw has a part in it.
    n_rows : int
    sampling : Sampling, optional
        By default as many rows as there are, with replacement.
    weights : ndarray of shape (n_rows,), optional
        Rows of weight 0 are not drawn. `Sampling(weights="draw")` draws by them.
    classes : ndarray of int, optional
        The number of each row's class, where sampling goes by classes.
    groups : array of shape (n_rows,), optional
        Rows of a group are drawn together or not at all.

    Returns
    -------
    ndarray of int32

    Examples
    --------
    >>> drawn = counts(0, 7, 1000)
    >>> int(drawn.sum()), bool((drawn == counts(0, 7, 1000)).all()), round(float((drawn == 0).mean()), 1)
    (1000, True, 0.4)
    >>> counts(0, 0, 6, groups=[1, 1, 2, 2, 3, 3]).reshape(3, 2).std(axis=1)
    array([0., 0., 0.])
    """
    return Draws(seed, n_rows, sampling or Sampling(), weights, classes, groups).counts(number)


def columns(seed: int, number: int, n_columns: int, size: int) -> Ints:
    """Return the columns that a member may ask, rising: `size` of them, drawn without replacement."""
    keys = _Stream(mix(mix(seed, number), 1)).uniform(n_columns)
    return np.sort(np.argsort(keys, kind="stable")[:size])


def own_counts(given: Any, n_members: int, n_rows: int) -> Counts:
    """Counts of rows that a user gives: one line for each member, one whole number for each row."""
    table = np.asarray(given)
    if table.dtype.kind not in "iub" or table.ndim != 2 or table.shape[0] < n_members or table.shape[1] != n_rows:
        raise ParameterError(
            f"sampling: counts of rows are whole numbers of shape ({n_members}, {n_rows}), a line for each tree; got "
            f"{table.dtype} of shape {table.shape}."
        )
    if table.min() < 0 or not table.any(axis=1).all():
        raise ParameterError("sampling: counts of rows are not negative, and some row of each line is above 0.")
    return table.astype(np.int32)


@dataclass(frozen=True)
class Draws:
    """All that the rows of the members are drawn from, checked once; see `counts`."""

    seed: int
    n_rows: int
    sampling: Sampling
    weights: Floats | None = None
    classes: npt.NDArray[Any] | None = None
    groups: Any = None
    own: Counts | None = None  # counts that a user gives, in place of draws

    def __post_init__(self) -> None:
        self.sampling.check()
        if self.own is not None:
            self._check_own(self.own)
        else:
            sizes = self._strata()
            total = sum(size for size, _ in sizes)
            if total >= _MOST:
                raise DataError(f"{total:,} rows or groups do not fit into a bag, {_MOST - 1:,} do: lower the share.")
            for size, members in sizes:
                if size > len(members) and not self.sampling.replacement:
                    raise DataError(
                        f"{size} rows or groups cannot be drawn from {len(members)} without replacement: lower "
                        f"the share, {self.sampling.share!r}."
                    )

    def _check_own(self, own: Counts) -> None:
        """Refuse counts by which nothing counts for some tree."""
        if self.weights is None:
            return
        empty = np.flatnonzero(~(own[:, self.weights > 0] > 0).any(axis=1))
        if len(empty):
            raise DataError(f"sampling: line {empty[0]} of the counts takes rows of weight 0 alone: count others too.")

    @cached_property
    def _unit(self) -> _Unit:
        used = np.ones(self.n_rows, dtype=bool) if self.weights is None else self.weights > 0
        rows = np.flatnonzero(used)
        of_row = np.full(self.n_rows, -1, dtype=np.int64)
        if self.groups is None:
            of_row[rows] = np.arange(len(rows))
        else:
            given = np.asarray(self.groups)
            if given.shape != (self.n_rows,):
                raise DataError(
                    f"groups has the shape {given.shape}; expected one group for each of {self.n_rows} rows."
                )
            lacking = next((row for row in rows.tolist() if is_missing(given[row])), None)
            if lacking is not None:
                raise DataError(f"groups: row {lacking} has none: give it one, of its own if it belongs to no other.")
            of_row[rows] = np.unique(given[rows], return_inverse=True)[1]
        size = int(of_row.max()) + 1
        mass = np.bincount(of_row[rows], None if self.weights is None else self.weights[rows], size).astype(np.float64)
        strata = None
        if self.sampling.classes is not None:
            if self.classes is None:
                raise ParameterError(f"sampling: classes={self.sampling.classes!r} is for classes, not for numbers.")
            codes = np.asarray(self.classes, dtype=np.int64)
            strata = np.zeros(size, dtype=np.int64)
            strata[of_row[rows]] = codes[rows]
            odd = rows[strata[of_row[rows]] != codes[rows]]
            if len(odd):
                group = np.asarray(self.groups)[odd[0]].item()
                raise DataError(
                    f"groups: the group {group!r:.60} has rows of several classes, and "
                    f"classes={self.sampling.classes!r} draws groups of one class each: leave one of the two out."
                )
        return _Unit(of_row, mass, strata)

    def _strata(self) -> list[tuple[int, Ints]]:
        """How many to draw from which units."""
        unit, share = self._unit, self.sampling.share
        every = np.arange(len(unit.weight))
        parts = [every] if unit.strata is None else [every[unit.strata == code] for code in np.unique(unit.strata)]
        if self.sampling.classes == "balanced":
            least = min(map(len, parts))
            sizes = [share if isinstance(share, int | np.integer) else share * least for _ in parts]
        elif isinstance(share, int | np.integer):
            sizes = [int(share) * len(part) / len(every) for part in parts]
        else:
            sizes = [share * len(part) for part in parts]
        return [(max(1, round(size)), part) for size, part in zip(sizes, parts, strict=True)]

    def counts(self, number: int) -> Counts:
        """How often each row is drawn for a member."""
        if self.own is not None:
            drawn: Counts = self.own[number]
            return drawn
        unit = self._unit
        stream = _Stream(mix(mix(self.seed, number), 0))
        by_weight = self.sampling.weights == "draw" and self.weights is not None
        times = np.zeros(len(unit.weight) + 1, dtype=np.int32)  # the last is of rows that are not drawn
        for size, members in self._strata():
            weight = unit.weight[members] if by_weight else None
            draw = _with_replacement if self.sampling.replacement else _without
            times[members] += draw(stream, size, len(members), weight).astype(np.int32)
        return times[unit.of_row]

    def warn_of_few(self, labels: Any) -> None:
        """Say so where every class is drawn as rarely as a class of very few rows."""
        if self.own is not None or self.sampling.classes != "balanced":
            return
        sizes = self._strata()
        size, members = min(sizes, key=lambda one: len(one[1]))
        if size >= _FEW:
            return
        what = "row" if self.groups is None else "group"
        rarest = class_text(np.asarray(labels)[cast(Ints, self._unit.strata)[members[0]]])
        warn(
            f"sampling: classes='balanced' draws {counted(size, what)} of each class for a tree, as the rarest, "
            f"{rarest}, has {len(members):,}: too few to learn much from. class_weight='balanced' leaves all rows in."
        )

    def class_scale(self, n_classes: int) -> Floats:
        """By class: what a row drawn stands for, where classes are drawn by other shares than they have."""
        scale = np.ones(n_classes)
        unit = self._unit
        if unit.strata is None or self.sampling.classes != "balanced":
            return scale
        by_weight = self.sampling.weights == "draw" and self.weights is not None
        for size, members in self._strata():
            held = unit.weight[members].sum() if by_weight else len(members)
            scale[unit.strata[members[0]]] = held / size
        return scale

    def member_weights(self, number: int) -> Floats:
        """What rows count for a member: how often they are drawn, times their weight unless that took part in it."""
        drawn = self.counts(number).astype(np.float64)
        if self.weights is None or (self.sampling.weights == "draw" and self.own is None):
            return drawn
        return drawn * self.weights


def _with_replacement(stream: _Stream, size: int, n: int, weight: Floats | None) -> Ints:
    drawn = stream.uniform(size)
    if weight is None:
        chosen = (drawn * n).astype(np.int64)
    else:
        total = np.cumsum(weight)
        chosen = np.searchsorted(total, drawn * total[-1], side="right")
    return np.bincount(np.minimum(chosen, n - 1), minlength=n)


def _without(stream: _Stream, size: int, n: int, weight: Floats | None) -> Ints:
    keys = stream.uniform(n)
    if weight is not None:  # Efraimidis and Spirakis 2006
        keys = -np.log1p(-keys) / weight
    chosen = np.zeros(n, dtype=np.int64)
    chosen[np.argsort(keys, kind="stable")[:size]] = 1
    return chosen
