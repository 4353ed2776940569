"""Growing and pruning one rule, by brute force: every literal is written down and tried on every row.

A rule is a list of literals that must all hold. Growing adds the literal of largest gain on some rows, pruning takes
literals away on others; both as Cohen (1995) and the program JRip do it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log2
from typing import Any

from bough.testing.problem import Column, Problem

NEAR = 1e-6


@dataclass(frozen=True)
class Literal:
    """One condition on a column.

    Attributes
    ----------
    column : int
    form : {"=", "!=", "in", "<=", ">", ">=", "missing"}
    value : float or tuple of int
        The level or levels, or the threshold; 0 for "missing".
    """

    column: int
    form: str
    value: float | tuple[int, ...] = 0

    def holds(self, problem: Problem, row: int) -> bool:
        """Whether it holds for a row; on a missing value only "missing" does.

        Examples
        --------
        >>> from bough.testing import Column, Literal, Problem
        >>> problem = Problem([Column("numeric", [1.0, None])], [0, 1])
        >>> [Literal(0, "<=", 2.0).holds(problem, row) for row in (0, 1)]
        [True, False]
        """
        cell = problem.columns[self.column].cells[row]
        if cell is None or self.form == "missing":
            return cell is None and self.form == "missing"
        if isinstance(self.value, tuple):
            return cell in self.value
        compared = {"=": cell == self.value, "!=": cell != self.value, "<=": cell <= self.value}
        return {**compared, ">": cell > self.value, ">=": cell >= self.value}[self.form]


Counts = tuple[float, float]
"""The weight of positive rows, and of all."""


def counts(problem: Problem, positive: int, rows: Sequence[int]) -> Counts:
    """The positive weight and the total weight of some rows."""
    weights = [problem.weights[row] for row in rows]
    return sum(w for row, w in zip(rows, weights, strict=True) if problem.y[row] == positive), sum(weights)


def covered(problem: Problem, rule: Sequence[Literal], rows: Sequence[int]) -> list[int]:
    """The rows for which all literals hold."""
    return [row for row in rows if all(literal.holds(problem, row) for literal in rule)]


def rule_literals(
    problem: Problem, rows: Sequence[int], allow: Sequence[str], *, data_values: bool = False
) -> Iterator[Literal]:
    """Every literal that can be asked of some rows, in the order in which the first of equal ones wins.

    Parameters
    ----------
    problem : Problem
    rows : list of int
        Cuts lie between their values, or at them.
    allow : list of str
        Of "=", "!=", "in", "<=", ">", "missing".
    data_values : bool, default=False
        Cuts are at values, with "<=" and ">=", instead of halfway between two, with "<=" and ">".

    Yields
    ------
    Literal
    """
    for number, column in enumerate(problem.columns):
        known = sorted({cell for row in rows if (cell := column.cells[row]) is not None})
        if column.kind == "nominal":
            yield from (Literal(number, form, level) for form in ("=", "!=") if form in allow for level in known)
            if "in" in allow:
                yield from _sets(number, [int(level) for level in known])
        elif data_values:
            forms = [form for form, name in ((">=", ">"), ("<=", "<=")) if name in allow]
            yield from (Literal(number, form, value) for value in known for form in forms)
        else:
            for low, high in pairwise(known):
                cut = _between(column, low, high)
                yield from (Literal(number, form, cut) for form in ("<=", ">") if form in allow)
        if "missing" in allow and any(column.cells[row] is None for row in rows):
            yield Literal(number, "missing")


def _between(column: Column, low: float, high: float) -> float:
    return (low + high) // 2 if column.kind == "ordered" else (low + high) / 2


def _sets(number: int, levels: Sequence[int]) -> Iterator[Literal]:
    """Every set of levels but the empty one and that of all."""
    for mask in range(1, 2 ** len(levels) - 1):
        yield Literal(number, "in", tuple(level for i, level in enumerate(levels) if mask >> i & 1))


def rule_gain(now: Counts, then: Counts, *, laplace: bool = False) -> float:
    """How much a literal gains that leaves `then` of what a rule covers `now`.

    Examples
    --------
    >>> from bough.testing import rule_gain
    >>> rule_gain((4, 8), (3, 3))
    3.0
    """
    more = 1.0 if laplace else 0.0
    if then[0] == 0:
        return 0.0
    return then[0] * (log2((then[0] + more) / (then[1] + more)) - log2((now[0] + more) / (now[1] + more)))


def grow_rule(
    problem: Problem,
    positive: int,
    rows: Sequence[int],
    *,
    allow: Sequence[str] = ("=", "<=", ">"),
    laplace: bool = False,
    data_values: bool = False,
    min_positive: float = 0.0,
    max_literals: float = inf,
) -> list[Literal]:
    """Add the literal of largest gain until no negative row is covered, or none gains.

    Parameters
    ----------
    problem : Problem
    positive : int
        The class of the rule.
    rows : list of int
        The growing rows.
    allow, data_values
        As in `rule_literals`.
    laplace : bool, default=False
        JRip's gain, with 1 added to each weight.
    min_positive : float, default=0
        Stop at a literal that keeps less positive weight.
    max_literals : int, optional

    Returns
    -------
    list of Literal

    Examples
    --------
    >>> from bough.testing import Column, Problem, grow_rule
    >>> problem = Problem([Column("numeric", [1.0, 2.0, 3.0, 4.0])], [0, 0, 1, 1])
    >>> grow_rule(problem, 1, range(4))
    [Literal(column=0, form='>', value=2.5)]
    """
    rule: list[Literal] = []
    left = list(rows)
    while left and len(rule) < max_literals:
        now = counts(problem, positive, left)
        if now[1] - now[0] <= NEAR:
            break
        settled = {literal.column for literal in rule if literal.form in ("=", "missing")}
        best, gained = None, 0.0
        for literal in rule_literals(problem, left, allow, data_values=data_values):
            if literal.column in settled:
                continue
            gain = rule_gain(now, counts(problem, positive, covered(problem, [literal], left)), laplace=laplace)
            if gain > gained:
                best, gained = literal, gain
        if best is None:
            break
        kept = covered(problem, [best], left)
        if min_positive - counts(problem, positive, kept)[0] > NEAR:
            break
        rule.append(best)
        left = kept
    return rule


def without_implied(rule: Sequence[Literal]) -> list[Literal]:
    """The rule without thresholds that later ones on the same column imply.

    Examples
    --------
    >>> from bough.testing import Literal, without_implied
    >>> without_implied([Literal(0, "<=", 3.0), Literal(0, "<=", 1.0)])
    [Literal(column=0, form='<=', value=1.0)]
    """
    kept: list[Literal] = []
    for literal in reversed(rule):
        same: list[Any] = [o.value for o in kept if (o.column, o.form) == (literal.column, literal.form)]
        if literal.form == "<=" and any(value <= literal.value for value in same):
            continue
        if literal.form in (">", ">=") and any(value >= literal.value for value in same):
            continue
        kept.insert(0, literal)
    return kept


def _difference(p: float, t: float, _all_p: float, _all_t: float) -> float:
    return (2 * p - t) / t if t > NEAR else -1.0


def _laplace(p: float, t: float, _all_p: float, _all_t: float) -> float:
    return (p + 1) / (t + 2)


def _accuracy(p: float, t: float, all_p: float, all_t: float) -> float:
    return (p + (all_t - all_p) - (t - p)) / all_t


RULE_VALUES: dict[str, Callable[[float, float, float, float], float]] = {
    "difference": _difference,
    "laplace": _laplace,
    "accuracy": _accuracy,
}
"""What a rule that covers p of P positive rows, and t of T, is worth: a function of p, t, P, T."""


def prune_rule(
    problem: Problem,
    positive: int,
    rule: Sequence[Literal],
    rows: Sequence[int],
    *,
    value: str = "difference",
    single: bool = False,
) -> list[Literal]:
    """Shorten a rule on rows that it did not grow on.

    Parameters
    ----------
    problem, positive
        As in `grow_rule`.
    rule : list of Literal
    rows : list of int
        The pruning rows; without weight nothing changes.
    value : {"difference", "laplace", "accuracy"}, default="difference"
        What a rule is worth, a name of `RULE_VALUES`.
    single : bool, default=False
        Take one literal after the other, any of them, while the rule is worth no less. Otherwise keep the beginning
        that is worth most, the shortest of equal ones.

    Returns
    -------
    list of Literal

    Examples
    --------
    >>> from bough.testing import Column, Literal, Problem, prune_rule
    >>> problem = Problem([Column("numeric", [1.0, 2.0, 3.0, 4.0])], [0, 1, 1, 1])
    >>> prune_rule(problem, 1, [Literal(0, ">", 1.5), Literal(0, ">", 2.5)], range(4))
    [Literal(column=0, form='>', value=1.5)]
    """
    everything = counts(problem, positive, rows)
    if everything[1] <= NEAR:
        return list(rule)

    def worth(some: Sequence[Literal]) -> float:
        return RULE_VALUES[value](*counts(problem, positive, covered(problem, some, rows)), *everything)

    if not single:
        return max((list(rule[:length]) for length in range(len(rule) + 1)), key=worth)
    kept = list(rule)
    while kept:
        shorter = max(([*kept[:i], *kept[i + 1 :]] for i in range(len(kept))), key=worth)
        if worth(shorter) < worth(kept):
            break
        kept = shorter
    return kept
