"""What a fit leaves in an estimator besides the model: the parameters and the recipe that it followed, frozen."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone

from bough.model.node_risk import node_risk
from bough.model.provenance import Provenance
from bough.model.pruning_path import PruningPath
from bough.recipe import Part
from bough.recipe.recipe import Recipe

__all__ = ["Fitted", "FittedMembers", "FittedRules", "frozen_params"]


@dataclass(frozen=True)
class FittedRules:
    """How an estimator of rules was fitted, whatever its parameters say by now.

    Parameters
    ----------
    params : dict
        The parameters of the fit.
    provenance : Provenance, optional
        Where the model came from; None if its file does not say.
    """

    params: dict[str, Any]
    provenance: Provenance | None = None


@dataclass(frozen=True)
class FittedMembers(FittedRules):
    """How an ensemble of trees was fitted: as `FittedRules`, and with what its draws began.

    Parameters
    ----------
    seed : int, default=0
        What the draws of its members begin with: rows and columns are drawn again from it.
    """

    seed: int = 0


@dataclass(frozen=True)
class Fitted:
    """How an estimator of trees was fitted, whatever its parameters say by now.

    Parameters
    ----------
    params : dict
        The parameters of the fit.
    recipe : Recipe
        The answers to the six questions that followed from them.
    complexity : {"weakest_link", "accounts", "brier", "deviance", "evidence"}
        How the complexities of the tree's nodes were counted: see `node_risk`. Pruning in another way counts them anew.
    path : PruningPath, optional
        The nested sequence of subtrees, where fitting looked at it.
    provenance : Provenance, optional
        Where the model came from; None if its file does not say.
    row : float, default=1.0
        What one row weighed where chance was judged: see `Recipe.row`.
    """

    params: dict[str, Any]
    recipe: Recipe
    complexity: str = "weakest_link"
    path: PruningPath | None = None
    provenance: Provenance | None = None
    row: float = 1.0

    @property
    def measure(self) -> str:
        """What the tree is cut by from now on: accounts are cut as weakest links, once they are there."""
        return "weakest_link" if self.complexity == "accounts" else self.complexity

    def risk(self, kernel: Any) -> npt.NDArray[np.float64]:
        """What the nodes of a tree of this fit are pruned by."""
        return node_risk(kernel, self.complexity, self.row)


def frozen_params(estimator: Any) -> dict[str, Any]:
    """The parameters of an estimator; parts and containers are copied, because they can change."""
    return {name: _frozen(value) for name, value in estimator.get_params(deep=False).items()}


def _frozen(value: Any) -> Any:
    if isinstance(value, Part):
        return copy.copy(value)
    if isinstance(value, BaseEstimator):
        return clone(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_frozen, value)) if type(value) in (list, tuple) else value
    if type(value) is dict:
        return {key: _frozen(item) for key, item in value.items()}
    return value
