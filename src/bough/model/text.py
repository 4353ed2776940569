"""Numbers, labels and sets of levels as short text for drawings and listings."""

import math
from collections.abc import Iterable
from typing import Any

from bough.table import Label, as_label, format_label

__all__ = ["amount", "class_text", "level_set", "plain_number", "share", "significant"]

_FEWEST, _MOST = 6, 12
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


def amount(weight: float) -> str:
    """A count or a sum of weights, with thousands apart."""
    return f"{int(weight):,}" if weight == int(weight) and weight < 1e15 else plain_number(weight)


def share(probability: float) -> str:
    """A probability in two decimals; 0 and 1 only if it is exactly that."""
    text = f"{probability:.2f}"
    if text == "1.00":
        return "1" if probability == 1 else ">0.99"
    if text == "0.00":
        return "0" if probability == 0 else "<0.01"
    return text


def class_text(value: Any) -> str:
    """The label of a class as text."""
    label = as_label(value, "target")
    return "missing" if label is None else format_label(label)


def level_set(labels: Iterable[Label], more: int = 0, ellipsis: str = "…") -> str:
    """A set of levels in braces, with the number of those left out.

    Examples
    --------
    >>> from bough.model.text import level_set
    >>> level_set(["A", "C"]), level_set(["A", "B"], more=2)
    ('{A, C}', '{A, B, … 2 more}')
    """
    texts = [format_label(label) for label in labels]
    if more:
        texts.append(f"{ellipsis} {more:,} more")
    return "{" + ", ".join(texts) + "}"
