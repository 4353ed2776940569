"""Literals that change no row: a second grade of simplification, true of given rows and not of every cell.

A literal is dropped if the rule then covers the same rows, or at most so much weight more. What it says about values
that no row has does change, so this is never done unless it is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.rules.cubes.layout import Axis, Cube

__all__ = ["Dropped", "drop_by_rows"]


@dataclass(frozen=True)
class Dropped:
    """A rule without the literals that rows do not need.

    Attributes
    ----------
    cube : Cube
    axes : tuple of int
        The axes whose literals are gone, in the order in which they went.
    added : float
        The weight of the rows that it covers beyond those it covered.
    """

    cube: Cube
    axes: tuple[int, ...]
    added: float


def drop_by_rows(
    cube: Cube,
    space: Sequence[Axis],
    cells: npt.ArrayLike,
    *,
    weight: npt.ArrayLike | None = None,
    tolerance: float = 0.0,
) -> Dropped:
    """Drop the literals of a rule that keep out no row, or rows of no more than a given weight.

    One after another the literal goes that lets in the least weight, the first of equal ones.

    Parameters
    ----------
    cube : Cube
    space : sequence of Axis
    cells : array of int, shape (rows, axes)
        The cell of each row on each axis.
    weight : array of float, shape (rows,), optional
        One each if not given.
    tolerance : float, default=0.0
        The most weight that all dropped literals together may let in.

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, drop_by_rows
    >>> rows = [(0, 0), (0, 1), (1, 1), (2, 1)]  # nothing of the first level is of the third size
    >>> drop_by_rows((0b001, 0b011), (Axis(3), Axis(3)), rows)
    Dropped(cube=(1, 7), axes=(1,), added=0.0)
    """
    table = np.asarray(cells, dtype=np.int64).reshape(-1, len(space))
    weights = np.ones(len(table)) if weight is None else np.asarray(weight, dtype=np.float64)
    if not tolerance >= 0:
        raise ParameterError(f"tolerance={tolerance}: expected a weight of rows, at least 0")
    fails = np.zeros(table.shape, dtype=bool)
    for place, (mask, axis) in enumerate(zip(cube, space, strict=True)):
        held = np.array([mask >> cell & 1 for cell in range(axis.size)], dtype=bool)
        fails[:, place] = ~held[table[:, place]]
    left = [place for place, (mask, axis) in enumerate(zip(cube, space, strict=True)) if mask != axis.full]
    given = ~fails.any(axis=1)
    dropped: list[int] = []
    added = 0.0
    while left:
        # A row comes in with a literal if it fails at that one alone; those that came in before stay.
        counts = fails.sum(axis=1)
        let_in = [float(weights[(counts - fails[:, place] == 0) & ~given].sum()) for place in left]
        least = min(range(len(left)), key=let_in.__getitem__)
        if let_in[least] > tolerance:
            break
        added = let_in[least]
        place = left.pop(least)
        fails[:, place] = False
        dropped.append(place)
    kept = tuple(axis.full if place in dropped else cube[place] for place, axis in enumerate(space))
    return Dropped(kept, tuple(dropped), added)
