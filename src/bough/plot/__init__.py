"""Diagrams with matplotlib, which is imported when the first one is drawn. Every function returns the axes.

Trees themselves are drawn by `bough.draw`.
"""

from bough.plot.candidates import candidates
from bough.plot.effect import effect
from bough.plot.fit import fit
from bough.plot.importance import importance
from bough.plot.impurity import impurity
from bough.plot.partial_dependence import partial_dependence
from bough.plot.pruning import pruning
from bough.plot.regions import regions
from bough.plot.rules import rules
from bough.plot.stability import stability

__all__ = [
    "candidates",
    "effect",
    "fit",
    "importance",
    "impurity",
    "partial_dependence",
    "pruning",
    "regions",
    "rules",
    "stability",
]
