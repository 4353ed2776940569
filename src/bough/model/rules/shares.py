"""What rules say as numbers: shares of the classes from training rows or from the rules' own words, or values."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model.answer import Answer
from bough.model.rules.rule import Distribution, Says

if TYPE_CHECKING:
    from bough.model.rules.rule_model import RuleModel

__all__ = ["shares_of"]

Floats = npt.NDArray[np.float64]


def shares_of(rules: "RuleModel") -> Floats:
    """A row of shares, or a number, for each rule and at last the default; NaN where nothing is said."""
    told = [rule.says for rule in rules.rules] + [rules.default]
    answer = rules.answer
    if answer.classes is None:
        return np.array([_number(says, place) for place, says in enumerate(told)])
    labels = {_key(label): number for number, label in enumerate(np.asarray(answer.classes).tolist())}
    shares = np.array([_shares(says, labels, place) for place, says in enumerate(told)])
    if rules.counts is None:
        return shares
    if rules.counts.shape != shares.shape:
        raise ParameterError(f"counts need the shape {shares.shape}, not {rules.counts.shape}.")
    return _of_counts(rules.counts, shares, answer)


def _of_counts(counts: Floats, said: Floats, answer: Answer) -> Floats:
    """Shares of the rows that a rule takes, smoothed if the answer is; where it takes none, what the rule says."""
    total = counts.sum(axis=1, keepdims=True)
    if answer.smoothing is not None:
        m, prior = answer.smoothing
        counts, total = counts + m * prior, total + m
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), said)


def _shares(says: Says, labels: dict[Any, int], place: int) -> list[float]:
    shares = [0.0] * len(labels)
    if says is None:
        return [float("nan")] * len(labels)
    pairs = list(says.items()) if isinstance(says, Distribution) else [(says, 1.0)]
    total = sum(share for _, share in pairs)
    for label, share in pairs:
        number = labels.get(_key(label))
        if number is None:
            raise ParameterError(f"rule {place} says {label!r}, which is none of the classes {_listed(labels)}.")
        shares[number] = share / total
    return shares


def _number(says: Says, place: int) -> float:
    if says is None:
        return float("nan")
    if isinstance(says, bool) or not isinstance(says, int | float):
        raise ParameterError(f"rule {place} says {says!r}: these rules predict numbers.")
    return float(says)


def _key(label: Any) -> Any:
    return (isinstance(label, bool), label)


def _listed(labels: dict[Any, int]) -> str:
    names = [repr(label) for _, label in labels]
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
