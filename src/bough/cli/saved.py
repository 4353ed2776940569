"""Saved trees that a command is given: what is wrong with one is said with the name of its file."""

from typing import Any

from bough.errors import ModelFormatError
from bough.learn import load

__all__ = ["load_model"]

_WHOLE = ("$", "$.bough.version")  # places of what is said of a whole file


def load_model(path: str) -> Any:
    """Read a fitted estimator."""
    try:
        return load(path)
    except ModelFormatError as error:
        problem = error.problem if error.place in _WHOLE else str(error)
        raise ModelFormatError(f"{path}: {problem}") from error
