"""Weights as whole numbers, in which the kernel of forests adds: sums are exact in any order, and ties are ties."""

import numpy as np
import numpy.typing as npt

__all__ = ["whole_weights"]

Floats = npt.NDArray[np.float64]

_SUM = 2.0**28  # leaves room for rows that are drawn often
_LARGEST = {2: 2.0**27, 16: 2.0**24}  # by number of classes: what fits beside a row's class, with the same room
_MANY = 2.0**12


def whole_weights(weights: Floats, classes: int) -> tuple[npt.NDArray[np.uint32], float]:
    """Return weights as whole numbers, and the whole number that a weight of 1 became.

    Whole weights stay as they are, others are rounded to a share of 2^-28 of their sum or finer than one in a thousand
    of the largest, whichever is coarser; a row of positive weight keeps some.

    Parameters
    ----------
    weights : ndarray
        Not negative, some positive.
    classes : int
        0 for numbers.

    Returns
    -------
    ndarray of uint32, float

    Examples
    --------
    >>> whole_weights(np.array([1.0, 0.0, 3.0]), 2)
    (array([1, 0, 3], dtype=uint32), 1.0)
    >>> whole, unit = whole_weights(np.array([0.5, 1.5]), 2)
    >>> whole / unit
    array([0.5, 1.5])
    """
    largest = next((most for number, most in _LARGEST.items() if classes <= number), _MANY)
    total, top = float(weights.sum()), float(weights.max())
    if (weights == np.floor(weights)).all() and total <= _SUM and top <= largest:
        return weights.astype(np.uint32), 1.0
    unit = float(2.0 ** np.floor(np.log2(min(_SUM / total, largest / top))))
    whole = np.maximum(np.rint(weights * unit), (weights > 0).astype(np.float64))
    return whole.astype(np.uint32), unit
