"""Linear answers: a node of a regression tree says a constant, or a sum of terms of the row that ends there.

The models are lists of the kernel's tree (`model_...`), in the layout of sums that tests ask for.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ExportError, ParameterError
from bough.model.answer.answer import Ends, sends_fractions
from bough.model.answer.number import NumberAnswer
from bough.model.features import LinearTerm, sum_in_words
from bough.model.inputs import Rows
from bough.table import Schema

__all__ = ["LinearAnswer"]


@dataclass(frozen=True)
class LinearAnswer(NumberAnswer):
    """What the nodes of a model tree say: those with a model its value for the row, others a constant."""

    kind: ClassVar[str] = "linear"
    reads_models: ClassVar[bool] = True

    def predict(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> npt.NDArray[np.float64]:
        """The number of each row; a missing value counts what its term's fill says."""
        if sends_fractions(kernel):
            return _core.spread_values(kernel, rows.columns, n_threads)
        nodes = _core.apply(kernel, rows.columns, n_threads)
        return _core.answer_values(kernel, rows.columns, nodes, n_threads)

    def at_ends(self, kernel: _core.Tree, ends: Ends) -> float:
        """Refused: the answer depends on the row, not only on where it ends."""
        raise ParameterError("the leaves answer sums of columns: counterfactuals know constant answers only, as yet.")

    def program_fields(self, kernel: _core.Tree) -> dict[str, Any]:
        """Refused: programs say constants."""
        node = int(np.flatnonzero(kernel.model_index >= 0)[0])
        raise ExportError(f"node {node} answers a sum of columns: exports know constant answers only, as yet.")

    def columns(self, kernel: _core.Tree) -> frozenset[int]:
        """The columns of all terms."""
        return frozenset(kernel.model_column.tolist())

    def words(self, kernel: _core.Tree, node: int, schema: Schema) -> str:
        """The sum of a node: `46.1 - 0.0062 weight`."""
        number = int(kernel.model_index[node])
        if number < 0:
            return ""
        own = slice(int(kernel.model_begin[number]), int(kernel.model_begin[number + 1]))
        lists = (getattr(kernel, f"model_{name}")[own].tolist() for name in LinearTerm._fields[:6])
        terms = [LinearTerm(*term) for term in zip(*lists, strict=True)]
        sum_words = sum_in_words(terms, schema.columns)
        bias = f"{float(kernel.model_bias[number]):.4g}"
        if not sum_words:
            return bias
        return f"{bias} - {sum_words[1:]}" if sum_words.startswith("-") else f"{bias} + {sum_words}"

    def same(self, other: Any) -> bool:
        """Whether another answer says the same: the models are compared with the tree."""
        return isinstance(other, LinearAnswer)
