"""Wilson's score interval of a share: what rows can tell of it."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

__all__ = ["wilson"]

Floats = npt.NDArray[np.float64]


def wilson(share: npt.ArrayLike, rows: npt.ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's score interval of a share that is known from so many rows; all of [0, 1] without any.

    Examples
    --------
    >>> from bough.model.wilson import wilson
    >>> [float(end.round(3)) for end in wilson(0.9, 20)]
    [0.699, 0.972]
    >>> [float(end.round(3)) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    told, n = np.asarray(share, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    z = NormalDist().inv_cdf((1 + level) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = 1 + z * z / n
        centre = (told + z * z / (2 * n)) / shrink
        half = z / shrink * np.sqrt(np.maximum(told * (1 - told), 0.0) / n + z * z / (4 * n * n))
    # The ends of a share of 0 or 1 are exact.
    low = np.where(told <= 0, 0.0, np.minimum(np.maximum(centre - half, 0.0), told))
    high = np.where(told >= 1, 1.0, np.maximum(np.minimum(centre + half, 1.0), told))
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)
