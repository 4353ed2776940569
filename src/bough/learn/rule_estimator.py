"""A rule estimator: fitted rules behind scikit-learn's conventions.

Subclasses have a docstring, parameters and `_learn`, which makes the rules of what `fit` has read; what those for
numbers share is in `number_rules.py`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bough import _core
from bough.errors import ParameterError
from bough.learn import class_methods, named
from bough.learn.advice import warn_of_identifiers
from bough.learn.classifier import classes_of_rows
from bough.learn.decisions import Decisions, read_decisions
from bough.learn.estimator import Estimator
from bough.learn.fit import provenance_of
from bough.learn.fitted import FittedRules, frozen_params
from bough.learn.growth import thread_count
from bough.learn.progress import progress_of
from bough.learn.target import Target, target_name
from bough.learn.texts import of_fit
from bough.learn.training import Training, read_training
from bough.model.answer import Answer, learnt_answer
from bough.model.inputs import Inputs
from bough.model.rules import Literal, RuleList, RuleModel
from bough.model.rules.pool import Pool
from bough.model.rules.read import bodies_of
from bough.recipe import parameters as check
from bough.table import Schema, kernel_columns

__all__ = ["RuleClassifier", "RuleEstimator", "RuleRows", "RuleTraining"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class RuleRows:
    """What any learner of rules gets: the table, what its rows weigh, and how to work.

    Parameters
    ----------
    training : Training
        The table and the weights of its rows.
    threads : int
    progress : callable or None
        Gets the share of the work that is done.
    given : tuple
        The table and the target as `fit` got them, for learners that grow a tree first.
    """

    training: Training
    threads: int
    progress: Callable[[float], None] | None
    given: tuple[Any, Any]

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.training.table.schema

    @property
    def columns(self) -> list[tuple[Array, Array | None, int]]:
        """The columns as the kernel takes them."""
        return kernel_columns(self.schema, self.training.table.columns)

    @property
    def weights(self) -> Floats | None:
        """What rows count while rules are learned; None if all count 1."""
        return self.training.weights

    @property
    def every(self) -> Floats:
        """What rows count, one number a row."""
        weights = self.weights
        return np.ones(self.training.table.n_rows) if weights is None else weights

    def ranked(self) -> _core.RankedTable:
        """The columns with the rank of every value."""
        table: _core.RankedTable = self.training.ranked(self.threads)
        return table

    def kernel(self, bodies: Iterable[Iterable[Literal]]) -> _core.Rules:
        """Conjunctions as the kernel reads them."""
        places = {name: index for index, name in enumerate(self.schema.names)}
        return Pool.of_bodies(bodies, lambda column: places[column.name]).kernel()

    def literals(self, rules: _core.Rules) -> list[tuple[Literal, ...]]:
        """Conjunctions of the kernel as literals of the table's own columns."""
        return bodies_of(rules, self.schema)

    def first(self, rules: _core.Rules) -> npt.NDArray[np.int32]:
        """The first conjunction that covers each row; their number where none does."""
        return _core.rules_apply(rules, self.columns, 0, self.threads)

    def covered(self, rules: _core.Rules) -> Flags:
        """Which rows each conjunction covers: a table of shape (n_rows, n_rules)."""
        return _core.rules_cover(rules, self.columns, 0, self.threads).astype(bool)

    def tell(self, share: float) -> None:
        """Say how much of the work is done."""
        if self.progress is not None:
            self.progress(share)


@dataclass(frozen=True)
class RuleTraining(RuleRows):
    """What the learner of rules for classes gets besides: the classes of the rows, and how these count.

    Parameters
    ----------
    labels : ndarray
        The classes in order.
    codes : ndarray
        The class of each row, by its number.
    decisions : Decisions
        Priors, class weights and costs.
    """

    labels: Array
    codes: npt.NDArray[np.uint32]
    decisions: Decisions

    @property
    def weights(self) -> Floats | None:
        """What rows count while rules are learned: sample weights times what their class counts."""
        scale = self.decisions.growth_scale
        given = self.training.weights
        if (scale == 1.0).all():
            return given
        weights: Floats = scale[self.codes] * (1.0 if given is None else given)
        return weights

    def without_costs(self, counts: Floats) -> Floats:
        """Weights of classes as rows count without costs: these make rules, and probabilities are of rows.

        Parameters
        ----------
        counts : ndarray of shape (n, n_classes)
            Counted with the weights that rules are learned by.
        """
        scale, learnt = self.decisions.class_scale, self.decisions.growth_scale
        if (scale == learnt).all():
            return counts
        rows: Floats = counts * np.divide(scale, learnt, out=np.zeros_like(learnt), where=learnt > 0)
        return rows


class RuleEstimator(Estimator):
    """Fitted rules behind scikit-learn's conventions; subclasses say how they are learned."""

    model_kind: ClassVar[type[RuleModel]] = RuleList

    # Set by fit.
    model_: Any  # a RuleList, or a RuleSet where the learner makes one
    fitted_: FittedRules

    @property
    def rules_(self) -> Any:
        """The fitted model, which is a list of rules, or a set."""
        check_is_fitted(self)
        return self.model_

    # Parameters that every subclass has.
    categorical_features: Any
    ordered_features: Any
    n_jobs: Any
    verbose: Any
    unseen: Any

    def _check(self) -> None:
        """Refuse parameters that no fit could use."""

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to learn."""
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", getattr(self, "random_state", None))
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def _read(self, rows: RuleRows) -> tuple[Any, Target]:
        """The rows with their target, as `_learn` takes them, and the target itself."""
        raise NotImplementedError

    def _learn(self, read: Any) -> Any:
        """The rules of what was read: a RuleList or a RuleSet."""
        raise NotImplementedError

    @of_fit
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rules.

        {fit}
        """
        self._check_work()
        self._check()
        reading = self._reading()
        reading.check()
        training = read_training(
            X,
            sample_weight,
            categorical_features=self.categorical_features,
            ordered_features=self.ordered_features,
            empty_rows=reading.empty_rows,
            unused_levels=reading.unused_levels,
            fractional_weights=reading.fractional_weights,
        )
        warn_of_identifiers(training.table, training.weights)
        with progress_of(self.verbose, type(self).__name__) as progress:
            read, target = self._read(RuleRows(training, thread_count(self.n_jobs), progress, (X, y)))
            try:
                model = self._learn(read)
            except _core.InvalidInput as error:
                raise ParameterError(
                    f"these arguments of {type(self).__name__} do not go together: {error}."
                ) from error
        self._become(model, FittedRules(frozen_params(self), provenance_of(self, training, target)))
        return self

    _reading = named.reading

    def _inputs(self, read: RuleRows) -> Inputs:
        return Inputs(read.schema, unseen=self.unseen, incomplete=read.training.incomplete)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the number of the rule that decides each row; the number of rules where the default does.

        Parameters
        ----------
        X : table of shape (n_rows, n_features), or one row

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        rows = self._rows(X)
        numbers: npt.NDArray[np.int32] = self.model_.apply(rows, n_threads=self._threads_for(rows))
        return numbers.astype(np.int64)

    def explain(self, X: Any, *, level: float = 0.95) -> Any:
        """Say which rule decides a row, or each row of a table, and why those before it do not: `RuleList.explain`."""
        return self.rules_.explain(X, level=level)

    def counterfactual(self, row: Any, to: Any = None, **how: Any) -> Any:
        """Return the smallest changes of a row that give it another answer: `RuleList.counterfactual`."""
        return self.rules_.counterfactual(row, to, **how)

    def to_html(self, path: Any = None, X: Any = None, y: Any = None) -> str:
        """Write the rules as a page, with rows to count and to look up if there are some: `RuleList.to_html`."""
        text: str = self.rules_.to_html(path, X, y)
        return text


class RuleClassifier(ClassifierMixin, RuleEstimator):
    """A classifier of rules behind scikit-learn's conventions."""

    # Set by fit.
    classes_: Array
    n_classes_: int

    predict = class_methods.predict
    predict_proba = class_methods.predict_proba
    predict_log_proba = class_methods.predict_log_proba

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _facts(self, model: Any) -> dict[str, Any]:
        return {**super()._facts(model), **class_methods.class_facts(model)}

    def _read(self, rows: RuleRows) -> tuple[RuleTraining, Target]:
        y, training = rows.given[1], rows.training
        reading = self._reading()
        declared, unused = reading.class_order == "declared", reading.unused_classes == "keep"
        classes = classes_of_rows(
            y, training.table.n_rows, training.weights, declared=declared, unused=unused, who=type(self).__name__
        )
        totals = np.bincount(classes.codes, weights=training.weights, minlength=len(classes.labels)).astype(np.float64)
        decisions = read_decisions(
            classes.labels,
            totals,
            rows=classes.rows,
            priors=None,
            class_weight=getattr(self, "class_weight", None),
            costs=getattr(self, "costs", None),
            cost_use="altered_priors",
        )
        target = Target({"classes": len(classes.labels), "label": classes.codes}, classes.labels, None, target_name(y))
        read = RuleTraining(training, rows.threads, rows.progress, rows.given, classes.labels, classes.codes, decisions)
        return read, target

    def _answer(self, read: RuleTraining) -> Answer:
        """What is said: shares, smoothed by Laplace's rule where `smoothing` says so."""
        return learnt_answer(read.labels, read.decisions.costs, getattr(self, "smoothing", 0.0))
