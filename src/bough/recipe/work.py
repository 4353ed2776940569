"""What a part that prunes is, what it works with, and what it hands back; `bough.learn` grows the trees for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model import PruningLog
from bough.model.choice import Choices
from bough.model.pruning_path import PruningPath
from bough.recipe.part import Facts, Part

__all__ = ["Grown", "Growth", "Progress", "Pruned", "Pruning", "Work"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[float], None] | None
Pruned = tuple[Any, PruningLog]  # a smaller tree of the kernel, and what was cut


class Growth(Protocol):
    """All that a tree is grown from."""

    @property
    def ranked(self) -> _core.RankedTable:
        """The columns."""

    @property
    def target(self) -> dict[str, Any]:
        """Fields of the kernel's target but the weights."""

    @property
    def weights(self) -> Floats | None:
        """One a row; rows of weight 0 take no part."""

    @property
    def kept(self) -> npt.NDArray[np.bool_] | None:
        """Rows that are only asked whether a split serves them."""

    def fields(self, weights: Floats | None) -> dict[str, Any]:
        """The target with weights."""

    def every(self, weights: Floats | None) -> Floats:
        """One weight a row."""

    def grown_on(self, weights: Floats | None) -> Floats | None:
        """The weights without rows that are kept back."""

    def grow(self, cp: float, *, weights: Floats | None = None) -> Any:
        """Grow a tree on other weights."""

    def with_surrogates(self, tree: Any) -> Any:
        """The tree with surrogates, if any are wanted."""


@dataclass(frozen=True)
class Work:
    """What a tree was grown from, and what the other parts of the recipe say of its pruning.

    Parameters
    ----------
    growth : Growth
        Its weights are those the tree was grown on.
    held : ndarray or None
        Weights of the rows that the part held back, 0 for all others.
    columns : list
        The whole table as the kernel takes it.
    tolerance : float
        Errors that differ by no more are equal.
    one_level : bool
        Whether a test of a nominal column singles out one level.
    value_error : {"squared", "absolute"}
        What numbers are judged by.
    cross_validate : callable(path, total, cv, measure)
        The path with the risks that trees grown on folds have, in the measure that complexities are counted by.
    row : float
        What one row weighs where chance is judged: see `Recipe.row`.
    progress : callable or None
    """

    growth: Growth
    held: Floats | None
    columns: list[Any]
    tolerance: float
    one_level: bool
    value_error: str
    cross_validate: Callable[[PruningPath, float, Any, str], PruningPath]
    row: float
    progress: Progress


@dataclass(frozen=True)
class Grown:
    """What growing and pruning gave.

    Parameters
    ----------
    kernel : _core.Tree
    weights : ndarray or None
        Of the rows that it was grown on.
    log : PruningLog
        What was cut and why.
    path : PruningPath or None
        The nested subtrees, if they were looked at.
    complete : bool
        Whether it has its surrogates already.
    refused : list or None
        Splits that rows kept back from growing did not want, as the kernel hands them over; None: there were no such
        rows.
    choices : Choices or None
        What nodes chose, where searches compete.
    """

    kernel: Any
    weights: Floats | None
    log: PruningLog
    path: PruningPath | None = None
    complete: bool = False
    refused: list[Any] | None = None
    choices: Choices | None = None


class Pruning(Part):
    """An answer to the question how a large tree is made smaller."""

    slot = "pruning"
    needs_rows: ClassVar[bool] = True  # whether it looks at rows, so that a loaded tree cannot be pruned without data
    pruner: ClassVar[Callable[..., Pruned] | None] = None  # (kernel, growth, **said), for a tree that is fitted already
    says: ClassVar[tuple[str, ...]] = ()  # what a user may say to the pruner; arguments of the part are called the same

    @property
    def least_cp(self) -> float:
        """The relative complexity to grow down to: negative for a tree that is not cut by it."""
        return -1.0

    def counting(self, classes: bool) -> str:
        """How complexities are counted for classes, or for numbers: see `node_risk`; arguments are checked."""
        return "weakest_link"

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options: nothing while growing, but wrong arguments are refused before it."""
        self.how()
        return {}

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes; arguments are checked."""
        return {}

    def held_back(self, growth: Growth) -> npt.NDArray[np.bool_] | None:
        """Rows that the tree is not grown on, because they judge it."""
        return None

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Prune a tree that was grown just now and not cut yet."""
        raise NotImplementedError

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """A fitted tree with the complexities that the part asks for, and what it says to its pruner.

        Parameters
        ----------
        kernel : _core.Tree
        complexity : str
            How the complexities of the tree were counted.
        """
        return kernel, self.how()
