"""Interventional Shapley values: what each column adds when the others are taken from rows of a background.

They need nothing but answers, so that any model has them, trees of weighted sums included. The game of a row: a
coalition is answered by the mean over the background of the rows that have the coalition's columns from the row and
all others from the background (Janzing, Minorics and Blöbaum, 2020).
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.table import Encoded

__all__ = ["MOST_EXACT", "Interventional", "interventional_values"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MOST_EXACT = 12
"""Up to so many columns that a model asks, all coalitions are answered."""
_BLOCK = 200_000  # rows that are answered at once


class Interventional(NamedTuple):
    """Values of rows, the base that they add to, and standard errors: 0 where all coalitions were answered."""

    values: Floats
    base: Floats
    errors: Floats


def interventional_values(
    answer: Callable[[list[Encoded]], Floats],
    rows: Sequence[Encoded],
    background: Sequence[Encoded],
    asked: Sequence[int],
    *,
    n_permutations: int = 200,
    random: np.random.Generator | None = None,
) -> Interventional:
    """Return the values of rows.

    Parameters
    ----------
    answer : callable
        The answers to columns: an array of shape (n_rows,) or (n_rows, n_classes).
    rows, background : sequence of Encoded
        Columns of the rows that are explained, and of those that stand for what is not known.
    asked : sequence of int
        The columns that can change an answer; all others have the value 0.
    n_permutations : int, default=200
        Beyond 12 columns: about how many orders of the columns are drawn, each with its reverse. Every row of the
        background is taken equally often, so that values add up to the answer less the base.
    random : Generator, optional

    Examples
    --------
    >>> import numpy as np
    >>> from bough.table import Encoded
    >>> rows, back = [Encoded(np.array([[2.0, 5.0]]).T[k]) for k in range(2)], [Encoded(np.zeros(1))] * 2
    >>> found = interventional_values(lambda columns: columns[0].data * columns[1].data, rows, back, [0, 1])
    >>> found.values
    array([[5., 5.]])
    """
    n, size = len(rows[0].data), len(background[0].data)
    if not size:
        raise ParameterError("a background needs a row.")
    base = np.asarray(answer(list(background)), dtype=np.float64).mean(axis=0)
    values = np.zeros((n, len(rows), *base.shape))
    errors = np.zeros_like(values)
    game = _Game(answer, rows, background)
    own = list(asked)
    for row in range(n if own else 0):
        if len(own) <= MOST_EXACT:
            values[row, own] = _exact(game, row, own)
        else:
            told = np.random.default_rng(0) if random is None else random
            values[row, own], errors[row, own] = _sampled(game, row, own, n_permutations, told)
    return Interventional(values, base, errors)


class _Game:
    """Answers to rows whose columns are partly those of a row, partly those of the background."""

    def __init__(
        self, answer: Callable[[list[Encoded]], Floats], rows: Sequence[Encoded], background: Sequence[Encoded]
    ) -> None:
        self.answer, self.rows, self.background = answer, rows, background
        self.size = len(background[0].data)

    def told(self, row: int, own: Sequence[int], taken: Bools, behind: npt.NDArray[np.intp]) -> Floats:
        """The answers to cases: which of the own columns each has from the row, and from where it has the others."""
        parts = []
        for begin in range(0, len(taken), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            columns = [self._behind(column, behind[block]) for column in self.background]
            for number, column in enumerate(own):
                columns[column] = self._mixed(column, row, taken[block, number], behind[block])
            parts.append(np.asarray(self.answer(columns), dtype=np.float64))
        return np.concatenate(parts)

    def _behind(self, column: Encoded, behind: npt.NDArray[np.intp]) -> Encoded:
        return Encoded(column.data[behind], None if column.missing is None else column.missing[behind])

    def _mixed(self, column: int, row: int, taken: Bools, behind: npt.NDArray[np.intp]) -> Encoded:
        mine, theirs = self.rows[column], self.background[column]
        data = np.where(taken, mine.data[row], theirs.data[behind])
        gone = None
        if mine.missing is not None or theirs.missing is not None:
            own = False if mine.missing is None else bool(mine.missing[row])
            others = np.zeros(len(behind), dtype=bool) if theirs.missing is None else theirs.missing[behind]
            gone = np.where(taken, own, others)
        return Encoded(data, gone)


def _exact(game: _Game, row: int, own: Sequence[int]) -> Floats:
    """By all coalitions."""
    count = len(own)
    sets = np.arange(2**count)
    member = (sets[:, None] >> np.arange(count)) & 1 == 1
    taken = np.repeat(member, game.size, axis=0)
    told = game.told(row, own, taken, np.tile(np.arange(game.size), len(sets)))
    worth = told.reshape(len(sets), game.size, *told.shape[1:]).mean(axis=1)
    sizes = member.sum(axis=1)
    share = np.array([1.0 / (count * math.comb(count - 1, k)) for k in range(count)])
    values = []
    for number in range(count):
        without = sets[~member[:, number]]
        weight = share[sizes[without]]
        values.append(np.tensordot(weight, worth[without | 1 << number] - worth[without], axes=(0, 0)))
    return np.array(values)


def _sampled(
    game: _Game, row: int, own: Sequence[int], n_permutations: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """By orders of the columns, each with its reverse, which undoes much of the noise."""
    count = len(own)
    pairs = max(1, math.ceil(n_permutations / 2 / game.size)) * game.size
    orders = np.array([random.permutation(count) for _ in range(pairs)])
    steps = []
    for turn in (orders, orders[:, ::-1]):
        place = np.argsort(turn, axis=1)
        taken = place[:, None, :] < np.arange(count + 1)[None, :, None]
        behind = np.repeat(np.arange(pairs) % game.size, count + 1)
        told = game.told(row, own, taken.reshape(-1, count), behind)
        gains = np.diff(told.reshape(pairs, count + 1, *told.shape[1:]), axis=1)
        steps.append(gains[np.arange(pairs)[:, None], place])
    both = (steps[0] + steps[1]) / 2
    spread = both.std(axis=0, ddof=1) if pairs > 1 else np.full(both.shape[1:], np.nan)
    return both.mean(axis=0), spread / math.sqrt(pairs)
