"""Rules as cubes of cells: exact simplification and exact checks."""

from bough.model.rules.cubes.layout import Axis, Cell, Cube, Space
from bough.model.rules.cubes.limits import Limits
from bough.model.rules.cubes.simplify import Minimised, Proof, minimise, prove

__all__ = ["Axis", "Cell", "Cube", "Limits", "Minimised", "Proof", "Space", "minimise", "prove"]
