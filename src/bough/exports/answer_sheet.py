"""The answers of a judge while it goes through the cases, blank at first."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bough.exports.target import Options
from bough.model.program.interpret import Answers
from bough.model.program.program import Program

__all__ = ["AnswerSheet"]


@dataclass(frozen=True)
class AnswerSheet:
    """A place for every case: whether it failed, its label, the shares of the classes, its value."""

    program: Program
    failed: npt.NDArray[np.bool_]
    labels: list[Any]
    shares: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]

    @classmethod
    def blank(cls, program: Program, n: int) -> Self:
        """Nothing is answered, nothing failed."""
        shares = np.full((n, len(program.classes)), np.nan)
        return cls(program, np.zeros(n, dtype=bool), [None] * n, shares, np.full(n, np.nan))

    def answers(self, options: Options) -> Answers:
        """What was asked for of it."""
        if not self.program.is_classifier:
            return Answers(self.failed, values=self.values)
        labels = self.labels if options.classes else None
        return Answers(self.failed, labels, self.shares if options.probabilities else None)
