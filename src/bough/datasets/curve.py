"""A noisy curve over one number: what the steps of a regression tree make of it can be seen at a glance."""

from __future__ import annotations

import numpy as np

from bough.datasets.dataset import Dataset

# Pairs of x and y, drawn once: y = 1.4 sin(1.2 x) + x / 4 with normal noise of deviation 0.25.
_PAIRS = """
0.29 0.61  0.31 0.64  0.42 0.74  0.43 1.15  0.50 1.32  0.55 1.19  0.72 1.02  0.76 1.43  1.03 1.62  1.09 1.54
1.22 1.34  1.24 1.95  1.34 2.06  1.45 1.85  1.53 1.87  2.22 1.66  2.34 1.55  2.56 0.82  2.65 -0.08  2.79 0.61
2.80 0.46  2.84 0.54  3.02 0.00  3.29 -0.41  3.34 -0.08  3.47 -0.38  3.62 -0.35  3.65 -0.28  3.74 -0.38  3.81 -0.77
3.93 -0.25  3.95 -0.51  3.96 -0.44  4.10 -0.22  4.24 -0.58  4.26 -0.27  4.28 -0.64  4.38 -0.22  4.45 0.08  4.47 -0.01
4.54 0.04  4.94 0.90  5.10 0.96  5.18 0.81  5.36 1.82  5.38 1.64  5.42 1.86  5.58 1.86  5.84 2.28  6.25 2.69
6.26 2.40  6.29 2.79  6.35 2.80  6.75 3.44  7.14 2.36  7.21 2.78  7.48 2.42  7.52 2.40  7.60 2.27  7.89 1.95
"""


def load_curve() -> Dataset:
    """Sixty points along a wave that rises, with noise.

    Small thresholds of the error follow every point, large ones smooth the waves away.

    Returns
    -------
    Dataset
        ``y`` is 1.4 sin(1.2 x) + x / 4 with normal noise of deviation 0.25; no tree can know the noise.

    Examples
    --------
    >>> from bough.datasets import load_curve
    >>> load_curve()
    Dataset(curve: 60 rows, 1 column, target 'y')
    """
    pairs = np.array(_PAIRS.split(), dtype=np.float64).reshape(-1, 2)
    story = "A rising wave with noise, to see how far a regression tree smooths it."
    return Dataset("curve", {"x": pairs[:, 0].copy()}, pairs[:, 1].copy(), "y", story)
