"""The plan of a written tree: nodes with their conditions and answers, and where each stands in the text."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from bough.errors import ColumnTypeError, ParameterError
from bough.model.tests.grammar import Reader, Text
from bough.model.tests.make import Branch
from bough.table import as_label

__all__ = ["Planned", "Said", "plain_answer"]

Said: TypeAlias = Text | Any


@dataclass
class Planned:
    """A node of the plan.

    `ways` are its branches and, behind them, those of its surrogates; `children` the places of its branches in the
    plan. What is not decided goes to the branch `to`, or stops with `answer`; without either it is refused, and
    `refuses` says whether "anywhere" in a row or only where a test has "asked", if that is told.
    """

    reader: Reader
    ways: list[list[Branch]] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    answer: Said = None
    answered: bool = False
    to: int = -1
    refuses: str = ""

    @property
    def is_leaf(self) -> bool:
        """Whether it asks nothing."""
        return not self.ways

    @property
    def asks_missing(self) -> bool:
        """Whether a branch says that it takes missing values."""
        return any(atom.sign == "missing" for branch in self.ways[0] for some in branch.when for atom in some)


def plain_answer(given: Any, path: str) -> Any:
    """An answer that was given as a value, without the types of numpy; `path` is where it stands."""
    value = given.item() if isinstance(given, np.generic) else given
    try:
        label = as_label(value, "target")
    except ColumnTypeError:
        raise ParameterError(f"{path}: an answer is a single class or number; got {given!r:.80}.") from None
    if label is None:
        raise ParameterError(f"{path}: expected an answer, found a missing value.")
    return label
