"""How is a large tree made smaller? Each answer says what it needs (the grown tree, rows kept back, folds) and does it:
`apply` in a fit, and by name or as a part on a tree that is fitted already.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.auto import Auto
from bough.recipe.cost_complexity import CostComplexity, CrossValidated
from bough.recipe.pruners import error_options, merge_leaves, prune_by_description, prune_error_based, reduce_errors
from bough.recipe.regrowing import prune_and_regrow
from bough.recipe.rows import check_holdout, kept_back
from bough.recipe.significant_splits import SignificantSplits
from bough.recipe.size_penalty import SizePenalty
from bough.recipe.work import Grown, Growth, Pruning, Work

__all__ = [
    "Auto",
    "CostComplexity",
    "CrossValidated",
    "DescriptionLength",
    "ErrorBased",
    "MergeLeaves",
    "ReducedError",
    "SignificantSplits",
    "SizePenalty",
]


class ErrorBased(Pruning):
    """Cut and raise where the errors to expect, at a confidence, become no more (C4.5).

    Parameters
    ----------
    confidence : float or None, default=0.25
        The smaller, the smaller the tree. None: only `collapse`.
    raising : bool or "auto", default="auto"
        Whether a node may also be replaced by its largest branch, which then gets all its rows. "auto": unless rows
        may stop at a test whose value is missing.
    collapse : bool, default=True
        First make a leaf of every node whose subtree is no better on the training rows.
    regrow : bool, default=False
        As the records of C5.0 show: the largest branch that is no leaf is raised, its leaves that get other rows are
        grown on, and leaves of one test with the same answer are joined. Needs `Fractional`, `raising` and `collapse`.
    global_pruning : bool, default=False
        With `regrow`: at last cut the subtrees that save fewest errors a leaf, as long as that costs no more than a
        standard error of the training errors.
    """

    tasks = ("classes",)
    pruner = staticmethod(prune_error_based)
    says = ("confidence", "raising", "collapse", "tolerance")

    def __init__(
        self,
        confidence: float | None = 0.25,
        raising: bool | str = "auto",
        collapse: bool = True,
        regrow: bool = False,
        global_pruning: bool = False,
    ) -> None:
        self.confidence = confidence
        self.raising = raising
        self.collapse = collapse
        self.regrow = regrow
        self.global_pruning = global_pruning

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes."""
        how = error_options(self.confidence, self.raising, self.collapse, self.label)
        regrow = check.flag(self.label("regrow"), self.regrow)
        if check.flag(self.label("global_pruning"), self.global_pruning) and not regrow:
            raise ParameterError(f"{self.label('global_pruning')} needs {self.label('regrow')}=True.")
        if regrow and not (self.raising and self.collapse):
            raise ParameterError(f"{self.label('regrow')} needs raising and collapse, which are part of it.")
        return how

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut and raise, or grow on what was raised."""
        growth, how = work.growth, self.how()
        if self.regrow:
            kernel, log = prune_and_regrow(
                kernel, growth, work.columns, confidence=how["confidence"], global_pruning=self.global_pruning
            )
            return Grown(kernel, growth.weights, log)
        # Rows that are sent anew to a raised branch go where prediction sends them.
        kernel = growth.with_surrogates(kernel)
        kernel, log = prune_error_based(kernel, growth, **how, tolerance=work.tolerance, progress=work.progress)
        return Grown(kernel, growth.weights, log, complete=True)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """Nothing can be grown on."""
        how = self.how()
        if self.regrow:
            raise ParameterError(f"{type(self).__name__}(regrow=True) grows branches anew: fit with it.")
        return kernel, how


class ReducedError(Pruning):
    """Cut where the errors on rows that are kept back from growing become no more.

    Parameters
    ----------
    holdout : int, float, array or None, default=None
        One of so many folds is kept back (the last; folds have the classes in like shares and nothing is random), or
        this share of the rows, or the rows themselves, as row numbers or as a mask. None: one of three folds.
        It divides the rows of a fit; a fitted tree is judged by all rows that are given to `pruned`.
    strict : bool, default=False
        Cut only where a leaf makes fewer errors, not where it makes as many.
    """

    pruner = staticmethod(reduce_errors)
    says = ("strict", "value_error", "tolerance")

    def __init__(self, holdout: Any = None, strict: bool = False) -> None:
        self.holdout = holdout
        self.strict = strict

    def kept(self) -> Any:
        """The rows to keep back: a number of folds, a share, or rows."""
        return 3 if self.holdout is None else self.holdout

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes, but for the rows."""
        check_holdout(self.label("holdout"), self.kept())
        return {"strict": check.flag(self.label("strict"), self.strict)}

    def held_back(self, growth: Growth) -> npt.NDArray[np.bool_]:
        """The rows that judge the tree."""
        weights = growth.every(growth.weights)
        used = weights > 0 if growth.kept is None else (weights > 0) & ~growth.kept
        codes = growth.target.get("label", np.zeros(len(weights), dtype=np.uint32))
        return kept_back(self.kept(), codes, used)

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut where the rows that were held back agree."""
        kernel, log = reduce_errors(
            kernel,
            work.growth,
            holdout=work.held,
            **self.how(),
            value_error=work.value_error,
            tolerance=work.tolerance,
            progress=work.progress,
        )
        return Grown(kernel, work.growth.weights, log)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """All rows that are given judge the tree."""
        how = self.how()
        if self.holdout is not None:
            raise ParameterError(
                f"{type(self).__name__}.holdout divides the rows of a fit; a fitted tree is judged by all rows that "
                "are given with it: leave it None."
            )
        return kernel, how


class MergeLeaves(Pruning):
    """Merge the leaves below a node where that raises the impurity by little, the least rise first.

    Parameters
    ----------
    max_increase : float, default=0.01
        The largest rise of impurity.
    weighted : bool, default=False
        Whether the rise counts times the node's share of the rows.
    """

    needs_rows = False
    pruner = staticmethod(merge_leaves)
    says = ("max_increase", "weighted", "max_leaves")

    def __init__(self, max_increase: float = 0.01, weighted: bool = False) -> None:
        self.max_increase = max_increase
        self.weighted = weighted

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes."""
        return {
            "max_increase": check.share(self.label("max_increase"), self.max_increase, 0.0, np.inf),
            "weighted": check.flag(self.label("weighted"), self.weighted),
        }

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Merge."""
        kernel, log = merge_leaves(kernel, **self.how())
        return Grown(kernel, work.growth.weights, log)


class DescriptionLength(Pruning):
    """Cut where a leaf and the exceptions to it are described in fewer bits than the subtree and its exceptions.

    Parameters
    ----------
    exceptions : {"counts", "stochastic"}, default="counts"
        How the classes in a leaf are written: their counts and then their order (Quinlan and Rivest), or by stochastic
        complexity (Mehta, Rissanen and Agrawal).
    tree_weight : float, default=1.0
        A bit of the tree counts as so many bits of exceptions.
    """

    tasks = ("classes",)
    pruner = staticmethod(prune_by_description)
    says = ("exceptions", "one_level", "tree_weight")

    def __init__(self, exceptions: str = "counts", tree_weight: float = 1.0) -> None:
        self.exceptions = exceptions
        self.tree_weight = tree_weight

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes."""
        return {
            "exceptions": check.choice(self.label("exceptions"), self.exceptions, ["counts", "stochastic"]),
            "tree_weight": check.share(self.label("tree_weight"), self.tree_weight, 0.0, np.inf),
        }

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut where that saves bits."""
        kernel, log = prune_by_description(kernel, work.growth, **self.how(), one_level=work.one_level)
        return Grown(kernel, work.growth.weights, log)
