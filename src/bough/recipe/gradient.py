"""Sums whose weights a linear unit learns: the pocket perceptron, logistic regression."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.oblique import Chosen, grouping_of
from bough.recipe.part import Facts

__all__ = ["Gradient"]


@dataclass(eq=False, repr=False)
class Gradient(Chosen):
    """Every test of every column, and a sum of columns whose weights follow from descending a loss.

    The classes of a node become two groups, those that linear discriminants tell apart best, and a linear unit learns
    them; its sum is cut where the criterion gains most. A node of at most two rows a term gets no sum. For classes
    only.

    Parameters
    ----------
    method : {"logistic", "pocket"}, default="logistic"
        "logistic": logistic regression by Newton's method. "pocket": a perceptron that takes the rows in random order
        and keeps the weights with the longest run of right answers, if they also make fewer errors on all rows.
    penalty : float, default=1.0
        Logistic: half of it times the sum of the squared weights of the standardised terms is added to the loss, so
        that they stay finite where the groups can be parted.
    passes : int, default=20
        Pocket: how often it takes all rows.
    grouping : {"auto", "two_means", "all", "one_vs_rest"}, default="auto"
        As for `Discriminant`.
    sparse, max_terms, missing_terms, max_levels, threshold
        As for `Discriminant`.
    side, zero_gain, max_competitors
        As for `Exhaustive`.

    References
    ----------
    S. I. Gallant, Perceptron-based learning algorithms, IEEE Transactions on Neural Networks 1, 1990.
    """

    tasks = ("classes",)
    draws = True
    _own: ClassVar[dict[str, tuple[str, Any]]] = {"penalty": ("logistic", 1.0), "passes": ("pocket", 20)}

    method: str = "logistic"
    penalty: float = 1.0
    passes: int = 20
    grouping: str = "auto"

    @property
    def repeatable(self) -> bool:
        """A perceptron meets the copies of a row one by one, at other places of the order that is drawn."""
        return self.method != "pocket"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options; what another method asks for is refused."""
        method = check.choice(self.label("method"), self.method, ["logistic", "pocket"])
        for name, (owner, default) in self._own.items():
            if method != owner and getattr(self, name) != default:
                raise ParameterError(
                    f"{self.label(name)}={getattr(self, name)!r} needs {self.label('method')}={owner!r}; it is "
                    f"{method!r}."
                )
        return {
            **super().options(facts),
            "search": "gradient",
            "logistic": method == "logistic",
            "penalty": check.share(self.label("penalty"), self.penalty, 0.0, float("inf")),
            "passes": check.whole(self.label("passes"), self.passes, 1),
            "grouping": grouping_of(self, facts),
            "seed": facts.seed,
        }
