"""`compare`: several estimators on the same folds, and whether their differences are more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from bough.errors import DataError, ParameterError
from bough.recipe import parameters as check
from bough.validate.evaluate import check_level, gather, question_for
from bough.validate.fitting import fitted, named_estimators
from bough.validate.folds import Progress, counting, plan_folds, run_folds
from bough.validate.measures import Question, measure_folds, measure_names
from bough.validate.pieces import Columns
from bough.validate.resampled import (
    PairedTest,
    combined_f_test,
    corrected_interval,
    corrected_t_test,
    holm,
)
from bough.validate.result import Report
from bough.validate.side_by_side import Cell, SideBySide
from bough.validate.target import Target, own_costs, read_costs, read_target
from bough.validate.words import measure_word, number_text

__all__ = ["Comparison", "Pair", "compare"]

Floats = npt.NDArray[np.float64]
_DASH = "-: the folds all show the same difference, or too few of them any, so that chance cannot be judged"


@dataclass(frozen=True)
class Pair:
    """How two estimators differ in the measure of the comparison.

    Attributes
    ----------
    first, second : str
    value : float
        The mean of first minus second over the folds.
    low, high : float
        Its corrected resampled t interval; NaN where the difference is the same on every fold.
    t_test : PairedTest
        The corrected resampled paired t-test; NaN where the difference is the same on every fold, unless it is zero.
    p_holm : float
        Its p-value, adjusted for the number of pairs by Holm.
    f_test : PairedTest
        Alpaydin's test on five times two folds.
    """

    first: str
    second: str
    value: float
    low: float
    high: float
    t_test: PairedTest
    p_holm: float
    f_test: PairedTest


@dataclass(frozen=True)
class Comparison(SideBySide):
    """Estimators side by side; print it, or take `to_frame()` or `to_html()`.

    Attributes
    ----------
    reports : tuple of Report
        One an estimator, all on the same folds.
    measure : str
        What is compared in pairs.
    pairs : tuple of Pair
    """

    reports: tuple[Report, ...]
    measure: str
    pairs: tuple[Pair, ...]

    @property
    def results(self) -> tuple[Report, ...]:
        """The reports."""
        return self.reports

    def headlines(self) -> list[str]:
        """What was done, in two lines."""
        one = self.reports[0]
        return [
            f"{len(self.reports)} estimators for {one.target}, {one.n_rows:,} rows: {one.folds}, the same for all",
            one.interval_line(),
        ]

    def facts(self) -> dict[str, Any]:
        """What was done, for machines."""
        return {"measure": self.measure, "folds": self.reports[0].folds}

    def notes(self) -> list[str]:
        """What a dash means, if there is one."""
        told = [test.p_value for pair in self.pairs for test in (pair.t_test, pair.f_test)]
        return [] if np.isfinite(told).all() else [_DASH]

    def pair_title(self) -> str:
        """The measure that is compared."""
        return f"differences in {measure_word(self.measure)}"

    def pair_heads(self) -> list[str]:
        """The difference and the figures of both tests."""
        return ["difference", "t", "p", "p (Holm)", "F of 5x2", "p of 5x2"]

    def pair_cells(self) -> list[tuple[str, str, list[Cell]]]:
        """The same of each pair."""
        return [(pair.first, pair.second, [pair, *map(number_text, _figures(pair).values())]) for pair in self.pairs]

    def pair_columns(self) -> Columns:
        """The same as columns of a data frame."""
        columns: Columns = {name: [getattr(pair, name) for pair in self.pairs] for name in ("first", "second")}
        columns["difference"] = [pair.value for pair in self.pairs]
        columns |= {name: [getattr(pair, name) for pair in self.pairs] for name in ("low", "high")}
        tests = [_figures(pair) for pair in self.pairs]
        return columns | {name: [test[name] for test in tests] for name in tests[0]}


def _figures(pair: Pair) -> dict[str, float]:
    return {
        "t": pair.t_test.statistic,
        "p": pair.t_test.p_value,
        "p_holm": pair.p_holm,
        "f_5x2": pair.f_test.statistic,
        "p_5x2": pair.f_test.p_value,
    }


def compare(
    estimators: Sequence[Any] | Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    measure: str | None = None,
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
) -> Comparison:
    """Compare estimators on the same folds.

    Two tests say whether a difference is more than chance: the corrected resampled paired t-test over the repeated
    folds, and Alpaydin's F test on five times two folds, which is drawn for this. The plain paired t-test over folds is
    not offered: it takes chance for a difference far too often.

    Parameters
    ----------
    estimators : list of estimators, or dict of names to estimators
        At least two; all classifiers or all regressors.
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
    measure : str, optional
        What is compared in pairs, one of the measures of the whole that `report` has for each fold: "accuracy" by
        default, "mse" for numbers.
    costs : array of shape (n_classes, n_classes) or dict, optional
        As for `report`; all estimators are judged by the same. By default those that the estimators were told, unless
        these differ.
    sample_weight, groups, cv, n_repeats, pos_label, level, random_state, n_jobs, progress
        As for `report`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> trees = {"stump": bough.CARTClassifier(max_depth=1), "cart": bough.CARTClassifier()}
    >>> found = bough.validate.compare(trees, X, y, random_state=0)
    >>> pair = found.pairs[0]
    >>> pair.first, pair.second, pair.value < 0, pair.t_test.p_value < 0.01, pair.f_test.p_value < 0.01
    ('stump', 'cart', True, True, True)
    """
    named = named_estimators(estimators, "estimators")
    target = read_target(next(iter(named.values())), y, sample_weight)
    for name, one in named.items():
        read_target(one, y, sample_weight)
        if is_classifier(one) != (target.classes is not None):
            raise ParameterError(f"estimators must be all classifiers or all regressors; {name!r:.60} differs.")
    matrix = _shared_costs(named, y, target) if costs is None else read_costs(costs, target)
    question = question_for(target, matrix, pos_label)
    measure = _known_measure(measure, question)
    check_level(level)
    check.jobs("n_jobs", n_jobs)
    random = check_random_state(random_state)
    plan = plan_folds(cv, n_repeats, target, groups, random)
    halves = plan_folds(2, 5, target, groups, random)
    tell = counting(progress, len(named) * (len(plan.folds) + len(halves.folds)))
    reports, of_folds, of_halves = [], [], []
    for name, one in named.items():
        _fit_whole(name, one, X, y, sample_weight)
        trials = run_folds(one, X, y, target, plan.folds, name=name, n_jobs=n_jobs, progress=tell)
        reports.append(gather(name, target, question, plan, trials, level))
        _check_measure(measure, reports[-1])
        of_folds.append(reports[-1][measure].by_fold)
        trials = run_folds(one, X, y, target, halves.folds, name=name, n_jobs=n_jobs, progress=tell)
        of_halves.append(measure_folds(trials, question)[measure, None])
    pairs = _pairs(list(named), of_folds, of_halves, plan.ratio, level)
    return Comparison(tuple(reports), measure, pairs)


def _shared_costs(named: dict[str, Any], y: Any, target: Target) -> Floats | None:
    """The costs that estimators were told, for all of them; None if there are none, or if they are not the same."""
    told = [matrix for one in named.values() if (matrix := own_costs(one, y, target)) is not None]
    return told[0] if told and all(np.array_equal(told[0], other) for other in told[1:]) else None


def _known_measure(name: str | None, question: Question) -> str:
    """The measure to compare by; what is misspelt is said before the work."""
    if name is None:
        return "accuracy" if question.n_classes else "mse"
    if name == "cost" and question.n_classes and question.costs is None:
        raise ParameterError(
            "measure 'cost' needs costs by which all estimators are judged, and they were told none, or different "
            "ones: give costs."
        )
    if name.startswith("calibration"):
        raise ParameterError(
            f"measure {name!r:.60} is one number of all rows, which no fold tells: compare by 'brier', which judges "
            "probabilities row by row."
        )
    known = measure_names(question)
    if name not in known:
        raise ParameterError(f"measure must be one of {', '.join(map(repr, known))}; got {name!r:.60}.")
    return name


def _fit_whole(name: str, estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    """Fit to all rows: what is wrong with the data is said once, and before the work."""
    try:
        fitted(estimator, X, y, sample_weight)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name:.80} cannot be fitted: {error}") from error


def _check_measure(name: str, report: Report) -> None:
    known = [found.name for found in report.measures if found.label is None and not np.isnan(found.by_fold).all()]
    if name not in known:
        raise ParameterError(
            f"{report.name:.80} does not tell {name!r}: it gives no probabilities, or is no tree. Compare by one of "
            f"{', '.join(map(repr, known))}."
        )


def _pairs(
    names: list[str], of_folds: list[Floats], of_halves: list[Floats], ratio: float, level: float
) -> tuple[Pair, ...]:
    found = []
    for a, b in combinations(range(len(names)), 2):
        apart = of_folds[a] - of_folds[b]
        halves = of_halves[a] - of_halves[b]
        f_test = combined_f_test(halves.reshape(5, 2)) if len(halves) == 10 else PairedTest(np.nan, np.nan)
        found.append((names[a], names[b], corrected_interval(apart, ratio, level=level),
                      corrected_t_test(apart, ratio), f_test))  # fmt: skip
    adjusted = holm([t_test.p_value for _, _, _, t_test, _ in found]).tolist()
    return tuple(
        Pair(first, second, *interval, t_test, p_holm, f_test)
        for (first, second, interval, t_test, f_test), p_holm in zip(found, adjusted, strict=True)
    )
