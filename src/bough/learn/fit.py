"""The one fit of all tree estimators: read the data, turn the recipe into the kernel's options, grow, prune, answer.

Plain functions, of which `TreeEstimator` binds `fit` and `check_for`.
"""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.advice import warn_of_identifiers
from bough.learn.fitted import Fitted, frozen_params
from bough.learn.growth import Growth, thread_count
from bough.learn.judge import Judge
from bough.learn.progress import progress_of
from bough.learn.reducing import Grower
from bough.learn.target import Target, target_name
from bough.learn.texts import of_fit
from bough.learn.training import Training, read_training
from bough.learn.virtual import send_missing
from bough.model import Tree
from bough.model.arrays import risk_total
from bough.model.bins import Bins
from bough.model.provenance import Provenance, fit_time
from bough.model.pruning_path import PruningPath
from bough.model.validation_log import ValidationLog
from bough.recipe import Validation
from bough.recipe import parameters as check
from bough.recipe.part import Facts
from bough.recipe.recipe import Recipe
from bough.recipe.refusals import refuse
from bough.recipe.rows import kept_back
from bough.recipe.work import Grown, Progress
from bough.table import Schema, Table, choose_kinds, kernel_columns, table_digest, target_column

if TYPE_CHECKING:
    from bough.learn.tree_estimator import TreeEstimator

__all__ = [
    "Given",
    "as_fitted",
    "check_for",
    "cross_validate_path",
    "fit",
    "given_provenance",
    "grow_member",
    "provenance_of",
    "read_given",
    "recipe_to_fit",
]

Floats = npt.NDArray[np.float64]
Tree_ = TypeVar("Tree_", bound="TreeEstimator")


@of_fit
def fit(self: Tree_, X: Any, y: Any, sample_weight: Any = None) -> Tree_:
    """Grow the tree.

    {fit}
    """
    recipe = recipe_to_fit(self)
    given = read_given(self, recipe, X, y, sample_weight)
    read = _prepared(self, recipe, given)
    tree, grown = _grow_tree(self, recipe, read)
    level = _level(recipe, grown.kernel) if grown.path is None else float(grown.path.cp[-1])
    counting = recipe.counting(grown.kernel.is_classifier)
    row = recipe.row(read.training.weights)
    provenance = provenance_of(self, given.training, read.target)
    fitted = Fitted(frozen_params(self), recipe, counting, grown.path, provenance, row)
    self._become(
        tree, fitted, cp_=level, pruning_log_=grown.log, validation_log_=_validation_log(recipe, read, tree, grown)
    )
    return self


def recipe_to_fit(self: "TreeEstimator") -> Recipe:
    """The recipe of the parameters, if a fit can follow it."""
    self._check_work()
    recipe = self._recipe().frozen()
    recipe.refuse_to_fit()
    recipe.reading.check()
    return recipe


def grow_member(self: "TreeEstimator", recipe: Recipe, given: "Given", progress: Progress) -> Tree:
    """The tree of what was read, as a fit would grow it; for many trees, of which each has other weights."""
    return _grow_tree(self, recipe, _prepared(self, recipe, given), progress)[0]


def as_fitted(self: "TreeEstimator", tree: Tree, provenance: Provenance | None) -> None:
    """Become fitted with a tree that was grown by its recipe, as with one from a file."""
    recipe = self._recipe().frozen()
    counting = recipe.counting(tree.is_classifier)
    fitted = Fitted(frozen_params(self), recipe, counting, None, provenance)
    self._become(tree, fitted, cp_=_level(recipe, tree.kernel))


def _grow_tree(self: "TreeEstimator", recipe: Recipe, read: "_Read", progress: Progress = None) -> tuple[Tree, Grown]:
    """The model, and how it came to be."""
    grown = _grow(self, recipe, read, progress)
    target = read.target
    tree = recipe.model(
        grown.kernel, read.schema, read.bins, target.classes, target.costs, target.name, read.incomplete
    )
    if tree.inputs.only_asked and any(node.split is not None and node.split.terms for node in tree.nodes):
        raise ParameterError(
            "missing: what a test of several columns asks depends on the value of the first, so that values cannot be "
            "refused only where they are asked for: take missing='refuse', or leave out all_of and conjunctions."
        )
    tree.choices = grown.choices
    if read.virtual is not None:
        tree = tree.with_kernel(send_missing(tree.kernel, read.virtual, tree.schema))
    return tree, grown


def cross_validate_path(
    self: "TreeEstimator",
    X: Any,
    y: Any,
    sample_weight: Any,
    fitted: Fitted,
    kernel: _core.Tree,
    path: PruningPath,
    cv: Any,
) -> PruningPath:
    """The path of a fitted tree with the risks that folds say; `self` has the parameters of its fit."""
    check.folds("cv", cv)
    read = _prepared(self, fitted.recipe, read_given(self, fitted.recipe, X, y, sample_weight))
    grown_on, given = float(kernel.weight[0]), read.training.weight
    if abs(given - grown_on) > 1e-9 * grown_on:
        raise DataError(
            f"the tree was grown on rows that weigh {grown_on:g}, and these weigh {given:g}: give the rows that it was "
            "fitted to."
        )
    grower = _grower(self, fitted.recipe, read)
    return grower.cross_validated(grower.growth, path, risk_total(kernel), cv, fitted.complexity)


@dataclass(frozen=True)
class Given:
    """The table, weights and target of a fit as they were given, read."""

    training: Training
    y: Any  # Classes or numbers
    name: str  # of the target
    kept_scale: Floats | None = None  # by class: factor of its weight in probabilities alone


@dataclass(frozen=True)
class _Read:
    """What a fit has read: the columns as a user has them, and what the tree is grown on."""

    schema: Schema
    incomplete: frozenset[int]
    training: Training
    target: Target
    bins: Bins | None
    virtual: Any


def read_given(
    self: "TreeEstimator", recipe: Recipe, X: Any, y: Any, sample_weight: Any, who: str | None = None
) -> Given:
    """Read the table, the weights and the target; `who` is the class that the user fits, if it is another one."""
    training = read_training(
        X,
        sample_weight,
        categorical_features=self.categorical_features,
        ordered_features=self.ordered_features,
        empty_rows=recipe.reading.empty_rows,
        unused_levels=recipe.reading.unused_levels,
        fractional_weights=recipe.reading.fractional_weights,
    )
    warn_of_identifiers(training.table, training.weights)
    read = self._read_y(y, training.table.n_rows, training.weights, who or type(self).__name__)
    return Given(training, read, target_name(y))


def _prepared(self: "TreeEstimator", recipe: Recipe, given: Given) -> _Read:
    """What is grown on: numbers in bins and missing values filled in where the recipe says so."""
    training = given.training
    target = self._target(given.y, training.weights, given.name)
    if given.kept_scale is not None:
        scale = target.fields["class_scale"] * given.kept_scale
        target = dataclasses.replace(target, fields={**target.fields, "class_scale": scale})
    schema, incomplete = training.table.schema, training.incomplete
    training, bins = self._prepare(training, target)
    labels = target.fields.get("label")
    table, weights, virtual = recipe.missing.prepare(training.table, training.weights, labels, self._advice())
    return _Read(schema, incomplete, Training(table, weights), target, bins, virtual)


def given_provenance(self: "TreeEstimator", given: Given, owner: Any) -> Provenance:
    """Where a model of several trees comes from, whose estimator is the owner."""
    return provenance_of(owner, given.training, self._target(given.y, given.training.weights, given.name))


def provenance_of(self: Any, training: Training, target: Target) -> Provenance:
    """Where the model comes from; the table counts as it was read, before anything is filled in."""
    classes = None if target.classes is None else target.classes.tolist()
    column = target_column(classes, target.fields["value" if classes is None else "label"])
    seed = getattr(self, "random_state", None)
    return Provenance(
        table=table_digest(training.table, column, training.weights),
        rows=training.table.n_rows,
        used=training.n_used,
        columns=len(training.table.schema),
        target=target.name,
        time=fit_time(),
        seed=int(seed) if isinstance(seed, int | np.integer) else None,
    )


def _grower(self: "TreeEstimator", recipe: Recipe, read: _Read) -> Grower:
    """What grows and prunes as the recipe says, on the rows that were read."""
    training, target = read.training, read.target
    options = _options(self, recipe, _facts_of(self, recipe, training, target), training.table.schema)
    threads = thread_count(self.n_jobs)
    growth = Growth(
        training.ranked(threads),
        target.fields,
        {**options, "threads": threads},
        training.weights,
        training.may_ask,
        _held_back(recipe, training, target),
    )
    judge = Judge(
        kernel_columns(training.table.schema, training.table.columns),
        target,
        recipe.spreads,
        recipe.value_error == "absolute",
    )
    random_state = getattr(self, "random_state", None)
    return Grower(recipe, growth, judge, random_state, type(self).__name__, self.verbose)


def _grow(self: "TreeEstimator", recipe: Recipe, read: _Read, watch: Progress) -> Grown:
    """Grow and prune, with surrogates at last if there are to be any."""
    grower = _grower(self, recipe, read)
    try:
        with progress_of(self.verbose, type(self).__name__) as progress:
            grown = grower.grow(watch or progress)
    except _core.InvalidInput as error:
        raise ParameterError(self._fault(str(error), read.training.table.schema)) from error
    if grown.complete:
        return grown
    return dataclasses.replace(
        grown, kernel=grower.growth.with_surrogates(grown.kernel, weights=grown.weights, progress=watch)
    )


def _options(self: "TreeEstimator", recipe: Recipe, facts: Facts, schema: Schema) -> dict[str, Any]:
    """The kernel's options; parameters and combinations that no fit could use are refused."""
    options = recipe.options(facts)  # which checks the arguments
    refuse(recipe, facts, type(self).__name__)
    return {**options, **self._expert(schema)}


def _facts_of(self: "TreeEstimator", recipe: Recipe, training: Training, target: Target) -> Facts:
    seed = 0
    random_state = getattr(self, "random_state", None)
    if any(part.draws for part in recipe.parts) and random_state is not None:
        seed = int(check_random_state(random_state).randint(2**31 - 1))
    return training.facts(target.fields["classes"], seed)


def _held_back(recipe: Recipe, training: Training, target: Target) -> npt.NDArray[np.bool_] | None:
    """Rows that are only asked whether a split serves them, or which search."""
    validation: Validation | None = recipe.stop(Validation)
    holdout, name = recipe.search.validation, recipe.search.label("validation")
    if validation is not None:
        holdout, name = validation.holdout, validation.label("holdout")
    if holdout is None:
        return None
    n_rows = training.table.n_rows
    used = np.ones(n_rows, dtype=bool) if training.weights is None else training.weights > 0
    codes = target.fields.get("label", np.zeros(n_rows, dtype=np.uint32))
    return kept_back(holdout, codes, used, name)


def _validation_log(recipe: Recipe, read: _Read, tree: Tree, grown: Grown) -> ValidationLog:
    """What rows kept back from growing refused."""
    if grown.refused is None:
        return ValidationLog()
    costs = read.target.costs is not None
    measure = ("cost of errors" if costs else "errors") if tree.classes is not None else f"{recipe.value_error} error"
    return ValidationLog.read(tree, grown.refused, measure)


def _level(recipe: Recipe, kernel: Any) -> float:
    """The relative complexity of the whole tree: what it was cut at, but accounts know that of a lone root."""
    if recipe.counting(kernel.is_classifier) == "accounts" and len(kernel) == 1 and kernel.risk[0] > 0:
        return float(kernel.complexity[0] / kernel.risk[0])
    return max(recipe.cp, 0.0)


def check_for(self: "TreeEstimator", tree: Tree, recipe: Recipe) -> None:
    """Judge the parameters that came with a tree in a file as a fit to its columns and classes would."""
    self._check_work()
    choose_kinds(tree.schema.names, self.categorical_features, self.ordered_features, named=tree.schema.named)
    classes = 0 if tree.classes is None else len(tree.classes)
    training = Training(Table(tree.schema, [], tree.root.rows), None)
    _options(self, recipe, _facts_of(self, recipe, training, Target({"classes": classes})), tree.schema)
