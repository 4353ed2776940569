"""The one fit of all tree estimators: read the data, turn the recipe into the kernel's options, grow, prune, answer.

Plain functions, of which `TreeEstimator` binds `fit` and `check_for`.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from bough import _core
from bough.errors import ParameterError
from bough.learn.advice import warn_of_identifiers, warn_of_light_weights
from bough.learn.fitted import Fitted, frozen_params
from bough.learn.growth import Growth, thread_count
from bough.learn.judge import Judge
from bough.learn.progress import progress_of
from bough.learn.reducing import Grower
from bough.learn.target import Target
from bough.learn.training import Training, read_training
from bough.learn.virtual import send_missing
from bough.model import Tree
from bough.recipe import MinRows, Validation
from bough.recipe.part import Facts
from bough.recipe.recipe import Recipe
from bough.recipe.refusals import refuse
from bough.recipe.rows import kept_back
from bough.recipe.work import Grown
from bough.table import Schema, Table, choose_kinds, kernel_columns

if TYPE_CHECKING:
    from bough.learn.tree_estimator import TreeEstimator

__all__ = ["check_for", "fit"]

Floats = npt.NDArray[np.float64]
Tree_ = TypeVar("Tree_", bound="TreeEstimator")


def fit(self: Tree_, X: Any, sample_weight: Any, read_target: Callable[[int, Floats | None], Target]) -> Tree_:
    """Fit; `read_target(n_rows, weights)` gives the target once the table and the weights are read."""
    self._check_work()
    recipe = self._recipe().frozen()
    recipe.refuse_to_fit()
    recipe.reading.check()
    training = read_training(
        X,
        sample_weight,
        categorical_features=self.categorical_features,
        ordered_features=self.ordered_features,
        empty_rows=recipe.reading.empty_rows,
        unused_levels=recipe.reading.unused_levels,
    )
    warn_of_identifiers(training.table, training.weights)
    target = read_target(training.table.n_rows, training.weights)
    schema = training.table.schema
    training, bins = self._prepare(training, target)
    labels = target.fields.get("label")
    table, weights, virtual = recipe.missing.prepare(training.table, training.weights, labels, self._advice())
    training = Training(table, weights)
    grown = _grow(self, recipe, training, target)
    kernel = grown.kernel
    level = _level(recipe, kernel) if grown.path is None else float(grown.path.cp[-1])
    tree = recipe.model(kernel, schema, bins, target.classes, target.costs, target.name)
    if virtual is not None:
        tree = tree.with_kernel(send_missing(tree.kernel, virtual, tree.schema))
    fitted = Fitted(frozen_params(self), recipe, recipe.complexity, grown.path)
    self._become(tree, fitted, cp_=level, pruning_log_=grown.log)
    return self


def _grow(self: "TreeEstimator", recipe: Recipe, training: Training, target: Target) -> Grown:
    """Grow and prune, with surrogates at last if there are to be any."""
    options = _options(self, recipe, _facts_of(self, recipe, training, target), training.table.schema)
    _warn_of_weights(recipe, training)
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
    grower = Grower(recipe, growth, judge, random_state, type(self).__name__, self.verbose)
    try:
        with progress_of(self.verbose, type(self).__name__) as progress:
            grown = grower.grow(progress)
    except _core.InvalidInput as error:
        raise ParameterError(self._fault(str(error), training.table.schema)) from error
    if grown.complete:
        return grown
    return dataclasses.replace(grown, kernel=growth.with_surrogates(grown.kernel, weights=grown.weights))


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


def _warn_of_weights(recipe: Recipe, training: Training) -> None:
    least: MinRows | None = recipe.stop(MinRows)
    if training.weights is None or least is None or least.count_by != "weight" or least.branches == "two":
        return
    name = least.label("min_samples_split")
    warn_of_light_weights(least.least(training.facts(0))[0], training.weight, training.n_used, name)


def _held_back(recipe: Recipe, training: Training, target: Target) -> npt.NDArray[np.bool_] | None:
    """Rows that are only asked whether a split serves them."""
    validation: Validation | None = recipe.stop(Validation)
    if validation is None:
        return None
    n_rows = training.table.n_rows
    used = np.ones(n_rows, dtype=bool) if training.weights is None else training.weights > 0
    codes = target.fields.get("label", np.zeros(n_rows, dtype=np.uint32))
    return kept_back(validation.holdout, codes, used)


def _level(recipe: Recipe, kernel: Any) -> float:
    """The relative complexity of the whole tree: what it was cut at, but accounts know that of a lone root."""
    if recipe.complexity == "accounts" and len(kernel) == 1 and kernel.risk[0] > 0:
        return float(kernel.complexity[0] / kernel.risk[0])
    return max(recipe.cp, 0.0)


def check_for(self: "TreeEstimator", tree: Tree, recipe: Recipe) -> None:
    """Judge the parameters that came with a tree in a file as a fit to its columns and classes would."""
    self._check_work()
    choose_kinds(tree.schema.names, self.categorical_features, self.ordered_features)
    classes = 0 if tree.classes is None else len(tree.classes)
    training = Training(Table(tree.schema, [], tree.root.rows), None)
    _options(self, recipe, _facts_of(self, recipe, training, Target({"classes": classes})), tree.schema)
