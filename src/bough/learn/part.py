"""PART: rules from partial C4.5 trees, each the best leaf of a tree on the rows that earlier rules left."""

import itertools
from typing import Any

import numpy as np

from bough import _core
from bough.learn.rule_estimator import RuleClassifier, RuleTraining
from bough.learn.target import target_name
from bough.learn.texts import described
from bough.model.features.numbers import numbers_of
from bough.model.rules import Bound, Interval, Levels, Literal, Rule
from bough.model.rules.part_list import PartList
from bough.recipe import Reading
from bough.recipe import parameters as check
from bough.table import Column

__all__ = ["PARTClassifier"]


@described()
class PARTClassifier(RuleClassifier):
    """Rules from partial trees (PART).

    Again and again a C4.5 tree is grown on the rows left, but only as far as one leaf of it is settled; that leaf
    becomes the next rule, and its rows are removed. Rows that lack a value are taken in parts, in training and in
    prediction, as by C4.5. There is no default: the last rule has no literals.

    Parameters
    ----------
    min_samples_leaf : int, default=2
        Least weight of at least two branches of a test.
    pruning : {"error_based"} or None, default="error_based"
        Whether subtrees become leaves where fewer errors are to be expected.
    confidence : float, default=0.25
        Of pruning; the smaller, the more is pruned.
    branching : {"per_level", "one_level"}, default="per_level"
        Split nominal columns into all levels, or into one level and the rest.
    cut_at : {"data_value", "midpoint"}, default="data_value"
        Where thresholds lie: at a value of the column, or halfway between two.
    threshold_penalty : bool, default=True
        Whether the number of thresholds to choose from counts against a numeric column.
    tolerance : float, default=0.0
        Gains, weights and errors that differ by no more are equal. Weka's is 1e-6, with which small nodes are counted
        in rows, so that weight 3 is not three rows.
    value_gap : float, default=0.0
        Values of a column that are no further apart have no threshold between them; Weka's is 1e-5.
    smoothing : float, default=0.0
        Rows of every class that probabilities count besides those of a rule; 1 is Laplace's rule.
    class_weight : dict, "balanced" or None, default=None
    costs : array or dict, default=None
        What errors cost, [true][decided]: trees are grown as if dear classes were more frequent, and the class is
        decided that costs least.
    {unseen_level}
    {reading}
    {columns_and_work}

    Attributes
    ----------
    {rules}

    References
    ----------
    E. Frank and I. H. Witten, Generating accurate rule sets without global optimization, International Conference on
    Machine Learning, 1998.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.PARTClassifier().fit(X, y)
    >>> clf.rules_.n_rules
    5
    """

    def __init__(
        self,
        *,
        min_samples_leaf: int = 2,
        pruning: str | None = "error_based",
        confidence: float = 0.25,
        branching: str = "per_level",
        cut_at: str = "data_value",
        threshold_penalty: bool = True,
        tolerance: float = 0.0,
        value_gap: float = 0.0,
        smoothing: float = 0.0,
        class_weight: Any = None,
        costs: Any = None,
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.confidence = confidence
        self.branching = branching
        self.cut_at = cut_at
        self.threshold_penalty = threshold_penalty
        self.tolerance = tolerance
        self.value_gap = value_gap
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.costs = costs
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check(self) -> None:
        check.whole("min_samples_leaf", self.min_samples_leaf, 1)
        check.choice("pruning", self.pruning, ["error_based", None])
        check.inside("confidence", self.confidence)
        check.choice("branching", self.branching, ["per_level", "one_level"])
        check.choice("cut_at", self.cut_at, ["data_value", "midpoint"])
        check.flag("threshold_penalty", self.threshold_penalty)
        check.share("tolerance", self.tolerance, 0.0, 1.0)
        check.share("value_gap", self.value_gap, 0.0, np.inf)
        check.share("smoothing", self.smoothing, 0.0, np.inf)
        check.choice("unseen", self.unseen, ["missing", "other", "error"])

    def _learn(self, read: RuleTraining) -> PartList:
        found = _core.part(
            read.ranked(),
            read.codes,
            len(read.labels),
            read.weights,
            min_weight=float(self.min_samples_leaf),
            confidence=float(self.confidence),
            pruned=self.pruning is not None,
            binary_levels=self.branching == "one_level",
            mdl=bool(self.threshold_penalty),
            actual_value=self.cut_at == "data_value",
            epsilon=float(self.tolerance),
            value_gap=float(self.value_gap),
            threads=read.threads,
            progress=read.progress,
        )
        names = read.labels.tolist()
        literals = _literals(found, read.schema.columns)
        begin = found["rule_begin"].tolist()
        rules = [
            Rule(tuple(literals[first:last]), names[label], origin="PART")
            for (first, last), label in zip(itertools.pairwise(begin), found["label"].tolist(), strict=True)
        ]
        counts = np.vstack([read.without_costs(found["counts"]), np.zeros((1, len(names)))])
        return PartList(
            self._inputs(read),
            self._answer(read),
            tuple(rules),
            None,
            target_name(read.given[1]),
            counts,
            shares=tuple(found["share"].tolist()),
        )


def _literals(found: dict[str, Any], columns: tuple[Column, ...]) -> list[Literal]:
    """The kernel's literals as ours."""
    values = numbers_of(found["value_bits"], found["value_type"])
    lists = (found[name].tolist() for name in ("column", "kind", "code"))
    return [
        _literal(columns[column], kind, code, value) for column, kind, code, value in zip(*lists, values, strict=True)
    ]


def _literal(column: Column, kind: int, code: int, value: float | int) -> Literal:
    if kind in (0, 3):
        return Levels(column, (code,), negated=kind == 3)
    return Interval(column, high=Bound(value, True)) if kind == 1 else Interval(column, low=Bound(value, False))
