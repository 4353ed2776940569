"""Literals of one rule beside each other: which say nothing new, and which never hold together."""

from collections.abc import Sequence
from itertools import combinations

from bough.model.rules.cubes.findings import Contradiction, Implied
from bough.model.rules.cubes.layout import Axis, cells_of

__all__ = ["check_literals"]


def check_literals(
    rules: Sequence[Sequence[tuple[int, int]]], space: Sequence[Axis]
) -> tuple[tuple[Implied, ...], tuple[Contradiction, ...]]:
    """Literals that follow from others of their rule, and literals that never hold together.

    One after another, from the first, a literal is compared with those that are still kept: so of two equal ones one is
    implied, and all that were found can be dropped together. In a rule that never holds only that is found.

    Parameters
    ----------
    rules : sequence of sequence of (int, int)
        For each rule its literals: axis and mask.
    space : sequence of Axis

    Examples
    --------
    >>> from bough.model.rules.cubes import Axis, check_literals
    >>> age = Axis(4, ordered=True)
    >>> check_literals([[(0, 0b0111), (0, 0b0011)], [(0, 0b0011), (0, 0b1000)]], (age,))
    ((Implied(rule=0, literal=0, by=(1,), witness=(0,)),), (Contradiction(rule=1, axis=0, literals=(0, 1)),))
    """
    implied: list[Implied] = []
    contradictions: list[Contradiction] = []
    full = [axis.full for axis in space]
    for number, literals in enumerate(rules):
        cube = [*full]
        by_axis: dict[int, list[int]] = {}
        for place, (axis, mask) in enumerate(literals):
            cube[axis] &= mask
            by_axis.setdefault(axis, []).append(place)
        if not all(cube):
            contradictions += [_contradiction(number, a, by_axis[a], literals) for a in by_axis if not cube[a]]
            continue
        found = []
        for place, (axis, mask) in enumerate(literals):
            others = [other for other in by_axis[axis] if other != place]
            left = space[axis].full
            for other in others:
                left &= literals[other][1]
            if left & mask == left:
                by_axis[axis] = others
                follows = () if mask == space[axis].full else tuple(others)
                found.append((place, follows))
        if found:
            (witness,) = cells_of([tuple(cube)], space)
            implied += [Implied(number, place, follows, witness) for place, follows in found]
    return tuple(implied), tuple(contradictions)


def _contradiction(rule: int, axis: int, places: Sequence[int], literals: Sequence[tuple[int, int]]) -> Contradiction:
    """The first one, two, ... literals of an axis that never hold together."""
    for count in (1, 2):
        for chosen in combinations(places, count):
            left = -1
            for place in chosen:
                left &= literals[place][1]
            if not left:
                return Contradiction(rule, axis, chosen)
    return Contradiction(rule, axis, tuple(places))
