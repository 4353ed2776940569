"""What a tree is grown from: encoded columns, a target, weights, and the rules of growing.

Everything is a plain list, so that a page of this package can be read, changed and run by a student.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum

from bough.errors import ParameterError

CLASS_CRITERIA = ("gini", "entropy", "misclassification", "twoing", "weighted_gini")
REGRESSION_CRITERIA = ("squared_error", "absolute_error", "worst_error")

_CHOICES = {
    "criterion": (*CLASS_CRITERIA, *REGRESSION_CRITERIA),
    "threshold": ("midpoint", "weighted"),
    "subsets": ("all", "ordered", "auto"),
    "orientation": ("low", "answer"),
    "count_by": ("weight", "rows"),
    "missing": ("surrogate", "majority", "stop"),
    "fallback": ("majority", "stop"),
    "majority_tie": ("first", "stop"),
    "majority_at_prediction": ("known_weight", "routed_rows"),
    "surrogate_direction": ("any", "keep"),
    "surrogate_base": ("known", "joint"),
}


@dataclass(frozen=True)
class Column:
    """One input column.

    Attributes
    ----------
    kind : {"numeric", "ordered", "nominal"}
        Ordered and nominal columns hold level codes 0, 1, ...
    cells : list of numbers
        None is a missing value.
    """

    kind: str
    cells: Sequence[float | None]

    def __post_init__(self) -> None:
        if self.kind not in ("numeric", "ordered", "nominal"):
            raise ParameterError(f"kind is {self.kind!r}; choose 'numeric', 'ordered' or 'nominal'")


@dataclass(frozen=True)
class Rules:
    """How a tree is grown; each field answers one small question.

    Attributes
    ----------
    criterion : str
        A class criterion (gini, entropy, misclassification, twoing, weighted_gini) or a regression criterion
        (squared_error, absolute_error, worst_error).
    threshold : {"midpoint", "weighted"}
        Where between two values a threshold lies; "weighted" is nearer to the value on the lighter side.
    subsets : {"all", "ordered", "auto"}
        Which subsets of nominal levels are tried: all, or only those that are contiguous when the levels are sorted
        by their mean, or by their share of the first class. For two classes, or squared error, the best subset is
        among these; but it need not be the best one whose branches are large enough. "auto" takes "ordered" in these
        two cases.
    orientation : {"low", "answer"}
        Which side is branch 0: the low one, or the one that leans to the first classes or to small values.
    split_factors : list of float, optional
        Altered priors: factor of each class in impurities, and of its rows' weights in the shares of branches.
    risk_factors : list of float, optional
        Prior ratios: factor of each class in the risk.
    losses : matrix, optional
        ``losses[true][decided]``, by default 0 on the diagonal and 1 elsewhere.
    feature_costs : list of float, optional
        A gain is divided by the cost of its column.
    max_depth, min_samples_split, min_samples_leaf, min_impurity_decrease, cp
        When a node is a leaf; ``cp`` closes nodes whose risk is at most that share of the risk of the root.
    count_by : {"weight", "rows"}
        What the two minima count.
    discount_missing : bool
        Multiply a gain by the share of the node's weight on which the column is known.
    missing : {"surrogate", "majority", "stop"}
        Where a row goes whose value is missing.
    fallback : {"majority", "stop"}
        And where, when no surrogate knows.
    majority_tie : {"first", "stop"}
        Which is the majority branch of two equal ones: the first, or none.
    majority_at_prediction : {"known_weight", "routed_rows"}
        Which branch is the larger one for new cases: the same as while growing, or the one that more training rows
        took in the end, none if equal (rpart).
    max_competitors, max_surrogates : int
        How many are kept.
    surrogate_direction : {"any", "keep"}
        With "keep" low values of a surrogate go where low values of the primary split go.
    surrogate_filter : bool
        Drop surrogates that are no better than sending every case to the majority branch.
    surrogate_base : {"known", "joint"}
        Agreement is a share of the weight with the primary value known, or with both values known.
    min_surrogate_leaf : float
        The least size of either side of a surrogate threshold.
    two_disagree : bool
        A nominal surrogate must be wrong for a size of at least two, and right for two (rpart).
    tie : float
        A candidate replaces the best one only if it is better by more than this, relatively.
    """

    criterion: str = "gini"
    threshold: str = "midpoint"
    subsets: str = "all"
    orientation: str = "low"
    split_factors: Sequence[float] | None = None
    risk_factors: Sequence[float] | None = None
    losses: Sequence[Sequence[float]] | None = None
    feature_costs: Sequence[float] | None = None
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_impurity_decrease: float = 0.0
    cp: float | None = None
    count_by: str = "weight"
    discount_missing: bool = True
    missing: str = "surrogate"
    fallback: str = "majority"
    majority_tie: str = "first"
    majority_at_prediction: str = "known_weight"
    max_competitors: int = 4
    max_surrogates: int = 5
    surrogate_direction: str = "any"
    surrogate_filter: bool = True
    surrogate_base: str = "known"
    min_surrogate_leaf: float = 2
    two_disagree: bool = False
    tie: float = 1e-12

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise ParameterError(f"{name} is {getattr(self, name)!r}; choose one of {', '.join(choices)}")


@dataclass
class Problem:
    """A table with its target, and the rules by which to grow a tree on it.

    Attributes
    ----------
    columns : list of Column
    y : list of numbers
        Class codes 0, 1, ... under a class criterion, else numbers.
    weights : list of float, optional
        One for each row, 1 by default. Rows of weight 0 take no part.
    rules : Rules
    n_classes : int
        By default the largest class code plus one; 0 in regression.

    Examples
    --------
    >>> from bough.testing import Column, Problem, grow
    >>> root = grow(Problem([Column("numeric", [1, 2, 3, None])], [0, 0, 1, 1]))
    >>> root.split
    Threshold(column=0, value=2.5, low=0, side='le')
    >>> [child.rows for child in root.children]
    [[0, 1, 3], [2]]
    """

    columns: Sequence[Column]
    y: Sequence[float]
    weights: Sequence[float] = ()
    rules: Rules = field(default_factory=Rules)
    n_classes: int = 0

    def __post_init__(self) -> None:
        if not self.weights:
            self.weights = [1.0] * len(self.y)
        if self.is_classification and not self.n_classes:
            self.n_classes = int(max(self.y)) + 1
        for number, column in enumerate(self.columns):
            if len(column.cells) != len(self.y):
                raise ParameterError(f"column {number} has {len(column.cells)} cells for {len(self.y)} rows")

    @property
    def is_classification(self) -> bool:
        """Whether the criterion is one of classes."""
        return self.rules.criterion in CLASS_CRITERIA

    @property
    def rows(self) -> list[int]:
        """The rows that take part: those of positive weight."""
        return [row for row in range(len(self.y)) if self.weights[row] > 0]

    def value(self, column: int, row: int) -> float | None:
        """The cell of a row, None if it is missing."""
        return self.columns[column].cells[row]

    def known(self, column: int, rows: Sequence[int]) -> list[int]:
        """Those of the rows whose value in the column is known."""
        return [row for row in rows if self.columns[column].cells[row] is not None]

    def weight(self, rows: Sequence[int]) -> float:
        """The sum of the sample weights."""
        return fsum(self.weights[row] for row in rows)

    def size(self, rows: Sequence[int]) -> float:
        """What the minima count: the weight, or the number of rows."""
        return self.weight(rows) if self.rules.count_by == "weight" else len(rows)

    def mass(self, rows: Sequence[int]) -> float:
        """The weight that enters impurities: sample weights times the factor of the class."""
        factors = self.rules.split_factors
        if factors is None:
            return self.weight(rows)
        return fsum(factors[int(self.y[row])] * self.weights[row] for row in rows)


def cart_factors(
    counts: Sequence[float], priors: Sequence[float] | None = None, losses: Sequence[Sequence[float]] | None = None
) -> tuple[list[float], list[float]]:
    """Factors that make class counts behave as if the classes had these priors and costs.

    Parameters
    ----------
    counts : list of float
        Weight of each class in the whole table.
    priors : list of float, optional
        By default the shares of the classes.
    losses : matrix, optional
        ``losses[true][decided]``, by default 0 on the diagonal and 1 elsewhere.

    Returns
    -------
    risk_factors, split_factors : lists of float
        Prior ratios, and altered priors: a class that is costly to miss weighs more when splits are chosen.

    Examples
    --------
    >>> cart_factors([1, 3], priors=[0.5, 0.5])[0]
    [2.0, 0.6666666666666666]
    """
    total = fsum(counts)
    share = [count / total for count in counts]
    prior = share if priors is None else priors
    if losses is None:
        losses = [[float(true != decided) for decided in range(len(counts))] for true in range(len(counts))]
    altered = [fsum(losses[k]) * prior[k] for k in range(len(counts))]
    scale = fsum(altered)
    risk_factors = [p / f if f > 0 else p for p, f in zip(prior, share, strict=True)]
    split_factors = [a / scale / f if f > 0 else a for a, f in zip(altered, share, strict=True)]
    return risk_factors, split_factors
