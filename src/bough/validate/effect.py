"""The effect of a parameter: loss on the training rows, loss on other rows and the size of the tree, value by value.

A threshold, a price of a leaf or a least size trades errors of two kinds. A tree that is too small errs wherever it is
grown, one that is too large errs otherwise on every sample. Both can be measured by growing it on many samples: the
loss of a row, averaged over the samples, is the loss of their mean answer (bias) plus the spread about it (variance).
For classes this is the decomposition of R. Kohavi and D. Wolpert, Bias plus variance decomposition for zero-one loss
functions, ICML 1996. What no tree can know, the noise of the target, is counted as bias.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import check_random_state

from bough.errors import ParameterError
from bough.explain.permutation import CLASS_LOSSES, NUMBER_LOSSES, class_loss, number_loss
from bough.model.frame import as_frame
from bough.recipe import parameters as check
from bough.validate.fitting import fitted
from bough.validate.folds import Fold, Plan, Progress, Trial, counting, each_fold, plan_folds, trial_of
from bough.validate.target import Target, read_target

__all__ = ["Effect", "effect"]

Floats = npt.NDArray[np.float64]

_IN_PARTS = ("error", "brier", "squared_error")  # the losses that are squared distances, which bias and variance sum to


@dataclass(frozen=True)
class Effect:
    """What a parameter does to a tree; print it, take `to_frame()`, or draw it with `bough.plot.effect`.

    Attributes
    ----------
    parameter : str
    values : tuple
        The values that were tried, in the order given.
    loss : str
    folds : str
        How rows were held back, in words.
    training, validation : ndarray of shape (n_values, n_folds)
        The mean loss on the rows that a tree was grown on, and on those held back.
    leaves : ndarray of shape (n_values, n_folds)
        NaN where the estimator has no tree.
    bias, variance : ndarray of shape (n_values,) or None
        The two parts of the mean loss on rows held back; None without resamples.
    """

    parameter: str
    values: tuple[Any, ...]
    loss: str
    folds: str
    training: Floats = field(repr=False)
    validation: Floats = field(repr=False)
    leaves: Floats = field(repr=False)
    bias: Floats | None = field(default=None, repr=False)
    variance: Floats | None = field(default=None, repr=False)

    @property
    def best(self) -> Any:
        """The value of the least mean loss on rows held back; of equal ones the first."""
        return self.values[int(np.argmin(self.validation.mean(axis=1)))]

    def to_frame(self) -> Any:
        """Return a data frame with one row a value: means over the folds, and the deviation of `validation`."""
        columns: dict[str, Any] = {
            "value": list(self.values),
            "training": self.training.mean(axis=1),
            "validation": self.validation.mean(axis=1),
            "deviation": self.validation.std(axis=1),
            "leaves": self.leaves.mean(axis=1),
        }
        if self.bias is not None and self.variance is not None:
            columns |= {"bias": self.bias.copy(), "variance": self.variance.copy()}
        return as_frame(columns)

    def __str__(self) -> str:
        names = ["training", "validation", "leaves"]
        table = [self.training.mean(axis=1), self.validation.mean(axis=1), self.leaves.mean(axis=1)]
        if self.bias is not None and self.variance is not None:
            names += ["bias", "variance"]
            table += [self.bias, self.variance]
        labels = [" ".join(str(value).split())[:40] for value in self.values]
        width = max(len(self.parameter), *map(len, labels))
        lines = [f"{self.loss}, {self.folds}", f"{self.parameter:{width}}" + "".join(f"{name:>12}" for name in names)]
        for place, label in enumerate(labels):
            lines.append(f"{label:{width}}" + "".join(f"{column[place]:12.4g}" for column in table))
        return "\n".join(lines)


def effect(
    estimator: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Sequence[Any],
    *,
    loss: str | None = None,
    cv: Any = None,
    n_repeats: int | None = None,
    n_resamples: int | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Effect:
    """Fit with one value of a parameter after another: loss on training rows and on others, and size of the tree.

    All values meet the same folds, or the same samples.

    Parameters
    ----------
    estimator : classifier or regressor
        Of bough, or any with the methods of scikit-learn, in a pipeline, too; it is not fitted itself.
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
    parameter : str
        By the name of `get_params`; that of a part with its slot before it: "missing__max_surrogates".
    values : sequence
        What it is set to.
    loss : str, optional
        For classes "error" (default), "brier" or "log_loss", for numbers "squared_error" (default) or "absolute_error".
    cv : int, splitter or iterable of (train, test), optional
        The folds, as `bough.validate.report` takes them; by default five.
    n_repeats : int, optional
        How often such folds are drawn, where cv is a number; once by default.
    n_resamples : int, optional
        Bootstrap samples to grow on instead of folds, so that bias and variance are told. A tree is judged on the rows
        that its sample left out. It takes a fit a sample and value; 50 samples give a first picture. For the losses
        "error", "brier" and "squared_error".
    groups, sample_weight : array of shape (n_rows,), optional
    random_state : int, RandomState or None, default=None
    n_jobs : int or None, default=None
        Folds worked on at once; the result is the same for any number.
    progress : callable, optional
        Called with the number of fits done and that of all.

    Returns
    -------
    Effect

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.make_waveform(300, random_state=0).xy()
    >>> tree = bough.CARTClassifier(pruning=None)
    >>> found = bough.validate.effect(tree, X, y, "min_samples_leaf", [1, 5, 25, 100], random_state=0)
    >>> found.leaves.mean(axis=1).round().astype(int).tolist()
    [22, 19, 8, 2]
    >>> bool(found.training.mean() < found.validation.mean()), found.best
    (True, 1)
    """
    target = read_target(estimator, y, sample_weight)
    loss = _known_loss(loss, target, n_resamples)
    values = values if isinstance(values, str) else list(values)
    tried = _estimators(estimator, parameter, values)
    check.jobs("n_jobs", n_jobs)
    if n_resamples is None:
        folds = 5 if cv is None else cv
        repeats = 1 if n_repeats is None and isinstance(folds, int | np.integer) else n_repeats
        plan = plan_folds(folds, repeats, target, groups, random_state)
    else:
        given = {"cv": cv, "n_repeats": n_repeats, "groups": groups}
        left = [name for name, value in given.items() if value is not None]
        if left:
            raise ParameterError(f"n_resamples draws rows one by one, without folds: leave out {' and '.join(left)}.")
        plan = _samples(check.whole("n_resamples", n_resamples, 2), target, random_state)
    for one in tried:  # on all rows first: what is wrong is said once, and before the work
        model = fitted(one, X, y, sample_weight)
        if loss in ("brier", "log_loss") and not hasattr(model, "predict_proba"):
            raise ParameterError(f"loss={loss!r} judges probabilities, and the estimator gives none: use loss='error'.")

    def ask(model: Any, fold: Fold) -> tuple[Trial, Trial]:
        return trial_of(model, X, target, fold.train), trial_of(model, X, target, fold.test)

    tell = counting(progress, len(tried) * len(plan.folds))
    found = [each_fold(one, X, y, target, plan.folds, ask, n_jobs=n_jobs, progress=tell) for one in tried]
    bias = variance = None
    if n_resamples is not None:
        held = [[test for _, test in trials] for trials in found]
        parts = np.array([_bias_and_variance(tests, plan, target, loss) for tests in held])
        bias, variance = parts[:, 0], parts[:, 1]
    return Effect(
        parameter=parameter,
        values=tuple(values),
        loss=loss,
        folds=plan.description,
        training=np.array([[_loss(loss, seen, target) for seen, _ in trials] for trials in found]),
        validation=np.array([[_loss(loss, test, target) for _, test in trials] for trials in found]),
        leaves=np.array([[np.nan if t.n_leaves is None else t.n_leaves for _, t in trials] for trials in found]),
        bias=bias,
        variance=variance,
    )


def _known_loss(loss: str | None, target: Target, n_resamples: int | None) -> str:
    known = NUMBER_LOSSES if target.classes is None else CLASS_LOSSES
    name = known[0] if loss is None else str(check.choice("loss", loss, list(known)))
    if n_resamples is not None and name not in _IN_PARTS:
        raise ParameterError(
            f"loss={name!r} has no parts of bias and variance: with n_resamples take one of "
            f"{', '.join(repr(one) for one in known if one in _IN_PARTS)}."
        )
    return name


def _estimators(estimator: Any, parameter: str, values: Sequence[Any]) -> list[Any]:
    """The estimator with each of the values."""
    known = estimator.get_params(deep=True)
    if parameter not in known:
        near = get_close_matches(str(parameter), known, n=3, cutoff=0.4) or sorted(known)
        raise ParameterError(
            f"{type(estimator).__name__} has no parameter {parameter!r:.80}; get_params() has {', '.join(near)[:300]}."
        )
    if isinstance(values, str) or not len(values):
        raise ParameterError(f"values must be a sequence of values of {parameter}; got {values!r:.80}.")
    return [clone(estimator).set_params(**{parameter: value}) for value in values]


def _samples(draws: int, target: Target, random_state: Any) -> Plan:
    """Bootstrap samples as folds: as many rows as there are, drawn with replacement; those not drawn are tested."""
    check.seed("random_state", random_state)
    seeds = check_random_state(random_state).randint(2**31 - 1, size=draws)
    folds = []
    for seed in seeds.tolist():
        drawn = np.sort(np.random.default_rng(seed).integers(0, len(target), len(target)))
        left_out = np.setdiff1d(np.arange(len(target)), drawn)
        if target.weights[drawn].any() and target.weights[left_out].any():
            folds.append(Fold(drawn.astype(np.intp), left_out.astype(np.intp)))
    if len(folds) < 2:
        raise ParameterError("too few rows for bootstrap samples that leave some out: use cv instead of n_resamples.")
    return Plan(tuple(folds), f"{len(folds)} bootstrap samples, judged on the rows left out")


def _loss(name: str, trial: Trial, target: Target) -> float:
    if target.classes is None:
        return number_loss(name, trial.truth, trial.answer, trial.weights)
    return class_loss(name, trial.truth, trial.answer, _shares(name, trial, len(target.classes)), trial.weights)


def _shares(name: str, trial: Trial, n_classes: int) -> Floats:
    """Probabilities, or for "error" the answer itself: all for one class."""
    return np.eye(n_classes)[trial.answer] if name == "error" or trial.shares is None else trial.shares


def _bias_and_variance(trials: list[Trial], plan: Plan, target: Target, loss: str) -> tuple[float, float]:
    """The two parts of the mean loss, over the rows that were held back at least twice.

    An answer is a point: a number, probabilities, or 1 for the class that is named and 0 for the others. Its loss is
    the squared distance from what was true, for "error" half of it.
    """
    width = 1 if target.classes is None else len(target.classes)
    count, squares, sums = np.zeros(len(target)), np.zeros(len(target)), np.zeros((len(target), width))
    for trial, fold in zip(trials, plan.folds, strict=True):
        if target.classes is None:
            off = (trial.answer - trial.truth)[:, np.newaxis]
        else:
            off = _shares(loss, trial, width) - np.eye(width)[trial.truth]
        count[fold.test] += 1
        squares[fold.test] += (off**2).sum(axis=1)
        sums[fold.test] += off
    often = (count >= 2) & (target.weights > 0)
    if not often.any():
        raise ParameterError("no row was left out twice: give n_resamples a larger number.")
    middle = ((sums[often] / count[often, np.newaxis]) ** 2).sum(axis=1)
    spread = np.maximum(squares[often] / count[often] - middle, 0.0)
    unit = 0.5 if loss == "error" else 1.0
    weights = target.weights[often]
    return unit * float(np.average(middle, weights=weights)), unit * float(np.average(spread, weights=weights))
