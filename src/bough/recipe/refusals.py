"""Combinations of parts that make no sense, each with the reason."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bough.errors import ParameterError
from bough.recipe.branching import Binary, Intervals, Merged, OneLevel
from bough.recipe.criterion import AbsoluteError, Entropy, GainRatio, Gini, SquaredError, Twoing, Variance, WorstError
from bough.recipe.habits import refuse_habits
from bough.recipe.leaf import Bayes, Mean, Median
from bough.recipe.missing import Delete, Fractional, LearnedDirection, MostLikely, OwnBranch, Stop, Surrogates
from bough.recipe.oblique import Oblique
from bough.recipe.part import Facts, Part
from bough.recipe.pruning import DescriptionLength, ErrorBased, MergeLeaves, SignificantSplits, SizePenalty
from bough.recipe.recipe import Recipe
from bough.recipe.search import Conjunctions, Exhaustive, Machine, Omnivariate, Quest, Unbiased
from bough.recipe.stopping import (
    ErrorThreshold,
    GainsSoFar,
    GlobalCriterion,
    MaxImpurity,
    MaxLeaves,
    MinRows,
    Significance,
    Validation,
)
from bough.recipe.user import UserCriterion

__all__ = ["refuse"]

_MOST_LEVELS = 24  # sets of more levels are not enumerated
_MOST_CLASSES = 11  # divisions of more classes are not enumerated


def refuse(recipe: Recipe, facts: Facts, who: str) -> None:
    """Raise a ParameterError for the first two parts that do not go together.

    Parameters
    ----------
    recipe : Recipe
    facts : Facts
    who : str
        The estimator.
    """
    task, other = ("classes", "numbers") if facts.classes else ("numbers", "classes")
    for part in recipe.parts:
        if task not in part.tasks:
            raise ParameterError(
                f"{part.slot}={_plain(part)} is for {other}, and {who} predicts {task}: choose another {part.slot}."
            )
    for one, two, why in _conflicts(recipe, facts):
        raise ParameterError(f"{one.slot}={_plain(one)} does not go with {two.slot}={_plain(two)}: {why}.")
    _refuse_arguments(recipe, facts)
    refuse_habits(recipe, facts)
    if isinstance(recipe.search, Omnivariate):
        for part in recipe.search.parts:  # each must go with the recipe as it would alone
            refuse(replace(recipe, search=part), facts, who)


def _conflicts(recipe: Recipe, facts: Facts) -> Iterator[tuple[Part, Part, str]]:
    """Two parts and why they do not go together."""
    criterion, leaf, missing, pruning = recipe.criterion, recipe.leaf, recipe.missing, recipe.pruning
    costs = isinstance(leaf, Bayes) and leaf.costs is not None
    if criterion.weighs_costs and not costs:
        yield criterion, leaf, "it weighs the costs of errors, which leaf=Bayes(costs=...) gives"
    if isinstance(criterion, Twoing):
        why = "twoing divides the classes into two groups, for tests with two branches"
        if not isinstance(recipe.branching, Binary | OneLevel):
            yield criterion, recipe.branching, why
        if isinstance(missing, OwnBranch):
            yield criterion, missing, why
        if isinstance(recipe.search, Machine):
            yield criterion, recipe.search, why
    if isinstance(pruning, ErrorBased):
        if costs:
            yield pruning, leaf, "it counts errors and knows no costs; CostComplexity does"
        if pruning.regrow:
            yield from _regrow(recipe, pruning)
        stays = isinstance(missing, Surrogates) and "stop" in (missing.fallback, missing.routing)
        if pruning.raising is True and (isinstance(missing, Stop | Delete) or stays):
            yield pruning, missing, "a raised branch gets rows that would stop above it; set raising=False"
    if isinstance(recipe.search, Quest) and not isinstance(recipe.branching, Binary):
        yield recipe.search, recipe.branching, "the point between two groups of classes makes two branches"
    if isinstance(recipe.search, Unbiased | Quest) and isinstance(missing, OwnBranch) and missing.ask:
        yield recipe.search, missing, "there is no test of independence for missing values; set ask=False"
    for part in (recipe.stop(Significance), pruning):
        if isinstance(part, Significance | SignificantSplits) and part.test == "one_sided":
            why = "the one-sided test compares two branches"
            if isinstance(recipe.search, Machine):
                yield part, recipe.search, why
            if not isinstance(recipe.branching, Binary | OneLevel):
                yield part, recipe.branching, why
            if isinstance(missing, OwnBranch):
                yield part, missing, why
            if not facts.classes:
                yield part, criterion, "the one-sided test counts classes; numbers are tested by F: test='pearson'"
    if isinstance(recipe.search, Conjunctions) and isinstance(missing, OwnBranch | LearnedDirection):
        yield recipe.search, missing, "a test of several columns has no branch for missing values"
    if isinstance(recipe.search, Oblique | Omnivariate):
        if isinstance(criterion, UserCriterion | AbsoluteError | WorstError):
            yield criterion, recipe.search, "sums of columns need a criterion of class counts or of means"
        if isinstance(pruning, DescriptionLength):
            yield pruning, recipe.search, "a description length counts the tests that a column allows, not sums"
    if isinstance(recipe.search, Conjunctions | Oblique | Omnivariate) and isinstance(missing, MostLikely):
        why = "a test of several columns keeps one branch for missing values, which is wrong where some are known"
        yield recipe.search, missing, why
    if isinstance(recipe.search, Conjunctions) and missing.only_asked:
        yield recipe.search, missing, "what a test of several columns asks depends on the value of the first"
    if isinstance(recipe.search, Omnivariate) and recipe.search.validation is not None:
        kept: Validation | None = recipe.stop(Validation)
        if kept is not None:
            yield recipe.search, kept, "rows kept back can judge searches or splits, not both"
    if recipe.search.refine is not None:
        if isinstance(missing, Fractional):
            yield recipe.search, missing, "tests are improved for rows that go down one branch; set refine=None"
        if isinstance(criterion, UserCriterion):
            yield recipe.search, criterion, "what a tree loses is not known of it; set refine=None"
    if isinstance(recipe.branching, Merged) and isinstance(missing, LearnedDirection):
        yield recipe.branching, missing, "merging gives missing values the branch they are most like: 'own_branch'"
    yield from _classic_rules(recipe)
    yield from _order(recipe)
    yield from _numbers(recipe, facts)
    yield from _no_impurity(recipe)


def _classic_rules(recipe: Recipe) -> Iterator[tuple[Part, Part, str]]:
    """Minima of C4.5 for one threshold or a branch a level, where tests have several or are merged."""
    if not isinstance(recipe.branching, Intervals | Merged):
        return
    rows = recipe.stop(MinRows)
    if rows is not None and rows.numeric_minimum == "share":
        yield rows, recipe.branching, "numeric_minimum='share' is for one threshold"
    if rows is not None and rows.branches == "two":
        yield rows, recipe.branching, "branches='two' is for a branch a level"


def _regrow(recipe: Recipe, pruning: ErrorBased) -> Iterator[tuple[Part, Part, str]]:
    """What branches that are grown on need."""
    if not isinstance(recipe.missing, Fractional):
        yield pruning, recipe.missing, "branches are grown on with parts of rows; set missing='fractional'"
    if isinstance(recipe.leaf, Bayes):
        yield pruning, recipe.leaf, "branches are grown on without costs and priors"
    if isinstance(recipe.branching, Intervals):
        yield pruning, recipe.branching, "it knows thresholds and sets of levels"
    if isinstance(recipe.search, Conjunctions):
        yield pruning, recipe.search, "it knows thresholds and sets of levels"


def _order(recipe: Recipe) -> Iterator[tuple[Part, Part, str]]:
    """Orders of growing that exclude others."""
    leaves = recipe.stop(MaxLeaves)
    if leaves is not None and leaves.max_leaf_nodes is not None:
        if isinstance(recipe.missing, Fractional):
            yield leaves, recipe.missing, "growing best-first needs whole rows"
        other = recipe.stop(GainsSoFar)
        if other is not None:
            yield leaves, other, "it grows best-first, the other breadth-first"


def _numbers(recipe: Recipe, facts: Facts) -> Iterator[tuple[Part, Part, str]]:
    """What is refused where numbers are predicted."""
    if facts.classes:
        return
    criterion, leaf, missing = recipe.criterion, recipe.leaf, recipe.missing
    if isinstance(missing, MostLikely) and missing.within == "class":
        yield missing, leaf, "numbers have no classes to be most likely within"
    if isinstance(criterion, AbsoluteError | WorstError):
        needs = "it needs sums of squares: criterion='squared_error'"
        if isinstance(recipe.branching, Merged):
            yield recipe.branching, criterion, needs
        if isinstance(recipe.search, Conjunctions):
            yield recipe.search, criterion, needs
    if not recipe.says_its_own and isinstance(recipe.stop(ErrorThreshold), ErrorThreshold):
        own = "median" if isinstance(leaf, Mean) else "mean"
        yield leaf, recipe.stop(ErrorThreshold), f"the error is measured from the {own}"
    if isinstance(leaf, Median) and isinstance(criterion, WorstError):
        yield leaf, criterion, "the largest error is measured from the mean"


def _no_impurity(recipe: Recipe) -> Iterator[tuple[Part, Part, str]]:
    """A user's criterion may not say how impure a node is."""
    criterion = recipe.criterion
    if not isinstance(criterion, UserCriterion) or callable(getattr(criterion.given, "impurity", None)):
        return
    for part in (recipe.stop(MaxImpurity), recipe.stop(GlobalCriterion), recipe.pruning):
        if isinstance(part, MaxImpurity | GlobalCriterion | MergeLeaves | SizePenalty):
            yield part, criterion, "it needs the impurity of a node, and the criterion has no method impurity"


def _refuse_arguments(recipe: Recipe, facts: Facts) -> None:
    """Arguments of one part that another rules out."""
    search, branching, criterion = recipe.search, recipe.branching, recipe.criterion
    if isinstance(search, Exhaustive):
        ties, monotone = search.label("ties"), search.label("monotonic_cst")
        if search.ties == "rounding" and not isinstance(criterion, Gini | Variance | Entropy | SquaredError):
            raise ParameterError(f"{ties}='rounding' needs criterion 'gini', 'variance', 'entropy' or 'squared_error'.")
        if search.ties == "rounding" and search.monotonic_cst is not None:
            raise ParameterError(f"{ties}='rounding' does not go with {monotone}.")
        if search.value_gap > 0 and not isinstance(criterion, Entropy | GainRatio):
            name = search.label("value_gap")
            raise ParameterError(f"{name} is a rule of C4.5: it needs criterion 'entropy' or 'gain_ratio'.")
        if search.monotonic_cst is not None and isinstance(criterion, WorstError):
            raise ParameterError(f"{monotone} needs criterion 'squared_error' or 'absolute_error'.")
        if search.monotonic_cst is not None and (recipe.spreads or not isinstance(branching, Binary)):
            raise ParameterError(
                f"{monotone} compares the answers of two branches: it needs branching 'binary', and missing other than "
                "'fractional'."
            )
    if isinstance(criterion, Twoing) and criterion.impurity == "misclassification" and facts.classes > _MOST_CLASSES:
        raise ParameterError(
            f"{criterion.label('impurity')}='misclassification' would try every division of {facts.classes} classes "
            f"into two for each test; at most {_MOST_CLASSES} classes are divided so. Use impurity='entropy' or 'gini'."
        )
    if isinstance(search, Unbiased):
        _refuse_few_resamples(search, facts)
    if isinstance(branching, Binary) and branching.subsets in ("exact", "all"):
        _refuse_large_sets(branching, criterion, facts)


def _refuse_few_resamples(search: Unbiased, facts: Facts) -> None:
    """The smallest p-value of a permutation test must be able to pass."""
    paid = len(facts.schema) if search.bonferroni else 1
    if search.test == "permutation" and paid > search.level * (search.resamples + 1):
        raise ParameterError(
            f"resamples={search.resamples} cannot give a p-value of {search.level}"
            + (f" after it is multiplied by {paid} columns" if search.bonferroni else "")
            + f": {int(np.ceil(paid / search.level)) - 1} resamples are the least."
        )


def _refuse_large_sets(branching: Binary, criterion: Part, facts: Facts) -> None:
    """Every set of levels is out of reach where there are too many; two classes and means need no enumeration."""
    if branching.subsets != "all":
        # Twoing goes by superclasses instead, of which there are 2^(classes - 1).
        most = _MOST_CLASSES if isinstance(criterion, Twoing) else 2
        if facts.classes and facts.classes <= most:
            return
        if not facts.classes and isinstance(criterion, SquaredError):
            return
    for column in facts.schema:
        if column.kind == "nominal" and column.n_levels > _MOST_LEVELS:
            raise ParameterError(
                f"{branching.label('subsets')}={branching.subsets!r} would search 2^{column.n_levels - 1} sets of the "
                f"levels of {column.name!r}; at most {_MOST_LEVELS} levels are searched so. Use subsets='auto'."
            )


def _plain(part: Part) -> str:
    """A part as a user writes it."""
    return part.shown() if isinstance(part, UserCriterion) else repr(part)
