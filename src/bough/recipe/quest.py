"""QUEST: first the column, by tests of significance that favour none, then a point between two groups of classes."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.oblique import Sum, shrinkage_of
from bough.recipe.part import Facts

__all__ = ["Quest"]


@dataclass(eq=False, repr=False)
class Quest(Sum):
    """One test a node, found without a criterion: of the column that tells most by its p-value, or of a sum (QUEST).

    A column is chosen by an analysis of variance, or by chi-squared where it is nominal; where none is significant, by
    Levene's test of equal variances; else the one of the smallest p-value all the same. Columns of many values have no
    advantage. More than two classes become two groups by 2-means of their means, and the column is cut where two normal
    densities with the means, variances and shares of the groups meet. Levels of a nominal column get numbers first, the
    crimcoords. The gain of the criterion is told, and has no say. Two branches; for classes only.

    Parameters
    ----------
    linear : bool, default=False
        Cut the linear discriminant of the two groups, a weighted sum of all columns, in which a nominal column is one
        number. A node that has no sum asks one column.
    alpha : float, default=0.05
        Level of significance: of the first test divided by the number of columns, of both by the number of tests.
    shrinkage : "auto" or float, default="auto"
        Of sums: as for `Discriminant`.
    missing_terms, max_levels
        Of sums: as for `Discriminant`.
    threshold : {"midpoint", "weighted"}, default="midpoint"
        Where the threshold lies between the two values on both sides of the point.
    side, max_competitors
        As for `Exhaustive`. Runners-up are the other columns, by the first test.

    References
    ----------
    W.-Y. Loh and Y.-S. Shih, Split selection methods for classification trees, Statistica Sinica 7, 1997.
    """

    tasks = ("classes",)
    zero_gain = None
    _of_sums: ClassVar[dict[str, Any]] = {"shrinkage": "auto", "missing_terms": "fill", "max_levels": 32}

    linear: bool = False
    alpha: float = 0.05
    shrinkage: str | float = "auto"
    max_levels: int = field(default=32, kw_only=True)

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options; arguments of sums are refused where none are made."""
        linear = check.flag(self.label("linear"), self.linear)
        for name, default in self._of_sums.items():
            if not linear and getattr(self, name) != default:
                raise ParameterError(
                    f"{self.label(name)}={getattr(self, name)!r} is about sums of columns: it needs "
                    f"{self.label('linear')}=True."
                )
        return {
            **super().options(facts),
            "search": "quest",
            "linear": linear,
            "column_level": check.share(self.label("alpha"), self.alpha, 0.0, 1.0),
            "shrinkage": shrinkage_of(self),
        }

    def refuse_many_terms(self, facts: Facts) -> None:
        """Single columns have no matrices."""
        if self.linear:
            super().refuse_many_terms(facts)
