"""Other small tables of the textbooks, typed in: tennis, points in the plane, fruit.

They are the data of the worked examples, small enough to check every figure by hand.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from bough.datasets._build import nominal, parse
from bough.datasets.dataset import Dataset

_TENNIS = """
Outlook Temperature Humidity Wind Play
Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No
"""


def load_play_tennis(*, noisy: bool = False) -> Dataset:
    """Fourteen days on which tennis was played or not.

    Parameters
    ----------
    noisy : bool, default=False
        Add a fifteenth day that contradicts the others (Sunny, Hot, Normal, Strong: No). The tree grown out on it
        is larger: the classic picture of overfitting.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
    .. [2] Mitchell, T. M. (1997). Machine Learning. McGraw-Hill. Chapter 3.

    Examples
    --------
    >>> from bough.datasets import load_play_tennis
    >>> len(load_play_tennis()), len(load_play_tennis(noisy=True))
    (14, 15)
    """
    data = parse(_TENNIS + "Sunny Hot Normal Strong No\n" if noisy else _TENNIS)
    levels = {
        "Outlook": ("Sunny", "Overcast", "Rain"),
        "Temperature": ("Hot", "Mild", "Cool"),
        "Humidity": ("High", "Normal"),
        "Wind": ("Weak", "Strong"),
        "Play": ("No", "Yes"),
    }
    target = data.pop("Play")
    return Dataset("play_tennis", data, target, "Play", "Days with and without a game of tennis.", levels)


def load_sixteen_points(*, moved: bool = False) -> Dataset:
    """Sixteen points in the plane, eight of each class: one moves a little and the tree is another one.

    Parameters
    ----------
    moved : bool, default=False
        Give the last point as (0.75, 0.32) instead of (0.75, 0.36). Two first splits then tie.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Duda, R. O., Hart, P. E., Stork, D. G. (2001). Pattern Classification. Wiley. Section 8.3.

    Examples
    --------
    >>> from bough.datasets import load_sixteen_points
    >>> float(load_sixteen_points(moved=True).data["x2"][-1])
    0.32
    """
    first = [
        (0.15, 0.83),
        (0.09, 0.55),
        (0.29, 0.35),
        (0.38, 0.70),
        (0.52, 0.48),
        (0.57, 0.73),
        (0.73, 0.75),
        (0.47, 0.06),
    ]
    second = [(0.10, 0.29), (0.08, 0.15), (0.23, 0.16), (0.70, 0.19), (0.62, 0.47), (0.91, 0.27), (0.65, 0.90)]
    points = np.array([*first, *second, (0.75, 0.32 if moved else 0.36)])
    return Dataset(
        "sixteen_points",
        {"x1": points[:, 0].copy(), "x2": points[:, 1].copy()},
        np.repeat([1, 2], 8),
        "class",
        "Sixteen points in the plane that show how unstable a tree can be.",
    )


def load_ten_points() -> Dataset:
    """Ten points with three columns, made to show surrogate splits.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Duda, R. O., Hart, P. E., Stork, D. G. (2001). Pattern Classification. Wiley. Section 8.3.

    Examples
    --------
    >>> from bough.datasets import load_ten_points
    >>> load_ten_points().data["x3"].tolist()
    [8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    first = [(0, 7, 8), (1, 8, 9), (2, 9, 0), (4, 1, 1), (5, 2, 2)]
    second = [(3, 3, 3), (6, 0, 4), (7, 4, 5), (8, 5, 6), (9, 6, 7)]
    points = np.array(first + second, dtype=np.float64)
    return Dataset(
        "ten_points",
        {f"x{k + 1}": points[:, k].copy() for k in range(3)},
        np.repeat([1, 2], 5),
        "class",
        "Ten points on which x3 is the best surrogate of a split on x1.",
    )


def load_four_classes() -> Dataset:
    """A hundred rows of four classes on a line: Gini cuts off one class, twoing halves the four.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Breiman, L., Friedman, J. H., Olshen, R. A., Stone, C. J. (1984). Classification and Regression Trees.
       Wadsworth. Section 4.3 (the twoing criterion).

    Examples
    --------
    >>> from bough.datasets import load_four_classes
    >>> [int((load_four_classes().target == k).sum()) for k in "abcd"]
    [28, 24, 24, 24]
    """
    rows = [28, 24, 24, 24]
    target = np.repeat(np.array(["a", "b", "c", "d"]), rows)
    return Dataset(
        "four_classes", {"x": np.repeat([1.0, 2.0, 3.0, 4.0], rows)}, target, "class", "Four classes on a line."
    )


def load_missing_score() -> Dataset:
    """Twenty rows on which the score of a split depends on how missing values count.

    The column x1 is wrong for one row of each class; x2 is always right but known for half of the rows only.
    Scored on the known rows x2 is better, scored by the drop times the known share x1 is.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import numpy as np
    >>> from bough.datasets import load_missing_score
    >>> table = load_missing_score()
    >>> int((table.data["x1"] != table.target).sum()), int(np.isnan(table.data["x2"]).sum())
    (2, 10)
    """
    target = np.repeat([0, 1], 10)
    x1 = target.astype(np.float64)
    x1[[0, 10]] = 1 - x1[[0, 10]]
    x2 = target.astype(np.float64)
    x2[5:15] = np.nan
    return Dataset("missing_score", {"x1": x1, "x2": x2}, target, "y", "Half of a perfect column is missing.")


def load_fruit() -> Dataset:
    """Fruit told apart by color, size, shape and taste: every combination that the textbook tree knows.

    Returns
    -------
    Dataset

    References
    ----------
    .. [1] Duda, R. O., Hart, P. E., Stork, D. G. (2001). Pattern Classification. Wiley. Section 8.2.

    Examples
    --------
    >>> from bough.datasets import load_fruit
    >>> fruit = load_fruit()
    >>> sorted(set(fruit.target))
    ['Apple', 'Banana', 'Cherry', 'Grape', 'Grapefruit', 'Lemon', 'Watermelon']
    """
    levels = {
        "color": ("green", "yellow", "red"),
        "size": ("big", "medium", "small"),
        "shape": ("round", "thin"),
        "taste": ("sweet", "sour"),
    }
    rows = [(*cells, name) for cells in product(*levels.values()) if (name := _fruit(*cells)) is not None]
    *inputs, target = zip(*rows, strict=True)
    data = {name: nominal(values) for name, values in zip(levels, inputs, strict=True)}
    return Dataset("fruit", data, nominal(target), "fruit", "Fruit by color, size, shape and taste.", levels)


def _fruit(color: str, size: str, shape: str, taste: str) -> str | None:
    """The name of a fruit, or None where the tree has no such branch."""
    if color == "green":
        return {"big": "Watermelon", "medium": "Apple", "small": "Grape"}[size]
    if color == "yellow":
        if shape == "thin":
            return "Banana"
        return {"big": "Grapefruit", "small": "Lemon"}.get(size)
    if size == "small":
        return "Cherry" if taste == "sweet" else "Grape"
    return "Apple" if size == "medium" else None
