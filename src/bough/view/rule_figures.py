"""What a picture of rules shows: how much each covers and takes, how sure it is, and how far rules overlap."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.given import model_of
from bough.model.rules import RuleList, RuleModel
from bough.model.rules.rule import label_of, says_text
from bough.model.rules.scoring import cover_alone, statistics
from bough.model.rules.statistics import Cover
from bough.model.text import class_text

__all__ = ["RuleFigures", "rule_figures"]

Floats = npt.NDArray[np.float64]
_DIGITS = 4


@dataclass(frozen=True, eq=False)
class RuleFigures:
    """The figures of rules, the default last where it has any.

    Parameters
    ----------
    model : RuleModel
    texts, answers : list of str
        Conditions, and what is said under them.
    support : ndarray
        The share of the rows that each rule covers, whether or not others do; NaN for the default, and where no rows
        were given.
    taken : ndarray
        The share that it takes in its turn; NaN in a set, which has no turns.
    value, low, high : ndarray
        The confidence with its interval, or the mean of the numbers with two standard errors to both sides: of what it
        takes in a list, of what it covers in a set.
    overlap : ndarray of shape (n_rules, n_rules), optional
        Of the rows that the rule of the line covers the share that the rule of the column covers as well; None without
        rows.
    covered : ndarray of shape (n_rows, n_rules), optional
        Which rows those are.
    n_rows : int
        The rows that were counted.
    """

    model: RuleModel
    texts: list[str]
    answers: list[str]
    support: Floats
    taken: Floats
    value: Floats
    low: Floats
    high: Floats
    overlap: Floats | None
    covered: npt.NDArray[np.bool_] | None
    n_rows: int

    @property
    def of_classes(self) -> bool:
        """Whether `value` is a confidence rather than a mean."""
        return self.model.is_classifier

    def __len__(self) -> int:
        return len(self.texts)


def rule_figures(given: Any, X: Any = None, y: Any = None, *, level: float = 0.95) -> RuleFigures:
    """Return what a picture of rules shows.

    Parameters
    ----------
    given : fitted estimator, RuleList or RuleSet
    X, y : table and array, optional
        Rows to count; without, what the training rows counted, which says nothing of overlaps.
    level : float, default=0.95
        Of the intervals.
    """
    model = model_of(given)
    if not isinstance(model, RuleModel):
        raise ParameterError(f"this needs rules; a model of the kind {model.kind!r} has none: take tree.rules().")
    if (X is None) != (y is None):
        raise ParameterError("rules are counted by rows and their answers: give both X and y, or neither.")
    n = model.n_rules
    listed = isinstance(model, RuleList)
    support, taken = np.full(n + 1, np.nan), np.full(n + 1, np.nan)
    overlap = covered = None
    if X is None:
        shown = _trained(model)
        (taken if listed else support)[: len(shown.weight)] = shown.support
    else:
        alone, covered = cover_alone(model, X, y)
        support[:n] = alone.support
        both = covered.T.astype(np.float64) @ covered
        overlap = both / np.maximum(np.diag(both), 1.0)[:, None]
        shown = alone
        if listed:
            shown = statistics(cast(RuleList, model), X, y).turn
            taken[:] = shown.support
    value, low, high = (np.append(part, [np.nan] * (n + 1 - len(part))) for part in _sure(shown, level))
    size = n + (model.default is not None)
    return RuleFigures(
        model,
        [*(rule.body(_DIGITS) for rule in model.rules), "OTHERWISE"][:size],
        [_said(model, rule.says) for rule in model.rules] + [_said(model, model.default)] * (size - n),
        support[:size],
        taken[:size],
        value[:size],
        low[:size],
        high[:size],
        overlap,
        covered,
        shown.n_rows,
    )


def _trained(model: RuleModel) -> Cover:
    """What was counted of the training rows."""
    if model.counts is None or model.classes is None:
        raise ParameterError("these rules do not know how many rows they cover: give X and y to count.")
    counts = model.counts if isinstance(model, RuleList) else model.counts[:-1]
    labels = model.classes.tolist()
    told = [rule.label for rule in model.rules] + ([] if model.default is None else [label_of(model.default)])
    said = np.array([labels.index(label) for label in told] + [-1] * (len(counts) - len(told)), dtype=np.int64)
    weight = counts.sum(axis=1)
    total = float(model.counts.sum())
    about: dict[str, Any] = {"n_rows": round(total), "all_weight": total, "totals": model.counts.sum(axis=0)}
    return Cover(np.rint(weight).astype(np.int64), weight, counts=counts, said=said[: len(counts)], **about)


def _sure(cover: Cover, level: float) -> tuple[Floats, Floats, Floats]:
    """The confidence with its interval; of numbers the mean and two standard errors."""
    interval = cover.interval(level)
    if interval is not None and cover.confidence is not None:
        none = np.isnan(cover.confidence)
        low, high = (np.where(none, np.nan, end) for end in interval)
        return cover.confidence, low, high
    mean, deviation = np.asarray(cover.mean), np.asarray(cover.deviation)
    error = 2 * deviation / np.sqrt(np.maximum(cover.rows, 1))
    return mean, mean - error, mean + error


def _said(model: RuleModel, says: Any) -> str:
    return class_text(label_of(says)) if model.is_classifier else says_text(says, _DIGITS, number=True)
