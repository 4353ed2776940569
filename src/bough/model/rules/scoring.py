"""Rules on rows whose answer is known: what each rule covers and takes, counted. Methods of `RuleList`."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ParameterError
from bough.model.rules.rule import Rule
from bough.model.rules.statistics import Cover, Statistics
from bough.table import is_missing, weight_array

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList
    from bough.model.rules.rule_model import RuleModel

__all__ = ["by_class", "cover_alone", "rows_of", "score", "statistics"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


def statistics(rules: "RuleList", X: Any, y: Any, sample_weight: Any = None, *, n_threads: int = 1) -> Statistics:
    """Count what the rules cover and take among some rows.

    Parameters
    ----------
    X : table
    y : array of shape (n_rows,)
        The class or the number of each row.
    sample_weight : array of shape (n_rows,), optional
    n_threads : int, default=1

    Returns
    -------
    Statistics
    """
    read = rules.read(X)
    alone = cover_alone(rules, read, y, sample_weight, n_threads=n_threads)[0]
    first = rules.apply(read, n_threads=n_threads)
    masks = [first == number for number in range(rules.n_rules + 1)]
    turn = _cover(rules, masks, _target(rules, y, len(read)), _weights(sample_weight, len(read)), _said(rules))
    classes = None if rules.classes is None else tuple(rules.classes.tolist())
    return Statistics(tuple(map(str, rules.rules)), alone, turn, classes)


def cover_alone(
    rules: "RuleModel", X: Any, y: Any, sample_weight: Any = None, *, n_threads: int = 1
) -> tuple[Cover, npt.NDArray[np.bool_]]:
    """What each rule covers, whether or not others do, and which rows these are: of lists and sets alike."""
    read = rules.read(X)
    target, weight = _target(rules, y, len(read)), _weights(sample_weight, len(read))
    covered = rules.covers(read, n_threads=n_threads)
    masks = [covered[:, number] for number in range(rules.n_rules)]
    return _cover(rules, masks, target, weight, _said(rules)[:-1]), covered


def score(
    rules: "RuleList", X: Any, y: Any, sample_weight: Any = None, *, name: str = "scored", n_threads: int = 1
) -> "RuleList":
    """Return the same rules with what they take of some rows: their `counts`, from which probabilities come.

    Parameters
    ----------
    X : table
    y : array of shape (n_rows,)
    sample_weight : array of shape (n_rows,), optional
    name : str, default="scored"
        What these rows are called in `stats`, where all that was counted stands.
    n_threads : int, default=1

    Returns
    -------
    RuleList

    Examples
    --------
    >>> import bough
    >>> rules = bough.tree_from({"age > 38.5": "yes", "age <= 38.5": "no"}).rules()
    >>> scored = rules.score({"age": [20, 30, 40, 50]}, ["no", "no", "no", "yes"])
    >>> scored.predict_proba({"age": [45]}).tolist()
    [[0.5, 0.5]]
    """
    found = rules.statistics(X, y, sample_weight, n_threads=n_threads)
    return replace(rules, counts=found.turn.counts, stats={**rules.stats, name: found})


def rows_of(rules: "RuleList", X: Any, *, alone: bool = False, n_threads: int = 1) -> list[npt.NDArray[np.intp]]:
    """The numbers of the rows that each rule takes in its turn, and at last of those that none covers.

    Parameters
    ----------
    X : table
    alone : bool, default=False
        All that each rule covers instead, whether or not an earlier one does.
    n_threads : int, default=1

    Returns
    -------
    list of ndarray of int
    """
    if not alone:
        first = rules.apply(X, n_threads=n_threads)
        return [np.flatnonzero(first == number) for number in range(rules.n_rules + 1)]
    covered = rules.covers(X, n_threads=n_threads)
    return [np.flatnonzero(covered[:, number]) for number in range(rules.n_rules)] + [
        np.flatnonzero(~covered.any(axis=1))
    ]


def by_class(rules: "RuleList") -> dict[Any, tuple[Rule, ...]]:
    """The rules of each class in their order: where they do not overlap, the class is their disjunction."""
    if rules.classes is None:
        raise ParameterError("these rules predict numbers: they have no classes.")
    return {label: tuple(rule for rule in rules.rules if rule.label == label) for label in rules.classes.tolist()}


def _target(rules: "RuleModel", y: Any, n_rows: int) -> Array:
    """The numbers of the classes, or the numbers themselves."""
    given = np.asarray(y)
    if given.shape != (n_rows,):
        raise DataError(f"y has the shape {given.shape}, but X has {n_rows} rows: expected ({n_rows},).")
    if rules.classes is None:
        try:
            numbers = given.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"y must hold numbers: these rules predict some ({error}).") from error
        if not np.isfinite(numbers).all():
            raise DataError(
                f"y must hold finite numbers; row {int(np.flatnonzero(~np.isfinite(numbers))[0])} does not."
            )
        return numbers
    place = {label: number for number, label in enumerate(rules.classes.tolist())}
    codes = np.empty(n_rows, dtype=np.intp)
    for row, label in enumerate(given.tolist()):
        number = None if is_missing(label) else place.get(label)
        if number is None:
            raise DataError(f"y holds {label!r:.60} in row {row}, which is none of the classes of these rules.")
        codes[row] = number
    return codes


def _weights(sample_weight: Any, n_rows: int) -> Floats:
    if sample_weight is None:
        return np.ones(n_rows)
    weight = weight_array(sample_weight)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.shape != (n_rows,):
        raise DataError(f"sample_weight has the shape {weight.shape}, but X has {n_rows} rows: expected ({n_rows},).")
    wrong = ~(np.isfinite(weight) & (weight >= 0))
    if wrong.any():
        raise DataError(f"sample_weight must hold finite numbers of at least 0; row {int(np.argmax(wrong))} does not.")
    return np.asarray(weight)


def _said(rules: "RuleModel") -> npt.NDArray[np.int64]:
    """The number of the class that each rule says, and the default; -1 for none."""
    if rules.classes is None:
        return np.full(rules.n_rules + 1, -1)
    labels = getattr(rules, "labels", None)
    said = np.array(rules.class_answer.decide(np.nan_to_num(rules.said)) if labels is None else labels, dtype=np.int64)
    if rules.default is None:
        said[-1] = -1
    return said


def _cover(rules: "RuleModel", masks: list[Array], target: Array, weight: Floats, said: Array) -> Cover:
    """The figures of some sets of rows."""
    used = weight > 0
    rows = np.array([np.count_nonzero(mask & used) for mask in masks], dtype=np.int64)
    about: dict[str, Any] = {"n_rows": int(used.sum()), "all_weight": float(weight.sum())}
    if rules.classes is None:
        sums = np.array([weight[mask].sum() for mask in masks])
        means = np.array([_mean(target[mask], weight[mask]) for mask in masks])
        pairs = zip(masks, means, strict=True)
        spread = [_mean((target[mask] - mean) ** 2, weight[mask]) for mask, mean in pairs]
        return Cover(rows, sums, mean=means, deviation=np.sqrt(np.array(spread)), **about)
    size = len(rules.classes)
    counts = np.array([np.bincount(target[mask], weight[mask], minlength=size) for mask in masks])
    counts = counts.reshape(len(masks), size)
    totals: Floats = np.bincount(target, weight, minlength=size).astype(np.float64)
    return Cover(rows, counts.sum(axis=1), counts=counts, said=said, totals=totals, **about)


def _mean(values: Floats, weight: Floats) -> float:
    total = float(weight.sum())
    return float(values @ weight) / total if total > 0 else np.nan
