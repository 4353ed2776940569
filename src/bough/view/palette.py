"""The colours of drawings: told apart by people with any colour vision, and in grey by how light they are.

Classes are coloured by how frequent they are, the most frequent first; those beyond the list share a grey and are told
by their names. Values run along one scale from light to dark.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bough.model import Tree

__all__ = [
    "CLASSES",
    "INK",
    "LINE",
    "MUTED",
    "PAPER",
    "REST",
    "ClassColors",
    "class_colors",
    "grey_of",
    "shade",
    "tint",
    "value_color",
]

# Neighbours in this list differ in lightness, and all of them under the three kinds of colour blindness.
CLASSES = ("#2d78d2", "#ffb42d", "#a5152d", "#a3ad5f", "#9fe6fa", "#8a3f96", "#f0652e", "#2f7a4f")
REST = "#e2e5e9"  # classes beyond the list
INK, MUTED, LINE, PAPER = "#1c2126", "#5a636d", "#8b949e", "#ffffff"
_VALUES = ("#eef4fb", "#a9cbe8", "#4f93cf", "#1d5a9e", "#0b2a5b")  # from light to dark


class ClassColors(NamedTuple):
    """The colours of the classes of a tree.

    Parameters
    ----------
    colors : tuple of str
        One colour for each class, by its number.
    named : tuple of int
        The classes with a colour of their own, the most frequent first.
    rest : tuple of int
        The classes that share `REST`.
    """

    colors: tuple[str, ...]
    named: tuple[int, ...]
    rest: tuple[int, ...]


def class_colors(tree: Tree, *, most: int = len(CLASSES)) -> ClassColors:
    """Return the colours of the classes of a tree.

    Up to `most` classes each have one, in the order of the classes; of more, the most frequent at the root have one.

    Examples
    --------
    >>> import bough
    >>> from bough.view.palette import class_colors
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["no"] * 20 + ["yes"] * 20)
    >>> class_colors(clf.tree_)
    ClassColors(colors=('#2d78d2', '#ffb42d'), named=(0, 1), rest=())
    """
    n = 0 if tree.classes is None else len(tree.classes)
    most = min(most, len(CLASSES))
    if n <= most:
        return ClassColors(CLASSES[:n], tuple(range(n)), ())
    counts = np.zeros(n)
    arrays = tree.arrays
    own = slice(arrays.count_begin[0], arrays.count_begin[1])
    counts[arrays.count_class[own]] = arrays.count_weight[own]
    named = np.argsort(-counts, kind="stable")[:most].tolist()
    colors = [REST] * n
    for color, number in zip(CLASSES, named, strict=False):
        colors[number] = color
    return ClassColors(tuple(colors), tuple(named), tuple(k for k in range(n) if k not in set(named)))


def value_color(share: float) -> str:
    """Return the colour of a value that lies at `share` (0 to 1) between the least and the greatest.

    Examples
    --------
    >>> from bough.view.palette import value_color
    >>> value_color(0), value_color(1), value_color(0.5)
    ('#eef4fb', '#0b2a5b', '#4f93cf')
    """
    place = min(max(float(share), 0.0), 1.0) * (len(_VALUES) - 1)
    low = min(int(place), len(_VALUES) - 2)
    return _mixed(_VALUES[low], _VALUES[low + 1], place - low)


def grey_of(color: str) -> float:
    """Return how light a colour is in print without colours: 0 black, 1 white.

    Examples
    --------
    >>> from bough.view.palette import grey_of
    >>> round(grey_of("#2d78d2"), 2), round(grey_of("#ffb42d"), 2)
    (0.5, 0.79)
    """
    share = _channels(color) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    lightness = 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance
    return lightness / 100


def tint(color: str, share: float) -> str:
    """Return a colour mixed with white.

    Examples
    --------
    >>> from bough.view.palette import tint
    >>> tint("#000000", 0.8)
    '#cccccc'
    """
    return _mixed(color, PAPER, share)


def shade(color: str, share: float) -> str:
    """Return a colour mixed with black.

    Examples
    --------
    >>> from bough.view.palette import shade
    >>> shade("#ffffff", 0.2)
    '#cccccc'
    """
    return _mixed(color, "#000000", share)


def _mixed(color: str, other: str, share: float) -> str:
    mixed = _channels(color) * (1 - share) + _channels(other) * share
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed.tolist())


def _channels(color: str) -> npt.NDArray[np.float64]:
    return np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.float64)
