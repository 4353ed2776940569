"""`judge`: how good a model that exists is on the rows of a table, such as a hold-out; several on the same rows."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from bough.model.wilson import wilson
from bough.model.kinds import Model
from bough.model.provenance import provenance_of
from bough.model.text import amount, class_text
from bough.recipe import parameters as check
from bough.validate.asked import (
    Asked,
    answered,
    ask,
    is_training_table,
    known_classes,
    read_truth,
    refuse_nothing,
)
from bough.validate.calibration import calibration_error, calibration_of_class, calibration_of_numbers
from bough.validate.evaluate import check_level, question_for
from bough.validate.fitting import named_estimators
from bough.validate.folds import Trial
from bough.validate.intervals import Found, measure_rows
from bough.validate.judgement import Judgement, Judgements
from bough.validate.leaves import leaves_of
from bough.validate.lift import lift_of
from bough.validate.measures import GRID, Key, Question, confusion_shares, measure_folds, pr_at, roc_at
from bough.validate.paired import differences
from bough.validate.pieces import Confusion, Curve, Measure
from bough.validate.resampled import holm
from bough.validate.rows import confusion_limits, effective_rows
from bough.validate.target import Target, read_costs

__all__ = ["judge"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
_OWN_ROWS = "the model was fitted to this very table, so that it looks better than it is: judge it by other rows"
_ORDER = (
    "accuracy", "balanced_accuracy", "cost", "precision", "recall", "f1", "brier", "calibration_error",
    "calibration_by_chance", "roc_auc", "average_precision", "ks", "mse", "rmse", "mae", "bias", "r2", "psi",
    "psi_by_chance",
)  # fmt: skip


def judge(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    costs: Any = None,
    pos_label: Any = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    random_state: Any = 0,
) -> Any:
    """Judge a fitted model by the rows of a table that it was not fitted to. Nothing is fitted.

    Parameters
    ----------
    model : fitted estimator, Model, or several in a list or a dict of names
        Of bough, such as `bough.load` reads it. Several are judged by the same rows and compared in pairs.
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
        What came. Rows of a class that the model does not know count as errors.
    sample_weight : array of shape (n_rows,), optional
        Counts in every measure; intervals go by `sum(w)**2 / sum(w**2)` rows.
    costs : array of shape (n_classes, n_classes) or dict, optional
        [true][decided], or `{(true, decided): cost}`; by default those of the model, if it has any, and of several
        models if all have the same.
    pos_label : object, optional
        Of two classes the one whose probability is judged; by default the second of the sorted ones.
    level : float, default=0.95
        Confidence of the intervals.
    n_resamples : int, default=1000
        Draws of the bootstrap, for average precision.
    random_state : int, RandomState or None, default=0
        What they are drawn with.

    Returns
    -------
    Judgement or Judgements
        The latter for several models.

        For classes accuracy, precision, recall and F1 of each class, cost, Brier score, calibration error and what
        chance alone makes of it, area under the ROC curve, average precision, the KS distance, confusion, curves, lift
        and calibration; of more than two classes each against the rest, and the mean. For numbers mean squared and
        absolute error, bias, R squared and calibration by tenths of the predictions. For trees the rows of each leaf,
        what was expected of them and observed, the population stability index (PSI) of the leaves between training
        and these rows, and how rows went on where a value was missing or never seen.

        Intervals are Wilson's for shares of rows, Newcombe's for the KS distance (from 0 on where the KS test does not
        reject that there is none), DeLong's for areas, Student's for means over rows, the delta method's for R squared,
        and those of a bootstrap for average precision. They take the model for given and rows for independent.

    See Also
    --------
    report : how good an estimator is that is yet to be fitted, by cross-validation.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy("pandas")
    >>> model = bough.CARTClassifier().fit(X[::2], y[::2])
    >>> found = bough.validate.judge(model, X[1::2], y[1::2])
    >>> found["accuracy"].value == model.score(X[1::2], y[1::2])
    True
    >>> found["recall", "Gentoo"].method
    'Wilson'
    >>> stump = bough.CARTClassifier(max_depth=1).fit(X[::2], y[::2])
    >>> both = bough.validate.judge({"cart": model, "stump": stump}, X[1::2], y[1::2])
    >>> both.pairs[0].measure, both.pairs[0].value > 0, both.pairs[0].p_value < 0.01
    ('accuracy', True, True)
    """
    check_level(level)
    draws = check.whole("n_resamples", n_resamples, 1)
    check.seed("random_state", random_state)
    refuse_nothing(y)
    several = isinstance(model, list | tuple | Mapping)
    named = named_estimators(model, "models") if several else {None: model}
    read = [ask(one, X, name) for name, one in named.items()]
    models = [one for _, one, _ in read]
    classes = known_classes(models)
    target = read_truth(classes, y, sample_weight, len(read[0][2]), models[0].target)
    question = _question(target, classes, models, costs, pos_label)
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    asked = [answered(*one, target) for one in read]
    found = [
        _with_origin(_judged(one, target, question, level, draws, seed), given, X, target)
        for one, given in zip(asked, named.values(), strict=True)
    ]
    if not several:
        return found[0]
    pairs = [
        pair
        for a, b in combinations(asked, 2)
        for pair in differences((a.name, b.name), a.trial, b.trial, question, target.unweighted, level)
    ]
    for name in dict.fromkeys(pair.measure for pair in pairs):
        mine = [place for place, pair in enumerate(pairs) if pair.measure == name]
        for place, p_holm in zip(mine, holm([pairs[k].p_value for k in mine]).tolist(), strict=True):
            pairs[place] = replace(pairs[place], p_holm=p_holm)
    return Judgements(tuple(found), tuple(pairs))


def _with_origin(found: Judgement, given: Any, X: Any, target: Target) -> Judgement:
    """The same with where the model came from, and a word where it is judged by the table that it was fitted to."""
    own = (_OWN_ROWS,) if is_training_table(given, X, target) else ()
    return replace(found, provenance=provenance_of(given), notes=(*own, *found.notes))


def _question(target: Target, known: Array | None, models: list[Model], costs: Any, pos_label: Any) -> Question:
    """What is measured: classes that models know are judged, those that they do not are there to be wrong about."""
    if known is None:
        read_costs(costs, target)  # which refuses any
        return question_for(target, None, pos_label)
    size = len(target.support())
    scored = question_for(replace(target, classes=known), None, pos_label).scored
    matrix = _own_costs(models, known) if costs is None else _given_costs(costs, known, target)
    if matrix is not None and len(matrix) < size:  # to take a class for another that is not known costs 1
        told, matrix = matrix, 1.0 - np.eye(size)
        matrix[: len(told), : len(told)] = told
    return Question(size, scored, matrix)


def _given_costs(costs: Any, known: Array, target: Target) -> Floats | None:
    """Costs of the classes that are known, or, by name, of all."""
    return read_costs(costs, target if isinstance(costs, Mapping) else replace(target, classes=known))


def _own_costs(models: list[Model], known: Array) -> Floats | None:
    """What errors cost by the models themselves, in the order of the classes; None if they differ or one has none."""
    found = []
    for model in models:
        own, costs = model.answer.classes, model.answer.costs
        if own is None or costs is None or len(own) != len(known):
            return None
        order = [np.asarray(own).tolist().index(label) for label in known.tolist()]
        found.append(np.asarray(costs)[np.ix_(order, order)])
    return found[0] if all(np.array_equal(found[0], other) for other in found[1:]) else None


def _judged(asked: Asked, target: Target, question: Question, level: float, draws: int, seed: int) -> Judgement:
    trial = asked.trial
    labels = [] if target.classes is None else target.classes.tolist()
    values = {key: float(value[0]) for key, value in measure_folds([trial], question).items()}
    measured = measure_rows(values, trial, question, level=level, n_resamples=draws, seed=seed)
    leaves = leaves_of(asked, question.scored, labels, level)
    if target.classes is not None:
        names = ("calibration_error", "calibration_by_chance")
        for name, value in zip(names, calibration_error([[trial]], question.scored), strict=True):
            measured[name, None] = Found(value)
    if leaves is not None and np.isfinite(leaves.psi):
        measured |= {("psi", None): Found(leaves.psi), ("psi_by_chance", None): Found(leaves.by_chance)}
    common: dict[str, Any] = {
        "name": asked.name,
        "target": target.name,
        "n_rows": len(target),
        "n_effective": float(len(target)) if target.unweighted else effective_rows(target.weights),
        "level": level,
        "measures": tuple(
            Measure(name, None if code is None else labels[code], *found[:3], method=found.method)
            for (name, code), found in sorted(measured.items(), key=_place)
        ),
        "leaves": () if leaves is None else leaves.leaves,
        "routing": () if leaves is None else leaves.routing,
        "unseen_levels": asked.unseen(),
        "n_resamples": draws,
    }
    if target.classes is None:
        return Judgement(**common, calibration=(calibration_of_numbers([trial], 1.0, level),))
    scored = [(code, labels[code]) for code in question.scored]
    lifts = [lift_of(label, code, trial, level) for code, label in scored]
    own = set(np.asarray(asked.model.answer.classes).tolist())
    unseen = tuple(label for label in labels if label not in own)
    return Judgement(
        **common,
        classes=target.classes,
        unseen_classes=unseen,
        support=target.support(),
        confusion=_confusion(trial, question.n_classes, level),
        roc=tuple(_roc(label, code, trial, level) for code, label in scored),
        pr=tuple(_pr(label, code, trial, level) for code, label in scored),
        lift=tuple(lift for lift in lifts if lift is not None),
        calibration=tuple(calibration_of_class(label, code, [trial], 1.0, level) for code, label in scored),
        notes=tuple(_notes(target, question, unseen)),
    )


def _place(measure: tuple[Key, Found]) -> tuple[int, int]:
    name, code = measure[0]
    return -1 if code is None else code, _ORDER.index(name)


def _confusion(trial: Trial, n_classes: int, level: float) -> Confusion:
    counts = np.round(confusion_shares(trial, n_classes) * trial.weights.sum(), 9)
    return Confusion(counts, *confusion_limits(counts, [trial], 1.0, level))


def _roc(label: Any, code: int, trial: Trial, level: float) -> Curve:
    """The ROC curve; intervals of the share that is found are Wilson's, the threshold taken for given."""
    found = roc_at(trial, code)
    low, high = wilson(found, effective_rows(trial.weights[trial.truth == code]), level)
    return Curve(label, GRID, found, *(np.where(np.isnan(found), np.nan, end) for end in (low, high)))


def _pr(label: Any, code: int, trial: Trial, level: float) -> Curve:
    """Precision against recall; intervals are Wilson's by the rows that are taken for the class."""
    found, recall = pr_at(trial, code)
    own = effective_rows(trial.weights[trial.truth == code])
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = wilson(found, np.where(found > 0, recall * own / found, 0.0), level)
    return Curve(label, GRID, found, *(np.where(np.isnan(found), np.nan, end) for end in (low, high)))


def _notes(target: Target, question: Question, unseen: tuple[Any, ...]) -> list[str]:
    """What is to be known of the measures of classes."""
    notes, support = [], target.support()
    names = [class_text(label) for label in target.classes.tolist()] if target.classes is not None else []
    for label in unseen:
        many = amount(float(support[names.index(class_text(label))]))
        cost = "" if question.costs is None else ", at the cost that was given or else 1"
        notes.append(f"the model does not know the class {class_text(label)}: its {many} rows count as errors{cost}")
    present = np.flatnonzero(support > 0)
    if len(present) == 1:
        only = names[int(present[0])]
        notes.append(f"all rows are of the class {only}: areas, average precision and lift are not defined")
    elif len(question.scored) > 1:
        gone = [names[code] for code in question.scored if not support[code] > 0]
        left = f"; no row is of {', '.join(gone)}" if gone else ""
        notes.append(f"area and average precision are the means of each class against the rest{left}")
    return notes
