"""The watermelons of the textbook: a nominal table, the same with gaps, and the same with two numeric columns."""

from __future__ import annotations

import numpy as np

from bough.datasets._build import nominal, parse
from bough.datasets.dataset import Dataset
from bough.errors import ParameterError

_WATERMELON = """
color root sound texture umbilicus surface ripe
green curly muffled clear hollow hard true
dark curly dull clear hollow hard true
dark curly muffled clear hollow hard true
green curly dull clear hollow hard true
light curly muffled clear hollow hard true
green slightly_curly muffled clear slightly_hollow soft true
dark slightly_curly muffled slightly_blurry slightly_hollow soft true
dark slightly_curly muffled clear slightly_hollow hard true
dark slightly_curly dull slightly_blurry slightly_hollow hard false
green straight crisp clear flat soft false
light straight crisp blurry flat hard false
light curly muffled blurry flat soft false
green slightly_curly muffled slightly_blurry hollow hard false
light slightly_curly dull slightly_blurry hollow hard false
dark slightly_curly muffled clear slightly_hollow soft false
light curly muffled blurry flat hard false
green curly dull slightly_blurry slightly_hollow hard false
"""

# Cells of the same table that version 2.0a leaves unknown: column -> row numbers from 1.
_UNKNOWN = {
    "color": (1, 5, 13),
    "root": (9, 17),
    "sound": (3, 12),
    "texture": (8, 10),
    "umbilicus": (6, 15),
    "surface": (2, 11),
}

_DENSITY = ".697 .774 .634 .608 .556 .403 .481 .437 .666 .243 .245 .343 .639 .657 .360 .593 .719"
_SUGAR = ".460 .376 .264 .318 .215 .237 .149 .211 .091 .267 .057 .099 .161 .198 .370 .042 .103"

_WATERMELON_LEVELS = {
    "color": ("green", "dark", "light"),
    "root": ("curly", "slightly_curly", "straight"),
    "sound": ("muffled", "dull", "crisp"),
    "texture": ("clear", "slightly_blurry", "blurry"),
    "umbilicus": ("hollow", "slightly_hollow", "flat"),
    "surface": ("hard", "soft"),
}


def load_watermelon(version: str = "2.0", *, with_id: bool = False) -> Dataset:
    """Seventeen watermelons, ripe or not.

    Parameters
    ----------
    version : {"2.0", "2.0a", "3.0"}, default="2.0"
        "2.0" has six nominal columns, "2.0a" the same with 13 values missing, "3.0" two numeric columns more.
    with_id : bool, default=False
        Put the row number first, as a nominal column: it has the largest information gain and no use, which is
        what the gain ratio is for.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Zhou, Z.-H. (2021). Machine Learning. Springer. Chapter 4.

    Examples
    --------
    >>> from bough.datasets import load_watermelon
    >>> load_watermelon("3.0").feature_names
    ['color', 'root', 'sound', 'texture', 'umbilicus', 'surface', 'density', 'sugar']
    >>> sum(value is None for c in load_watermelon("2.0a").data.values() for value in c)
    13
    """
    if version not in ("2.0", "2.0a", "3.0"):
        raise ParameterError(f"version is {version!r}; choose '2.0', '2.0a' or '3.0'")
    data = parse(_WATERMELON)
    target = data.pop("ripe") == "true"
    levels = dict(_WATERMELON_LEVELS)
    if version == "2.0a":
        for name, rows in _UNKNOWN.items():
            data[name][np.asarray(rows) - 1] = None
    if version == "3.0":
        data |= {
            "density": np.array(_DENSITY.split(), dtype=np.float64),
            "sugar": np.array(_SUGAR.split(), dtype=np.float64),
        }
    if with_id:
        levels["id"] = tuple(str(row) for row in range(1, 18))
        data = {"id": nominal(levels["id"]), **data}
    return Dataset("watermelon", data, target, "ripe", f"Watermelon {version}: is the melon ripe?", levels)
