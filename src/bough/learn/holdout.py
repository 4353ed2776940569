"""Rows that are kept back from growing, to prune with."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.learn import parameters as check

__all__ = ["check_holdout", "kept_back"]

Rows = npt.NDArray[np.int64]


def check_holdout(holdout: Any) -> None:
    """A number of folds, or rows: positions or a mask."""
    if np.ndim(holdout) == 0:
        check.whole("holdout", holdout, 2)
        return
    rows = np.asarray(holdout)
    if rows.ndim != 1 or rows.dtype.kind not in "biu" or len(rows) == 0:
        raise ParameterError(f"holdout must be a number of folds, row numbers or a mask of rows; got {holdout!r:.80}.")


def kept_back(holdout: Any, codes: npt.NDArray[np.uint32], used: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which rows are kept back; rows that take no part are not.

    Parameters
    ----------
    holdout : int or array
        Out of so many folds one is kept back, each having the classes in like shares; or the rows themselves.
    codes : ndarray
        The class of each row.
    used : ndarray of bool
        The rows that take part.
    """
    check_holdout(holdout)
    kept = np.zeros(len(codes), dtype=bool)
    if np.ndim(holdout) > 0:
        rows = np.asarray(holdout)
        wrong = len(rows) != len(codes) if rows.dtype.kind == "b" else ((rows < 0) | (rows >= len(codes))).any()
        if wrong:
            raise ParameterError(f"holdout names rows that X does not have: it has {len(codes)}.")
        kept[rows] = True
        kept &= used
    else:
        rows = np.flatnonzero(used)
        if len(rows) < int(holdout):
            raise ParameterError(f"holdout={holdout} folds need as many rows; here n_samples = {len(rows)}.")
        kept[_last_fold(rows, codes[rows], int(holdout))] = True
    if not (used & ~kept).any():
        raise ParameterError("holdout leaves no row to grow a tree on.")
    return kept


def _last_fold(rows: Rows, codes: npt.NDArray[np.uint32], folds: int) -> Rows:
    """The last of so many folds: rows by class, in order of appearance, dealt out in turn.

    Rows of a class are fetched to the front by exchanges, which mixes the rows of the classes behind; Weka does it
    so, and which rows are kept back depends on it.
    """
    order = np.arange(len(rows))
    labels = codes.copy()
    first = 0
    while first < len(order):
        label = labels[first]
        for place, found in enumerate((np.flatnonzero(labels[first + 1 :] == label) + first + 1).tolist(), first + 1):
            order[place], order[found] = order[found], order[place]
            labels[place], labels[found] = labels[found], labels[place]
            first = place
        first += 1
    dealt = np.concatenate([order[start::folds] for start in range(folds)])
    last: Rows = rows[dealt[len(dealt) - len(dealt) // folds :]]
    return last
