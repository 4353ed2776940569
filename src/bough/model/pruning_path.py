"""The nested subtrees that cost-complexity pruning leaves of a tree, from the root alone to the whole."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["PruningPath", "pruning_path"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PruningPath:
    """The nested subtrees from the root alone to the whole tree, one a row.

    Row i is the best subtree for every alpha in [alpha[i], alpha[i - 1]).

    Attributes
    ----------
    cp : ndarray
        Complexity relative to the risk of the root.
    alpha : ndarray
        The same in units of risk.
    n_leaves, n_splits : ndarray
    risk : ndarray
        On the training rows, in the measure that the tree is pruned by: mean cost of an answer (for classes without
        costs the error rate, for numbers the mean squared or absolute error), mean Brier score or mean deviance.
    cv_risk, cv_se : ndarray or None
        Cross-validated risk and its standard error.
    """

    cp: Floats
    alpha: Floats
    n_leaves: Ints
    n_splits: Ints
    risk: Floats
    cv_risk: Floats | None = None
    cv_se: Floats | None = None

    def __len__(self) -> int:
        return len(self.cp)

    def rows(self, chosen: Any) -> "PruningPath":
        """Some of the rows."""
        fields: dict[str, Any] = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        kept: dict[str, Any] = {name: None if values is None else values[chosen] for name, values in fields.items()}
        return PruningPath(**kept)

    def up_to(self, n_leaves: int) -> "PruningPath":
        """The rows of the subtrees with at most so many leaves."""
        return self.rows(self.n_leaves <= n_leaves)

    def down_to(self, alpha: float) -> "PruningPath":
        """The rows of a tree that is cut at alpha; the last, the tree itself, is known down to there."""
        last = min(int(np.count_nonzero(self.alpha > alpha * (1 + 1e-12))), len(self) - 1)
        kept = self.rows(slice(0, last + 1))
        levels = np.r_[kept.alpha[:-1], max(float(kept.alpha[-1]), alpha)]
        root = float(self.risk[0])
        return dataclasses.replace(kept, alpha=levels, cp=np.r_[kept.cp[:-1], levels[-1] / root if root > 0 else 0.0])

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name; cross-validated ones are NaN where there was no cross-validation."""
        blank = np.full(len(self), np.nan)
        return {
            "cp": self.cp,
            "alpha": self.alpha,
            "n_leaves": self.n_leaves,
            "n_splits": self.n_splits,
            "risk": self.risk,
            "cv_risk": blank if self.cv_risk is None else self.cv_risk,
            "cv_se": blank if self.cv_se is None else self.cv_se,
        }

    def chosen(self, rule: str) -> int:
        """The row of least cross-validated risk ("min"), or of the smallest tree within one standard error ("1se")."""
        if self.cv_risk is None or self.cv_se is None:
            raise ValueError("the path has not been cross-validated")
        best = int(np.argmin(self.cv_risk))
        if rule == "min":
            return best
        return int(np.argmax(self.cv_risk <= self.cv_risk[best] + self.cv_se[best]))


def pruning_path(tree: Any, total: float, cp: float, risk: Floats | None = None) -> PruningPath:
    """The sequence of subtrees of a kernel tree that was cut at `cp`.

    Parameters
    ----------
    tree : _core.Tree
    total : float
        What risks are divided by.
    cp : float
    risk : ndarray, optional
        Of the nodes, where complexities were counted over another one than the tree's own.
    """
    inner = np.diff(tree.child_begin) > 0
    risk = np.asarray(tree.risk) if risk is None else risk
    root_risk = float(risk[0])
    steps = np.unique(tree.complexity[inner])[::-1]
    if len(steps) > 1:  # complexities that rounding alone tells apart are one step
        steps = steps[np.r_[True, steps[1:] < steps[:-1] * (1 - 1e-12)]]
    least = max(cp, 0.0) * root_risk
    alphas = np.r_[steps[steps > least * (1 + 1e-12)], least]
    # Children are counted and risks summed over the nodes that each subtree splits.
    branches = np.diff(tree.child_begin).astype(np.int64)
    child_risk = np.bincount(tree.parent[1:], weights=risk[1:], minlength=len(tree)) if len(tree) > 1 else np.zeros(1)
    falls = np.where(inner, risk - child_risk, 0.0)
    order = np.argsort(-tree.complexity, kind="stable")
    split_so_far = np.searchsorted(-tree.complexity[order], -alphas * (1 + 1e-12), side="left")
    split_so_far = np.minimum(split_so_far, int(inner.sum()))
    fallen = np.r_[0.0, np.cumsum(falls[order])][split_so_far]
    added = np.r_[0, np.cumsum(np.where(inner, branches - 1, 0)[order])][split_so_far]
    return PruningPath(
        cp=alphas / root_risk if root_risk > 0 else np.zeros(len(alphas)),
        alpha=alphas / total,
        n_leaves=added + 1,
        n_splits=split_so_far.astype(np.int64),
        risk=np.maximum(root_risk - fallen, 0.0) / total,
    )
