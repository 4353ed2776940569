"""A set of rules: all rules that cover a row answer together, by counts, by votes or by a sum, in no order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ModelFormatError, ParameterError
from bough.model.above import rules_explainer
from bough.model.answer import Answer
from bough.model.inputs import Inputs
from bough.model.kinds import add_kind
from bough.model.program import Program
from bough.model.rules.compile import compile_set
from bough.model.rules.content import rules_from_content, rules_to_content
from bough.model.rules.rule import Rule, Says
from bough.model.rules.rule_model import RuleModel
from bough.model.rules.shown import rules_text, set_frame
from bough.model.strict import Limits, read_array

__all__ = ["TOLD", "RuleSet"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

TOLD = {
    "counts": "the class counts of all rules that cover a row are added up",
    "vote": "all rules that cover a row vote",
    "sum": "what all rules that cover a row say is added to the number behind OTHERWISE",
}


def _of_lists(name: str) -> Callable[..., Any]:
    """A method that lists have and sets refuse, with what sets have instead."""

    def refused(self: "RuleSet", *_: Any, **__: Any) -> Any:
        raise ParameterError(
            f"{name} is for a list of rules, in which the first that covers a row decides; these are a set, of which "
            "all that cover a row answer together. A set has predict, covers, explain, text, to_frame, to_html, save "
            "and exports; CN2Classifier(ordered=True) learns a list."
        )

    refused.__name__ = name
    refused.__doc__ = "Refused: it is for lists, in which the first rule that covers a row decides."
    return refused


@add_kind
@dataclass(frozen=True, eq=False)
class RuleSet(RuleModel):
    """Rules of which all that cover a row answer together; read-only.

    Parameters
    ----------
    inputs : Inputs
        The columns that a table to predict on must have; ``unseen`` as in `RuleList`.
    answer : Answer
        What is predicted: classes with their costs and smoothing, or numbers.
    rules : tuple of Rule
    default : class, Distribution, number or None
        What is said where no rule covers a row; None: nothing, so that such a row is an error. With ``"sum"`` the
        number that every row begins with, None for 0.
    target : str, default="y"
        What is predicted.
    counts : ndarray of shape (n_rules + 1, n_classes), optional
        The weights of the classes among all training rows that each rule covers; last those for rows that no rule
        covers. Only with ``"counts"``, where without them each rule counts as one row of what it says.
    combine : {"counts", "vote", "sum"}, default="counts"
        Add up the class counts of the rules that cover a row; let each vote for its class; or add up what they say,
        which is for numbers.
    weights : ndarray of shape (n_rules,), optional
        What each vote counts, or the coefficient of each number; 1 if left out. Not with ``"counts"``.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.model.answer import ClassAnswer
    >>> from bough.model.inputs import Inputs
    >>> from bough.model.rules import Bound, Interval, Rule, RuleSet
    >>> from bough.table import Column, Schema
    >>> age = Column("age", "numeric", "float64")
    >>> young, old = Interval(age, high=Bound(40.0, True)), Interval(age, low=Bound(30.0, False))
    >>> rules = RuleSet(
    ...     Inputs(Schema((age,))), ClassAnswer(np.array(["no", "yes"])), (Rule((young,), "yes"), Rule((old,), "no")),
    ...     counts=np.array([[1.0, 3.0], [4.0, 0.0], [5.0, 3.0]]), default="no",
    ... )
    >>> rules.predict_proba({"age": [20.0, 35.0]}).tolist()
    [[0.25, 0.75], [0.625, 0.375]]
    """

    kind: ClassVar[str] = "rule_set"

    inputs: Inputs
    answer: Answer
    rules: tuple[Rule, ...]
    default: Says | None = None
    target: str = "y"
    counts: Floats | None = None
    combine: OneOf["counts", "vote", "sum"] = "counts"
    weights: Floats | None = None

    def __post_init__(self) -> None:
        if self.combine not in TOLD:
            raise ParameterError(f"combine must be one of {', '.join(map(repr, TOLD))}; got {self.combine!r:.60}.")
        if (self.combine == "sum") == self.is_classifier:
            raise ParameterError("combine='sum' adds up numbers; classes are combined by 'counts' or 'vote'.")
        if self.counts is not None and self.combine != "counts":
            raise ParameterError(f"counts have no say with combine={self.combine!r}.")
        if self.weights is not None and (self.combine == "counts" or self.weights.shape != (self.n_rules,)):
            raise ParameterError("weights are those of votes or of numbers in a sum, one for each rule.")
        self._check_rules()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        mine, theirs = (
            (one.rules, one.target, one.inputs, one.combine, type(one.default), one.default, one.evidence.tolist())
            for one in (self, other)
        )
        return mine == theirs and self.answer.same(other.answer)

    __hash__ = None  # type: ignore[assignment]

    def with_rules(self, rules: Iterable[Rule], default: Says | None = None, counts: Floats | None = None) -> Self:
        """The set with other rules for the same columns and classes; votes and coefficients become 1."""
        return replace(self, rules=tuple(rules), default=default, counts=counts, weights=None)

    @cached_property
    def evidence(self) -> Floats:
        """What each rule adds where it covers a row: weights of the classes, or a number."""
        own = self.said[:-1]
        if self.combine == "counts":
            return own if self.counts is None else self.counts[:-1]
        weights = np.ones(self.n_rules) if self.weights is None else self.weights
        if self.combine == "sum":
            return weights * own
        return weights[:, None] * np.eye(self.said.shape[1])[self.class_answer.decide(own)]

    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """No single rule decides: refused."""
        raise ParameterError("the rules of a set answer together: `covers` says which of them cover each row.")

    def predict(self, X: Any, *, n_threads: int = 1) -> Array:
        """The class or the number that each row is answered."""
        if self.classes is None:
            start = 0.0 if self.default is None else float(self.said[-1])
            numbers: Floats = start + self.covers(X, n_threads=n_threads) @ self.evidence
            return numbers
        return np.asarray(self.classes)[self.class_answer.decide(self._shares(X, n_threads))]

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The probabilities of the classes in the order of sorted labels."""
        return self.class_answer.sorted_columns(self._shares(X, n_threads))

    def _shares(self, X: Any, n_threads: int) -> Floats:
        """The shares of the classes in what the covering rules add up to; the default's where nothing does."""
        sums: Floats = self.covers(X, n_threads=n_threads) @ self.evidence
        totals = sums.sum(axis=1)
        empty = totals <= 0
        if self.default is None and empty.any():
            row = int(np.flatnonzero(empty)[0])
            raise DataError(f"row {row}: no rule covers it, and there is no OTHERWISE.")
        m, more = self.besides
        sums, totals = sums + more, totals + m
        shares: Floats = np.where(empty[:, None], self.said[-1], sums / np.where(totals > 0, totals, 1.0)[:, None])
        return shares

    @property
    def besides(self) -> tuple[float, Floats]:
        """What smoothing adds to the counts of a row that some rule covers: how much in all, and of each class."""
        smoothing = self.class_answer.smoothing
        if smoothing is None or self.combine != "counts":
            return 0.0, np.zeros(self.said.shape[1])
        return smoothing[0], smoothing[0] * smoothing[1]

    def explain(self, X: Any, *, level: float = 0.95) -> Any:
        r"""Say why a row got its answer, or each row of a table.

        Parameters
        ----------
        X : row or table
            As for `RuleList.explain`.
        level : float, default=0.95
            Only what it is by default: what several rules say together has no interval.

        Returns
        -------
        SetExplanation or data frame
            Of one row an object that prints all rules that cover it and what each adds. Of a table a data frame with
            one line for each row.
        """
        return rules_explainer().explain(self, X, level=level)

    check = _of_lists("check")
    simplify = _of_lists("simplify")
    counterfactual = _of_lists("counterfactual")
    score = _of_lists("score")
    statistics = _of_lists("statistics")
    add = _of_lists("add")
    drop = _of_lists("drop")
    replace = _of_lists("replace")
    reorder = _of_lists("reorder")
    lock = _of_lists("lock")

    def program(self) -> Program:
        """The flat routing program that exports and verification read."""
        return compile_set(self)

    def to_content(self) -> dict[str, Any]:
        """What a file says of the set, as plain data."""
        return {**rules_to_content(self), "weight": None if self.weights is None else self.weights.tolist()}

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        if "weight" not in content:
            raise ModelFormatError("'weight' is missing", "$")
        weights = None if content["weight"] is None else read_array(content["weight"], np.float64, "$.weight")

        def make(note: str, stats: Any, **read: Any) -> RuleSet:
            if note or stats:
                raise ParameterError("a set of rules has no note and no statistics")
            return cls(weights=weights, **read)

        rest = {key: value for key, value in content.items() if key != "weight"}
        return cast(Self, rules_from_content(rest, limits, make, tuple(TOLD)))

    def text(self, *, digits: int | None = None) -> str:
        """Return the rules in the rule language, behind a comment that says how they answer together.

        Parameters
        ----------
        digits : int, optional
            Significant digits of numbers, as in `RuleList.text`.
        """
        return rules_text(self, digits, TOLD[self.combine])

    def to_frame(self) -> Any:
        """A data frame with a row a rule, the default last: pandas, else polars, else a dict of columns."""
        return set_frame(self)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<RuleSet of {self.n_rules} rules that predicts {self.target}>"
