"""Cost-complexity pruning, at a complexity that is given or that cross-validation prefers."""

from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.model import PruningLog
from bough.model.arrays import risk_total
from bough.model.node_risk import node_risk, with_links
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
    risk : {"error", "brier", "deviance"}, default="error"
        What is lowered: what answers cost (for classes the errors, for numbers the squared or absolute error), or for
        classes the Brier score or the deviance of their probabilities.
    cv : int, splitter, iterable or None, default=None
        Folds that fill in `cv_risk` and `cv_se` of `pruning_path_`, as rpart's `xval`; they have no say in what is cut.
    """

    needs_rows = False
    pruner = staticmethod(prune_cost_complexity)
    says = ("cp", "measure", "row")

    def __init__(
        self, cp: float | None = 0.01, method: str = "weakest_link", risk: str = "error", cv: Any = None
    ) -> None:
        self.cp = cp
        self.method = method
        self.risk = risk
        self.cv = cv

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        _check_risk(self, facts.classes > 0, ["error", "brier", "deviance"])
        if self.cv is not None:
            check.folds(self.label("cv"), self.cv)
        self.counting(facts.classes > 0)
        return {"complexity": self.method}

    @property
    def least_cp(self) -> float:
        """Its own, where it counts what answers cost."""
        return -1.0 if self.cp is None or self.risk != "error" else float(self.cp)

    def counting(self, classes: bool) -> str:
        """How complexities are counted; arguments are checked."""
        if self.cp is not None:
            check.share(self.label("cp"), self.cp, 0.0, np.inf)
        return _measure(self, self.risk)

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut at the complexity."""
        measure = self.counting(kernel.is_classifier)
        if self.risk != "error":
            kernel = with_links(kernel, measure)
        if self.cp is None:
            log, level = PruningLog.nothing(kernel), 0.0
        else:
            level = float(self.cp) * float(node_risk(kernel, measure)[0])
            grown = "; nodes of no more risk than that were not split at all" if level > 0 < self.least_cp else ""
            kernel, log = cut_weak(kernel, level, measure=measure, grown=grown)
        path = None
        if self.risk != "error" or self.cv is not None:
            total = risk_total(kernel)
            path = pruning_path(kernel, total, 0.0 if self.cp is None else self.cp, node_risk(kernel, measure))
            if self.cv is not None:
                path = work.cross_validate(path, total, self.cv, measure)
        return Grown(kernel, work.growth.weights, log, path)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """Weakest links can be counted anew, accounts cannot."""
        measure = self.counting(kernel.is_classifier)
        _check_risk(self, kernel.is_classifier, ["error", "brier", "deviance"])
        if self.cv is not None:
            raise ParameterError(f"{self.label('cv')} needs rows: leave it None here, and call cross_validate_path.")
        said = {"cp": self.cp, "measure": measure}
        if measure == complexity:
            return kernel, said
        if measure == "accounts":
            raise ParameterError(
                f"{type(self).__name__}(method='accounts') follows the growth of a tree: fit with it, and prune by it "
                "first."
            )
        return with_links(kernel, measure), said


class CrossValidated(Pruning):
    """Cost-complexity pruning at the complexity that cross-validation prefers.

    Parameters
    ----------
    rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the best, or the best.
    cv : int, splitter or iterable, default=10
        Folds. A number of them is stratified and shuffled, by the `random_state` of the estimator, or else always in
        the same way.
    method : {"weakest_link", "accounts"}, default="weakest_link"
        As for `CostComplexity`.
    risk : {"auto", "error", "brier", "deviance"}, default="auto"
        What the nested subtrees are made by and what folds judge them by. "auto": for classes the deviance of their
        probabilities, for numbers (and for accounts) what answers cost. By the error rate ("error") every split looks
        useless whose branches decide alike, which ruins the ranking of rare classes.
    """

    def __init__(self, rule: str = "1se", cv: Any = 10, method: str = "weakest_link", risk: str = "auto") -> None:
        self.rule = rule
        self.cv = cv
        self.method = method
        self.risk = risk

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options."""
        check.choice(self.label("rule"), self.rule, ["1se", "min"])
        check.folds(self.label("cv"), self.cv)
        _check_risk(self, facts.classes > 0, ["auto", "error", "brier", "deviance"])
        self.counting(facts.classes > 0)
        return {"complexity": self.method}

    @property
    def least_cp(self) -> float:
        """Folds choose: what lowers the risk at all is grown."""
        return 0.0 if self.risk == "error" else -1.0

    def counting(self, classes: bool) -> str:
        """How complexities are counted."""
        return _measure(self, self._judged_by(classes))

    def _judged_by(self, classes: bool) -> str:
        if self.risk != "auto":
            return self.risk
        return "deviance" if classes and self.method == "weakest_link" else "error"

    def apply(self, kernel: Any, work: Work) -> Grown:
        """The subtree that cross-validation prefers."""
        measure = self.counting(kernel.is_classifier)
        if measure != "accounts":
            kernel = with_links(kernel, measure)
        risk = node_risk(kernel, measure)
        total = risk_total(kernel)
        path = pruning_path(kernel, total, 0.0, risk)
        if len(path) == 1:
            kernel, log = cut_weak(kernel, 0.0, measure=measure, risk=risk)
            return Grown(kernel, work.growth.weights, log, path)
        path = work.cross_validate(path, total, self.cv, measure)
        level = float(path.alpha[path.chosen(self.rule)]) * total
        chosen = f", chosen by cross-validation and the rule {self.rule!r}"
        kernel, log = cut_weak(kernel, level, measure=measure, risk=risk, chosen=chosen)
        return Grown(kernel, work.growth.weights, log, path)

    def of_fitted(self, kernel: Any, complexity: str) -> tuple[Any, dict[str, Any]]:
        """There are no folds."""
        name = type(self).__name__
        raise ParameterError(
            f"{name} grows trees on folds of the rows: fit with pruning={name}(), or use pruned(cp=...)."
        )


def _check_risk(part: CostComplexity | CrossValidated, classes: bool, known: list[str]) -> None:
    """Refuse what is no risk, or none of numbers."""
    name = part.label("risk")
    check.choice(name, part.risk, known)
    if not classes and part.risk in ("brier", "deviance"):
        raise ParameterError(
            f"{name}={part.risk!r} is of the probabilities of classes; numbers are judged by {known[0]!r}."
        )


def _measure(part: CostComplexity | CrossValidated, risk: str) -> str:
    """How complexities are counted: by what answers cost in one of two ways, or by probabilities."""
    method = str(check.choice(part.label("method"), part.method, ["weakest_link", "accounts"]))
    if risk == "error":
        return method
    if method == "accounts":
        raise ParameterError(
            f"{part.label('method')}='accounts' are those of rpart, which count what answers cost: leave "
            f"{part.label('risk')} to 'error', or choose method='weakest_link'."
        )
    return risk
