"""Number answers: the value of a node, the mean or the median of its training rows."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.answer.answer import Ends, sends_fractions
from bough.model.inputs import Rows
from bough.model.strict import expect_keys
from bough.table import Schema

__all__ = ["NumberAnswer"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NumberAnswer:
    """What regression nodes say: a constant each."""

    kind: ClassVar[str] = "number"
    reads_models: ClassVar[bool] = False

    @property
    def classes(self) -> None:
        """None: numbers are answered."""
        return

    @property
    def costs(self) -> None:
        """None: the distance from the truth says what an error costs."""
        return

    @property
    def smoothing(self) -> None:
        """None: a value is not smoothed."""
        return

    def of_means(self) -> "NumberAnswer":
        """Numbers."""
        return self

    def sorted_columns(self, shares: Floats) -> Floats:
        """There are no classes: refused."""
        raise ParameterError("numbers are predicted: there are no classes to order.")

    def decide(self, shares: Floats) -> npt.NDArray[np.intp]:
        """There are no classes: refused."""
        raise ParameterError("numbers are predicted: there are no classes to decide for.")

    def check(self, kernel: _core.Tree) -> None:
        """A regression tree whose nodes say constants."""
        if kernel.is_classifier:
            raise ParameterError("a classification tree comes with classes, a regression tree without")
        if len(kernel.model_index) and not self.reads_models:
            raise ParameterError("some nodes answer sums of columns: the answer must be of the kind 'linear'")

    def labelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree as it is: growing knows the values of its nodes."""
        return kernel

    def unlabelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree as it is."""
        return kernel

    def predict(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> Floats:
        """The number of each row."""
        if sends_fractions(kernel):
            return _core.spread_values(kernel, rows.columns, n_threads)
        return kernel.value[_core.apply(kernel, rows.columns, n_threads)]

    def at_ends(self, kernel: _core.Tree, ends: Ends) -> float:
        """The number of a row that ends in some nodes, by fractions."""
        return sum(part * float(kernel.value[node]) for node, part in ends)

    def program_fields(self, kernel: _core.Tree) -> dict[str, Any]:
        """The constants that nodes say."""
        return {"values": kernel.value.copy()}

    def constant_fields(self, said: npt.NDArray[np.float64], label: npt.NDArray[np.intp] | None) -> dict[str, Any]:
        """The numbers."""
        return {"values": said}

    def columns(self, kernel: _core.Tree) -> frozenset[int]:
        """None: nodes say constants."""
        return frozenset()

    def words(self, kernel: _core.Tree, node: int, schema: Schema) -> str:
        """Nothing: nodes say constants."""
        return ""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Any, place: str) -> "NumberAnswer":
        """Read what `to_json` wrote."""
        expect_keys(data, {"kind"}, place)
        return cls()

    def same(self, other: Any) -> bool:
        """Whether another answer says the same."""
        return isinstance(other, NumberAnswer)
