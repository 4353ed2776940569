"""The cost-complexity path: nested subtrees, their cross-validated risk, and the choice among them."""

import dataclasses
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.learn.growth import Growth
from bough.model.arrays import risk_total

__all__ = [
    "Fold",
    "PruningPath",
    "choose_row",
    "cross_validate",
    "in_threads",
    "pruning_path",
    "risk_total",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Fold: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # rows to train on, rows to test on


class _Stopped(Exception):  # noqa: N818 (no error: nobody waits for the result any more)
    """A fold is given up."""


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
        On the training rows: mean cost of an answer (for classes without costs the error rate, for numbers the mean
        squared or absolute error).
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


def pruning_path(tree: Any, total: float, cp: float) -> PruningPath:
    """The sequence of subtrees of a kernel tree that was cut at `cp`; `total` is what risks are divided by."""
    inner = np.diff(tree.child_begin) > 0
    root_risk = float(tree.risk[0])
    steps = np.unique(tree.complexity[inner])[::-1]
    if len(steps) > 1:  # complexities that rounding alone tells apart are one step
        steps = steps[np.r_[True, steps[1:] < steps[:-1] * (1 - 1e-12)]]
    least = max(cp, 0.0) * root_risk
    alphas = np.r_[steps[steps > least * (1 + 1e-12)], least]
    # Children are counted and risks summed over the nodes that each subtree splits.
    branches = np.diff(tree.child_begin).astype(np.int64)
    child_risk = (
        np.bincount(tree.parent[1:], weights=tree.risk[1:], minlength=len(tree)) if len(tree) > 1 else np.zeros(1)
    )
    falls = np.where(inner, tree.risk - child_risk, 0.0)
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


def cross_validate(
    growth: Growth,
    path: PruningPath,
    total: float,
    folds: Sequence[Fold],
    along: Callable[[Any, npt.NDArray[Any], Floats], Floats],
    *,
    threads: int,
    scale_of: Floats | None = None,
    done: Callable[[], None] | None = None,
) -> tuple[Floats, Floats]:
    """Cross-validated risk of each row of the path and its standard error.

    Each fold grows its own sequence; a row of the path stands for the geometric mean of its alphas, as in Breiman et
    al. (1984, section 11.4.1).

    Parameters
    ----------
    along : callable(tree, rows, levels)
        What the answers of the subtrees at levels of complexity cost for the rows: shape (n_levels, n_rows).
    scale_of : ndarray, optional
        By row: the factor of its class in risks.
    done : callable(), optional
        Called after each fold, from the thread that worked on it.
    """
    weights = growth.weights if growth.weights is not None else np.ones(growth.ranked.n_rows)
    alpha = path.alpha * total
    upper = np.r_[np.inf, alpha[:-1]]
    representative = np.sqrt(upper * alpha)

    workers = min(threads, len(folds))
    growth = dataclasses.replace(growth, options={**growth.options, "threads": max(1, threads // workers)})
    rows_at_once = max(1, (1 << 22) // len(alpha))

    def one_fold(fold: Fold, stop: threading.Event) -> tuple[Floats, Floats, npt.NDArray[Any]]:
        def progress(_: float) -> None:
            if stop.is_set():
                raise _Stopped

        train, test = fold
        inside = np.zeros(len(weights))
        inside[train] = weights[train]
        test = test[weights[test] > 0]
        tree = growth.grow(0.0, weights=inside, progress=progress)
        if growth.may_ask:
            tree = growth.with_surrogates(tree, weights=inside, progress=progress)
        scale = inside.sum() / weights.sum()  # complexities are sums over rows: a fold has fewer
        sums = np.zeros(len(alpha))
        squares = np.zeros(len(alpha))
        for chunk in _chunks(test, rows_at_once):
            cost = along(tree, chunk, representative * scale)
            sums += cost @ weights[chunk]
            squares += (cost * cost) @ weights[chunk]
        if done is not None:
            done()
        return sums, squares, test

    parts = in_threads(one_fold, folds, workers)
    sums = np.sum([part[0] for part in parts], axis=0)
    squares = np.sum([part[1] for part in parts], axis=0)
    # Folds that test a row twice, or never, are averaged over what they did test.
    tested = np.concatenate([part[2] for part in parts])
    mass = float(weights[tested].sum())
    spread = np.sqrt(np.maximum(squares - sums * (sums / mass), 0.0))
    tested_total = mass if scale_of is None else float(weights[tested] @ scale_of[tested])
    return sums / tested_total, spread / tested_total


def in_threads(work: Callable[[Fold, threading.Event], Any], folds: Sequence[Fold], workers: int) -> list[Any]:
    """The results of the folds in their order; after an interrupt or an error no thread goes on."""
    stop = threading.Event()
    if workers == 1:
        return [work(fold, stop) for fold in folds]
    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(work, fold, stop) for fold in folds]
        try:
            # Short waits, because some systems do not answer Ctrl-C in a long one.
            while wait(running, timeout=0.1, return_when=FIRST_EXCEPTION).not_done:
                if any(future.done() and future.exception() is not None for future in running):
                    break
            return [future.result() for future in running if future.done()]
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _chunks(rows: npt.NDArray[Any], size: int) -> Sequence[npt.NDArray[Any]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def choose_row(path: PruningPath, rule: str) -> int:
    """The row of least cross-validated risk, or the smallest tree within one standard error of it."""
    if path.cv_risk is None or path.cv_se is None:
        raise ValueError("the path has not been cross-validated")
    best = int(np.argmin(path.cv_risk))
    if rule == "min":
        return best
    return int(np.argmax(path.cv_risk <= path.cv_risk[best] + path.cv_se[best]))
