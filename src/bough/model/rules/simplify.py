"""Shorter rules that answer the same: exactly, over all cells of their columns, or as far as given rows can tell."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bough import _core
from bough.errors import ParameterError
from bough.model.rules.celled import Celled
from bough.model.rules.cubes import CubeRule, FixedRule, drop_by_rows, minimise_list
from bough.model.rules.cubes.limits import Meter
from bough.model.rules.planes import without_implied
from bough.model.rules.pool import Pool
from bough.model.rules.rule import Rule

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Simplified", "simplify"]


class Simplified(NamedTuple):
    """Rules that were made shorter.

    Attributes
    ----------
    rules : RuleList
    how : {"exact", "search", "expand", "given", "data"}
        "exact": no shorter list of this form answers the same. "search" and "expand": the best before a limit was
        reached. "given": the limit came before anything was gained, or before it was proved, and the list is as it was.
        "data": without literals that changed no given row. Where the rules take rows in parts, as those of PART do,
        " on complete rows" follows: the new list answers the same on rows without missing values and levels never seen,
        and its `note` says so.
    stopped : str
        The limit that was reached; empty if none was.
    """

    rules: "RuleList"
    how: str
    stopped: str = ""


def simplify(
    self: "RuleList",
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    by: str = "cells",
    order: str = "kept",
    free: str | None = None,
    budget: float = 1.0,
    tolerance: float = 0.0,
) -> Simplified:
    r"""Return rules that say the same in fewer words.

    By cells, intervals and sets of levels are merged, what is implied is dropped, and the rules of each answer become
    the fewest that hold for the same rows: every row is decided as before, whatever is missing or was never seen. Both
    lists are compared on all cells before the shorter one is returned. What probabilities were is kept only where X and
    y are given to count anew. A locked rule keeps its words and its place.

    Rules that take rows in parts (`PartList`, which PART learns) become a plain list, in which a literal on a missing
    value fails: it answers the same on complete rows only, which `how` and `note` say.

    Parameters
    ----------
    X : table, optional
    y : array, optional
        Rows to score the result on.
    sample_weight : array, optional
    by : {"cells", "data"}, default="cells"
        "data" drops literals that change no row of X instead: shorter, and equal on these rows alone.
    order : {"kept", "none", "any"}, default="kept"
        "kept": rules stay in order, and a later one need not say what earlier ones have decided. "none": rules of
        different answers do not overlap, so that each can be read alone. "any": the shorter of both.
    free : {"missing"} or None, default=None
        "missing": rows that lack a value, or have a level never seen, may be answered in any way; all others are
        decided as before. That is what rules of a tree are made for by ``missing="known"``.
    budget : float, default=1.0
        Seconds for all of it, the comparison of both lists among it, counted in steps; a list of many rules on many
        columns may come back as it is.
    tolerance : float, default=0.0
        By data: the weight of rows that a rule may cover beyond those it covers now.

    Returns
    -------
    Simplified

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules('''
    ... IF size = medium AND color = green THEN Apple
    ... IF size = medium AND color = red THEN Apple
    ... IF size = small AND color IN {green, red, yellow} THEN Grape
    ... OTHERWISE none''')
    >>> print(rules.simplify().rules)
    IF size = medium AND color IN {green, red} THEN Apple
    IF size = small AND color IN {green, red, yellow} THEN Grape
    OTHERWISE none
    """
    if by not in ("cells", "data"):
        raise ParameterError(f"by must be 'cells' or 'data'; got {by!r:.60}.")
    found = _by_data(self, X, sample_weight, tolerance) if by == "data" else _by_cells(self, order, free, budget)
    if found.rules is not self and type(found.rules) is not type(self):
        found = found._replace(how=f"{found.how} on complete rows")
    if X is not None and y is not None:
        found = found._replace(rules=found.rules.score(X, y, sample_weight))
    return found


def _by_cells(rules: "RuleList", order: str, free: str | None, budget: float) -> Simplified:
    if free not in (None, "missing"):
        raise ParameterError(f"free must be 'missing' or None; got {free!r:.60}.")
    if order not in ("kept", "none", "any"):
        raise ParameterError(f"order must be 'kept', 'none' or 'any'; got {order!r:.60}.")
    locked = [rule for rule in rules.rules if rule.locked]
    if locked and order != "kept":
        number = rules.rules.index(locked[0])
        raise ParameterError(
            f"order={order!r} writes every rule anew, and rule {number} is locked: take order='kept', or unlock it "
            f"first, with lock({number}, locked=False)."
        )
    Meter(budget=budget)  # refuses what is no budget
    if not all(literal.has_cells for rule in rules.rules for literal in rule.literals):
        return _sums_reduced(rules)
    if not rules.columns_used:
        return Simplified(rules, "exact")
    celled = Celled(rules, known=free == "missing")
    given = list(rules.rules) + ([] if rules.default is None else [Rule((), rules.default)])
    cubes = celled.cubes + ([] if rules.default is None else [celled.full])
    answers: dict[Any, int] = {}
    numbers = [answers.setdefault((type(rule.says), rule.says), len(answers)) for rule in given]
    first = dict(zip(reversed(numbers), reversed(given), strict=True))
    parts = [
        (FixedRule if rule.locked else CubeRule)(cube, number)
        for rule, cube, number in zip(given, cubes, numbers, strict=True)
    ]
    found = minimise_list(parts, celled.axes, order=order, budget=budget)  # type: ignore[arg-type]
    if found.how == "given":
        return Simplified(rules, found.how, found.stopped)
    kept = iter(locked)
    shorter = [
        next(kept) if isinstance(rule, FixedRule) else celled.as_rule(rule.cube, first[rule.answer])
        for rule in found.rules
    ]
    default = None
    if shorter and not shorter[-1].literals and not shorter[-1].locked:
        default = shorter.pop().says
    if len(shorter) == rules.n_rules and sum(rule.size for rule in shorter) >= rules.n_literals:
        # Nothing is gained: the words of the user stay.
        return Simplified(rules, "given" if found.stopped else found.how, found.stopped)
    return Simplified(rules.with_rules(shorter, default), found.how, found.stopped)


def _sums_reduced(rules: "RuleList") -> Simplified:
    """Rules with sums of columns: each without those that follow from its other literals."""
    shorter = [rule if rule.locked else without_implied(rule) for rule in rules.rules]
    kept = [rule for rule in shorter if rule is not None]
    stopped = "rules with sums of columns are simplified one by one"
    if len(kept) == rules.n_rules:
        return Simplified(rules.with_rules(kept, rules.default, rules.counts), "search", stopped)
    return Simplified(rules.with_rules(kept, rules.default), "search", stopped)


def _by_data(rules: "RuleList", X: Any, sample_weight: Any, tolerance: float) -> Simplified:
    if X is None:
        raise ParameterError("by='data' needs rows: give X.")
    rows = rules.read(X)
    weights = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    shorter = []
    for rule in rules.rules:
        if rule.locked:
            shorter.append(rule)
            continue
        kernel = Pool.of([Rule((literal,), 0) for literal in rule.literals], rules.place).kernel()
        holds = _core.rules_cover(kernel, rows.columns, int(rules.inputs.unseen == "other"), 1).astype(bool)
        shorter.append(rule.without(*drop_by_rows(holds, weight=weights, tolerance=tolerance).literals))
    counts = rules.counts if tolerance == 0 else None
    return Simplified(rules.with_rules(shorter, rules.default, counts), "data")
