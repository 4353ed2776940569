"""Bagging: many trees of one recipe, each grown on rows drawn for it, whose answers are averaged (Breiman 1996)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough.errors import DataError, ParameterError
from bough.learn.bagged import OTHER_DRAWS, TEXTS, Bagged, n_columns, rows_to_draw
from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.ensemble_estimator import EnsembleClassifier, EnsembleEstimator, EnsembleRegressor
from bough.learn.fitted import FittedMembers, frozen_params
from bough.learn.growth import thread_count
from bough.learn.members import Source, grow_each
from bough.learn.out_of_bag import OutOfBag, out_of_bag
from bough.learn.progress import fold_counter
from bough.learn.sampling import Draws, columns, mix, own_counts
from bough.learn.texts import described, of_fit
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Ensemble, Tree
from bough.recipe import parameters as check
from bough.recipe.sampling import Sampling, read_sampling
from bough.recipe.work import Progress

__all__ = ["BaggedTreesClassifier", "BaggedTreesRegressor"]

Floats = npt.NDArray[np.float64]

_TEXTS = {
    **TEXTS,
    "bagging": """\
n_estimators : int, default=50
    How many trees.
sampling : str, Sampling, counts or None, default=None
    Which rows a tree is grown on: "bootstrap", "every_row", "stratified", "balanced" (every class as often as the
    rarest), a `Sampling(...)` of `bough.recipe`, or counts of your own, an array of whole numbers with a line for each
    tree. It takes the place of `bootstrap` and `max_samples`.
bootstrap : bool, default=True
    Whether rows are drawn with replacement.
{share_of_rows}
max_features : int, float, "sqrt", "log2" or None, default=None
    Columns that each tree may ask, drawn for it: their number, a share in (0, 1], or None: all.
{judged}
{warm_start}
{seed}
n_jobs : int or None, default=None
    Threads, each of which grows a tree at a time; the result is the same for any number.
verbose : int, default=0
    Count the trees on standard error.
""",
    "trees": """\
ensemble_ : bough.model.Ensemble
    The trees; `clf[i]` is one of them, a `bough.Tree`.
{bagged}
""",
    "breiman": """\
References
----------
L. Breiman, Bagging predictors, Machine Learning 24, 1996.
""",
}


@dataclass(kw_only=True, eq=False, repr=False)
class BaggingParameters:
    """What bagging is told, with defaults."""

    estimator: TreeEstimator | None = field(default=None, kw_only=False)
    n_estimators: int = 50
    sampling: Any = None
    bootstrap: bool = True
    max_samples: int | float | None = None
    max_features: int | float | str | None = None
    oob_score: Any = False
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0


class _Bagging(BaggingParameters, Bagged, EnsembleEstimator):
    """What bagging of classes and of numbers share."""

    nested: ClassVar[tuple[str, ...]] = ("estimator", "sampling")

    vote: Any = "mean"

    @of_fit
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees.

        {bagged_fit}
        """
        self._check_work()
        self._check()
        source = Source.read(self, self._member(), X, y, sample_weight)
        provenance = source.provenance(self)
        kept, seed = self._kept(provenance.table)
        draws = self._draws(source, seed, groups)
        draws.warn_of_few(getattr(source.given.y, "labels", None))
        grow = self._grower(source, draws)
        if kept is not None:
            _check_drawn(kept, grow)
        trees = [] if kept is None else list(kept)
        new = range(len(trees), int(self.n_estimators))
        done = fold_counter(int(self.verbose), type(self).__name__, len(new), "trees grown")
        grown, interrupted = grow_each(grow, new, thread_count(self.n_jobs), done)
        trees += grown
        if interrupted:
            self._warn_of_interrupt(len(trees))
        model = Ensemble(trees, self.vote)
        more: dict[str, Any] = {}
        if self.oob_score is not False:
            more = self._scored_by(_out_of_bag(model, draws, source, X))
        for name in ("out_of_bag_", "oob_score_"):
            self.__dict__.pop(name, None)
        self._become(model, FittedMembers(frozen_params(self), provenance, seed), **more)
        return self

    def _grower(self, source: Source, draws: Draws) -> Callable[[int, Progress], Tree]:
        """What grows a tree from its number alone."""
        total = len(source.training.table.schema)
        size = n_columns(self.max_features, total)

        def grow(number: int, progress: Progress = None) -> Tree:
            drawn = None if size == total else columns(draws.seed, number, total, size)
            weights = draws.member_weights(number)
            scale = _kept_scale(draws, source, weights)
            return source.tree(mix(draws.seed, number), weights, columns=drawn, kept_scale=scale, progress=progress)

        return grow

    def _told_again(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> OutOfBag:
        check_is_fitted(self)
        return _told_again(type(self)(**self.fitted_.params), self, X, y, sample_weight, groups)

    def _check(self) -> None:
        super()._check()
        self._check_bags()
        sampling = self._sampling()
        if self.oob_score is not False and sampling is not None and sampling.takes_every_row:
            raise ParameterError(
                "oob_score needs rows that a tree has not seen, and each tree is grown on every row: set "
                "bootstrap=True or max_samples."
            )
        if sampling is not None and sampling.priors == "kept" and getattr(self._member(), "priors", None) is not None:
            raise ParameterError("sampling: priors='kept' and the priors of the estimator say two things: give one.")

    def _sampling(self, n_rows: int | None = None) -> Sampling | None:
        """How rows are drawn, of so many if that is known; None where their counts are given."""
        if self.sampling is None:
            share = self.max_samples if n_rows is None else rows_to_draw(self.max_samples, n_rows)
            share = 1.0 if share is None else share
            return Sampling(replacement=bool(self.bootstrap), share=share).called(share="max_samples")
        if self.max_samples is not None or self.bootstrap is not True:
            raise ParameterError(
                "sampling takes the place of bootstrap and max_samples: say replacement and share in Sampling(...)."
            )
        if isinstance(self.sampling, np.ndarray | list | tuple):
            return None
        return read_sampling(self.sampling)

    def _draws(self, source: Source, seed: int, groups: Any) -> Draws:
        sampling = self._sampling(source.n_rows)
        weights, codes = source.training.weights, source.codes
        if sampling is not None:
            return Draws(seed, source.n_rows, sampling, weights, codes, groups)
        if groups is not None:
            raise ParameterError(
                "groups: the counts of rows are given, and nothing is drawn by groups: leave them out."
            )
        own = own_counts(self.sampling, int(self.n_estimators), source.n_rows)
        return Draws(seed, source.n_rows, Sampling(), weights, codes, None, own)


def _told_again(self: _Bagging, fitted: _Bagging, X: Any, y: Any, sample_weight: Any, groups: Any) -> OutOfBag:
    """The out-of-bag answers of a fitted estimator; `self` has the parameters of its fit."""
    source = Source.read(self, self._member(), X, y, sample_weight)
    known = fitted.fitted_.provenance
    if known is not None and known.table != source.provenance(self).table:
        raise DataError("the trees were grown on another table: give the rows, target and weights of the fit.")
    draws = self._draws(source, fitted.fitted_.seed, groups)
    _check_drawn(fitted.model_, self._grower(source, draws))
    return _out_of_bag(fitted.model_, draws, source, X)


def _check_drawn(model: Ensemble, grow: Callable[[int, Progress], Tree]) -> None:
    """Refuse draws that are not those of the fit, by growing its last tree again."""
    last = len(model) - 1
    if grow(last, None) != model[last]:
        raise DataError(OTHER_DRAWS)


def _out_of_bag(model: Ensemble, draws: Draws, source: Source, X: Any) -> OutOfBag:
    rows = model.read(X)
    return out_of_bag(model.each(rows), draws.counts, source.truth, model.answer, weights=source.training.weights)


def _kept_scale(draws: Draws, source: Source, weights: Floats) -> Floats | None:
    """Factors that bring the classes among the rows drawn back to their shares among all rows."""
    codes = source.codes
    if draws.sampling.priors != "kept" or codes is None or draws.own is not None:
        return None
    size = len(source.given.y.labels)
    every = np.bincount(codes, source.training.weights, size)
    drawn = np.bincount(codes, weights, size)
    factors: Floats = np.where(drawn > 0, every, 1.0) / np.where(drawn > 0, drawn, 1.0)
    return factors * float(drawn.sum() / every.sum())


@described(**_TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class BaggedTreesClassifier(_Bagging, EnsembleClassifier):
    """Many classification trees of one recipe, each grown on rows drawn for it, that vote (bagging).

    Any tree of the library can be a member: C4.5 with its fractions, CHAID, CART with surrogates, a recipe of your own.
    The table is read once. Which rows and columns a tree gets depends on `random_state` and its number alone, so that
    nothing of it is kept: out-of-bag figures draw it again.

    Parameters
    ----------
    estimator : estimator of trees for classes, default=None
        What the members are; None: `CARTClassifier` without pruning, down to leaves of one row. Grid search reaches its
        parameters: `estimator__max_depth`.
    {bagging}
    vote : {"mean", "majority", "confidence"}, default="mean"
        What a tree says: its probabilities, its most probable class, or that class with the confidence of its leaf.
        Under costs the class of least expected cost is decided for, over the mean of the votes.

    Attributes
    ----------
    {trees}
    {classes_and_features}

    {breiman}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.BaggedTreesClassifier(bough.C45Classifier(), n_estimators=20, oob_score=True).fit(X, y)
    >>> len(clf), bool(clf.oob_score_ > 0.9)
    (20, True)
    >>> clf[0].root.split.column
    'flipper_length_mm'
    """

    vote: str = "mean"

    def _default_member(self) -> TreeEstimator:
        return CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1)

    def _check(self) -> None:
        super()._check()
        check.choice("vote", self.vote, ("mean", "majority", "confidence"))


@described(**_TEXTS)
@dataclass(kw_only=True, eq=False, repr=False)
class BaggedTreesRegressor(_Bagging, EnsembleRegressor):
    """Many regression trees of one recipe, each grown on rows drawn for it, whose answers are averaged (bagging).

    Any tree of the library for numbers can be a member. The table is read once. Which rows and columns a tree gets
    depends on `random_state` and its number alone, so that nothing of it is kept: out-of-bag figures draw it again.

    Parameters
    ----------
    estimator : estimator of trees for numbers, default=None
        What the members are; None: `CARTRegressor` without pruning, down to leaves of one row. Grid search reaches its
        parameters: `estimator__max_depth`.
    {bagging}

    Attributes
    ----------
    {trees}
    {features}

    {breiman}

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("friedman1", random_state=0).xy()
    >>> one = bough.CARTRegressor()
    >>> reg = bough.BaggedTreesRegressor(one, n_estimators=20, oob_score="neg_mean_squared_error").fit(X, y)
    >>> reg.out_of_bag_.error.shape, bool(reg.oob_score_ == -reg.out_of_bag_.error[-1])
    ((20,), True)
    """

    def _default_member(self) -> TreeEstimator:
        return CARTRegressor(pruning=None, min_samples_split=2, min_samples_leaf=1)
