"""Numbers, labels and sets of levels as short text for drawings and listings."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.table import Label, as_label, format_label

__all__ = ["Decimals", "among", "amount", "class_text", "counted", "level_set", "plain_number", "share", "significant"]

_FEWEST, _MOST = 6, 12
_PLURALS = {"leaf": "leaves", "branch": "branches"}
_NOISE = 4e-16  # a decimal this near (relative) is the number that was meant: 0.3815 for 0.38149999999999995


def significant(value: float) -> int:
    """How many digits to print: as many as a short decimal needs, six if there is none."""
    if not math.isfinite(value) or value == 0:
        return _FEWEST
    for digits in range(_FEWEST, _MOST + 1):
        if abs(float(f"{value:.{digits}g}") - value) <= _NOISE * abs(value):
            return digits
    whole = 1 + math.floor(math.log10(abs(value)))
    return min(max(_FEWEST, whole), 15)


def plain_number(value: float) -> str:
    """A real number, readable rather than exact.

    Examples
    --------
    >>> from bough.model.text import plain_number
    >>> [plain_number(x) for x in (3.0, 0.38149999999999995, 206.53333333333333, 1234567.5)]
    ['3', '0.3815', '206.533', '1234567.5']
    """
    return f"{value:.{significant(value)}g}"


def counted(number: int, noun: str) -> str:
    """So many of something.

    Examples
    --------
    >>> from bough.model.text import counted
    >>> counted(1, "leaf"), counted(1200, "leaf"), counted(2, "row")
    ('1 leaf', '1,200 leaves', '2 rows')
    """
    return f"{number:,} {noun if number == 1 else _PLURALS.get(noun, noun + 's')}"


def amount(weight: float) -> str:
    """A count or a sum of weights, with thousands apart."""
    return f"{int(weight):,}" if weight == int(weight) and weight < 1e15 else plain_number(weight)


@dataclass(frozen=True)
class Decimals:
    """How numbers of one kind are printed in one drawing: all with the same decimals, no more than any of them needs.

    Parameters
    ----------
    places : int or None
        Digits after the point; None for numbers so large or small that each is printed with four significant digits.
    thousands : str, default=""
        What stands between the thousands.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.model.text import Decimals
    >>> means = np.array([206.53333333333333, 12.5, 0.1 + 0.2])
    >>> [Decimals.of(means, scale=80.0, digits=3)(x) for x in means]
    ['206.5', '12.5', '0.3']
    """

    places: int | None
    thousands: str = ""

    @classmethod
    def of(cls, values: npt.NDArray[np.float64], *, scale: float, digits: int, thousands: str = "") -> "Decimals":
        """For these numbers, such that one as large as `scale` has so many significant digits."""
        largest = float(np.abs(values).max(initial=0.0))
        scale = scale or largest or 1.0
        places = max(0, digits - 1 - math.floor(math.log10(scale)))
        if places > _MOST or largest >= 1e15:
            return cls(None)
        rounded = np.round(values, places)
        while places and (np.round(values, places - 1) == rounded).all():
            places -= 1
        return cls(places, thousands)

    def __call__(self, value: float) -> str:
        """The number as text."""
        if self.places is None:
            return f"{value:.4g}"
        text = f"{value:{self.thousands}.{self.places}f}"
        return text.removeprefix("-") if not text.strip("-0.") else text


def share(part: float) -> str:
    """A probability or a share in per cent; 0 and 100 only if it is exactly that. `percent` in words.js says the same.

    Examples
    --------
    >>> from bough.model.text import share
    >>> [share(part) for part in (0, 0.0002, 0.004, 0.27, 0.996, 0.9999, 1)]
    ['0 %', '<0.1 %', '0.4 %', '27 %', '99.6 %', '>99.9 %', '100 %']
    """
    if not 0 < part < 1:  # rounding, or a file made by others, may lie beyond
        return f"{100 * min(max(part, 0.0), 1.0):.0f} %"
    for parts in (1, 10):  # of a per cent
        rounded = math.floor(100 * part * parts + 0.5)
        if 0 < rounded < 100 * parts:
            return f"{rounded / parts:g} %"
    return "<0.1 %" if part < 0.5 else ">99.9 %"


def class_text(value: Any, *, quoted: bool = True) -> str:
    """The label of a class as text."""
    label = as_label(value, "target")
    return "missing" if label is None else format_label(label, quoted=quoted)


def among(labels: Sequence[Label], more: int = 0, ellipsis: str = "…", *, quoted: bool = True) -> str:
    """What is asked of a column by a set of levels: that it is one of them, or equals the only one.

    Examples
    --------
    >>> from bough.model.text import among
    >>> among(["A", "C"]), among(["A"]), among(["A"], more=2)
    ('in {A, C}', '= A', 'in {A, … 2 more}')
    """
    if len(labels) == 1 and not more:
        return f"= {format_label(labels[0], quoted=quoted)}"
    return f"in {level_set(labels, more, ellipsis, quoted=quoted)}"


def level_set(labels: Iterable[Label], more: int = 0, ellipsis: str = "…", *, quoted: bool = True) -> str:
    """A set of levels in braces, with the number of those left out.

    Examples
    --------
    >>> from bough.model.text import level_set
    >>> level_set(["A", "C"]), level_set(["A", "B"], more=2)
    ('{A, C}', '{A, B, … 2 more}')
    """
    texts = [format_label(label, quoted=quoted) for label in labels]
    if more:
        texts.append(f"{ellipsis} {more:,} more")
    return "{" + ", ".join(texts) + "}"
