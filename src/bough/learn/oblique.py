"""Trees that test weighted sums of columns: what their estimators share."""

from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier

from bough.learn.tree_estimator import TreeEstimator
from bough.recipe import (
    Binary,
    CostComplexity,
    CrossValidated,
    Entropy,
    Fractional,
    GainRatio,
    Gini,
    LearnedDirection,
    Majority,
    MajorityBranch,
    MaxDepth,
    Mean,
    MinRows,
    Misclassification,
    OwnBranch,
    Part,
    Reading,
    Stop,
    Surrogates,
    Twoing,
)
from bough.recipe import parameters as check
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.recipe import Recipe
from bough.recipe.work import Pruning

__all__ = ["CLASS_CRITERIA", "MACHINE_CRITERIA", "OBLIQUE_ANSWERS", "OBLIQUE_TEXT", "ObliqueTree", "oblique_recipe"]

CLASS_CRITERIA: dict[str, Part] = {
    "gini": Gini(),
    "entropy": Entropy(),
    "gain_ratio": GainRatio(),
    "twoing": Twoing(),
    "misclassification": Misclassification(),
}
MACHINE_CRITERIA = {name: part for name, part in CLASS_CRITERIA.items() if name != "twoing"}  # it judges two branches
OBLIQUE_ANSWERS: dict[str, dict[str, Part]] = {
    "pruning": {"cross_validated": CrossValidated(rule="min", cv=5, risk="error"), "cost_complexity": CostComplexity()},
    "missing": {
        "majority_branch": MajorityBranch(),
        "surrogates": Surrogates(),
        "fractional": Fractional(),
        "own_branch": OwnBranch(ask=False),
        "learned_direction": LearnedDirection(),
        "stop": Stop(),
    },
}


@dataclass(eq=False, repr=False, kw_only=True)
class ObliqueTree(TreeEstimator):
    """The parameters of these estimators; each says its own search."""

    criterion: str | Criterion = "gini"
    search: str | Search = "discriminant"
    max_depth: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    pruning: float | str | Pruning | None = "cross_validated"
    missing: str | Missing = "majority_branch"
    unseen: str = "missing"
    reading: Reading | None = None
    categorical_features: Any = "from_dtype"
    ordered_features: Any = None
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    def _recipe(self) -> Recipe:
        return oblique_recipe(self)


def oblique_recipe(self: TreeEstimator, *, criterion: Criterion | None = None, search: Search | None = None) -> Recipe:
    """The recipe, of parameters that all these estimators have; criterion and search may be given."""
    return Recipe(
        branching=Binary(),
        criterion=criterion or self._slot("criterion"),
        search=search or self._slot("search"),
        stopping=(
            self._part(MinRows, "min_samples_split", "min_samples_leaf"),
            self._part(MaxDepth, "max_depth"),
        ),
        pruning=_pruning(self),
        leaf=Majority() if is_classifier(self) else Mean(),
        missing=self._slot("missing"),
        unseen=check.choice("unseen", self.unseen, ["missing", "majority", "stop", "error"]),
        reading=self._reading(),
    )


def _pruning(self: TreeEstimator) -> Any:
    if self.pruning is None:
        return None
    if check.is_number(self.pruning):
        return CostComplexity(self.pruning).called(cp="pruning")
    return self._slot("pruning")


OBLIQUE_TEXT = """\
    max_depth : int or None, default=None
    min_samples_split : int or float, default=2
        A node of less weight is a leaf. An int is a sum of sample weights, a float in (0, 1] a share of the total.
    min_samples_leaf : int or float, default=1
        Least weight of a branch.
    pruning : "cross_validated", float, part or None, default="cross_validated"
        How the grown tree is made smaller: by the complexity of the least cross-validated error,
        `CrossValidated(rule="min", cv=5, risk="error")`; a number is the relative complexity; None grows out.
    missing : str or part, default="majority_branch"
        Where a row goes that a test does not know: to the larger branch, or as "surrogates", "fractional",
        "own_branch", "learned_direction" or "stop" say. A sum is not known only if all its values are missing; see
        `missing_terms` of the search.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held.
    {reading}
    {columns}
    random_state : int, RandomState or None, default=None
        Shuffles the folds of pruning, and is the seed of searches that draw.
    {verbose}

    Attributes
    ----------
    {fitted}
    pruning_path_ : frame
        The nested subtrees, from the root alone to the largest that was looked at, with their cross-validated risks.
    pruning_log_ : PruningLog
        What pruning cut and why. Not kept in files.
    {cp}
"""
