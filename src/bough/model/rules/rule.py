"""A rule: a conjunction of literals, and what it says where all of them hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from bough.errors import ParameterError
from bough.model.features import Cell
from bough.model.rules.literal import Literal, Place
from bough.model.rules.spell import label_text, name_text, number_text
from bough.table import Column, Label, as_label, label_key

__all__ = ["Distribution", "Rule", "Says", "answer_label", "says_text"]


class Distribution(Mapping[Any, float]):
    """Shares of classes that a rule says: read-only, equal if the classes, their order and the shares are.

    Examples
    --------
    >>> from bough.model.rules import Distribution
    >>> said = Distribution({"no": 0.9, "yes": 0.1})
    >>> said.label, said["yes"], str(said)
    ('no', 0.1, '{no: 0.9, yes: 0.1}')
    """

    __slots__ = ("_shares",)

    def __init__(self, shares: Mapping[Any, float] | Sequence[tuple[Any, float]]) -> None:
        given = shares.items() if isinstance(shares, Mapping) else shares
        pairs = tuple((answer_label(label), float(share)) for label, share in given)
        if not pairs or any(not 0 <= share < float("inf") for _, share in pairs) or not sum(s for _, s in pairs) > 0:
            raise ParameterError("the shares of classes are numbers of at least 0, not all of them 0.")
        if len({label_key(label) for label, _ in pairs}) < len(pairs):
            raise ParameterError("a class occurs twice in a distribution.")
        self._shares = pairs

    def __getitem__(self, label: Any) -> float:
        for known, share in self._shares:
            if label_key(known) == label_key(label):
                return share
        raise KeyError(label)

    def __iter__(self) -> Iterator[Any]:
        return (label for label, _ in self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        types = [[type(label) for label in said] for said in (self, other)]
        return self._shares == other._shares and types[0] == types[1]

    def __hash__(self) -> int:
        return hash(self._shares)

    @property
    def label(self) -> Any:
        """The class of the largest share, the first of equal ones."""
        return max(self._shares, key=lambda pair: pair[1])[0]

    def text(self, digits: int | None = None) -> str:
        """As the rule language writes it, the shares exactly or with so many significant digits."""
        pairs = (f"{label_text(label)}: {number_text(share, digits)}" for label, share in self._shares)
        return f"{{{', '.join(pairs)}}}"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Distribution({dict(self._shares)!r})"


Says: TypeAlias = Any
"""What a rule answers: a class, a `Distribution` over classes, or a number."""


@dataclass(frozen=True)
class Rule:
    """IF all literals hold THEN this is the answer.

    Parameters
    ----------
    literals : tuple of Literal
        None at all: the rule covers every row.
    says : class, Distribution or number
    name : str, default=""
        What the rule is called in texts and messages.
    note : str, default=""
        What someone wrote about it.
    locked : bool, default=False
        Whether learners and editors leave it as it is.
    origin : str, default=""
        Where it came from: a learner, the path of a tree, an expert.

    Notes
    -----
    Two rules are equal if literals, answer and name are written alike: the answers 1, 1.0, True and "1" are four.

    Examples
    --------
    >>> import bough
    >>> from bough.model.rules import Bound, Interval, Rule
    >>> from bough.table import Column
    >>> age = Column("age", "numeric", "float64")
    >>> print(Rule((Interval(age, low=Bound(38.5, False)),), "yes"))
    IF age > 38.5 THEN yes
    """

    literals: tuple[Literal, ...]
    says: Says
    name: str = ""
    note: str = field(default="", compare=False)
    locked: bool = field(default=False, compare=False)
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "literals", tuple(self.literals))
        if not isinstance(self.says, Distribution):
            says = Distribution(self.says) if isinstance(self.says, Mapping) else answer_label(self.says)
            object.__setattr__(self, "says", says)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[tuple[Literal, ...], str, str]:
        return self.literals, says_text(self.says), self.name

    @property
    def label(self) -> Any:
        """The class that it decides for; of a rule for numbers the number."""
        return self.says.label if isinstance(self.says, Distribution) else self.says

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that it asks, each once, in the order of its literals."""
        return tuple({column.name: column for literal in self.literals for column in literal.columns}.values())

    @property
    def size(self) -> int:
        """The number of literals."""
        return len(self.literals)

    def covers(self, row: Sequence[Cell], place: Place) -> bool:
        """Whether all literals hold for a row of cells; `RuleList.covers` asks a whole table."""
        return all(literal.holds(row, place) for literal in self.literals)

    def without(self, *positions: int) -> "Rule":
        """The rule that lacks some of its literals."""
        kept = tuple(literal for at, literal in enumerate(self.literals) if at not in positions)
        return replace(self, literals=kept)

    def body(self, digits: int | None = None) -> str:
        """The condition as text."""
        return " AND ".join(literal.text(digits) for literal in self.literals) or "TRUE"

    def text(self, digits: int | None = None, *, number: bool = False) -> str:
        """As the rule language writes it.

        Parameters
        ----------
        digits : int, optional
            Significant digits of real numbers, for people; by default all.
        number : bool, default=False
            Whether the answer is a number, which may be rounded as well, and not a class, which may not.
        """
        head = f"RULE {name_text(self.name)}: " if self.name else ""
        return f"{head}IF {self.body(digits)} THEN {says_text(self.says, digits, number=number)}"

    def __str__(self) -> str:
        return self.text()


def says_text(says: Says, digits: int | None = None, *, number: bool = False) -> str:
    """An answer as the rule language writes it; `digits` are for shares and, if it is a `number`, for the answer."""
    if isinstance(says, Distribution):
        return says.text(digits)
    return number_text(says, digits) if number else label_text(says)


def answer_label(label: Any) -> Label:
    """An answer as a plain label of Python; a ParameterError if it is none."""
    plain: Label | None = label if type(label) is float and label == label else as_label(label, "target")
    if plain is None:
        raise ParameterError(f"an answer is a class or a number; got {label!r:.60}.")
    return plain
