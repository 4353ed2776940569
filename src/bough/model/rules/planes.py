"""Literals on sums of columns that follow from the other literals of their rule, by linear programming."""

from bough.model.rules.cubes import Interval, Plane, reduce_planes
from bough.model.rules.rule import Rule

__all__ = ["without_implied"]


def without_implied(rule: Rule) -> Rule | None:
    """The rule without sums that follow from its other literals; None if no numbers make all of them hold."""
    places: dict[str, int] = {}
    planes: list[Plane] = []
    owners: list[int] = []
    intervals: dict[int, Interval] = {}
    for number, literal in enumerate(rule.literals):
        for weights, bound, strict in literal.planes:
            columns = {places.setdefault(name, len(places)): weight for name, weight in weights.items()}
            if literal.has_cells:  # one column
                ((column, weight),) = columns.items()
                intervals[column] = _narrowed(intervals.get(column, Interval()), weight, bound, strict)
            else:
                planes.append(Plane(columns, bound, strict))
                owners.append(number)
    if not planes:
        return rule
    found = reduce_planes(planes, intervals)
    if found.empty:
        return None
    return rule.without(*(owners[place] for place in found.implied))


def _narrowed(interval: Interval, sign: float, bound: float, strict: bool) -> Interval:
    """An interval with one more bound: sign * x <= bound."""
    if sign > 0:
        if bound < interval.high or (bound == interval.high and strict):
            return Interval(interval.low, bound, interval.low_strict, strict)
    elif -bound > interval.low or (-bound == interval.low and strict):
        return Interval(-bound, interval.high, strict, interval.high_strict)
    return interval
