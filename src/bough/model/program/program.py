"""The one form that all writers share: a model as a flat routing program.

A node has rules in order; the first whose condition holds says where a case goes on, else `otherwise` does. Missing,
absent and unseen values, surrogates and branches of their own are all rules by then. Levels are numbers here: the
position among the levels that training rows held.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.model.program.derived import Derived
from bough.table import Column, Label, Schema

__all__ = [
    "END",
    "FAIL",
    "MISSING",
    "SPREAD",
    "UNSEEN",
    "Among",
    "Between",
    "Condition",
    "Edge",
    "Either",
    "Every",
    "Field",
    "Missing",
    "Pool",
    "Program",
    "Rule",
    "Simple",
    "Step",
    "Term",
    "Unseen",
    "any_of",
    "choices_of",
    "terms_of",
]

Floats: TypeAlias = npt.NDArray[np.float64]

# Where a rule leads if not to a node: the case ends here, goes down all branches in parts, or has no answer.
END, SPREAD, FAIL = -1, -2, -3
# The numbers of levels that are none.
MISSING, UNSEEN = -1, -2


@dataclass(frozen=True)
class Field:
    """A column that the program reads.

    `kind` is "real" (floating point), "whole" (64-bit integers), "ticks" (times as counts of a unit) or "levels";
    `labels` says of what type levels are: "text", "bool", "number" or "mixed".
    """

    index: int
    name: str
    column: Column
    kind: Literal["real", "whole", "ticks", "levels"]
    levels: tuple[Label, ...] = ()
    labels: Literal["", "text", "bool", "number", "mixed"] = ""


@dataclass(frozen=True)
class Edge:
    """A number that parts values: `le`, x <= number is below; `lt`, x < number is."""

    number: float | int
    side: Literal["le", "lt"] = "le"

    def has_below(self, value: float | int) -> bool:
        """Whether a value lies below, in exact arithmetic."""
        return value <= self.number if self.side == "le" else value < self.number


@dataclass(frozen=True)
class Between:
    """A known number above one edge and below another; without edges, any known number."""

    field: int
    above: Edge | None = None
    below: Edge | None = None


@dataclass(frozen=True)
class Among:
    """One of these levels."""

    field: int
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Unseen:
    """A level that no training row held."""

    field: int


@dataclass(frozen=True)
class Missing:
    """No value; the only condition that holds where there is none."""

    field: int


Simple: TypeAlias = Between | Among | Unseen | Missing


@dataclass(frozen=True)
class Either:
    """One of several conditions on one field: a number outside an interval, a level of a set or none at all."""

    choices: tuple[Simple, ...]

    def __post_init__(self) -> None:
        if len(self.choices) < 2 or len({choice.field for choice in self.choices}) > 1:
            raise ValueError("alternatives are two or more, of one field")

    @property
    def field(self) -> int:
        """The field that all of them ask."""
        return self.choices[0].field


Term: TypeAlias = Simple | Either


@dataclass(frozen=True)
class Every:
    """All of these, one at least, of any fields."""

    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        if not self.terms:
            raise ValueError("a conjunction needs a term: what always holds is `otherwise`")


Condition: TypeAlias = Term | Every


def terms_of(condition: Condition) -> tuple[Term, ...]:
    """The conditions on single fields that must all hold."""
    return condition.terms if isinstance(condition, Every) else (condition,)


def choices_of(term: Term) -> tuple[Simple, ...]:
    """The simple conditions of which one must hold."""
    return term.choices if isinstance(term, Either) else (term,)


def any_of(choices: Sequence[Simple]) -> Term:
    """One of some conditions on one field; a single one as it is."""
    return choices[0] if len(choices) == 1 else Either(tuple(choices))


@dataclass(frozen=True)
class Rule:
    """Where a condition leads: a node, or END, SPREAD or FAIL."""

    when: Condition
    then: int


@dataclass(frozen=True)
class Step:
    """What happens at a node; a leaf has no rules and ends. `asks` is the test in words, for comments.

    `sizes` says how many rules are those of the test, of levels that it does not know, and of each surrogate; it is
    empty where rules were left out.
    """

    rules: tuple[Rule, ...] = ()
    otherwise: int = END
    shares: tuple[tuple[int, float], ...] = ()  # of a node that spreads: children and their parts
    children: tuple[int, ...] = ()
    asks: str = ""
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pool:
    """How what nodes add up to becomes shares: divided by its total, as where rules vote or their counts are added.

    `total` has by node how much it adds in all. Where that is more than nothing, `besides` is added once more; else a
    case gets the default. Two rows of `probabilities` and of `worth` tell both: first what is besides, then the
    default, NaN if there is none, so that such a case has no answer.
    """

    total: Floats
    besides: float
    probabilities: Floats
    worth: Floats

    @cached_property
    def fails(self) -> bool:
        """Whether a case to which nothing is added has no answer."""
        return bool(np.isnan(self.probabilities).any())

    def widened(self, table: Floats) -> Floats:
        """What nodes say, with how much that is as a last column."""
        return np.column_stack([table, self.total])

    def rows(self, table: Floats) -> Floats:
        """What is besides, with its total, and the default, if there is one: rows as those of a widened table."""
        rows = np.column_stack([table, [self.besides, 1.0]])
        return rows[:1] if self.fails else rows

    def shares(self, sums: Floats, table: Floats) -> Floats | None:
        """The shares that follow from the sums of a widened table; None where there is no answer."""
        besides, *default = self.rows(table)
        if not sums[-1] > 0:
            return default[0][:-1] if default else None
        both = sums + besides
        told: Floats = both[:-1] / both[-1]
        return told


@dataclass(frozen=True)
class Program:
    """A model as steps, with what each node answers.

    `label` counts in `classes`, `probabilities` has a column for each of them. Where cases are spread, the class is
    decided by the sums of `worth` (probabilities, or under costs the negative expected cost), whose columns stand for
    the classes in `order`: the first that no later one beats by more than `tolerance`. With a `pool` both are shares of
    what is added up. What refuses missing values refuses infinite ones, too. Fields of conditions count in `fields` and
    go on in `derived`, the sums of fields.
    """

    schema: Schema
    fields: tuple[Field, ...]
    steps: tuple[Step, ...]
    target: str
    classes: tuple[Any, ...] = ()
    label: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    probabilities: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    values: Floats = field(default_factory=lambda: np.zeros(0))
    worth: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    order: tuple[int, ...] = ()
    tolerance: float = 1e-12
    refuses_missing: bool = False
    refuses_unseen: bool = False
    title: str = "A decision tree"  # what it is, for comments
    pool: Pool | None = None
    derived: tuple[Derived, ...] = ()
    uncovered: str = ""  # why a case may come to no answer at all, in words without quotes; else it lacks a value

    @cached_property
    def asked(self) -> tuple[Field | Derived, ...]:
        """All that conditions ask, by the numbers of their fields."""
        return (*self.fields, *self.derived)

    def with_sums(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """The cells of a case and its sums, each made of what stands before."""
        cells = list(row)
        for one in self.derived:
            cells.append(one.value(cells))
        return tuple(cells)

    @cached_property
    def network(self) -> str:
        """The words of a network that some step asks; empty if none does."""
        squashed = {place for place, one in enumerate(self.asked) if isinstance(one, Derived) and one.squashed}
        return next((one.name for one in self.derived if any(term.field in squashed for term in one.terms)), "")

    @property
    def is_classifier(self) -> bool:
        """Whether it answers classes rather than values."""
        return bool(self.classes)

    @cached_property
    def spreads(self) -> bool:
        """Whether some case goes down several branches in parts."""
        return any(step.shares for step in self.steps)

    @cached_property
    def terms(self) -> tuple[Simple, ...]:
        """The simple conditions of all rules."""
        rules = (rule for step in self.steps for rule in step.rules)
        return tuple(choice for rule in rules for term in terms_of(rule.when) for choice in choices_of(term))

    @cached_property
    def is_list(self) -> bool:
        """Whether rules lead to ends alone, as in an ordered list of rules: a case goes on where none holds."""
        leaves = {number for number, step in enumerate(self.steps) if not step.rules}
        plain = all(self.steps[leaf].otherwise == END for leaf in leaves)
        ends = leaves | {END, FAIL}
        return plain and all(rule.then in ends for step in self.steps for rule in step.rules)

    @cached_property
    def can_fail(self) -> bool:
        """Whether some cases have no answer."""
        if self.refuses_missing or self.refuses_unseen or (self.pool is not None and self.pool.fails):
            return True
        return any(FAIL in (step.otherwise, *(rule.then for rule in step.rules)) for step in self.steps)

    @cached_property
    def no_answer(self) -> str:
        """Why a case has none at a step, in words without quotes."""
        if self.pool is not None or any(step.rules and step.otherwise == FAIL for step in self.steps):
            return self.uncovered or "this case lacks a value that a test asks for"
        return "this case has a level that was never seen in training"

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The node above each, -1 for the root."""
        above = [-1] * len(self.steps)
        for number, step in enumerate(self.steps):
            for child in step.children:
                above[child] = number
        return tuple(above)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The number of steps above each node; parents come before children."""
        depth = [0] * len(self.steps)
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                depth[number] = depth[parent] + 1
        return tuple(depth)

    @property
    def depth(self) -> int:
        """The largest number of steps above a node."""
        return max(self.depths)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The nodes in which a case can end."""
        return tuple(
            number
            for number, step in enumerate(self.steps)
            if step.otherwise == END or any(rule.then == END for rule in step.rules)
        )

    def path(self, node: int) -> Sequence[int]:
        """The nodes from the root to a node."""
        way = [node]
        while self.parents[way[-1]] >= 0:
            way.append(self.parents[way[-1]])
        return way[::-1]
