"""What a counterfactual is asked for: which answer, and which columns may change; checked, and in words."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.model.hints import nearest
from bough.model.text import plain_number

__all__ = ["bounds_of", "directions", "names", "wanted_answer"]


def names(fixed: Any) -> list[str]:
    """The columns that may not change."""
    given = [fixed] if isinstance(fixed, str) else list(fixed) if isinstance(fixed, Iterable) else [fixed]
    for name in given:
        if not isinstance(name, str):
            raise ParameterError(f"fixed must be names of columns, such as fixed=['age']; got {fixed!r:.80}.")
    return given


def directions(direction: Any) -> Mapping[str, str]:
    """The columns that may only go up or down."""
    if direction is not None and not isinstance(direction, Mapping):
        raise ParameterError(
            f"direction must say for each column 'up' or 'down', such as direction={{'age': 'up'}}; "
            f"got {direction!r:.80}."
        )
    return direction or {}


def bounds_of(bounds: Any) -> dict[str, tuple[float, float]]:
    """The least and the largest number that columns may get."""
    told: dict[str, tuple[float, float]] = {}
    for name, pair in dict(bounds or {}).items():
        try:
            low, high = pair
            told[name] = (-np.inf if low is None else float(low), np.inf if high is None else float(high))
        except (TypeError, ValueError):
            low = high = np.nan
        if name not in told or not told[name][0] <= told[name][1]:
            raise ParameterError(f"bounds of {name!r:.60} must be two numbers, such as (18, 90); got {pair!r:.80}.")
    return told


def wanted_answer(labels: list[Any] | None, to: Any, now: Any) -> tuple[Callable[[Any], bool], str]:
    """Whether an answer is the one asked for, and the same in words.

    Parameters
    ----------
    labels : list or None
        The classes; None where numbers are answered.
    to : label or (low, high), optional
        The class or the range of numbers to reach.
    now : label or number
        What is answered now.
    """
    if labels is None:
        return _wanted_range(to)
    if to is None:
        return lambda answer: bool(answer != now), "another class"
    many = hasattr(to, "__len__") and not isinstance(to, str | bytes)
    if many or not any(label == to for label in labels):
        near = nearest(to, [label for label in labels if isinstance(label, str)]) if isinstance(to, str) else None
        meant = "" if near is None else f" did you mean {near!r:.60}?"
        raise ParameterError(f"to={to!r:.80} is no class of the model;{meant} its classes are {labels!r:.200}.")
    return lambda answer: bool(answer == to), f"{to!r:.80}"


def _wanted_range(to: Any) -> tuple[Callable[[Any], bool], str]:
    try:
        low, high = to
        low = -np.inf if low is None else float(low)
        high = np.inf if high is None else float(high)
    except (TypeError, ValueError):
        low, high = 0.0, np.nan
    if not low <= high:
        raise ParameterError(
            f"to must be a range of numbers (low, high) to reach, such as (100, None) for at least 100; got {to!r:.80}."
        )
    about = f"from {plain_number(low)} to {plain_number(high)}"
    if not np.isfinite(low) or not np.isfinite(high):
        about = f"of at least {plain_number(low)}" if np.isfinite(low) else f"of at most {plain_number(high)}"
    return lambda answer: bool(low <= answer <= high), f"a value {about}"
