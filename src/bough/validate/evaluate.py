"""`report`: how good an estimator is on rows that it has not seen, with an interval for every number."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.provenance import provenance_of
from bough.recipe import parameters as check
from bough.validate.calibration import calibration_error, calibration_of_class, calibration_of_numbers
from bough.validate.fitting import fitted, innermost, name_of_estimator
from bough.validate.folds import Plan, Progress, Trial, plan_folds, run_folds
from bough.validate.measures import BOUNDS, GRID, Question, confusion_shares, measure_folds, pr_at, roc_at
from bough.validate.pieces import Confusion, Curve, Measure
from bough.validate.resampled import corrected_interval, corrected_intervals
from bough.validate.result import Report
from bough.validate.rows import confusion_limits, row_limits
from bough.validate.target import Target, own_costs, read_costs, read_target

__all__ = ["check_level", "gather", "question_for", "report"]

Floats = npt.NDArray[np.float64]


def report(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    cv: Any = 10,
    n_repeats: int | None = None,
    costs: Any = None,
    pos_label: Any = None,
    level: float = 0.95,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Judge an estimator by repeated cross-validation.

    Each number is the mean of the folds. Folds share training rows, so that the plain standard error is far too small:
    intervals are those of the corrected resampled t (Nadeau and Bengio), for shares of rows no narrower than Wilson's;
    other measures on which all folds agree have none. Where a fold says nothing, such as the precision of a class that
    it never decides for, it is left out of that number. Means of classes (balanced accuracy, areas of more than two)
    are those of the classes' own means, however few folds hold a class.

    Parameters
    ----------
    estimator : classifier or regressor
        Of bough, or any with the methods of scikit-learn, in a pipeline or a search, too. Its parameters count; it is
        not fitted itself. In folds that train on no row of a class, what it was told of that class (costs, priors,
        weights) is left out.
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
    sample_weight : array of shape (n_rows,), optional
        Counts in fitting and in every measure.
    groups : array of shape (n_rows,), optional
        Rows of the same group, such as visits of one patient, are never in training and test at once.
    cv : int, splitter or iterable of (train, test), default=10
        A number: shuffled folds, stratified by class; as many as there are rows or groups at most. Rows that a fold
        trains on are not tested in it.
    n_repeats : int, optional
        How often such folds are drawn; 3 by default, once where each row or group is a fold. Only with a number.
    costs : array of shape (n_classes, n_classes) or dict, optional
        [true][decided], or `{(true, decided): cost}`; by default those of the estimator, if it has any.
    pos_label : object, optional
        Of two classes the one whose probability is judged; by default the second of the sorted ones.
    level : float, default=0.95
        Confidence of the intervals.
    random_state : int, RandomState or None, default=None
        What folds are shuffled with; an int makes them the same each time.
    n_jobs : int or None, default=None
        Folds worked on at once, by joblib; the result is the same for any number.
    progress : callable, optional
        Called with the number of folds done and that of all.

    Returns
    -------
    Report
        For classes accuracy, precision, recall and F1 of each class, Brier score (of two classes that of the positive
        one, as in scikit-learn), calibration error (ten bins, all rows) and what chance alone makes of it, area under
        the ROC curve, average precision, cost under the matrix, confusion, curves and calibration; for numbers mean
        squared and absolute error, R squared and calibration by tenths; for trees the number of leaves and the depth.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.validate.report(bough.CARTClassifier(), X, y, random_state=0)
    >>> print(found["accuracy"].name, round(found["accuracy"].value, 2))
    accuracy 0.96
    >>> found["recall", "Gentoo"].low > 0.85
    True
    """
    target = read_target(estimator, y, sample_weight)
    matrix = own_costs(estimator, y, target) if costs is None else read_costs(costs, target)
    question = question_for(target, matrix, pos_label)
    check_level(level)
    check.jobs("n_jobs", n_jobs)
    plan = plan_folds(cv, n_repeats, target, groups, random_state)
    # On all rows first: what is wrong with the data is said once, and before the work.
    whole = fitted(estimator, X, y, sample_weight)
    trials = run_folds(estimator, X, y, target, plan.folds, n_jobs=n_jobs, progress=progress)
    found = gather(name_of_estimator(estimator), target, question, plan, trials, level)
    return replace(found, provenance=provenance_of(innermost(whole)))


def check_level(level: Any) -> None:
    """Refuse what is no confidence."""
    if not 0.0 < check.share("level", level, 0.0, 1.0) < 1.0:
        raise ParameterError(f"level must be between 0 and 1, such as 0.95; got {level!r}.")


def question_for(target: Target, costs: Floats | None, pos_label: Any) -> Question:
    """What is measured: which classes, and what errors cost."""
    if target.classes is None:
        if pos_label is not None:
            raise ParameterError("pos_label is for classes; this estimator predicts numbers.")
        return Question(0, (), None)
    labels = target.classes.tolist()
    if pos_label is not None and len(labels) != 2:
        raise ParameterError(f"pos_label is for two classes; y has {len(labels)}, and each is judged against the rest.")
    if pos_label is not None and pos_label not in labels:
        raise ParameterError(f"pos_label must be one of {labels}; got {pos_label!r}.")
    if len(labels) != 2:
        return Question(len(labels), tuple(range(len(labels))), costs)
    return Question(2, (1 if pos_label is None else labels.index(pos_label),), costs)


def gather(name: str, target: Target, question: Question, plan: Plan, trials: list[Trial], level: float) -> Report:
    """Means and intervals over the folds."""
    ratio, repeats = plan.ratio, plan.n_repeats
    of_folds = measure_folds(trials, question)
    found = {
        key: corrected_interval(values, ratio, level=level, least=BOUNDS[key[0]][0], most=BOUNDS[key[0]][1])
        for key, values in of_folds.items()
    }
    limits = row_limits({key: interval.value for key, interval in found.items()}, trials, question, repeats, level)
    measures = []
    for key, (value, low, high) in found.items():
        label = None if key[1] is None or target.classes is None else target.classes.tolist()[key[1]]
        least, most = limits.get(key, (np.nan, np.nan))
        ends = float(np.fmin(low, least)), float(np.fmax(high, most))
        measures.append(Measure(key[0], label, value, *ends, of_folds[key]))
        if key[0] == "brier":
            measures += _calibration_errors(plan, trials, question)
    common: dict[str, Any] = {
        "name": name,
        "target": target.name,
        "n_rows": len(target),
        "folds": plan.description,
        "level": level,
        "ratio": ratio,
        "measures": tuple(measures),
    }
    if target.classes is None:
        return Report(**common, calibration=(calibration_of_numbers(trials, repeats, level),))
    has_shares = trials[0].shares is not None
    scored = [(code, target.classes.tolist()[code]) for code in question.scored] if has_shares else []
    return Report(
        **common,
        classes=target.classes,
        support=target.support(),
        confusion=_confusion(trials, question.n_classes, ratio, repeats, level),
        roc=tuple(_curve(label, np.stack([roc_at(t, code) for t in trials]), ratio, level) for code, label in scored),
        pr=tuple(_curve(label, np.stack([pr_at(t, code)[0] for t in trials]), ratio, level) for code, label in scored),
        calibration=tuple(calibration_of_class(label, code, trials, repeats, level) for code, label in scored),
    )


def _calibration_errors(plan: Plan, trials: list[Trial], question: Question) -> list[Measure]:
    """One number for all rows: a fold says nothing of it, and repetitions, which hold the same rows, no interval."""
    lots = [[trials[number] for number in numbers] for numbers in plan.repetitions]
    names = ("calibration_error", "calibration_by_chance")
    nothing = np.full(len(trials), np.nan)
    values = calibration_error(lots, question.scored)
    return [Measure(name, None, value, np.nan, np.nan, nothing) for name, value in zip(names, values, strict=True)]


def _confusion(trials: list[Trial], n_classes: int, ratio: float, repeats: float, level: float) -> Confusion:
    tables = np.stack([confusion_shares(trial, n_classes).ravel() for trial in trials])
    masses = np.array([trial.weights.sum() for trial in trials])
    mean, low, high = corrected_intervals(tables, ratio, level=level)
    shares = masses @ tables / masses.sum()  # of all rows tested, so that large folds count for more
    counts, low, high = (
        (np.clip(part + (shares - mean), 0.0, 1.0) * masses.sum() / repeats).reshape(n_classes, n_classes)
        for part in (mean, low, high)
    )
    least, most = confusion_limits(counts, trials, repeats, level)
    return Confusion(counts, np.fmin(low, least), np.fmax(high, most))


def _curve(label: Any, values: Floats, ratio: float, level: float) -> Curve:
    return Curve(label, GRID, *corrected_intervals(values, ratio, level=level, least=0.0, most=1.0))
