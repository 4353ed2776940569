"""How is a large tree made smaller? Each answer says what it needs: the grown tree, rows kept back, folds."""

from typing import Any, ClassVar

import numpy as np

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Facts, Part
from bough.recipe.rows import check_holdout

__all__ = ["CostComplexity", "CrossValidated", "DescriptionLength", "ErrorBased", "MergeLeaves", "ReducedError"]


class Pruning(Part):
    """An answer to the question how a large tree is made smaller."""

    slot = "pruning"
    needs_rows: ClassVar[bool] = True  # whether it looks at rows, so that a loaded tree cannot be pruned without data

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes; arguments are checked."""
        return {}


class CostComplexity(Pruning):
    """Cut what lowers the training risk by too little a leaf (Breiman et al.).

    Parameters
    ----------
    cp : float or None, default=0.01
        Relative to the risk of the root: splits up to this complexity are cut. None: none is.
    method : {"weakest_link", "accounts"}, default="weakest_link"
        How complexities are counted: exact weakest-link pruning, or the carried accounts of rpart, which differ in rare
        trees.
    """

    needs_rows = False

    def __init__(self, cp: float | None = 0.01, method: str = "weakest_link") -> None:
        self.cp = cp
        self.method = method

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"complexity": self.counting()}

    def counting(self) -> str:
        """How complexities are counted; arguments are checked."""
        if self.cp is not None:
            check.share(self.label("cp"), self.cp, 0.0, np.inf)
        return _method(self.label("method"), self.method)


class CrossValidated(Pruning):
    """Cost-complexity pruning at the complexity that cross-validation prefers.

    Parameters
    ----------
    rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the best, or the best.
    cv : int, splitter or iterable, default=10
        Folds; not shuffled unless the estimator has a `random_state`.
    method : {"weakest_link", "accounts"}, default="weakest_link"
        As for `CostComplexity`.
    """

    def __init__(self, rule: str = "1se", cv: Any = 10, method: str = "weakest_link") -> None:
        self.rule = rule
        self.cv = cv
        self.method = method

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        check.choice(self.label("rule"), self.rule, ["1se", "min"])
        check.folds(self.label("cv"), self.cv)
        return {"complexity": _method(self.label("method"), self.method)}


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

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        self.how()
        return {}

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes."""
        name = self.label("confidence")
        if self.confidence is not None and check.share(name, self.confidence, 0.0, 1.0) in (0.0, 1.0):
            raise ParameterError(f"{name} must lie between 0 and 1; got {self.confidence!r}.")
        regrow = check.flag(self.label("regrow"), self.regrow)
        if check.flag(self.label("global_pruning"), self.global_pruning) and not regrow:
            raise ParameterError(f"{self.label('global_pruning')} needs {self.label('regrow')}=True.")
        if regrow and not (self.raising and self.collapse):
            raise ParameterError(f"{self.label('regrow')} needs raising and collapse, which are part of it.")
        return {
            "confidence": None if self.confidence is None else float(self.confidence),
            "raising": self.raising if self.raising == "auto" else check.flag(self.label("raising"), self.raising),
            "collapse": check.flag(self.label("collapse"), self.collapse),
        }


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

    def __init__(self, holdout: Any = None, strict: bool = False) -> None:
        self.holdout = holdout
        self.strict = strict

    def kept(self) -> Any:
        """The rows to keep back: a number of folds, a share, or rows."""
        return 3 if self.holdout is None else self.holdout

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        self.how()
        return {}

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes, but for the rows."""
        check_holdout(self.label("holdout"), self.kept())
        return {"strict": check.flag(self.label("strict"), self.strict)}


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

    def __init__(self, max_increase: float = 0.01, weighted: bool = False) -> None:
        self.max_increase = max_increase
        self.weighted = weighted

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        self.how()
        return {}

    def how(self) -> dict[str, Any]:
        """The options of the kernel's function that prunes."""
        return {
            "max_increase": check.share(self.label("max_increase"), self.max_increase, 0.0, np.inf),
            "weighted": check.flag(self.label("weighted"), self.weighted),
        }


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

    def __init__(self, exceptions: str = "counts", tree_weight: float = 1.0) -> None:
        self.exceptions = exceptions
        self.tree_weight = tree_weight

    def options(self, facts: Facts) -> dict[str, Any]:
        """Nothing while growing."""
        self.how()
        return {}

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes."""
        return {
            "exceptions": check.choice(self.label("exceptions"), self.exceptions, ["counts", "stochastic"]),
            "tree_weight": check.share(self.label("tree_weight"), self.tree_weight, 0.0, np.inf),
        }


def _method(name: str, given: Any) -> str:
    return str(check.choice(name, given, ["weakest_link", "accounts"]))
