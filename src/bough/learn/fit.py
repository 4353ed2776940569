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
from bough.learn.target import Target
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
from bough.recipe.work import Grown
from bough.table import Schema, Table, choose_kinds, kernel_columns, table_digest, target_column

if TYPE_CHECKING:
    from bough.learn.tree_estimator import TreeEstimator

__all__ = ["check_for", "cross_validate_path", "fit", "provenance_of"]

Floats = npt.NDArray[np.float64]
Tree_ = TypeVar("Tree_", bound="TreeEstimator")


def fit(self: Tree_, X: Any, y: Any, sample_weight: Any = None) -> Tree_:
    """Grow the tree.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
        pandas, polars, pyarrow, numpy, dict of columns or any Arrow stream; categories and missing values as they
        are.
    y : array of shape (n_rows,)
        Classes, which are strings, ints, bools or categories; for a regressor numbers.
    sample_weight : array of shape (n_rows,), optional
        Whole numbers are repetitions: weight 3 is three equal rows. Others are relative and are divided by their mean
        over the rows of positive weight. Rows of weight 0 take no part.

    Returns
    -------
    self
    """
    self._check_work()
    recipe = self._recipe().frozen()
    recipe.refuse_to_fit()
    recipe.reading.check()
    read = _read(self, recipe, X, y, sample_weight)
    grown = _grow(self, recipe, read)
    kernel = grown.kernel
    level = _level(recipe, kernel) if grown.path is None else float(grown.path.cp[-1])
    target = read.target
    tree = recipe.model(kernel, read.schema, read.bins, target.classes, target.costs, target.name, read.incomplete)
    if tree.inputs.only_asked and any(node.split is not None and node.split.terms for node in tree.nodes):
        raise ParameterError(
            "missing: what a test of several columns asks depends on the value of the first, so that values cannot be "
            "refused only where they are asked for: take missing='refuse', or leave out all_of and conjunctions."
        )
    if read.virtual is not None:
        tree = tree.with_kernel(send_missing(tree.kernel, read.virtual, tree.schema))
    counting = recipe.counting(kernel.is_classifier)
    row = recipe.row(read.training.weights)
    fitted = Fitted(frozen_params(self), recipe, counting, grown.path, read.provenance, row)
    self._become(
        tree, fitted, cp_=level, pruning_log_=grown.log, validation_log_=_validation_log(recipe, read, tree, grown)
    )
    return self


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
    read = _read(self, fitted.recipe, X, y, sample_weight)
    grown_on, given = float(kernel.weight[0]), read.training.weight
    if abs(given - grown_on) > 1e-9 * grown_on:
        raise DataError(
            f"the tree was grown on rows that weigh {grown_on:g}, and these weigh {given:g}: give the rows that it was "
            "fitted to."
        )
    grower = _grower(self, fitted.recipe, read)
    return grower.cross_validated(grower.growth, path, risk_total(kernel), cv, fitted.complexity)


@dataclass(frozen=True)
class _Read:
    """What a fit has read: the columns as a user has them, and what the tree is grown on."""

    schema: Schema
    incomplete: frozenset[int]
    provenance: Provenance
    training: Training
    target: Target
    bins: Bins | None
    virtual: Any


def _read(self: "TreeEstimator", recipe: Recipe, X: Any, y: Any, sample_weight: Any) -> _Read:
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
    target = self._read_target(y, training.table.n_rows, training.weights)
    schema, incomplete = training.table.schema, training.incomplete
    provenance = provenance_of(self, training, target)
    training, bins = self._prepare(training, target)
    labels = target.fields.get("label")
    table, weights, virtual = recipe.missing.prepare(training.table, training.weights, labels, self._advice())
    return _Read(schema, incomplete, provenance, Training(table, weights), target, bins, virtual)


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


def _grow(self: "TreeEstimator", recipe: Recipe, read: _Read) -> Grown:
    """Grow and prune, with surrogates at last if there are to be any."""
    grower = _grower(self, recipe, read)
    try:
        with progress_of(self.verbose, type(self).__name__) as progress:
            grown = grower.grow(progress)
    except _core.InvalidInput as error:
        raise ParameterError(self._fault(str(error), read.training.table.schema)) from error
    if grown.complete:
        return grown
    return dataclasses.replace(grown, kernel=grower.growth.with_surrogates(grown.kernel, weights=grown.weights))


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
    """Rows that are only asked whether a split serves them."""
    validation: Validation | None = recipe.stop(Validation)
    if validation is None:
        return None
    n_rows = training.table.n_rows
    used = np.ones(n_rows, dtype=bool) if training.weights is None else training.weights > 0
    codes = target.fields.get("label", np.zeros(n_rows, dtype=np.uint32))
    return kept_back(validation.holdout, codes, used)


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
