"""What checks of rules find: each with the numbers of its rules and, where there is one, a cell that shows it."""

from dataclasses import dataclass

from bough.model.rules.cubes.layout import Cell, Cube

__all__ = ["Contradiction", "Duplicate", "Findings", "Gap", "Idle", "Implied", "Overlap", "Unreached"]


@dataclass(frozen=True)
class Overlap:
    """Two rules with different answers that hold for the same cells.

    Attributes
    ----------
    first, second : int
    cube : Cube
        The cells of both.
    witness : Cell
        One of them, and if there is one such, a cell for which no rule before both holds.
    reached : bool
        Whether there is such a cell. In a list, rules before both decide all of the overlap if there is none.
    """

    first: int
    second: int
    cube: Cube
    witness: Cell
    reached: bool


@dataclass(frozen=True)
class Gap:
    """Cells for which no rule holds; `witness` is one of them."""

    cube: Cube
    witness: Cell


@dataclass(frozen=True)
class Unreached:
    """A rule whose every cell an earlier rule takes.

    Attributes
    ----------
    rule : int
    by : tuple of int
        Earlier rules that together hold all its cells.
    witness : Cell
        A cell of the rule, which the first of `by` takes.
    """

    rule: int
    by: tuple[int, ...]
    witness: Cell


@dataclass(frozen=True)
class Duplicate:
    """Two rules with the same answer that hold for the same cells; `witness` is one of them."""

    first: int
    second: int
    witness: Cell


@dataclass(frozen=True)
class Idle:
    """A rule without which every cell is answered the same; `witness` is a cell that it decides."""

    rule: int
    witness: Cell


@dataclass(frozen=True)
class Implied:
    """A literal that says nothing beside the others of its rule.

    Attributes
    ----------
    rule, literal : int
    by : tuple of int
        The literals of the same axis from which it follows; none if it holds for every cell.
    witness : Cell
        A cell of the rule.
    """

    rule: int
    literal: int
    by: tuple[int, ...]
    witness: Cell


@dataclass(frozen=True)
class Contradiction:
    """Literals of one axis that never hold together, so that their rule holds for no cell: there is no witness."""

    rule: int
    axis: int
    literals: tuple[int, ...]


@dataclass(frozen=True)
class Findings:
    """What is worth knowing about rules, each kind by the numbers of the rules.

    Attributes
    ----------
    overlaps : tuple of Overlap
    gaps : tuple of Gap
        Few cubes that are as large as they can be; they may overlap each other.
    unreached : tuple of Unreached
    duplicates : tuple of Duplicate
    empty : tuple of int
        Rules that hold for no cell.
    stopped : dict of str to str
        For each kind that is incomplete, the limit that was reached.
    idle : tuple of Idle
    default_unreached : bool
        Whether there is a default, and rules take every cell before it.
    """

    overlaps: tuple[Overlap, ...]
    gaps: tuple[Gap, ...]
    unreached: tuple[Unreached, ...]
    duplicates: tuple[Duplicate, ...]
    empty: tuple[int, ...]
    stopped: dict[str, str]
    idle: tuple[Idle, ...] = ()
    default_unreached: bool = False
