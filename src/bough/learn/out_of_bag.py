"""Out-of-bag answers: each row is answered by the members that were not grown on it, an honest test without other rows.

Written for any model of members: it takes what each member says to all rows, and how often the member saw them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring

from bough.errors import DataError, ParameterError
from bough.model.answer import Answer
from bough.model.frame import as_frame
from bough.model.text import Decimals, class_text, counted
from bough.table import warn

__all__ = ["OutOfBag", "check_scorer", "out_of_bag", "told_of"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

_MOST_CLASSES = 12  # whose confusion is printed


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """What the members of an ensemble say to the rows that they were not grown on.

    Parameters
    ----------
    votes : ndarray of shape (n_rows, n_classes) or (n_rows,)
        Mean votes, classes in the order of sorted labels, or mean numbers; NaN for rows that are in every bag.
    times : ndarray of shape (n_rows,)
        How many members have not seen the row.
    error : ndarray of shape (n_members,)
        By number of members: the share of wrong answers, or what they cost on average, or the mean squared error, over
        the rows that some of these members have not seen; NaN as long as there is none.
    truth : ndarray of shape (n_rows,)
        The target.
    prediction : ndarray of shape (n_rows,)
        The answers; None or NaN for rows that are in every bag.
    weights : ndarray of shape (n_rows,), optional
        Of the rows.
    classes : ndarray, optional
        The labels, sorted; None where numbers are answered.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> told = bough.BaggedTreesClassifier(n_estimators=20, oob_score=True).fit(X, y).out_of_bag_
    >>> told.error.shape, bool(told.error[-1] < 0.1)
    ((20,), True)
    >>> bool(told.score("roc_auc_ovr") > 0.9)
    True
    >>> list(told.confusion().columns)
    ['true', 'Adelie', 'Chinstrap', 'Gentoo']
    """

    votes: Floats
    times: npt.NDArray[np.int64]
    error: Floats
    truth: Array
    prediction: Array
    weights: Floats | None = None
    classes: Array | None = None

    def __repr__(self) -> str:
        return f"<out of bag: {self._words}>"

    def __str__(self) -> str:
        if self.classes is None:
            return f"Out of bag: {self._words}"
        labels = [class_text(label) for label in self.classes.tolist()]
        if len(labels) > _MOST_CLASSES:
            return f"Out of bag: {self._words}\n{len(labels):,} classes: confusion() tells which are taken for which"
        table = self._confused()
        told = Decimals.of(table.ravel(), scale=float(table.max(initial=0.0)), digits=4, thousands=",")
        cells = [[told(float(weight)) for weight in row] for row in table.tolist()]
        head, side = "true \\ decided", max(map(len, ["true \\ decided", *labels]))
        widths = [max(len(label), *(len(row[k]) for row in cells)) for k, label in enumerate(labels)]
        lines = [f"Out of bag: {self._words}"]
        for name, row in [(head, labels), *zip(labels, cells, strict=True)]:
            lines.append(f"{name:{side}}" + "".join(f"  {cell:>{w}}" for cell, w in zip(row, widths, strict=True)))
        return "\n".join(lines)

    @property
    def _words(self) -> str:
        """The error, the rows and the trees."""
        known, size = int(self.known.sum()), len(self.truth)
        rows = f"{known:,} of {counted(size, 'row')}" if known < size else counted(size, "row")
        error = float(self.error[-1]) if len(self.error) else np.nan
        kind = "mean squared error" if self.classes is None else "error"
        return f"{kind} {error:.4g} on {rows}, by {counted(len(self.error), 'tree')}"

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """The rows that are answered: those that some member has not seen, if they count."""
        return (self.times > 0) if self.weights is None else (self.times > 0) & (self.weights > 0)

    def score(self, scoring: Any = None) -> float:
        """Return what a scorer of scikit-learn says of the answers; rows without answer take no part.

        Parameters
        ----------
        scoring : str or callable, optional
            As in `cross_val_score`; by default accuracy, or R squared.

        Returns
        -------
        float
        """
        rows = np.flatnonzero(self.known)
        if not len(rows):
            raise DataError("every row is in the bag of every tree: there is nothing to score.")
        told = _Told(self) if self.classes is None else _ToldClasses(self)
        more = {} if self.weights is None or scoring is not None else {"sample_weight": self.weights[rows]}
        return float(check_scoring(told, scoring)(told, rows[:, None], self.truth[rows], **more))

    def confusion(self) -> Any:
        """Return a data frame with a line for each true class: how much weight of its rows was given which class.

        The first column has the true classes and is called "true", or "true class" where "true" is a class.
        """
        if self.classes is None:
            raise DataError("numbers are predicted: there are no classes to confuse.")
        labels, table = self.classes, self._confused()
        names = [str(label) for label in labels]
        head = "true class" if "true" in names else "true"
        return as_frame({head: labels.tolist(), **{name: table[:, k] for k, name in enumerate(names)}})

    def _confused(self) -> Array:
        """By true and decided class the weight of the rows."""
        labels, known = np.asarray(self.classes), self.known
        true = np.searchsorted(labels, self.truth[known])
        decided = np.searchsorted(labels, self.prediction[known].astype(labels.dtype))
        weights = None if self.weights is None else self.weights[known]
        flat = np.bincount(true * len(labels) + decided, weights, minlength=len(labels) ** 2)
        return flat.reshape(len(labels), len(labels))


def check_scorer(name: str, scoring: Any) -> None:
    """Refuse what is no scorer of scikit-learn, before anything is grown for it to judge."""
    try:
        check_scoring(_Told(), scoring)
    except ValueError as error:
        raise ParameterError(f"{name}={scoring!r:.80} is no scorer of scikit-learn: {error!s:.400}") from error


class _Told(RegressorMixin, BaseEstimator):
    """Answers that are known, as an estimator; its rows are the numbers of rows."""

    def __init__(self, told: OutOfBag | None = None) -> None:
        self.told = told

    def fit(self, X: Any, y: Any = None) -> "_Told":
        """Nothing is learned."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Array) -> Array:
        """The answers to the rows of these numbers."""
        answers: Array = self.told.prediction[X[:, 0]]  # type: ignore[union-attr]
        return answers


class _ToldClasses(ClassifierMixin, _Told):
    @property
    def classes_(self) -> Any:
        """The labels, sorted."""
        return self.told.classes  # type: ignore[union-attr]

    def predict(self, X: Array) -> Array:
        """The labels of the rows of these numbers."""
        return super().predict(X).astype(self.classes_.dtype)

    def predict_proba(self, X: Array) -> Floats:
        """The votes of the rows of these numbers."""
        votes: Floats = self.told.votes[X[:, 0]]  # type: ignore[union-attr]
        return votes


def out_of_bag(
    said: Iterable[Floats],
    counts: Callable[[int], npt.NDArray[Any]],
    truth: Array,
    answer: Answer,
    *,
    weights: Floats | None = None,
    shares: Floats | None = None,
) -> OutOfBag:
    """Gather the answers of members to rows that they were not grown on; one warning counts the rows without any.

    Parameters
    ----------
    said : iterable of ndarray
        What each member says to all rows: votes in the order of `answer.classes`, or numbers.
    counts : callable(number) -> ndarray
        How often a member was shown each row.
    truth : ndarray of shape (n_rows,)
        Labels or numbers.
    answer : Answer
        Decides between classes.
    weights : ndarray of shape (n_rows,), optional
    shares : ndarray of shape (n_members,), optional
        What each member counts.

    Returns
    -------
    OutOfBag
    """
    n_rows, labels = len(truth), answer.classes
    total: Any = np.zeros(n_rows) if labels is None else np.zeros((n_rows, len(labels)))
    mass, times, error = np.zeros(n_rows), np.zeros(n_rows, dtype=np.int64), []
    row_weights = np.ones(n_rows) if weights is None else weights
    codes = None if labels is None else _codes(labels, truth)
    for number, one in enumerate(said):
        share = 1.0 if shares is None else float(shares[number])
        out = np.flatnonzero(counts(number) == 0)
        total[out] += share * one[out]
        mass[out] += share
        times[out] += 1
        some = np.flatnonzero((times > 0) & (row_weights > 0))
        mean = total[some] / (mass[some] if labels is None else mass[some, None])
        losses = _losses(mean, answer, truth[some] if codes is None else codes[some])
        error.append(np.average(losses, weights=row_weights[some]) if len(some) else np.nan)
    with np.errstate(invalid="ignore"):
        votes = total / (mass if labels is None else mass[:, None])
    return told_of(votes, times, np.array(error), truth, answer, weights)


def told_of(
    votes: Floats,
    times: npt.NDArray[np.int64],
    error: Floats,
    truth: Array,
    answer: Answer,
    weights: Floats | None = None,
) -> OutOfBag:
    """What mean votes decide, in the order of `answer.classes`; one warning counts the rows without any."""
    labels = answer.classes
    never = (times == 0) if weights is None else (times == 0) & (weights > 0)
    if never.any():
        warn(
            f"{int(never.sum()):,} of {len(truth):,} rows are in the bag of every tree, so that no tree answers them "
            "out of bag: they are NaN and take no part in out-of-bag figures. More trees would help."
        )
    if labels is None:
        return OutOfBag(votes, times, error, truth, votes, weights)
    prediction: Array = np.asarray(labels)[answer.decide(np.nan_to_num(votes))]
    if (times == 0).any():
        prediction = prediction.astype(object)
        prediction[times == 0] = None
    votes = answer.sorted_columns(votes)
    return OutOfBag(votes, times, error, truth, prediction, weights, np.sort(np.asarray(labels)))


def _codes(labels: Array, truth: Array) -> npt.NDArray[np.intp]:
    order = np.argsort(labels, kind="stable")
    return order[np.searchsorted(np.asarray(labels)[order], truth)]


def _losses(said: Floats, answer: Answer, truth: Array) -> Floats:
    """What the answers to some rows cost."""
    if answer.classes is None:
        squares: Floats = (said - truth) ** 2
        return squares
    decided = answer.decide(said) if len(said) else np.zeros(0, dtype=np.intp)
    if answer.costs is None:
        return np.asarray(decided != truth, dtype=np.float64)
    costs: Floats = answer.costs[truth, decided]
    return costs
