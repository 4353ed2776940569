"""Stability of rules: how often each comes back, and how alike the rows are that it covers, on bootstrap samples."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.model.frame import as_frame
from bough.model.rules import RuleModel
from bough.model.text import counted
from bough.validate.rule_diff import question
from bough.validate.words import sizes_text

__all__ = ["RuleReturns", "RuleSamples", "RuleStability"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RuleReturns:
    """What became of one rule in the samples.

    Attributes
    ----------
    rule : int
        Its number.
    text : str
    rows : int
        Training rows that it covers, whether or not an earlier rule does.
    same : float
        The share of the samples with a rule of the same answer that asks the same columns in the same way, at whatever
        numbers or levels.
    alike : float
        The mean over the samples of how alike the rows are that the most similar rule of the same answer covers: rows
        that both cover over rows that one of them does; 0 where no rule has this answer.
    """

    rule: int
    text: str
    rows: int
    same: float
    alike: float


@dataclass(frozen=True)
class RuleStability:
    """How stable rules are; print it, or take `to_frame()`.

    Attributes
    ----------
    model : RuleList or RuleSet
        The rules learnt on all rows.
    rules : tuple of RuleReturns
        What became of each of them.
    columns : dict
        The share of the samples in whose rules a column is asked, the most frequent one first.
    n_rules : ndarray
        The rules of each sample.
    """

    model: Any = field(repr=False)
    rules: tuple[RuleReturns, ...]
    columns: dict[str, float]
    n_rules: npt.NDArray[np.int64]

    @property
    def n_resamples(self) -> int:
        """How many samples were drawn."""
        return len(self.n_rules)

    def to_frame(self) -> Any:
        """Return a data frame with one row a rule."""
        names = ("rule", "text", "rows", "same", "alike")
        return as_frame({name: [getattr(rule, name) for rule in self.rules] for name in names})

    def __str__(self) -> str:
        asked = ", ".join(f"{name} {share:.0%}" for name, share in list(self.columns.items())[:8])
        sizes = sizes_text(self.n_rules)
        lines = [
            f"{self.n_resamples} bootstrap samples; {counted(len(self.rules), 'rule')} learnt on all rows, {sizes}",
            f"asked: {asked or 'nothing'}",
        ]
        if not self.rules:
            return "\n".join(lines)
        lines += ["", f"{'rows':>7}  {'same':>5}  {'alike':>5}  rule"]
        lines += [f"{rule.rows:>7,}  {rule.same:>5.0%}  {rule.alike:>5.0%}  {rule.text}" for rule in self.rules]
        return "\n".join(lines)


@dataclass(frozen=True)
class _Sample:
    """What one sample says; lists have an entry for each rule."""

    same: list[bool]
    alike: list[float]
    columns: tuple[str, ...]
    n_rules: int


class RuleSamples:
    """What samples say of the rules of a fitted estimator.

    Parameters
    ----------
    whole : fitted estimator
    X : table
        The rows that it was fitted on.
    """

    def __init__(self, whole: Any, X: Any) -> None:
        self.model: RuleModel = whole.model_
        self.X = X
        self.covered = self.model.covers(X)

    def sample(self, fit: Any) -> _Sample:
        """Compare with the rules of a sample, on all rows."""
        other: RuleModel = fit.model_
        covered = other.covers(self.X)
        same, alike = [], []
        asked = [question(rule) for rule in other.rules]
        for number, rule in enumerate(self.model.rules):
            mine = [k for k, one in enumerate(other.rules) if not other.is_classifier or one.label == rule.label]
            same.append(any(asked[k] == question(rule) for k in mine))
            alike.append(max((_jaccard(self.covered[:, number], covered[:, k]) for k in mine), default=0.0))
        return _Sample(same, alike, other.columns_used, other.n_rules)

    def gather(self, samples: list[_Sample]) -> RuleStability:
        """All samples together."""
        rows = self.covered.sum(axis=0).tolist()
        returns = [
            RuleReturns(
                number,
                str(rule),
                rows[number],
                float(np.mean([sample.same[number] for sample in samples])),
                float(np.mean([sample.alike[number] for sample in samples])),
            )
            for number, rule in enumerate(self.model.rules)
        ]
        asked = Counter(name for sample in samples for name in sample.columns)
        shares = {name: count / len(samples) for name, count in asked.most_common()}
        sizes = np.array([sample.n_rules for sample in samples], dtype=np.int64)
        return RuleStability(self.model, tuple(returns), shares, sizes)


def _jaccard(mine: npt.NDArray[np.bool_], theirs: npt.NDArray[np.bool_]) -> float:
    either = np.count_nonzero(mine | theirs)
    return np.count_nonzero(mine & theirs) / either if either else 0.0
