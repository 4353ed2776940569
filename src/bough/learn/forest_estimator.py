"""A forest estimator: trees grown on rows and columns drawn for each, behind scikit-learn's conventions.

Subclasses have a docstring and parameters; what they share is the fit: read the table, draw, grow in the kernel.
"""

import math
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough import _core
from bough.errors import ParameterError
from bough.learn import forest_explain, proximity_methods, uncertainty_methods
from bough.learn.advice import warn_of_identifiers
from bough.learn.bagged import Bagged
from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.classifier import classes_of_rows
from bough.learn.decisions import read_decisions
from bough.learn.estimator import without_nan
from bough.learn.fit import as_fitted, provenance_of
from bough.learn.fitted import FittedMembers, frozen_params
from bough.learn.forest_bags import ForestBags
from bough.learn.forest_parameters import check_parameters, check_work, kernel_options
from bough.learn.forest_priors import class_scale, mean_scale, scaled_answers, warn_of_pure_leaves
from bough.learn.forest_replay import Grown, Replay, replay
from bough.learn.forest_signature import ClassParameters, GrowthParameters, NumberParameters, TableParameters
from bough.learn.forest_work import ForestWork
from bough.learn.growth import thread_count
from bough.learn.leaf_rows import LeafRows
from bough.learn.many_trees import ManyTreesClassifier, ManyTreesRegressor
from bough.learn.out_of_bag import OutOfBag, told_of
from bough.learn.progress import progress_of
from bough.learn.target import Target, check_lengths, check_range, read_numbers, target_name
from bough.learn.texts import of_fit
from bough.learn.training import Training, read_training
from bough.learn.tree_estimator import TreeEstimator
from bough.learn.whole_weights import whole_weights
from bough.model import Forest, Tree
from bough.model.answer import learnt_answer, plain_answer
from bough.model.forest.member import member
from bough.model.inputs import Inputs, refuse_missing

__all__ = ["ForestClassifier", "ForestEstimator", "ForestRegressor"]

Floats = npt.NDArray[np.float64]

_POINT = 61  # bits of a sum in fixed point


class ForestEstimator(TableParameters, GrowthParameters, Bagged):
    """Fitted forests behind scikit-learn's conventions; subclasses say what they predict."""

    model_kind: ClassVar[type[Forest]] = Forest
    nested: ClassVar[tuple[str, ...]] = ("sampling",)
    random_cuts: ClassVar[bool] = False  # whether cuts are drawn (extremely randomized trees)
    criteria: ClassVar[tuple[str, ...]] = ()  # names of what splits decrease

    # Parameters that classes and numbers have each in their way.
    criterion: Any
    vote: Any = "mean"
    keep_rows: Any = False

    # Set by fit.
    model_: Forest
    leaf_rows_: LeafRows

    @of_fit
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees.

        {bagged_fit}
        """
        self._check_work()
        self._check()
        grown = self._read(X, y, sample_weight)
        provenance = provenance_of(self, grown.training, grown.target)
        kernel, bags = self._begin(grown, provenance.table, groups)
        if bags.draws is not None:
            bags.draws.warn_of_few(grown.target.classes)
        known = len(kernel.weight)
        interrupted = self._grow(kernel, grown, bags)
        if interrupted:
            self._warn_of_interrupt(len(kernel))
        scale = class_scale(bags, grown.fields)
        if scale is not None:
            kernel = scaled_answers(kernel, known, scale)
            warn_of_pure_leaves(kernel)
        unseen: Any = self.unseen  # one of the names, as was checked
        inputs = Inputs(
            grown.training.table.schema,
            unseen=unseen,
            refuses_missing=self.missing == "refuse",
            incomplete=grown.training.incomplete,
        )
        unit = grown.unit * mean_scale(bags, grown.fields)
        model = Forest(kernel, inputs, grown.answer, grown.target.name, self.vote, unit)
        more: dict[str, Any] = {}
        if self.oob_score is not False:
            more = self._scored_by(self._told(model, grown, bags))
        if self.keep_rows:
            more["leaf_rows_"] = LeafRows.of(Replay(model, grown, bags, thread_count(self.n_jobs)))
        for name in ("out_of_bag_", "oob_score_", "leaf_rows_"):
            self.__dict__.pop(name, None)
        self._become(model, FittedMembers(frozen_params(self), provenance, bags.seed), **more)
        return self

    def _told_again(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> OutOfBag:
        again = replay(self, X, y, sample_weight, groups)
        again.need_out_of_bag("out_of_bag")
        return self._told(self.model_, again.grown, again.bags)

    _check_work = check_work
    _check = check_parameters

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        return without_nan(tags) if self.missing == "refuse" else tags

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Grown:
        training = read_training(
            X,
            sample_weight,
            categorical_features=self.categorical_features,
            ordered_features=self.ordered_features,
        )
        if self.missing == "refuse":
            refuse_missing(training.table.schema, training.table.columns, "Fill it in, or set missing='learned'.")
        warn_of_identifiers(training.table, training.weights)
        return self._read_target(training, y)

    def _read_target(self, training: Training, y: Any) -> Grown:
        raise NotImplementedError

    def _scored(self, training: Training) -> Floats | None:
        """What rows weigh in scores and answers: nothing more where they are drawn by their weights."""
        drawn = getattr(self.sampling, "weights", None) == "draw"
        return None if drawn else training.weights

    def _begin(self, grown: Grown, table: str, groups: Any) -> tuple[_core.Forest, ForestBags]:
        """The forest that a warm start begins with, and the bags of all trees."""
        kept, seed = self._kept(table)
        bags = ForestBags.read(self, grown.training, grown.fields.get("label"), seed, groups)
        if kept is None:
            return _core.Forest(), bags
        Replay(kept, grown, bags, thread_count(self.n_jobs)).check_bags()
        return kept.kernel.copy(), bags

    def _grow(self, kernel: _core.Forest, grown: Grown, bags: ForestBags) -> bool:
        work = ForestWork(grown.training, grown.fields, kernel_options(self, grown), bags)
        try:
            with progress_of(self.verbose, type(self).__name__, "trees grown") as progress:
                return work.grow(kernel, int(self.n_estimators), self.n_jobs, progress)
        except _core.InvalidInput as error:
            raise ParameterError(f"these arguments of {type(self).__name__} do not go together: {error}.") from error

    def _told(self, model: Forest, grown: Grown, bags: ForestBags) -> OutOfBag:
        bags.need_rows_outside("oob_score")
        weights, target = grown.training.weights, grown.target
        truth: dict[str, Any] = {
            name: grown.target.fields[name] for name in ("label", "value") if name in target.fields
        }
        if weights is not None:
            truth["weight"] = weights
        if model.answer.costs is not None:
            truth["cost"] = model.answer.costs.ravel()
        combine = "mean" if model.vote == "mean" else "vote"
        threads = thread_count(self.n_jobs)
        drawn = bags.of_all(len(model))
        sums, times, loss = _core.forest_out_of_bag(model.kernel, grown.columns, drawn, truth, combine, threads)
        with np.errstate(invalid="ignore", divide="ignore"):
            votes = sums / times[:, None]
        known = target.fields["value"] if target.classes is None else target.classes[target.fields["label"]]
        shares = votes[:, 0] if target.classes is None else votes[:, : len(target.classes)]
        return told_of(shares, times.astype(np.int64), loss, known, model.answer, weights)

    # The trees

    @property
    def forest_(self) -> Forest:
        """The fitted model: many trees that answer together."""
        check_is_fitted(self)
        return self.model_

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf in which each row ends in each tree: `Forest.apply`.

        Parameters
        ----------
        X : table of shape (n_rows, n_features), or one row

        Returns
        -------
        ndarray of shape (n_rows, n_trees)
        """
        rows = self._rows(X)
        return self.model_.apply(rows, n_threads=self._threads_for(rows))

    def representative_tree(self, X: Any) -> Tree:
        """Return the tree that answers these rows most like the forest does: the one to read if only one is read.

        `forest_.distances(X)` says how far each tree is from the forest. One tree is never the forest: its error is
        larger, and what it asks is partly chance.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Best such that the trees were not grown on.

        Returns
        -------
        Tree

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.RandomForestClassifier(n_estimators=50, max_depth=3).fit(X, y)
        >>> print(clf.representative_tree(X).root.split.column)
        bill_length_mm
        """
        rows = self._rows(X)
        return self[int(np.argmin(self.model_.distances(rows, n_threads=self._threads_for(rows))))]

    def member(
        self, place: int, X: Any = None, y: Any = None, *, sample_weight: Any = None, groups: Any = None
    ) -> TreeEstimator:
        """Return one of the trees as a fitted CART estimator, which explains and draws it.

        Parameters
        ----------
        place : int
        X, y, sample_weight, groups
            As in the fit: then the bag of the tree is drawn again, and nodes tell how many rows they had, beside their
            weight. A forest itself keeps weights alone; without X and y a row counts as often as it was drawn.

        Returns
        -------
        CARTClassifier or CARTRegressor

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.RandomForestClassifier(n_estimators=3).fit(X, y)
        >>> "because" in str(clf.member(0).explain(X.iloc[0]))
        True
        >>> clf[0].root.rows, clf.member(0, X, y).tree_.root.rows < len(X)
        (344, True)
        """
        tree = self[place]
        if X is not None or y is not None:
            number = range(len(self))[place]
            tree = member(self.model_, number, replay(self, X, y, sample_weight, groups).rows_in(number))
        as_it_grew: dict[str, Any] = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
        made: TreeEstimator = (CARTClassifier if tree.is_classifier else CARTRegressor)(**as_it_grew)
        as_fitted(made, tree, self.fitted_.provenance)
        return made

    proximity = proximity_methods.proximity
    neighbours = proximity_methods.neighbours

    importance = forest_explain.importance
    shap_values = forest_explain.shap_values
    expected_value_ = property(forest_explain.expected_value)

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the impurity drops of the splits, mean over the trees: `importance("splits")`."""
        shares: Floats = self.importance("splits").mean
        return shares


class ForestClassifier(ManyTreesClassifier, ForestEstimator, ClassParameters):
    """A forest for classes behind scikit-learn's conventions."""

    criteria = ("gini", "entropy", "log_loss")

    outlier_scores = proximity_methods.outlier_scores

    def _read_target(self, training: Training, y: Any) -> Grown:
        who = type(self).__name__
        classes = classes_of_rows(y, training.table.n_rows, training.weights, declared=False, who=who)
        labels, codes = classes.labels, classes.codes
        totals = np.bincount(codes, weights=training.weights, minlength=len(labels)).astype(np.float64)
        decisions = read_decisions(
            labels,
            totals,
            rows=classes.rows,
            priors=self.priors,
            class_weight=self.class_weight,
            costs=self.costs,
            cost_use="weighted_gini",
        )
        kernel_classes = max(2, len(labels))  # a class alone has nobody beside it
        fields: dict[str, Any] = {"classes": kernel_classes, "label": codes}
        weights, unit = self._scored(training), 1.0
        if (decisions.class_scale != 1.0).any():
            weights = decisions.class_scale[codes] * (1.0 if weights is None else weights)
        if weights is not None:
            fields["weight"], unit = whole_weights(weights, kernel_classes)
        target = Target({"classes": len(labels), "label": codes}, labels, decisions.costs, target_name(y))
        return Grown(training, target, learnt_answer(labels, decisions.costs, 0.0), fields, unit)


class ForestRegressor(ManyTreesRegressor, ForestEstimator, NumberParameters):
    """A forest for numbers behind scikit-learn's conventions."""

    criteria = ("squared_error",)

    leaf_rows = uncertainty_methods.leaf_rows
    predict_quantiles = uncertainty_methods.predict_quantiles
    predict_interval = uncertainty_methods.predict_interval
    predict_standard_error = uncertainty_methods.predict_standard_error

    def _read_target(self, training: Training, y: Any) -> Grown:
        value = read_numbers(y, type(self).__name__)
        check_lengths(training.table.n_rows, value)
        check_range(value, training.weights, squares=True)
        weights, unit = self._scored(training), 1.0
        used = np.ones(len(value), dtype=bool) if training.weights is None else training.weights > 0
        fields: dict[str, Any] = {"classes": 0}
        total = float(len(value))
        if weights is not None:
            fields["weight"], unit = whole_weights(weights, 0)
            total = float(fields["weight"].sum())
        low, high = float(value[used].min()), float(value[used].max())
        middle = low + (high - low) / 2
        spread = max(high - low, np.finfo(np.float64).tiny)
        # Room for bags in which heavy rows are drawn often.
        exponent = math.floor(_POINT - 4 - math.log2(max(total, 1.0)) - math.log2(spread))
        scale = 2.0 ** min(max(exponent, -1000), 1000)
        fields["value"] = np.where(used, np.rint((value - middle) * scale), 0.0).astype(np.int64)
        fields["offset"], fields["scale"] = middle, scale
        target = Target({"classes": 0, "value": value}, name=target_name(y))
        return Grown(training, target, plain_answer(None), fields, unit)
