"""Rules for numbers: the best leaf of a tree, again and again, or sequential covering."""

import itertools
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from bough import _core
from bough.errors import DataWarning, ParameterError
from bough.learn.cart import CARTRegressor
from bough.learn.number_rules import NumberRules, NumberTraining
from bough.learn.regressor import RegressionTree
from bough.learn.target import target_name
from bough.learn.texts import described
from bough.model.rules import Literal, Rule, RuleList
from bough.recipe import parameters as check
from bough.recipe.rows import check_holdout, kept_back

__all__ = ["RuleRegressor"]

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Body = tuple[Literal, ...]

_MANY = 2**31 - 1
_ROUNDING = 1e-9  # of the squared error; less is nothing gained


@described()
class RuleRegressor(NumberRules):
    """Rules that predict numbers, in order: the first that covers a row says a constant.

    Rules are found one after the other, each in the rows that those before it leave; what none covers gets a default.

    Parameters
    ----------
    method : {"leaf", "covering"}, default="leaf"
        How a rule is found. "leaf": a pruned tree is grown, and the leaf whose mean is farthest from that of all rows,
        n (mean - m)², becomes the rule. "covering": conditions are added one at a time, always the one that best tells
        the rows covered from the rest by squared error; on rows kept back the last ones are dropped again while the
        error falls, and no rule is added that does not lower it.
    tree : tree regressor or None, default=None
        With "leaf": what grows the trees; None stands for `CARTRegressor(pruning=0.01)` with leaves of `min_weight`.
    holdout : int, float or array, default=3
        With "covering": one of so many folds is kept back, or this share of the rows, or these rows.
    conclusion : {"mean", "median"}, default="mean"
        What a rule says of the rows that it takes in its turn.
    min_weight : float, default=7.0
        Weight of the rows that a rule takes, at least.
    max_literals : int or None, default=None
        Conditions of a rule, at most.
    max_rules : int or None, default=None
        Rules, at most; the default is none of them.
    min_gain : float, default=0.002
        What telling the rows of a rule apart must gain, as a share of the squared error of the whole table; the first
        rule that gains less ends the search. 0 goes on as long as trees have a split.
    {rule_columns}

    Attributes
    ----------
    rules_ : bough.RuleList
        The rules: print them, check them, simplify them.
    {features}

    References
    ----------
    G. Holmes, M. Hall and E. Frank, Generating rule sets from model trees, Australian Joint Conference on Artificial
    Intelligence, 1999.

    Examples
    --------
    >>> import bough
    >>> table = bough.datasets.load("penguins").frame.dropna(subset=["body_mass_g"])
    >>> reg = bough.RuleRegressor(max_rules=1).fit(table[["species", "sex"]], table["body_mass_g"])
    >>> print(reg.rules_)
    IF species = Gentoo AND sex = male THEN 5484.836065573771
    OTHERWISE 3923.220640569395
    """

    def __init__(
        self,
        *,
        method: str = "leaf",
        tree: Any = None,
        holdout: Any = 3,
        conclusion: str = "mean",
        min_weight: float = 7.0,
        max_literals: int | None = None,
        max_rules: int | None = None,
        min_gain: float = 0.002,
        unseen: str = "missing",
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.method = method
        self.tree = tree
        self.holdout = holdout
        self.conclusion = conclusion
        self.min_weight = min_weight
        self.max_literals = max_literals
        self.max_rules = max_rules
        self.min_gain = min_gain
        self.unseen = unseen
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check(self) -> None:
        check.choice("method", self.method, ["leaf", "covering"])
        check.choice("conclusion", self.conclusion, ["mean", "median"])
        check.choice("unseen", self.unseen, ["missing", "other", "error"])
        check.share("min_weight", self.min_weight, 0.0, math.inf)
        check.whole("max_literals", self.max_literals, 1, none=_MANY)
        check.whole("max_rules", self.max_rules, 1, none=_MANY)
        check.share("min_gain", self.min_gain, 0.0, 1.0)
        check_holdout("holdout", self.holdout)
        if self.tree is not None and (not isinstance(self.tree, RegressionTree) or self.method != "leaf"):
            raise ParameterError(
                f"tree must be a tree regressor of bough, not yet fitted, for method='leaf'; got {self.tree!r:.80}."
            )

    def _learn(self, read: NumberTraining) -> RuleList:
        most = check.whole("max_rules", self.max_rules, 1, none=_MANY)
        found = self._by_leaves(read) if self.method == "leaf" else self._by_covering(read)
        bodies = list(itertools.islice(found, most))
        taken = read.first(read.kernel(bodies))
        said = _mean if self.conclusion == "mean" else _median
        numbers = [said(read.values, np.where(taken == at, read.every, 0.0)) for at in range(len(bodies) + 1)]
        numbers = [said(read.values, read.every) if number is None else number for number in numbers]
        origin = f"RuleRegressor, {self.method}"
        rules = tuple(Rule(body, number, origin=origin) for body, number in zip(bodies, numbers, strict=False))
        return RuleList(self._inputs(read), self._answer(), rules, numbers[-1], target_name(read.given[1]))

    def _least_gain(self, read: NumberTraining, weights: Floats) -> float:
        """What a rule must gain: a share of the squared error of some rows."""
        return float(self.min_gain * (weights @ (read.values - _mean(read.values, weights)) ** 2))

    # Leaves of trees

    def _by_leaves(self, read: NumberTraining) -> Iterator[Body]:
        """The best leaf of a tree on the rows that are left, as long as there is one."""
        left = read.every.copy()
        total = left.sum()
        while (left > 0).any():
            best = self._best_leaf(read, left)
            if best is None:
                return
            body, rows = best
            yield body
            left[rows] = 0.0
            read.tell(1.0 - left.sum() / total)

    def _best_leaf(self, read: NumberTraining, left: Floats) -> tuple[Body, Flags] | None:
        """The leaf of largest n (mean - m)² among those that a user allows, and its rows; None if there is none."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # what the table deserves was said once
            tree = self._tree().fit(*read.given, sample_weight=left).tree_
        if tree.n_leaves < 2:
            return None
        longest = _MANY if self.max_literals is None else self.max_literals
        bodies = [rule.literals for rule in tree.rules(missing="known") if 0 < rule.size <= longest]
        kernel = read.kernel(bodies)
        covered = read.covered(kernel)
        weight = left @ covered
        away = (left * (read.values - _mean(read.values, left))) @ covered
        gain = np.where(weight >= max(self.min_weight, _ROUNDING), away**2 / np.maximum(weight, _ROUNDING), 0.0)
        if not (gain > self._least_gain(read, read.every)).any():
            return None
        best = int(np.argmax(gain))
        return read.literals(kernel)[best], covered[:, best]

    def _tree(self) -> RegressionTree:
        if self.tree is None:
            least = max(1, math.ceil(self.min_weight))
            estimator: RegressionTree = CARTRegressor(pruning=0.01, min_samples_leaf=least)
        else:
            estimator = clone(self.tree)
        own = estimator.get_params(deep=False)
        shared = ("categorical_features", "ordered_features", "n_jobs")
        return estimator.set_params(**{name: getattr(self, name) for name in shared if name in own})

    # Sequential covering

    def _by_covering(self, read: NumberTraining) -> Iterator[Body]:
        """Rules grown on some rows and pruned on others, as long as the error on the latter falls."""
        used = read.every > 0
        kept = kept_back(self.holdout, np.zeros(len(used), dtype=np.uint32), used)
        growing, judging = np.where(kept, 0.0, read.every), np.where(kept, read.every, 0.0)
        table, total, least = read.ranked(), growing.sum(), self._least_gain(read, growing)
        options = {
            "width": 1,
            "steps": check.whole("max_literals", self.max_literals, 1, none=_MANY),
            "min_weight": float(self.min_weight),
            "asks": np.array([1, 1, 1, 1, 0, 0], dtype=np.uint8),
            "threads": read.threads,
        }
        while True:
            found = _core.find_value_rule(table, read.values, growing, options)
            if found is None or found["quality"] <= least:
                return
            (body,) = read.literals(found["rule"])
            single = read.covered(read.kernel((literal,) for literal in body))
            prefixes = np.logical_and.accumulate(single, axis=1)
            size = _best_prefix(prefixes, read.values, growing, judging)
            if size == 0:
                return
            yield body[:size]
            rows = prefixes[:, size - 1]
            growing[rows] = judging[rows] = 0.0
            read.tell(1.0 - growing.sum() / total)


def _best_prefix(prefixes: Flags, values: Floats, growing: Floats, judging: Floats) -> int:
    """How many literals to keep: where the squared error on the judging rows is least, the fewest of equal ones."""
    whole = _mean(values, growing)
    best, least = 0, float(judging @ (values - whole) ** 2) * (1.0 - _ROUNDING)
    for size, covered in enumerate(prefixes.T, start=1):
        inside = _mean(values, np.where(covered, growing, 0.0))
        rest = _mean(values, np.where(covered, 0.0, growing))
        said = np.where(covered, inside, whole if rest is None else rest)
        error = float(judging @ (values - said) ** 2)
        if error < least:
            best, least = size, error * (1.0 - _ROUNDING)
    return best


def _mean(values: Floats, weights: Floats) -> Any:
    """The weighted mean; None if nothing weighs anything."""
    total = float(weights.sum())
    return float(weights @ values) / total if total > 0 else None


def _median(values: Floats, weights: Floats) -> Any:
    """The weighted median, halfway between two where both are; None if nothing weighs anything."""
    used = np.flatnonzero(weights > 0)
    if len(used) == 0:
        return None
    order = used[np.argsort(values[used], kind="stable")]
    below = np.cumsum(weights[order])
    half = below[-1] / 2.0
    low = int(np.searchsorted(below, half * (1.0 - 1e-12)))
    high = min(int(np.searchsorted(below, half * (1.0 + 1e-12), side="right")), len(order) - 1)
    return float((values[order[low]] + values[order[high]]) / 2.0)
