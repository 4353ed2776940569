"""Literals that change no row: a second grade of simplification, true of given rows and not of every cell.

A literal is dropped if the rule then covers the same rows, or at most so much weight more. What it says about values
that no row has does change, so this is never done unless it is asked for.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError

__all__ = ["Dropped", "drop_by_rows"]


@dataclass(frozen=True)
class Dropped:
    """What a rule can do without.

    Attributes
    ----------
    literals : tuple of int
        The literals that are gone, by place, in the order in which they went.
    added : float
        The weight of the rows that the rule covers beyond those it covered.
    """

    literals: tuple[int, ...]
    added: float


def drop_by_rows(
    holds: npt.NDArray[np.bool_], *, weight: npt.NDArray[np.float64] | None = None, tolerance: float = 0.0
) -> Dropped:
    """Drop the literals of a rule that keep out no row, or rows of no more than a given weight; one stays.

    One after another the literal goes that lets in the least weight, the last of equal ones.

    Parameters
    ----------
    holds : array of bool, shape (rows, literals)
        Whether each literal holds for each row.
    weight : array of float, shape (rows,), optional
        One each if not given.
    tolerance : float, default=0.0
        The most weight that all dropped literals together may let in.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.model.rules.cubes import drop_by_rows
    >>> drop_by_rows(np.array([[True, True], [True, True], [False, True]]))  # whoever meets the first meets the second
    Dropped(literals=(1,), added=0.0)
    """
    if not tolerance >= 0:
        raise ParameterError(f"tolerance must be a weight of rows, at least 0; got {tolerance!r:.40}.")
    weights = np.ones(len(holds)) if weight is None else weight
    fails = ~holds
    given = holds.all(axis=1)
    left = list(range(holds.shape[1]))
    dropped: list[int] = []
    added = 0.0
    while len(left) > 1:
        # A row comes in with a literal if it fails at that one alone; those that came in before stay.
        counts = fails.sum(axis=1)
        let_in = [float(weights[(counts - fails[:, place] == 0) & ~given].sum()) for place in left]
        least = min(range(len(left)), key=lambda one: (let_in[one], -one))
        if let_in[least] > tolerance:
            break
        added = let_in[least]
        place = left.pop(least)
        fails[:, place] = False
        dropped.append(place)
    return Dropped(tuple(dropped), added)
