"""Tests of two branches made of cells: rows in them take one branch, all others the other.

So a literal of a rule, or several of them together, becomes a test of a tree.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bough.model.features import AllOf, ColumnValue
from bough.model.features.feature import Property, Side
from bough.model.tests.cells import Cells, Cut, inside, runs_of
from bough.model.tests.holds import Holds
from bough.model.tests.intervals import Intervals
from bough.model.tests.levels import Levels
from bough.model.tests.test import Test
from bough.model.tests.threshold import Threshold
from bough.table import Column, Schema

__all__ = ["Part", "joint_test", "one_sided", "part_test"]


class Part(NamedTuple):
    """What is asked of one column.

    Attributes
    ----------
    column : int
        The position of the column.
    cuts : tuple of Cut
        Rising, between the cells of numbers; none for levels, whose cells are their codes.
    cells : Cells
        Where the value is to lie.
    missing : bool
        Whether it may also be missing.
    """

    column: int
    cuts: tuple[Cut, ...]
    cells: Cells
    missing: bool

    def flags(self, column: Column) -> list[bool]:
        """For each cell whether it is wanted."""
        size = len(self.cuts) + 1 if column.kind == "numeric" else column.n_levels
        return [inside(cell, self.cells) for cell in range(size)]


def part_test(schema: Schema, part: Part) -> tuple[Test, int]:
    """The test of one column, and its branch of what is wanted.

    Parameters
    ----------
    schema : Schema
    part : Part
        Not all cells and missing values alike: that is no test.
    """
    column = schema.columns[part.column]
    flags = part.flags(column)
    holds = 0 if any(flags) else 1  # a branch of missing values alone is the last
    branches = [holds if flag else 1 - holds for flag in flags]
    return _test(ColumnValue(part.column, column), part, branches, holds if part.missing else 1 - holds), holds


def _test(feature: ColumnValue, part: Part, branches: Sequence[int], missing: int) -> Test:
    column = feature.column
    if column.kind == "nominal":
        codes = np.arange(len(branches), dtype=np.int32)
        return Levels(feature, codes, np.array(branches, dtype=np.int32), missing)
    cuts = list(part.cuts) if column.kind == "numeric" else [Cut(code, after=True) for code in range(len(branches) - 1)]
    kept = [place for place in range(len(cuts)) if branches[place] != branches[place + 1]]
    edges = [cuts[place].value for place in kept]
    leads = [branches[0], *(branches[place + 1] for place in kept)]
    side: Side = "lt" if kept and not cuts[kept[0]].after else "le"
    kind = Threshold if len(edges) == 1 else Intervals
    return kind(feature, edges, leads, side, missing)


def one_sided(column: Column, part: Part) -> Part:
    """The same part with cuts that all lie above their numbers, where some lie below: a test has edges of one side.

    Cells that then hold no value of the type of the column are left out.
    """
    if len({cut.after for cut in part.cuts}) < 2:
        return part
    flags = part.flags(column)
    kept: list[tuple[float | int, bool]] = []  # edges, and whether the cell above is wanted
    first = flags[0]
    for cut, flag in zip(part.cuts, flags[1:], strict=True):
        edge = cut.value if cut.after else _before(cut.value, column)
        if edge == math.inf:
            continue  # nothing lies above
        if edge is None:  # nothing lies below
            first = flag
            continue
        while kept and kept[-1][0] >= edge:
            kept.pop()
        kept.append((edge, flag))
    wanted = [first, *(flag for _, flag in kept)]
    cells = runs_of(cell for cell, flag in enumerate(wanted) if flag)
    return Part(part.column, tuple(Cut(edge, after=True) for edge, _ in kept), cells, part.missing)


def _before(value: float | int, column: Column) -> float | int | None:
    """The largest number of the type of a column that is below a value; None if there is none."""
    if value == -math.inf:
        return None
    if column.dtype.startswith("float"):
        near = float(value)
        return near if near < value else math.nextafter(near, -math.inf)
    return value if math.isinf(value) else math.ceil(value) - 1


def joint_test(schema: Schema, parts: Sequence[Part]) -> Test | None:
    """The test whether all of some parts hold together, by branch 0; None if a conjunction cannot ask one of them.

    Parameters
    ----------
    schema : Schema
    parts : sequence of Part
    """
    terms: list[Property] = []
    for part in parts:
        own = _properties(schema.columns[part.column], part)
        if not own:
            return None
        terms += own
    return Holds(AllOf(terms, schema.columns), 0, 1)


def _properties(column: Column, part: Part) -> list[Property]:
    """A part as properties that hold together: one side of each bound, one level, or none of the others."""
    flags = part.flags(column)
    if part.missing or not any(flags):
        return []
    if all(flags) and column.kind != "nominal":  # that it is known
        return [Property(part.column, -1, False, math.inf if column.kind == "numeric" else len(flags) - 1)]
    if column.kind == "nominal":
        held = [code for code, flag in enumerate(flags) if flag]
        if len(held) == 1:
            return [Property(part.column, held[0], negated=False)]
        return [Property(part.column, code, negated=True) for code, flag in enumerate(flags) if not flag]
    first, last = flags.index(True), len(flags) - 1 - flags[::-1].index(True)
    if not all(flags[first : last + 1]):
        return []
    cuts = part.cuts if column.kind == "numeric" else [Cut(code, after=True) for code in range(len(flags) - 1)]
    ends = [(cuts[first - 1], True)] if first > 0 else []
    ends += [(cuts[last], False)] if last < len(cuts) else []
    return [Property(part.column, -1, above, cut.value, "le" if cut.after else "lt") for cut, above in ends]
