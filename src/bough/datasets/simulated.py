"""Generators with a known best answer: broken digits, waveforms, Friedman's three functions.

Every row is drawn from a distribution that is written down, so the error of the ideal learner is known.
"""

from __future__ import annotations

import numpy as np

from bough.datasets._build import Array, RandomState, check_share, check_size, check_spread, generator
from bough.datasets.dataset import Dataset

_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")

# The segments that are on for the digits 0 to 9, in the order above.
_DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011")


def make_led(n: int = 1000, *, noise: float = 0.1, irrelevant: int = 0, random_state: RandomState = None) -> Dataset:
    """Digits of a broken calculator: each of the seven segments shows the wrong state now and then.

    Parameters
    ----------
    n : int, default=1000
        Rows.
    noise : float, default=0.1
        Chance of each segment to be inverted. At 0.1 no rule errs less than 26 % of the time.
    irrelevant : int, default=0
        Number of columns of coin flips to add; 17 is common.
    random_state : int, numpy Generator or None, default=None
        The seed; None is a fixed one.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Breiman, L., Friedman, J. H., Olshen, R. A., Stone, C. J. (1984). Classification and Regression Trees.
       Wadsworth. Section 2.6.1.

    Examples
    --------
    >>> from bough.datasets import make_led
    >>> eight = make_led(100, noise=0, random_state=0)
    >>> all(column[eight.target == 8].all() for column in eight.data.values())
    True
    """
    check_size(n)
    check_share(noise)
    rng = generator(random_state)
    digit = rng.integers(10, size=n)
    shown = np.array([[mark == "1" for mark in marks] for marks in _DIGITS])[digit]
    shown = shown ^ (rng.random(shown.shape) < noise)
    data = {name: shown[:, k].copy() for k, name in enumerate(_SEGMENTS)}
    data |= {f"noise{k + 1}": rng.random(n) < 0.5 for k in range(irrelevant)}
    return Dataset("led", data, digit, "digit", "The digit behind seven unreliable segments.")


def make_waveform(
    n: int = 300, *, noise: float = 1.0, irrelevant: int = 0, random_state: RandomState = None
) -> Dataset:
    """Three classes of waves seen at 21 points, each a random mixture of two of three triangles, plus noise.

    Parameters
    ----------
    n : int, default=300
        Rows.
    noise : float, default=1.0
        Standard deviation of the normal noise at each point. At 1 the best rule errs about 14 % of the time.
    irrelevant : int, default=0
        Number of columns of standard normal noise to add; 19 is common.
    random_state : int, numpy Generator or None, default=None
        The seed; None is a fixed one.

    Returns
    -------
    Dataset
        Class 1 mixes the triangles with peaks at 11 and 15, class 2 those at 11 and 7, class 3 those at 15 and 7.

    References
    ----------
    .. [1] Breiman, L., Friedman, J. H., Olshen, R. A., Stone, C. J. (1984). Classification and Regression Trees.
       Wadsworth. Section 2.6.2.

    Examples
    --------
    >>> from bough.datasets import make_waveform
    >>> waves = make_waveform(50, random_state=0)
    >>> len(waves.data), sorted(set(waves.target.tolist()))
    (21, [1, 2, 3])
    """
    check_size(n)
    check_spread(noise)
    rng = generator(random_state)
    place = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - np.abs(place - peak), 0) for peak in (11, 15, 7)], dtype=np.float64)
    label = rng.integers(1, 4, size=n)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])[label - 1]
    share = rng.random((n, 1))
    waves = share * triangles[pairs[:, 0]] + (1 - share) * triangles[pairs[:, 1]]
    waves += noise * rng.standard_normal(waves.shape)
    data = _numbered(waves)
    data |= {f"noise{k + 1}": rng.standard_normal(n) for k in range(irrelevant)}
    return Dataset("waveform", data, label, "class", "Noisy mixtures of two out of three waves.")


def make_friedman1(n: int = 200, *, noise: float = 1.0, random_state: RandomState = None) -> Dataset:
    """Friedman's first function of ten uniform columns, of which five matter.

    ``y = 10 sin(pi x1 x2) + 20 (x3 - 0.5)^2 + 10 x4 + 5 x5 + noise e``, e standard normal.

    Parameters
    ----------
    n : int, default=200
        Rows.
    noise : float, default=1.0
        Standard deviation of the noise.
    random_state : int, numpy Generator or None, default=None
        The seed; None is a fixed one.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Friedman, J. H. (1991). Multivariate adaptive regression splines. The Annals of Statistics 19, 1-67.

    Examples
    --------
    >>> from bough.datasets import make_friedman1
    >>> len(make_friedman1(20, random_state=0).data)
    10
    """
    check_size(n)
    check_spread(noise)
    rng = generator(random_state)
    x = rng.random((n, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    y += noise * rng.standard_normal(n)
    return Dataset("friedman1", _numbered(x), y, "y", "Friedman's first function; the last five columns are noise.")


def make_friedman2(n: int = 200, *, noise: float = 125.0, random_state: RandomState = None) -> Dataset:
    """Friedman's second function: the impedance of an alternating-current circuit.

    ``y = sqrt(x1^2 + (x2 x3 - 1 / (x2 x4))^2) + noise e`` with resistance x1 in [0, 100], frequency x2 in
    [40 pi, 560 pi], inductance x3 in [0, 1] and capacity x4 in [1, 11], all uniform.

    Parameters
    ----------
    n, random_state
        As for `make_friedman1`.
    noise : float, default=125.0
        Standard deviation of the noise; the default leaves three parts of signal to one of noise.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Friedman, J. H. (1991). Multivariate adaptive regression splines. The Annals of Statistics 19, 1-67.

    Examples
    --------
    >>> from bough.datasets import make_friedman2
    >>> make_friedman2(20, random_state=0).feature_names
    ['x1', 'x2', 'x3', 'x4']
    """
    check_spread(noise)
    rng = generator(random_state)
    x, reactance = _circuit(n, rng)
    y = np.hypot(x[:, 0], reactance) + noise * rng.standard_normal(n)
    return Dataset("friedman2", _numbered(x), y, "y", "The impedance of a circuit.")


def make_friedman3(n: int = 200, *, noise: float = 0.1, random_state: RandomState = None) -> Dataset:
    """Friedman's third function: the phase of an alternating-current circuit.

    ``y = arctan((x2 x3 - 1 / (x2 x4)) / x1) + noise e`` with the columns of `make_friedman2`.

    Parameters
    ----------
    n, random_state
        As for `make_friedman1`.
    noise : float, default=0.1
        Standard deviation of the noise; the default leaves three parts of signal to one of noise.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Friedman, J. H. (1991). Multivariate adaptive regression splines. The Annals of Statistics 19, 1-67.

    Examples
    --------
    >>> from bough.datasets import make_friedman3
    >>> phase = make_friedman3(20, noise=0, random_state=0)
    >>> bool(abs(phase.target).max() < 1.58)
    True
    """
    check_spread(noise)
    rng = generator(random_state)
    x, reactance = _circuit(n, rng)
    y = np.arctan2(reactance, x[:, 0]) + noise * rng.standard_normal(n)
    return Dataset("friedman3", _numbered(x), y, "y", "The phase of a circuit.")


def _circuit(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    check_size(n)
    low = np.array([0.0, 40 * np.pi, 0.0, 1.0])
    high = np.array([100.0, 560 * np.pi, 1.0, 11.0])
    x = low + (high - low) * rng.random((n, 4))
    return x, x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3])


def _numbered(x: Array) -> dict[str, Array]:
    return {f"x{k + 1}": x[:, k].copy() for k in range(x.shape[1])}
