"""Criteria that a user writes in Python: their scores checked, and what is left of them in a model file."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.criterion import Criterion
from bough.recipe.part import Facts

__all__ = ["Forgotten", "UserCriterion", "is_user_criterion"]

Floats = npt.NDArray[np.float64]


def is_user_criterion(given: Any) -> bool:
    """Whether an object can score tests."""
    return not isinstance(given, type) and callable(getattr(given, "score", None))


class UserCriterion(Criterion):
    """A user's criterion as the kernel calls it.

    Parameters
    ----------
    given : object with `score(parent, branches)` and perhaps `impurity(nodes)`
        `score` gets the statistics of a node, shape (k,), and those of the branches of many candidates, shape
        (candidates, branches, k), and returns how good each candidate is: the larger the better, not above 0 where
        nothing is gained. k is the number of classes (their weights), or 3 for numbers: weight, sum and sum of squares
        of the distances from a centre. `impurity` gets statistics of shape (nodes, k) and returns one number a node.
    """

    def __init__(self, given: Any) -> None:
        self.given = given

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        options: dict[str, Any] = {"criterion": "user", "score": self.score}
        if callable(getattr(self.given, "impurity", None)):
            options["impurity"] = self.impurities
        return options

    def shown(self) -> str:
        """The name of its class."""
        return type(self.given).__name__

    def score(self, parent: Floats, branches: Floats) -> Floats:
        """The user's scores, checked."""
        return self._checked("score", self.given.score(parent, branches), len(branches))

    def impurities(self, nodes: Floats, costs: Floats | None = None) -> Floats:
        """The user's impurities, checked."""
        self._check_costs(costs)
        if not callable(getattr(self.given, "impurity", None)):
            raise ParameterError(f"{self.shown()} has no method impurity(nodes), which gives one number a node.")
        return self._checked("impurity", self.given.impurity(nodes), len(nodes))

    def _checked(self, method: str, given: Any, size: int) -> Floats:
        what = "candidate" if method == "score" else "node"
        hint = "Branches may be empty or pure: give such a candidate a score of 0, not a division by zero."
        return check.returned(f"{self.shown()}.{method}", given, size, what, hint)


class Forgotten(Criterion):
    """A user's criterion in a model that was read from a file: its name, and nothing to grow a tree with.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str = "") -> None:
        self.name = name

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options, too few to grow a tree."""
        return {"criterion": "user"}

    def shown(self) -> str:
        """The name that is left."""
        return self.name

    def refuse_to_fit(self) -> None:
        """A fit needs the criterion itself."""
        raise ParameterError(
            f"criterion {self.name!r} was written by a user, and model files hold the names of such criteria only. "
            f"Predictions need no more; to fit again, set criterion to an object with a method score."
        )
