"""A list of rules: the first rule that covers a row decides, and what none covers gets the default.

It is a model as a tree is: frozen, with its inputs and its answer, so that whatever takes a model takes a list.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import DataError
from bough.model.answer import Answer
from bough.model.inputs import Inputs
from bough.model.kinds import add_kind
from bough.model.program import Program
from bough.model.rules import editing
from bough.model.rules.check import check
from bough.model.rules.compile import compile_rules
from bough.model.rules.content import rules_from_content, rules_to_content
from bough.model.rules.editing import Edit
from bough.model.rules.explaining import counterfactual, explain
from bough.model.rules.rule import Rule, Says, label_of
from bough.model.rules.rule_model import RuleModel
from bough.model.rules.scoring import by_class, rows_of, score, statistics
from bough.model.rules.shown import rules_frame, rules_html, rules_text
from bough.model.rules.simplify import simplify
from bough.model.rules.statistics import Statistics
from bough.model.rules.to_tree import to_tree
from bough.model.strict import Limits

__all__ = ["RuleList"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@add_kind
@dataclass(frozen=True, eq=False)
class RuleList(RuleModel):
    r"""Rules in order, of which the first that covers a row decides; read-only.

    Parameters
    ----------
    inputs : Inputs
        The columns that a table to predict on must have; ``unseen`` says what a level counts as that no training row
        held: ``"missing"``, ``"other"`` (a known level that is in no set) or ``"error"``.
    answer : Answer
        What is predicted: classes with their costs and smoothing, or numbers.
    rules : tuple of Rule
    default : class, Distribution, number or None
        What is said where no rule covers a row; None: nothing, so that such a row is an error.
    target : str, default="y"
        What is predicted.
    counts : ndarray of shape (n_rules + 1, n_classes), optional
        The weights of the classes among the training rows that each rule takes in its turn, the default last:
        probabilities come from them. Without, they come from what the rules say.
    note : str, default=""
        What a reader should know of the list as a whole.
    stats : mapping of str to Statistics, optional
        What was counted of the rules on some rows, by what these are: ``"growing"``, ``"pruning"``, ``"scored"``.
    log : tuple of Edit, optional
        How the list was changed by hand; `replay` takes the same steps again.

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 38.5 AND job = A THEN yes\nOTHERWISE no")
    >>> rules.predict({"age": [50.0, 50.0, 20.0], "job": ["A", "B", "A"]}).tolist()
    ['yes', 'no', 'no']
    """

    kind: ClassVar[str] = "rule_list"

    inputs: Inputs
    answer: Answer
    rules: tuple[Rule, ...]
    default: Says | None = None
    target: str = "y"
    counts: Floats | None = None
    note: str = ""
    stats: Mapping[str, Statistics] = field(default_factory=dict)
    log: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        self._check_rules()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        mine, theirs = ((one.rules, one.target, one.inputs, _typed(one.default)) for one in (self, other))
        return mine == theirs and self.answer.same(other.answer)

    __hash__ = None  # type: ignore[assignment]

    def with_rules(self, rules: Iterable[Rule], default: Says | None = None, counts: Floats | None = None) -> Self:
        """The list with other rules for the same columns and classes; what was counted of the old ones is left out."""
        return replace(self, rules=tuple(rules), default=default, counts=counts, stats={})

    # What it answers

    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """The number of the rule that decides each row; `n_rules` where none covers it."""
        return _core.rules_apply(self.kernel, self.read(X).columns, self._unseen, n_threads)

    def predict(self, X: Any, *, n_threads: int = 1) -> Array:
        """The class or the number that each row is answered."""
        numbers = self._decided(X, n_threads)
        if self.classes is None:
            return self.said[numbers]
        return np.asarray(self.classes)[self.labels[numbers]]

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The probabilities of the classes in the order of sorted labels."""
        return self.class_answer.sorted_columns(self.said[self._decided(X, n_threads)])

    @cached_property
    def labels(self) -> npt.NDArray[np.intp]:
        """The class that each rule decides for, by its number; the default last."""
        decided = self.class_answer.decide(np.nan_to_num(self.said))
        if self.counts is None and self.answer.costs is None:
            return decided
        known = list(np.asarray(self.classes).tolist())
        told = [rule.label for rule in self.rules] + ([] if self.default is None else [label_of(self.default)])
        for number, label in enumerate(told):
            decided[number] = known.index(label)
        return decided

    def _decided(self, X: Any, n_threads: int) -> npt.NDArray[np.int32]:
        numbers = self.apply(X, n_threads=n_threads)
        if self.default is None and (numbers == self.n_rules).any():
            row = int(np.flatnonzero(numbers == self.n_rules)[0])
            raise DataError(f"row {row}: no rule covers it, and there is no OTHERWISE; `check` lists such gaps.")
        return numbers

    # What rows say of it, and how it is changed by hand

    statistics = statistics
    score = score
    rows = rows_of
    by_class = by_class
    add = editing.add
    drop = editing.drop
    replace = editing.replace
    reorder = editing.reorder
    lock = editing.lock
    replay = editing.replay
    check = check
    simplify = simplify

    def program(self) -> Program:
        """The flat routing program that exports, verification and the page read."""
        return compile_rules(self)

    # Why, and what would change it

    explain = explain
    counterfactual = counterfactual
    to_tree = to_tree

    # In a file, and as text

    def to_content(self) -> dict[str, Any]:
        """What a file says of the list, as plain data."""
        return rules_to_content(self)

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        return cast(Self, rules_from_content(content, limits, lambda combine, **read: cls(**read)))

    def text(self, *, digits: int | None = None) -> str:
        r"""Return the rules in the rule language.

        Parameters
        ----------
        digits : int, optional
            Significant digits of numbers, for people. By default all, and `bough.parse_rules` reads the same rules
            back; a text that is rounded begins with a comment that says so.

        Examples
        --------
        >>> import bough
        >>> rules = bough.parse_rules("IF x <= 0.3333333333333333 THEN a\nOTHERWISE b")
        >>> print(rules.text(digits=3))
        # Numbers are rounded to 3 significant digits: this does not read back exactly.
        IF x <= 0.333 THEN a
        OTHERWISE b
        """
        return rules_text(self, digits, self.note)

    def to_frame(self, *, probabilities: bool = True) -> Any:
        r"""Return a data frame with a row a rule, the default last: pandas, else polars, else a dict of columns.

        Parameters
        ----------
        probabilities : bool, default=True
            Add a column ``p[label]`` for each class.

        Examples
        --------
        >>> import bough
        >>> bough.parse_rules("IF x > 1 AND job = A THEN 0.5\nOTHERWISE 0.25").to_frame()
           rule name          condition  literals  locked  answer
        0     0       x > 1 AND job = A         2   False    0.50
        1     1               OTHERWISE         0   False    0.25
        """
        return rules_frame(self, probabilities=probabilities)

    def _repr_html_(self) -> str:
        return rules_html(self)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        locked = sum(rule.locked for rule in self.rules)
        told = f", {locked:,} locked" if locked else ""
        told += "; columns as the text names them" if self.inputs.inferred else ""
        return f"<list of rules for {self.target}: {self.n_rules:,} rules, {self.n_literals:,} literals{told}>"


def _typed(says: Says) -> tuple[type, Says]:
    return type(says), says
