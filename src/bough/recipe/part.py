"""What a part of a recipe is: stored arguments, equal by value, and the kernel's options that follow from them."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from bough.table import Schema

__all__ = ["Facts", "Part", "snake_case"]


@dataclass(frozen=True)
class Facts:
    """What of the training data a part may need to know.

    Parameters
    ----------
    schema : Schema
        The columns.
    classes : int
        Number of classes; 0 where numbers are predicted.
    rows : int
        Rows that take part: those of a weight above 0.
    all_rows : int
        Rows that were given.
    weight : float
        Total weight.
    incomplete : bool
        Whether a row that takes part lacks a value.
    seed : int
        Of what is drawn at random.
    slack : float
        Factor of minima of weight: sums of weights carry rounding, and ten times 0.1 must count as one.
    """

    schema: Schema
    classes: int
    rows: int
    all_rows: int
    weight: float
    incomplete: bool = False
    seed: int = 0
    slack: float = 1.0 - 1e-9


class Part(BaseEstimator):
    """One answer to one question. Subclasses store their arguments and say what they ask of the kernel."""

    slot: ClassVar[str]
    tasks: ClassVar[tuple[str, ...]] = ("classes", "numbers")  # what can be predicted with it
    draws: ClassVar[bool] = False  # whether it depends on random numbers
    variants: ClassVar[dict[str, str]] = {}  # names that users try for it with other arguments: what to write instead

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options that follow from the arguments, which are checked here."""
        return {}

    def called(self, **names: str) -> Self:
        """The same part, whose errors speak of parameters by the names that an estimator gives them."""
        self._called = names
        return self

    def label(self, parameter: str) -> str:
        """What an error calls a parameter."""
        names: dict[str, str] = self.__dict__.get("_called", {})
        return names.get(parameter, f"{type(self).__name__}.{parameter}")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Part):
            return NotImplemented
        mine, theirs = self.get_params(deep=False), other.get_params(deep=False)
        return mine.keys() == theirs.keys() and all(_same(mine[name], theirs[name]) for name in mine)

    __hash__ = None  # type: ignore[assignment]  # equal by value, and set_params changes it


def snake_case(name: str) -> str:
    """ErrorBased -> error_based, MEstimate -> m_estimate."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _same(a: Any, b: Any) -> bool:
    """Equality of arguments: arrays by their entries, everything else as Python says."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, list | tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return bool(a == b)
