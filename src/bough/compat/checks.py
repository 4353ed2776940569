"""Checks of the arguments of other programs, in sentences that name the program's own argument."""

import math
import numbers
from typing import Any

from bough.errors import ParameterError

__all__ = ["choice", "is_number", "pick_task", "refuse", "whole"]

TASKS = ("classification", "regression")


def refuse(name: str, value: Any, why: str) -> ParameterError:
    """The error for a value that is not imitated."""
    return ParameterError(f"{name}={value!r} is not imitated: {why}")


def is_number(value: Any) -> bool:
    """A real number, of Python or numpy: neither a bool nor NaN."""
    if value is True or value is False or not isinstance(value, numbers.Real):
        return False
    return not math.isnan(float(value))


def choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """The allowed value that equals the given one."""
    if isinstance(value, str) or is_number(value):
        for option in allowed:
            if option == value:
                return option
    raise ParameterError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}.")


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A number of at least `least`, its fraction cut off as rpart does."""
    if not is_number(value) or int(value) < least or (most is not None and int(value) > most):
        bound = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name} must be a whole number {bound}; got {value!r}.")
    return int(value)


def pick_task(task: str | None, implied: str | None, by: str) -> str:
    """The task that was given, or the one that another argument implies; they must not contradict."""
    if task is not None and task not in TASKS:
        raise ParameterError(f"task must be 'classification' or 'regression'; got {task!r}.")
    if task is not None and implied is not None and task != implied:
        raise ParameterError(f"task={task!r} contradicts {by}, which means {implied}.")
    return task or implied or "classification"
