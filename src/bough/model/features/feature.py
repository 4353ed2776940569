"""What a test asks of a row: one value, made of one column or of several.

A feature reads cells; a test (`bough.model.tests`) parts the values of its feature into branches. So a new feature
serves every kind of test, and a new kind of test every feature.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

__all__ = [
    "Cell",
    "Expression",
    "Factor",
    "Feature",
    "Listed",
    "Net",
    "Number",
    "Parts",
    "Product",
    "Property",
    "Side",
    "Sum",
    "Unit",
    "Unknown",
    "Value",
]

Number: TypeAlias = float | int
Cell: TypeAlias = float | int | None  # None: missing; -2 in a column of levels: one never seen
Side: TypeAlias = Literal["le", "lt"]  # where a value equal to a threshold belongs
Unknown: TypeAlias = Literal["missing", "unseen", "absent"]
"""Why a test finds no branch: no value, a level that no training row held, one that none held at this node."""


class Factor(NamedTuple):
    """A number that one column gives: its value or the code of its ordered level, or 1 where it has a level, else 0.

    `code` is that level, -1 for the value itself; `origin` is subtracted first, in the column's own type,
    then `centre`.
    """

    column: int
    code: int = -1
    origin: Number = 0
    centre: float = 0.0


class Product(NamedTuple):
    """A weight times one or two factors; `fill` stands for the factors where one of them is missing."""

    weight: float
    factors: tuple[Factor, ...]
    fill: float


class Parts(NamedTuple):
    """What a row adds to the mean of a node, by the columns of the terms of a sum, and of what that is a part.

    `words` say what the whole is for the row, `value` is that number.
    """

    by_columns: dict[tuple[int, ...], float]
    of: str
    value: float
    words: str


class Listed(NamedTuple):
    """A long expression as what can stand on lines of its own: a lead, and items of which none is to be broken.

    `noun` is what the items are: "term" or "column".
    """

    lead: str
    items: tuple[str, ...]
    noun: str


class Value(NamedTuple):
    """The expression that is a column's value."""

    column: int


class Sum(NamedTuple):
    """The expression that adds products, in this order, in doubles.

    It is missing if all of them are or, where it is asked `whole`, if one is; where it is to be `finite`, also if it is
    infinite. A level never seen is a missing one, or makes the sum unknown.
    """

    products: tuple[Product, ...]
    whole: bool = False
    unseen_is_missing: bool = True
    finite: bool = False


class Unit(NamedTuple):
    """A unit of a network: `counts` times the tanh of a constant and a sum."""

    counts: float
    constant: float
    sum: Sum


class Net(NamedTuple):
    """The expression that adds units to a constant, in this order; all of them read the same terms."""

    constant: float
    units: tuple[Unit, ...]


class Property(NamedTuple):
    """What a conjunction asks of one column: its level, any other level where `negated`, or a side of an edge.

    `code` is the level, -1 where the value is to lie below the edge or, negated, above it.
    """

    column: int
    code: int
    negated: bool
    edge: Number = 0
    side: Side = "le"

    @property
    def asks_level(self) -> bool:
        """Whether it asks for a level."""
        return self.code >= 0

    def holds(self, cell: Number) -> bool:
        """Whether a known value has it."""
        if self.asks_level:
            return (cell == self.code) != self.negated
        below = cell <= self.edge if self.side == "le" else cell < self.edge
        return below != self.negated


class Every(NamedTuple):
    """The expression that is true where each property holds."""

    terms: tuple[Property, ...]


Expression: TypeAlias = Value | Sum | Net | Every


class Feature(Protocol):
    """A value that tests can part; `bough.model.features.DERIVED` lists those that are more than a column.

    Attributes
    ----------
    has_cells : bool
        Whether columns are asked one by one, so that sets of values of single columns lead to branches.
    """

    has_cells: ClassVar[bool]

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions in the schema of the columns that it reads, each once, the weightiest first."""

    @property
    def n_values(self) -> int:
        """How many numbers or levels are written in it: none for a column as it is."""

    def words(self, *, exact: bool = False, quoted: bool = True) -> str:
        """What is asked, as a node of a drawing says it: a name, or an expression with short numbers.

        `quoted` as for `bough.table.format_text`, here and below.
        """

    def listed(self) -> Listed | None:
        """The same in pieces, the weightiest first, nothing quoted; None for what is said as a whole."""

    def missing_words(self, *, quoted: bool = True) -> str:
        """The condition that nothing is known of it: ``age is missing``."""

    def text(self, number: Number, side: Side, *, exact: bool, quoted: bool = True) -> str:
        """A threshold of it as text: with all digits, or as a short decimal."""

    def shown(self, number: Number, side: Side) -> Any:
        """A threshold of it as users have such values: a number, a date or time, a level."""

    def value(self, row: Sequence[Cell]) -> Number | Unknown:
        """What it is for a row, or why it is not known."""

    def parts(self, row: Sequence[Cell]) -> Parts | None:
        """What each of several columns adds for a row; None where nothing is added, or it is not known."""

    def expression(self) -> Expression:
        """The same as plain data, for those that write it in another language."""

    def ask(self, builder: Any) -> None:
        """Let the split that a builder of the kernel was given last, which names `columns[0]`, ask this feature."""
