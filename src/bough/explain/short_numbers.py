"""Changes with few digits: 2.46 in place of 2.4500018, as far as the answer stays.

A search of planes ends a hair behind one, at a number of many digits that no one would write. Nearest is what lies
behind the plane, so that numbers may move on by a small part of their way, as those of single thresholds do.
"""

import math
from collections.abc import Callable, Iterator, Mapping

from bough.explain.variables import Variable
from bough.model.features import Cell

__all__ = ["short_numbers"]

_PART = 0.01  # of its way, or of the unit of a column that was missing, that a number may move on or back
_MOST_DIGITS = 17


def short_numbers(
    changes: Mapping[int, Cell], variables: Mapping[int, Variable], holds: Callable[[dict[int, Cell]], bool]
) -> dict[int, Cell]:
    """The same changes, each number with as few decimals as it can have while the answer stays.

    Parameters
    ----------
    changes : mapping
        New values by column.
    variables : mapping
        By column, how far it may move.
    holds : callable
        Whether the case has the wanted answer with some changes.

    Examples
    --------
    >>> from bough.explain.short_numbers import short_numbers
    >>> from bough.explain.variables import Variable
    >>> from bough.table import Column
    >>> petal = Variable(0, Column("petallength", "numeric", "float64"), 1.4, -9.0, 9.0, 1.76, 1.4)
    >>> short_numbers({0: 2.4500018}, {0: petal}, lambda changes: changes[0] > 2.45)
    {0: 2.46}
    """
    found = dict(changes)
    for place, new in changes.items():
        if isinstance(new, float):
            near = (short for short in _shorter(new, variables[place]) if holds({**found, place: short}))
            found[place] = next(near, new)
    return found


def _shorter(new: float, variable: Variable) -> Iterator[float]:
    """Numbers near a new one that the column may have, those with few decimals first, of two the nearer one first."""
    own = variable.cell
    room = _PART * (variable.unit if own is None else abs(new - own))
    if not math.isfinite(new) or not 0 < room < math.inf:
        return
    low, high = variable.start + variable.low, variable.start + variable.high
    least = -math.floor(math.log10(max(room, abs(new)))) - 1
    most = _MOST_DIGITS - math.ceil(math.log10(abs(new) or room))
    for places in range(least, most + 1):
        first = round(new, places)
        step = 10.0**-places
        other = round(first + (step if first < new else -step), places)
        for short in (first, other):
            if abs(short - new) <= room and low <= short <= high and short != own:
                yield short
