"""A node of a grown tree, and what is known of it: counts or moments, impurity, answer, risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum

from bough.testing import impurity as measures
from bough.testing.below import Below
from bough.testing.problem import Problem
from bough.testing.splits import Split


@dataclass(frozen=True)
class Candidate:
    """A split that was considered.

    Attributes
    ----------
    split : Threshold or Levels
    gain : float
        By how much it lowers the impurity.
    score : float
        The gain divided by the cost of the column: what candidates are compared by.
    sizes : tuple of float
        Weight, or number of rows, that it sends to each branch.
    """

    split: Split
    gain: float
    score: float
    sizes: tuple[float, float]


@dataclass(frozen=True)
class Surrogate:
    """A split on another column that imitates the primary one.

    Attributes
    ----------
    split : Threshold or Levels
    agreement : float
        Share of the weight that both splits send to the same branch.
    adjusted : float
        The same beyond the majority rule: 0 is no better than it, 1 is perfect.
    """

    split: Split
    agreement: float
    adjusted: float


@dataclass
class Node(Below):
    """A node with its subtree.

    Attributes
    ----------
    path : tuple of int
        Branch numbers from the root.
    rows : list of int
        The training rows that reach it.
    weight, impurity, risk : float
        Sum of sample weights; impurity; risk, not divided by the weight of the table.
    counts : list of float
        Sample weight of each class, empty in regression.
    answer : float
        The class code that costs least, or the mean or median.
    primary : Candidate or None
        The split, with its gain; None in a leaf.
    competitors, surrogates : lists
    majority : int or None
        The branch of cases that nothing else decides; None: they stop here.
    children : list of Node
    complexity : float
        Set by pruning.
    """

    path: tuple[int, ...]
    rows: list[int]
    weight: float
    impurity: float
    risk: float
    counts: list[float]
    answer: float
    primary: Candidate | None = None
    competitors: list[Candidate] = field(default_factory=list)
    surrogates: list[Surrogate] = field(default_factory=list)
    majority: int | None = None
    children: list[Node] = field(default_factory=list)
    complexity: float = 0.0

    @property
    def split(self) -> Split | None:
        """The primary split, None in a leaf."""
        return self.primary.split if self.primary else None


def class_counts(problem: Problem, rows: Sequence[int]) -> list[float]:
    """Sample weight of each class."""
    return [fsum(problem.weights[row] for row in rows if problem.y[row] == label) for label in range(problem.n_classes)]


def altered_counts(problem: Problem, rows: Sequence[int]) -> list[float]:
    """Class counts times the factors of the classes: what class criteria see."""
    factors = problem.rules.split_factors or [1.0] * problem.n_classes
    return [factor * count for factor, count in zip(factors, class_counts(problem, rows), strict=True)]


def impurity(problem: Problem, rows: Sequence[int]) -> float:
    """The impurity of a set of rows under the criterion; twoing judges splits, not nodes, and shows Gini's here."""
    criterion = problem.rules.criterion
    if criterion == "weighted_gini":
        return measures.weighted_gini(altered_counts(problem, rows), losses(problem))
    if problem.is_classification:
        measure = {"entropy": measures.entropy, "misclassification": measures.misclassification}
        return measure.get(criterion, measures.gini)(altered_counts(problem, rows))
    values, weights = [problem.y[row] for row in rows], [problem.weights[row] for row in rows]
    spread = {"absolute_error": measures.absolute_error, "worst_error": measures.worst_error}
    return spread.get(criterion, measures.squared_error)(values, weights)


def losses(problem: Problem) -> Sequence[Sequence[float]]:
    """The matrix ``losses[true][decided]``: as given, or 0 on the diagonal and 1 elsewhere."""
    classes = range(problem.n_classes)
    return problem.rules.losses or [[float(true != decided) for decided in classes] for true in classes]


def expected_costs(problem: Problem, rows: Sequence[int]) -> list[float]:
    """What it would cost on these rows to decide for each of the classes, counts times the risk factors."""
    classes = range(problem.n_classes)
    counts, loss = class_counts(problem, rows), losses(problem)
    factors = problem.rules.risk_factors or [1.0] * problem.n_classes
    return [fsum(counts[true] * factors[true] * loss[true][decided] for true in classes) for decided in classes]


def answer_and_risk(problem: Problem, rows: Sequence[int]) -> tuple[float, float]:
    """What a leaf of these rows would say, and what it would cost on them.

    A class: the first one of the least cost, counts being multiplied by the risk factors. A number: the median
    with the sum of distances under absolute error, else the mean with the sum of squares.
    """
    if problem.is_classification:
        costs = expected_costs(problem, rows)
        label = next(k for k, cost in enumerate(costs) if cost <= min(costs) * (1 + problem.rules.tie))
        return label, min(costs)
    values, weights = [problem.y[row] for row in rows], [problem.weights[row] for row in rows]
    if problem.rules.criterion == "absolute_error":
        middle = measures.weighted_median(values, weights)
        return middle, fsum(w * abs(y - middle) for y, w in zip(values, weights, strict=True))
    middle = measures.weighted_mean(values, weights)
    return middle, fsum(w * (y - middle) ** 2 for y, w in zip(values, weights, strict=True))


def describe(problem: Problem, rows: Sequence[int], path: tuple[int, ...] = ()) -> Node:
    """A leaf of these rows."""
    answer, risk = answer_and_risk(problem, rows)
    return Node(
        path=path,
        rows=list(rows),
        weight=problem.weight(rows),
        impurity=impurity(problem, rows),
        risk=risk,
        counts=class_counts(problem, rows),
        answer=answer,
    )
