"""Boosting: trees one after the other, each grown on weights that stress what those before it got wrong."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bough.learn.c45 import C45Classifier
from bough.learn.ensemble_estimator import EnsembleClassifier
from bough.learn.fitted import FittedMembers, frozen_params
from bough.learn.members import Source, seed_of
from bough.learn.progress import fold_counter
from bough.learn.sampling import counts, mix
from bough.learn.texts import described, of_fit
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Ensemble, Tree
from bough.model.answer.classes import decide
from bough.model.node_risk import with_links
from bough.model.pruning_path import pruning_path
from bough.model.text import counted
from bough.recipe import parameters as check
from bough.recipe.pruners import cut_weak
from bough.table import warn

__all__ = ["BoostedTreesClassifier"]

Floats = npt.NDArray[np.float64]

_LIGHTEST = 1e-300  # however light, a row takes part


@dataclass(frozen=True)
class _Trial:
    """A tree, the weighted share of rows that it gets wrong, and what its vote counts."""

    tree: Tree
    error: float
    weight: float


@described()
class BoostedTreesClassifier(EnsembleClassifier):
    """Classification trees grown one after the other, each stressing the rows that those before it got wrong.

    Any tree of the library can be boosted. A trial that is no better than guessing is dropped and one without error is
    the last, so that a table that one tree fits gives one tree.

    Parameters
    ----------
    estimator : estimator of trees for classes, default=None
        What the members are; None: `C45Classifier()`. Grid search reaches its parameters: `estimator__max_depth`.
    n_estimators : int, default=10
        The most trees to grow.
    method : {"halfway", "samme", "adaboost_m1"}, default="halfway"
        How rows are weighed for the next tree. AdaBoost.M1 gives those that a tree gets wrong half of the weight, and
        asks of it to be right on more than half. SAMME asks it to be better than guessing among all classes; with two
        classes it is the same. "halfway" goes half of AdaBoost.M1's way and adds the same to every row that is wrong,
        as C5.0 does, which bears noise better.
    vote : {"confidence", "weight"}, default="confidence"
        Whether a tree votes with the confidence of the leaf where a row ends (Quinlan 1996), or for all rows with the
        weight log((1 - error) / error), to which SAMME adds log(classes - 1).
    same_size : bool, default=True
        Whether a tree with more leaves than the first is cut to the largest of its nested subtrees that has no more:
        else trees that are grown on stressed rows are many times as large, and learn their noise.
    early_stopping : bool, default=True
        Whether the first trial that is no better than guessing, or without error, ends it. Otherwise rows are weighed
        anew, by a draw with replacement, and it goes on (Bauer and Kohavi 1999).
    random_state : int, RandomState or None, default=None
        Of these draws, and of what the estimator draws; None is a fixed key.
    {work}

    Attributes
    ----------
    ensemble_ : bough.model.Ensemble
        The trees; `clf[i]` is one of them, a `bough.Tree`.
    estimator_errors_ : ndarray
        The weighted share of training rows that each tree gets wrong. Not kept in files.
    estimator_weights_ : ndarray
        What the method lets the vote of each tree count. Not kept in files.
    feature_importances_ : ndarray
        The share of each column in the gains of the splits, mean over the trees.
    schema_ : Schema
        Name, kind, type and levels of each column of the training table.
    {classes_and_features}

    References
    ----------
    Y. Freund and R. E. Schapire, Experiments with a new boosting algorithm, ICML 1996.
    J. R. Quinlan, Bagging, boosting, and C4.5, AAAI 1996.
    E. Bauer and R. Kohavi, An empirical comparison of voting classification algorithms, Machine Learning 36, 1999.
    M. Kuhn and K. Johnson, Applied Predictive Modeling, section 14.6, Springer, 2013 (on C5.0).
    J. Zhu, H. Zou, S. Rosset and T. Hastie, Multi-class AdaBoost, Statistics and Its Interface 2, 2009.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.BoostedTreesClassifier(bough.C45Classifier(max_depth=1), n_estimators=3).fit(X, y)
    >>> len(clf), clf.estimator_errors_.round(3).tolist()[0]
    (3, 0.209)
    >>> bough.BoostedTreesClassifier().fit({"x": list(range(40))}, [0] * 20 + [1] * 20)[0].n_leaves
    2
    """

    # Set by fit.
    estimator_errors_: Floats
    estimator_weights_: Floats

    def __init__(
        self,
        estimator: TreeEstimator | None = None,
        *,
        n_estimators: int = 10,
        method: str = "halfway",
        vote: str = "confidence",
        same_size: bool = True,
        early_stopping: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.method = method
        self.vote = vote
        self.same_size = same_size
        self.early_stopping = early_stopping
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _default_member(self) -> TreeEstimator:
        return C45Classifier()

    def _check(self) -> None:
        super()._check()
        check.choice("method", self.method, ("halfway", "samme", "adaboost_m1"))
        check.choice("vote", self.vote, ("confidence", "weight"))
        check.flag("early_stopping", self.early_stopping)
        check.flag("same_size", self.same_size)

    @of_fit
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, one trial after the other.

        Ctrl-C keeps the trees that are finished, and says how many they are.

        Parameters
        ----------
        {rows}
        sample_weight : array of shape (n_rows,), optional
            What rows weigh at first. Whole numbers are repetitions: weight 3 is three equal rows. Others are relative.
            Rows of weight 0 take no part.

        Returns
        -------
        self
        """
        self._check_work()
        self._check()
        source = Source.read(self, self._member(), X, y, sample_weight, self.n_jobs)
        seed = seed_of(self.random_state)
        trials: list[_Trial] = []
        try:
            self._boost(source, X, seed, trials)
        except KeyboardInterrupt:
            if not trials:
                raise
            grown = counted(len(trials), "tree")
            warn(f"interrupted: {grown} of at most {self.n_estimators:,} are grown and kept.")
        weights = np.array([trial.weight for trial in trials])
        trees = [trial.tree for trial in trials]
        model = Ensemble(trees, "confidence") if self.vote == "confidence" else Ensemble(trees, "majority", weights)
        fitted = FittedMembers(frozen_params(self), source.provenance(self), seed)
        errors = np.array([trial.error for trial in trials])
        self._become(model, fitted, estimator_errors_=errors, estimator_weights_=weights)
        return self

    def _boost(self, source: Source, X: Any, seed: int, trials: list[_Trial]) -> None:
        """Add trials to those that are there."""
        given = source.training.weights
        first = np.ones(source.n_rows) if given is None else given
        total, weights = first.sum(), first
        codes = source.codes
        n_classes = len(source.given.y.labels)
        done = fold_counter(int(self.verbose), type(self).__name__, int(self.n_estimators), "trees grown")
        rows = None
        for number in range(int(self.n_estimators)):
            tree = source.tree(mix(seed, number), weights)
            if self.same_size and trials:
                tree = cut_to(tree, trials[0].tree.n_leaves)
            rows = Ensemble([tree]).read(X, every=True) if rows is None else rows
            wrong = decided(tree, rows) != codes
            error = float(weights[wrong].sum() / weights.sum())
            if done is not None:
                done()
            guessing = error >= self._worst(n_classes)
            if not guessing or not trials:
                trials.append(_Trial(tree, error, self._weight(error, n_classes, total)))
            if guessing or error == 0.0:
                if self.early_stopping:
                    return
                drawn = counts(mix(seed, number), 0, source.n_rows, weights=given)
                weights = np.where(first > 0, np.maximum(first * drawn, _LIGHTEST), 0.0)
            else:
                weights = self._stressed(weights, wrong, error, n_classes, first)
            weights = weights * (total / weights.sum())
            weights = np.where(first > 0, np.maximum(weights, _LIGHTEST), 0.0)

    def _worst(self, n_classes: int) -> float:
        """The error from which on a tree is no better than guessing."""
        return 1.0 - 1.0 / n_classes if self.method == "samme" else 0.5

    def _stressed(
        self, weights: Floats, wrong: npt.NDArray[np.bool_], error: float, n_classes: int, first: Floats
    ) -> Floats:
        """The weights of the next trial, up to a factor."""
        if self.method != "halfway":
            return np.where(wrong, weights * np.exp(self._factor(error, n_classes)), weights)
        moved = 0.5 * (0.5 - error) * weights.sum()  # from the rows that are right to those that are wrong
        added: Floats = moved * first / first[wrong].sum()
        return np.where(wrong, weights + added, weights * (1.0 - moved / ((1.0 - error) * weights.sum())))

    def _factor(self, error: float, n_classes: int) -> float:
        more = np.log(n_classes - 1.0) if self.method == "samme" else 0.0
        return float(np.log((1.0 - error) / error) + more)

    def _weight(self, error: float, n_classes: int, total: float) -> float:
        """What the vote of a tree counts; one without error as one that errs on half a row."""
        if n_classes < 2 or error >= self._worst(n_classes):
            return 1.0  # it is alone
        return self._factor(max(error, 0.5 / max(total, 1.0)), n_classes)


def cut_to(tree: Tree, n_leaves: int) -> Tree:
    """The largest of the nested subtrees of a tree that has at most so many leaves, by the errors on its rows."""
    if tree.n_leaves <= n_leaves:
        return tree
    kernel = with_links(tree.kernel, "weakest_link", 1.0)
    path = pruning_path(kernel, 1.0, 0.0)
    level = float(path.alpha[path.n_leaves <= n_leaves][-1])
    return tree.with_kernel(cut_weak(kernel, level)[0])


def decided(tree: Tree, rows: Any) -> npt.NDArray[np.intp]:
    """The most probable class of each row, whatever errors cost, by its number."""
    answer = tree.class_answer
    assert answer is not None  # noqa: S101 (only classes are boosted)
    return decide(tree.deciding(rows), None, answer.tolerance)
