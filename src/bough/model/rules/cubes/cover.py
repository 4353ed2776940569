"""A minimal cover: the fewest primes, and of those the fewest literals, that together hold every needed cell.

The covering table (`table.py`) is made smaller by what is certain: a row that one column alone holds makes that column
essential, a row that holds wherever another one does is no question, and a column that another one equals or exceeds at
no higher price is no choice. What is left falls apart into tables that share no column; each is searched by branch and
bound. A column costs one rule and its literals, as one number, so that sums compare rules first.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bough.model.rules.cubes.limits import LimitReached, Meter

__all__ = ["Cover", "cheapest_cover"]

_MANY = 1_000  # rows for which taking the best column again and again is no short work


class Cover(NamedTuple):
    """Columns that hold all rows, and whether none cheaper exists; `stopped` says what ended the search before."""

    columns: tuple[int, ...]
    exact: bool
    stopped: str = ""


def cheapest_cover(rows: Iterable[int], costs: Sequence[int], meter: Meter) -> Cover:
    """Columns of the least total cost that hold every row; a row is the bit set of the columns that hold it.

    Where a limit comes before a large table could be made smaller, LimitReached is raised: a cover of it takes long
    even without a search.

    Examples
    --------
    Three columns hold two rows each; two of them are enough, and the cheaper two are taken:

    >>> from bough.model.rules.cubes.cover import cheapest_cover
    >>> from bough.model.rules.cubes.limits import Meter
    >>> cheapest_cover([0b011, 0b110, 0b101], [100, 103, 101], Meter()).columns
    (0, 2)
    """
    chosen: list[int] = []
    stopped = ""
    todo = sorted(rows, key=_few_first)
    try:
        core, taken = _reduced(todo, costs, meter)
    except LimitReached as limit:
        if len(todo) > _MANY:
            raise
        return Cover(tuple(sorted(_greedy(todo, costs))), exact=False, stopped=str(limit))
    chosen += taken
    for part in _apart(core):
        if len(part) > _MANY:
            meter.work(len(part) * len(part) // 8)
        best = _greedy(part, costs)
        if not stopped:
            try:
                best = _searched(part, costs, best, meter)
            except _Stopped as limit:
                best, stopped = limit.best, str(limit)
        chosen += best
    return Cover(tuple(sorted(chosen)), exact=not stopped, stopped=stopped)


class _Stopped(LimitReached):
    """A search that a limit ended, with the best cover that it had found."""

    def __init__(self, reason: str, best: list[int]) -> None:
        super().__init__(reason)
        self.best = best


def _few_first(row: int) -> tuple[int, int]:
    return row.bit_count(), row


def _reduced(rows: list[int], costs: Sequence[int], meter: Meter) -> tuple[list[int], list[int]]:
    """What is left of a table when all that is certain is done, and the columns that had to be taken."""
    chosen: list[int] = []
    while True:
        rows = _minimal(rows, meter)
        essential = 0
        for row in rows:
            if row.bit_count() == 1:
                essential |= row
        if essential:
            chosen += bits(essential)
            rows = [row for row in rows if not row & essential]
        if not rows:
            return [], chosen
        dominated = _dominated(rows, costs, meter)
        if not dominated:
            return rows, chosen
        rows = [row & ~dominated for row in rows]


def _minimal(rows: Iterable[int], meter: Meter) -> list[int]:
    """The rows that hold no other row: whoever covers these covers all."""
    kept: list[int] = []
    for row in sorted(set(rows), key=_few_first):
        meter.work(2 + 2 * len(kept))
        if not any(row & other == other for other in kept):
            kept.append(row)
    return kept


def _dominated(rows: Sequence[int], costs: Sequence[int], meter: Meter) -> int:
    """The columns that need not be looked at, because another one holds the same rows, or more, and costs no more."""
    held = columns_of(rows)
    gone = 0
    for column in sorted(held, key=lambda column: (-costs[column], -column)):
        own = held[column]
        others = rows[(own & -own).bit_length() - 1] & ~gone & ~(1 << column)
        meter.work(2 + 2 * others.bit_count())
        for other in bits(others):
            if held[other] & own == own and costs[other] <= costs[column]:
                gone |= 1 << column
                break
    return gone


def columns_of(rows: Iterable[int]) -> dict[int, int]:
    """The table by columns: for each column the rows that it holds, as bit sets."""
    columns: dict[int, int] = {}
    for number, row in enumerate(rows):
        for column in bits(row):
            columns[column] = columns.get(column, 0) | 1 << number
    return columns


def bits(mask: int) -> list[int]:
    """The places of the bits that are set, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _apart(rows: Sequence[int]) -> list[list[int]]:
    """Tables that share no column."""
    parts: list[tuple[int, list[int]]] = []
    for row in rows:
        columns, own = row, [row]
        others = []
        for part in parts:
            if part[0] & columns:
                columns |= part[0]
                own = part[1] + own
            else:
                others.append(part)
        parts = [*others, (columns, own)]
    return [sorted(own, key=_few_first) for _, own in parts]


def _greedy(rows: Sequence[int], costs: Sequence[int]) -> list[int]:
    """A cover that takes the column with the most rows not yet held, and at the end drops what is not needed."""
    held = columns_of(rows)
    left = (1 << len(rows)) - 1
    chosen: list[int] = []
    while left:
        best = max(held, key=lambda column: ((held[column] & left).bit_count(), -costs[column], -column))
        chosen.append(best)
        left &= ~held[best]
    for column in sorted(chosen, key=lambda column: (-costs[column], -column)):
        others = 0
        for other in chosen:
            others |= held[other] if other != column else 0
        if held[column] & ~others == 0:
            chosen.remove(column)
    return chosen


def _searched(rows: list[int], costs: Sequence[int], best: list[int], meter: Meter) -> list[int]:
    """Branch and bound: the cheapest cover, `best` if none is cheaper."""
    least = sum(costs[column] for column in best)
    stack: list[tuple[list[int], list[int]]] = [(rows, [])]
    try:
        while stack:
            meter.node()
            left, chosen = stack.pop()
            left, taken = _reduced(left, costs, meter)
            chosen = chosen + taken
            cost = sum(costs[column] for column in chosen)
            if not left:
                if cost < least:
                    best, least = chosen, cost
                continue
            if cost + _bound(left, costs) >= least:
                continue
            # One of the columns of the shortest row must be taken; those tried before are then left out.
            tried = 0
            branches = []
            held = columns_of(left)
            for column in sorted(bits(left[0]), key=lambda column: (-held[column].bit_count(), costs[column], column)):
                rest = [row & ~tried for row in left if not row >> column & 1]
                if all(rest):
                    branches.append((rest, [*chosen, column]))
                tried |= 1 << column
            stack += reversed(branches)
    except LimitReached as limit:
        raise _Stopped(str(limit), best) from None
    return best


def _bound(rows: Sequence[int], costs: Sequence[int]) -> int:
    """What any cover costs at least: rows that share no column need a column each."""
    used = bound = 0
    for row in rows:
        if not row & used:
            used |= row
            bound += min(costs[column] for column in bits(row))
    return bound
