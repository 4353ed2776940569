"""Rows that are kept back from growing, to stop or to prune with."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.recipe import parameters as check

__all__ = ["check_holdout", "kept_back"]

Rows = npt.NDArray[np.int64]


def check_holdout(name: str, holdout: Any) -> None:
    """A number of folds, a share, or rows: positions or a mask."""
    if np.ndim(holdout) == 0:
        if isinstance(holdout, float | np.floating) and 0.0 < holdout < 1.0:
            return
        if not isinstance(holdout, float | np.floating):
            check.whole(name, holdout, 2)
            return
    rows = np.asarray(holdout)
    if rows.ndim != 1 or rows.dtype.kind not in "biu" or len(rows) == 0:
        raise ParameterError(
            f"{name} must be a number of folds, a share between 0 and 1, row numbers or a mask of rows; got "
            f"{holdout!r:.80}."
        )


def kept_back(
    holdout: Any, codes: npt.NDArray[np.uint32], used: npt.NDArray[np.bool_], name: str = "holdout"
) -> npt.NDArray[np.bool_]:
    """Which rows are kept back; rows that take no part are not.

    Parameters
    ----------
    holdout : int, float or array
        Out of so many folds one is kept back, each having the classes in like shares; or this share of the rows; or
        the rows themselves.
    codes : ndarray
        The class of each row.
    used : ndarray of bool
        The rows that take part.
    name : str, default="holdout"
        What errors call it.
    """
    check_holdout(name, holdout)
    kept = np.zeros(len(codes), dtype=bool)
    if np.ndim(holdout) > 0:
        rows = np.asarray(holdout)
        wrong = len(rows) != len(codes) if rows.dtype.kind == "b" else ((rows < 0) | (rows >= len(codes))).any()
        if wrong:
            raise ParameterError(f"{name} names rows that X does not have: it has {len(codes)}.")
        kept[rows] = True
        kept &= used
    else:
        rows = np.flatnonzero(used)
        share = isinstance(holdout, float | np.floating)
        folds = max(2, round(1 / holdout)) if share else int(holdout)
        number = round(len(rows) * holdout) if share else len(rows) // folds
        if len(rows) < folds or number == 0:
            what = f"{name}={holdout} is less than one row" if share else f"{name}={holdout} folds need as many rows"
            raise ParameterError(f"{what}; here n_samples = {len(rows)}.")
        kept[_last(rows, codes[rows], folds, number)] = True
    if not (used & ~kept).any():
        raise ParameterError(f"{name} leaves no row to grow a tree on.")
    return kept


def _last(rows: Rows, codes: npt.NDArray[np.uint32], folds: int, number: int) -> Rows:
    """So many of the last rows, after dealing out to folds: by class, in order of appearance, in turn.

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
    last: Rows = rows[dealt[len(dealt) - number :]]
    return last
