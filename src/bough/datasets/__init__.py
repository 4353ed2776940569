"""Tables to learn and to teach with: textbook tables, complete concepts, simulated and real data.

``load_*`` gives a table that someone wrote down, ``make_*`` one that a rule or a distribution makes. Each returns a
`Dataset`; `names` lists them and `load` finds them by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bough.datasets.concepts import make_balance_scale, make_majority_of_bits, make_monks, make_tic_tac_toe
from bough.datasets.curve import load_curve
from bough.datasets.dataset import Dataset
from bough.datasets.plane import make_circle, make_diagonal, make_two_lines
from bough.datasets.real import load_penguins, load_titanic
from bough.datasets.simulated import make_friedman1, make_friedman2, make_friedman3, make_led, make_waveform
from bough.datasets.textbook import (
    load_four_classes,
    load_fruit,
    load_missing_score,
    load_play_tennis,
    load_sixteen_points,
    load_ten_points,
)
from bough.datasets.watermelon import load_watermelon
from bough.errors import ParameterError

__all__ = [
    "Dataset",
    "load",
    "load_curve",
    "load_four_classes",
    "load_fruit",
    "load_missing_score",
    "load_penguins",
    "load_play_tennis",
    "load_sixteen_points",
    "load_ten_points",
    "load_titanic",
    "load_watermelon",
    "make_balance_scale",
    "make_circle",
    "make_diagonal",
    "make_friedman1",
    "make_friedman2",
    "make_friedman3",
    "make_led",
    "make_majority_of_bits",
    "make_monks",
    "make_tic_tac_toe",
    "make_two_lines",
    "make_waveform",
    "names",
]

_BY_NAME: dict[str, Callable[..., Dataset]] = {
    "balance_scale": make_balance_scale,
    "circle": make_circle,
    "curve": load_curve,
    "diagonal": make_diagonal,
    "four_classes": load_four_classes,
    "friedman1": make_friedman1,
    "friedman2": make_friedman2,
    "friedman3": make_friedman3,
    "fruit": load_fruit,
    "led": make_led,
    "majority_of_bits": make_majority_of_bits,
    "missing_score": load_missing_score,
    "monks": make_monks,
    "penguins": load_penguins,
    "play_tennis": load_play_tennis,
    "sixteen_points": load_sixteen_points,
    "ten_points": load_ten_points,
    "tic_tac_toe": make_tic_tac_toe,
    "titanic": load_titanic,
    "two_lines": make_two_lines,
    "watermelon": load_watermelon,
    "waveform": make_waveform,
}


def names() -> list[str]:
    """Names of all data sets.

    Examples
    --------
    >>> from bough import datasets
    >>> "penguins" in datasets.names()
    True
    """
    return list(_BY_NAME)


def load(name: str, **parameters: Any) -> Dataset:
    """A data set by its name.

    Parameters
    ----------
    name : str
        One of `names`.
    **parameters
        Passed to its function, `load_<name>` or `make_<name>`.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from bough import datasets
    >>> datasets.load("monks", problem=3)
    Dataset(monks: 432 rows, 6 columns, target 'monk')
    """
    if name not in _BY_NAME:
        raise ParameterError(f"there is no data set {name!r}; choose one of {', '.join(_BY_NAME)}")
    return _BY_NAME[name](**parameters)
