"""Searches that make a branch for each class: sums of columns compete, and a row takes the branch of the largest."""

from dataclasses import dataclass
from typing import Any

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.oblique import Levelled
from bough.recipe.part import Facts

__all__ = ["Machine"]


@dataclass(eq=False, repr=False)
class Machine(Levelled):
    """A sum of columns for each class of the node: a row takes the branch of the largest one.

    Parameters
    ----------
    method : {"fact", "thermal"}, default="fact"
        "fact": linear discriminant functions of the classes on the principal components of the node's columns; that is
        the test of the node, whatever a criterion would prefer (FACT). "thermal": a linear machine, whose sums are
        corrected by one row after the other, the less the longer training has gone on; it competes with the best test
        of one column (LMDT). A class for which too few rows win has no branch.
    linear : bool, default=True
        "fact": False asks one column: the one of the largest F ratio, or if none is 4 or more, the one whose values
        lie differently far from the means of their classes. The functions then cut its values into intervals. A
        nominal column is asked for one of its levels.
    sparse : {"backward"} or None, default=None
        "thermal": which terms the sums keep. "backward": the one whose weights differ least is dropped and the machine
        trained again, while errors stay within one standard error of the fewest. None: all.
    missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors
        As for `Exhaustive`.

    References
    ----------
    W.-Y. Loh and N. Vanichsetakul, Tree-structured classification via generalized discriminant analysis, Journal of the
    American Statistical Association 83, 1988. C. E. Brodley and P. E. Utgoff, Multivariate decision trees, Machine
    Learning 19, 1995.
    """

    tasks = ("classes",)
    draws = True  # the order of the rows in training

    method: str = "fact"
    linear: bool = True
    sparse: str | None = None

    @property
    def repeatable(self) -> bool:
        """Thermal training meets the copies of a row one by one, at other places of the order that is drawn."""
        return self.method != "thermal"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        method = check.choice(self.label("method"), self.method, ["fact", "thermal"])
        linear = check.flag(self.label("linear"), self.linear)
        sparse = check.choice(self.label("sparse"), self.sparse, [None, "backward"])
        if method == "thermal" and not linear:
            raise ParameterError(f"{self.label('linear')}=False asks one column, which method='fact' does.")
        if method == "fact" and sparse is not None:
            raise ParameterError(
                f"{self.label('sparse')} drops terms from linear machines: discriminant functions rest on components "
                "of all columns. Use method='thermal', or linear=False for a single column."
            )
        return {**super().options(facts), "search": "machine", "machine": method, "linear": linear, "seed": facts.seed}
