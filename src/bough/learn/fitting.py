"""The one fit of all estimators: read the data, turn the recipe into the kernel's options, grow, prune, answer."""

import dataclasses
from collections.abc import Callable
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state

from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.advice import warn_of_identifiers, warn_of_light_weights
from bough.learn.base import TreeEstimator
from bough.learn.classifier import ClassTree, classes_of_rows
from bough.learn.decisions import Decisions, read_decisions
from bough.learn.fitted import Fitted, frozen_params
from bough.learn.growth import Growth, thread_count
from bough.learn.judge import Judge
from bough.learn.progress import progress_of
from bough.learn.reducing import Grower, Grown
from bough.learn.target import Target, check_lengths, check_range, read_numbers, target_name
from bough.learn.training import Training, read_training
from bough.learn.virtual import fill_table, send_missing
from bough.model import Tree
from bough.model.bins import Bins
from bough.model.inputs import refuse_missing
from bough.recipe import (
    AbsoluteError,
    Bayes,
    Delete,
    Exhaustive,
    MinRows,
    MostLikely,
    Part,
    Refuse,
    Unbiased,
    Validation,
)
from bough.recipe import parameters as check
from bough.recipe.part import Facts
from bough.recipe.recipe import Recipe
from bough.recipe.refusals import refuse
from bough.recipe.rows import kept_back
from bough.table import Schema, Table, choose_kinds, kernel_columns, missing_rows

__all__ = ["RecipeClassifier", "RecipeRegressor", "RecipeTree"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
AnyPart = TypeVar("AnyPart", bound=Part)


class RecipeTree(TreeEstimator):
    """An estimator that is a recipe: subclasses have a docstring, parameters and `_recipe`."""

    def _recipe(self) -> Recipe:
        """The answers to the six questions, made of the parameters."""
        raise NotImplementedError

    def _part(self, kind: type[AnyPart], *same: str, **other: str) -> AnyPart:
        """A part made of parameters of the estimator, by whose names its errors speak: "max_depth", level="alpha"."""
        parameters = {**{name: name for name in same}, **other}
        made = kind(**{argument: getattr(self, parameter) for argument, parameter in parameters.items()})
        return made.called(**parameters)

    def _prepare(self, training: Training, target: Target) -> tuple[Training, Bins | None]:
        """The table as it is grown on, and the bins that its numbers were cut into, if any."""
        return training, None

    def _expert(self, schema: Schema) -> dict[str, Any]:
        """Options of the kernel that are answers to none of the questions."""
        return {}

    def _fit(self, X: Any, sample_weight: Any, read_target: Callable[[int, Floats | None], Target]) -> Self:
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
        training, virtual = self._treat_missing(recipe, training, target)
        grown = self._grow(recipe, training, target)
        kernel = grown.kernel
        level = self._level(recipe, kernel) if grown.path is None else float(grown.path.cp[-1])
        tree = recipe.model(kernel, schema, bins, target.classes, target.costs, target.name)
        if virtual is not None:
            tree = tree.with_kernel(send_missing(tree.kernel, virtual, tree.schema))
        fitted = Fitted(frozen_params(self), recipe, recipe.complexity, grown.path)
        self._become(tree, fitted, level, pruning_log_=grown.log)
        return self

    def _grow(self, recipe: Recipe, training: Training, target: Target) -> Grown:
        """Grow and prune, with surrogates at last if there are to be any."""
        options = self._options(recipe, self._facts_of(recipe, training, target), training.table.schema)
        self._warn_of_weights(recipe, training)
        threads = thread_count(self.n_jobs)
        growth = Growth(
            training.ranked(threads),
            target.fields,
            {**options, "threads": threads},
            training.weights,
            training.may_ask,
            self._held_back(recipe, training, target),
        )
        judge = Judge(
            kernel_columns(training.table.schema, training.table.columns),
            target,
            recipe.spreads,
            isinstance(recipe.criterion, AbsoluteError),
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

    def _fault(self, fault: str, schema: Schema) -> str:
        """What the kernel refuses, in the user's words."""
        return f"these arguments of {type(self).__name__} do not go together: {fault}."

    def _options(self, recipe: Recipe, facts: Facts, schema: Schema) -> dict[str, Any]:
        """The kernel's options; parameters and combinations that no fit could use are refused."""
        options = recipe.options(facts)  # which checks the arguments
        refuse(recipe, facts, type(self).__name__)
        return {**options, **self._expert(schema)}

    def _facts_of(self, recipe: Recipe, training: Training, target: Target) -> Facts:
        seed = 0
        random_state = getattr(self, "random_state", None)
        if isinstance(recipe.search, Unbiased) and random_state is not None:
            seed = int(check_random_state(random_state).randint(2**31 - 1))
        return training.facts(target.fields["classes"], seed)

    def _warn_of_weights(self, recipe: Recipe, training: Training) -> None:
        least: MinRows | None = recipe.stop(MinRows)
        if training.weights is None or least is None or least.count_by != "weight" or least.branches == "two":
            return
        name = least._name("min_samples_split")  # noqa: SLF001 (one of our own)
        warn_of_light_weights(least.least(training.facts(0))[0], training.weight, training.n_used, name)

    def _held_back(self, recipe: Recipe, training: Training, target: Target) -> npt.NDArray[np.bool_] | None:
        """Rows that are only asked whether a split serves them."""
        validation: Validation | None = recipe.stop(Validation)
        if validation is None:
            return None
        n_rows = training.table.n_rows
        used = np.ones(n_rows, dtype=bool) if training.weights is None else training.weights > 0
        codes = target.fields.get("label", np.zeros(n_rows, dtype=np.uint32))
        return kept_back(validation.holdout, codes, used)

    def _treat_missing(self, recipe: Recipe, training: Training, target: Target) -> tuple[Training, list[Any] | None]:
        """The rows and values to grow on, and what stands for a missing value of each column, if anything does."""
        missing = recipe.missing
        table = training.table
        if isinstance(missing, Refuse):
            refuse_missing(table.schema, table.columns, self._advice())
        if isinstance(missing, MostLikely):
            return fill_table(training, target.fields.get("label") if missing.within == "class" else None)
        if isinstance(missing, Delete):
            whole = np.ones(table.n_rows, dtype=bool)
            for column in table.columns:
                whole &= ~missing_rows(column)
            weights = np.where(whole, 1.0 if training.weights is None else training.weights, 0.0)
            if not weights.any():
                raise DataError("every row lacks some value, and missing='delete' leaves such rows out: none is left.")
            return (training if whole.all() else Training(table, weights)), None
        return training, None

    def _advice(self) -> str:
        """What to do about a missing value that is refused."""
        return "missing='refuse' takes none; fill it in, or choose another answer to missing, such as 'surrogates'."

    def _level(self, recipe: Recipe, kernel: Any) -> float:
        """The relative complexity of the whole tree: what it was cut at, but accounts know that of a lone root."""
        accounts = getattr(recipe.pruning, "method", None) == "accounts"
        if accounts and len(kernel) == 1 and kernel.risk[0] > 0:
            return float(kernel.complexity[0] / kernel.risk[0])
        return max(recipe.cp, 0.0)

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to grow; judged even where this fit does not ask them."""
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", getattr(self, "random_state", None))
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def _check_for(self, tree: Tree, recipe: Recipe) -> None:
        """Judge the parameters that came with a tree in a file as a fit to its columns and classes would."""
        self._check_work()
        choose_kinds(tree.schema.names, self.categorical_features, self.ordered_features)
        classes = 0 if tree.classes is None else len(tree.classes)
        training = Training(Table(tree.schema, [], tree.root.rows), None)
        self._options(recipe, self._facts_of(recipe, training, Target({"classes": classes})), tree.schema)


class RecipeClassifier(ClassTree, RecipeTree):
    """A classifier that is a recipe."""

    def _check_for(self, tree: Tree, recipe: Recipe) -> None:
        super()._check_for(tree, recipe)
        counts = tree.root.counts or {}
        totals = np.array(list(counts.values()))
        self._decisions(recipe, np.asarray(tree.classes), totals, totals)

    def _read_target(self, y: Any, n_rows: int, weights: Floats | None) -> Target:
        recipe = self._recipe()
        declared, unused = recipe.reading.class_order == "declared", recipe.reading.unused_classes == "keep"
        classes = classes_of_rows(y, n_rows, weights, declared=declared, unused=unused)
        labels, codes = classes.labels, classes.codes
        totals = np.bincount(codes, weights=weights, minlength=len(labels)).astype(np.float64)
        decisions = self._decisions(recipe, labels, totals, classes.rows)
        fields: dict[str, Any] = {
            "classes": len(labels),
            "label": codes,
            "growth_scale": decisions.growth_scale,
            "class_scale": decisions.class_scale,
        }
        if decisions.costs is not None:
            fields["cost"] = decisions.costs.ravel()
        return Target(fields, labels, decisions.costs, target_name(y))

    def _decisions(self, recipe: Recipe, labels: Array, totals: Floats, rows: Array) -> Decisions:
        """How the classes count, from their labels, the weight of the rows of each and their number."""
        leaf = recipe.leaf if isinstance(recipe.leaf, Bayes) else Bayes()
        return read_decisions(
            labels,
            totals,
            rows=rows,
            priors=leaf.priors,
            class_weight=leaf.class_weight,
            costs=leaf.costs,
            cost_use="weighted_gini" if recipe.criterion.weighs_costs else "altered_priors",
            rounding=isinstance(recipe.search, Exhaustive) and recipe.search.ties == "rounding",
        )


class RecipeRegressor(RegressorMixin, RecipeTree):
    """A regressor that is a recipe."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            pandas, polars, pyarrow, numpy, dict of columns or any Arrow stream; categories and missing values as they
            are.
        y : array of shape (n_rows,)
            Numbers.
        sample_weight : array of shape (n_rows,), optional
            Rows of weight 0 take no part.

        Returns
        -------
        self
        """

        def read(n_rows: int, weights: Floats | None) -> Target:
            value = read_numbers(y)
            check_lengths(n_rows, value)
            check_range(value, weights, squares=not isinstance(self._recipe().criterion, AbsoluteError))
            return Target({"classes": 0, "value": value}, name=target_name(y))

        return self._fit(X, sample_weight, read)

    def predict(self, X: Any) -> Floats:
        """Return the answer for each row: the mean, or under absolute error the median, of the node where it ends.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        return self._predict(X)
