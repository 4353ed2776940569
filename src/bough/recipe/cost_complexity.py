"""Cost-complexity pruning, at a complexity that is given or that cross-validation prefers."""

from typing import Any

import numpy as np

from bough import _core
from bough.errors import ParameterError
from bough.model import PruningLog
from bough.model.arrays import risk_total
from bough.model.pruning_path import pruning_path
from bough.recipe import parameters as check
from bough.recipe.part import Facts
from bough.recipe.pruners import cut_weak, prune_cost_complexity
from bough.recipe.work import Grown, Pruning, Work

__all__ = ["CostComplexity", "CrossValidated"]


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
    pruner = staticmethod(prune_cost_complexity)
    says = ("cp",)

    def __init__(self, cp: float | None = 0.01, method: str = "weakest_link") -> None:
        self.cp = cp
        self.method = method

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        return {"complexity": self.counting()}

    @property
    def least_cp(self) -> float:
        """Its own."""
        return -1.0 if self.cp is None else float(self.cp)

    def counting(self) -> str:
        """How complexities are counted; arguments are checked."""
        if self.cp is not None:
            check.share(self.label("cp"), self.cp, 0.0, np.inf)
        return _method(self.label("method"), self.method)

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut at the complexity."""
        if self.cp is None:
            return Grown(kernel, work.growth.weights, PruningLog.nothing(kernel))
        level = float(self.cp) * float(kernel.risk[0])
        grown = "; nodes of no more risk than that were not split at all" if level > 0 else ""
        kernel, log = cut_weak(kernel, level, accounts=self.method == "accounts", grown=grown)
        return Grown(kernel, work.growth.weights, log)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """Weakest links can be counted anew, accounts cannot."""
        method = self.counting()
        if method == complexity:
            return kernel, {"cp": self.cp}
        if method == "accounts":
            raise ParameterError(
                f"{type(self).__name__}(method='accounts') follows the growth of a tree: fit with it, and prune by it "
                "first."
            )
        return _core.weakest_links(kernel), {"cp": self.cp}


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
        return {"complexity": self.counting()}

    @property
    def least_cp(self) -> float:
        """Nothing is cut that lowers the risk: folds choose."""
        return 0.0

    def counting(self) -> str:
        """How complexities are counted."""
        return _method(self.label("method"), self.method)

    def apply(self, kernel: Any, work: Work) -> Grown:
        """The subtree that cross-validation prefers."""
        total = risk_total(kernel)
        path = pruning_path(kernel, total, 0.0)
        if len(path) == 1:
            kernel, log = cut_weak(kernel, 0.0)
            return Grown(kernel, work.growth.weights, log, path)
        path = work.cross_validate(path, total, self.cv)
        level = float(path.alpha[path.chosen(self.rule)]) * total
        chosen = f", chosen by cross-validation and the rule {self.rule!r}"
        kernel, log = cut_weak(kernel, level, chosen=chosen)
        return Grown(kernel, work.growth.weights, log, path)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """There are no folds."""
        name = type(self).__name__
        raise ParameterError(
            f"{name} grows trees on folds of the rows: fit with pruning={name}(), or use pruned(cp=...)."
        )


def _method(name: str, given: Any) -> str:
    return str(check.choice(name, given, ["weakest_link", "accounts"]))
