"""Habits of other programs that only trees of their kinds have, and the part that makes a tree another kind."""

from collections.abc import Iterator

from bough import _core
from bough.errors import ParameterError
from bough.recipe.missing import Surrogates
from bough.recipe.part import Facts, Part
from bough.recipe.recipe import Recipe
from bough.recipe.search import Exhaustive
from bough.recipe.stopping import Validation

__all__ = ["refuse_habits"]


def refuse_habits(recipe: Recipe, facts: Facts) -> None:
    """Raise a ParameterError for a habit in a recipe that is none of CART, C4.5 and ID3."""
    habit = next(_habits(recipe), None)
    other = _other_kind(recipe, facts) if habit is not None else None
    if other is not None:
        raise ParameterError(
            f"{habit} does not go with {other.slot}={other!r}: it is a habit of other programs, for trees that are "
            "grown as CART, C4.5 or ID3 are."
        )


def _habits(recipe: Recipe) -> Iterator[str]:
    """Arguments that only the kernel's sorted engine knows, as a user writes them."""
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


def _other_kind(recipe: Recipe, facts: Facts) -> Part | None:
    """The first part for which the kernel leaves its sorted engine, if there is one."""
    because = _core.plan(recipe.options(facts), facts.classes)["because"]
    if because:
        option = because[0][0]
        return next((part for part in recipe.parts if option in part.options(facts)), recipe.leaf)
    validation: Part | None = recipe.stop(Validation)  # which rows it keeps back is no option yet
    return validation
