"""Rules for numbers: what their estimators share, behind scikit-learn's conventions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from bough.learn.rule_estimator import RuleEstimator, RuleRows
from bough.learn.target import Target, check_lengths, check_range, read_numbers, target_name
from bough.learn.texts import of_rows
from bough.model.answer import Answer, plain_answer

__all__ = ["NumberRules", "NumberTraining"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NumberTraining(RuleRows):
    """What the learner of rules for numbers gets besides: the number of each row."""

    values: Floats


class NumberRules(RegressorMixin, RuleEstimator):
    """A regressor of rules behind scikit-learn's conventions; subclasses say how its rules are learned."""

    @of_rows
    def predict(self, X: Any) -> Floats:
        """Return the number that the rule says which decides each row.

        {rows}
        ndarray of shape (n_rows,)
        """
        return self._predict(X)

    def _read(self, rows: RuleRows) -> tuple[NumberTraining, Target]:
        y, training = rows.given[1], rows.training
        values = read_numbers(y)
        check_lengths(training.table.n_rows, values)
        check_range(values, training.weights, squares=True)
        read = NumberTraining(training, rows.threads, rows.progress, rows.given, values)
        return read, Target({"classes": 0, "value": values}, name=target_name(y))

    def _answer(self) -> Answer:
        """What is said: the number of each rule."""
        return plain_answer(None)
