"""Rules as cubes of cells: exact simplification and exact checks, on plain data.

A space is a tuple of axes, one for each column; a cube is a tuple of bit masks of cells, one for each axis; a rule is a
cube and the number of its answer. Linear literals, which no cube holds, are in `planes`.
"""

from bough.model.rules.cubes.by_data import Dropped, drop_by_rows
from bough.model.rules.cubes.check import check_rules
from bough.model.rules.cubes.findings import Contradiction, Duplicate, Findings, Gap, Implied, Overlap, Unreached
from bough.model.rules.cubes.layout import Axis, Cell, Cube, Space
from bough.model.rules.cubes.limits import Limits
from bough.model.rules.cubes.lists import CubeRule, Difference, FixedRule, MinimisedList, differences, minimise_list
from bough.model.rules.cubes.literals import check_literals
from bough.model.rules.cubes.planes import Interval, Plane, Planes, reduce_planes
from bough.model.rules.cubes.simplify import Minimised, Proof, minimise, prove

__all__ = [
    "Axis",
    "Cell",
    "Contradiction",
    "Cube",
    "CubeRule",
    "Difference",
    "Dropped",
    "Duplicate",
    "Findings",
    "FixedRule",
    "Gap",
    "Implied",
    "Interval",
    "Limits",
    "Minimised",
    "MinimisedList",
    "Overlap",
    "Plane",
    "Planes",
    "Proof",
    "Space",
    "Unreached",
    "check_literals",
    "check_rules",
    "differences",
    "drop_by_rows",
    "minimise",
    "minimise_list",
    "prove",
    "reduce_planes",
]
