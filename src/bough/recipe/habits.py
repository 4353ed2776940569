"""Habits of other programs that only trees of their kinds have, and the part that makes a tree another kind."""

from collections.abc import Iterator

from bough.errors import ParameterError
from bough.recipe.branching import Binary, OneLevel, PerLevel
from bough.recipe.criterion import ChiSquared, ExpectedCost, GainRatio, Gini, WeightedEntropy
from bough.recipe.missing import Fractional, LearnedDirection, OwnBranch, Surrogates
from bough.recipe.part import Facts, Part
from bough.recipe.recipe import Recipe
from bough.recipe.search import Exhaustive
from bough.recipe.stopping import GainsSoFar, GlobalCriterion, MaxLeaves, Significance, Validation
from bough.recipe.user import UserCriterion

__all__ = ["refuse_habits"]


def refuse_habits(recipe: Recipe, facts: Facts) -> None:
    """Raise a ParameterError for a habit in a recipe that is none of CART, C4.5 and ID3."""
    habit = next(_habits(recipe), None)
    other = next(_other_kinds(recipe, facts), None) if habit is not None else None
    if other is not None:
        raise ParameterError(
            f"{habit} does not go with {other.slot}={other!r}: it is a habit of other programs, for trees that are "
            "grown as CART, C4.5 or ID3 are."
        )


def _habits(recipe: Recipe) -> Iterator[str]:
    """Arguments that only the kernel's fast loop knows, as a user writes them."""
    search, missing = recipe.search, recipe.missing
    name = search.label
    if isinstance(search, Exhaustive):
        if search.ties == "rounding":
            yield f"{name('ties')}='rounding'"
        if search.branch_order == "response":
            yield f"{name('branch_order')}='response'"
        if search.value_gap > 0:
            yield f"{name('value_gap')}={search.value_gap}"
        if search.monotonic_cst is not None:
            yield name("monotonic_cst")
    if isinstance(missing, Surrogates):
        for argument, habit in (("majority", "routed"), ("sets", "two_disagree")):
            if getattr(missing, argument) == habit:
                yield f"{missing.label(argument)}={habit!r}"


def _other_kinds(recipe: Recipe, facts: Facts) -> Iterator[Part]:
    """The parts with which the kernel grows a tree node by node, in its open loop."""
    branching, criterion, missing = recipe.branching, recipe.criterion, recipe.missing
    known = isinstance(branching, Binary | OneLevel | PerLevel)
    if not known or getattr(branching, "max_branches", None) is not None:
        yield branching
    odd = isinstance(criterion, ChiSquared | WeightedEntropy | ExpectedCost | UserCriterion)
    halved = isinstance(criterion, Gini) and criterion.halved
    if odd or halved or (isinstance(criterion, GainRatio) and isinstance(branching, Binary)):
        yield criterion
    if not isinstance(recipe.search, Exhaustive):
        yield recipe.search
    for kind in (Significance, GainsSoFar, GlobalCriterion, Validation):
        part: Part | None = recipe.stop(kind)
        if part is not None:
            yield part
    if isinstance(missing, OwnBranch | LearnedDirection):
        yield missing
    if not facts.classes and not recipe.says_its_own:
        yield recipe.leaf
    many = branching if not isinstance(branching, Binary) else missing if isinstance(missing, Fractional) else None
    leaves: MaxLeaves | None = recipe.stop(MaxLeaves)
    best_first = leaves is not None and leaves.max_leaf_nodes is not None
    surrogates = isinstance(missing, Surrogates) and missing.routing == "surrogates"
    if many is not None and (not facts.classes or surrogates or best_first):
        yield many
