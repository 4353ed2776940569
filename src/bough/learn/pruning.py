"""Cross-validation of the nested subtrees of a tree: each fold grows a tree and judges its subtrees on other rows."""

import dataclasses
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bough.learn.growth import Growth
from bough.model.pruning_path import PruningPath

__all__ = ["Fold", "cross_validate", "in_threads"]

Floats = npt.NDArray[np.float64]
Fold: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # rows to train on, rows to test on


class _Stopped(Exception):  # noqa: N818 (no error: nobody waits for the result any more)
    """A fold is given up."""


def cross_validate(
    growth: Growth,
    path: PruningPath,
    total: float,
    folds: Sequence[Fold],
    along: Callable[[Any, npt.NDArray[Any], Floats], Floats],
    *,
    threads: int,
    counted: Callable[[Any], Any] | None = None,
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
    counted : callable(tree), optional
        The tree with complexities that are counted in another way than it is grown by, which is then grown out.
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
        if counted is None:
            tree = growth.grow(0.0, weights=inside, progress=progress)
        else:
            tree = counted(growth.grow(-1.0, weights=inside, progress=progress))
        if growth.may_ask:
            tree = growth.with_surrogates(tree, weights=inside, progress=progress)
        scale = inside.sum() / weights.sum()  # complexities are sums over rows: a fold has fewer
        sums = np.zeros(len(alpha))
        squares = np.zeros(len(alpha))
        for chunk in _chunks(test, rows_at_once):
            progress(1.0)
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
