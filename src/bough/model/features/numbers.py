"""Thresholds and edges as the kernel keeps them: 64 bits and the type that says which number they are."""

import numpy as np
import numpy.typing as npt

from bough.model.features.feature import Number, Side

__all__ = ["SIDES", "VALUE_TYPES", "numbers_of"]

SIDES: tuple[Side, ...] = ("le", "lt")  # as the kernel numbers them
VALUE_TYPES = (np.float64, np.int64, np.uint64)


def numbers_of(bits: npt.NDArray[np.uint64], types: npt.NDArray[np.uint8]) -> list[Number]:
    """Numbers from their bits, each in its own type."""
    found: list[Number] = [0] * len(bits)
    for number, kind in enumerate(VALUE_TYPES):
        own = np.flatnonzero(types == number)
        for place, value in zip(own.tolist(), bits[own].view(kind).tolist(), strict=True):
            found[place] = value
    return found
