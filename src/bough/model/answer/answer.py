"""What every kind of answer can do: predict rows by the nodes in which they end, and be written to a file."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model.inputs import Rows
from bough.model.routing import SPREAD
from bough.table import Schema

__all__ = ["Answer", "Ends", "sends_fractions"]

# The nodes in which one row ends, each with the fraction of the row.
Ends: TypeAlias = Sequence[tuple[int, float]]


@runtime_checkable
class Answer(Protocol):
    """What a node says and decides; it reads what the kernel's tree stores for each node."""

    kind: ClassVar[str]

    @property
    def classes(self) -> npt.NDArray[Any] | None:
        """The labels in the order of the kernel's class numbers; None where numbers are answered."""

    @property
    def costs(self) -> npt.NDArray[np.float64] | None:
        """What errors cost, [true][decided], where not every error costs 1."""

    @property
    def smoothing(self) -> "tuple[float, npt.NDArray[np.float64]] | None":
        """Rows that probabilities count beside those of a node, and how they divide among the classes."""

    def of_means(self) -> "Answer":
        """The answer of a mean of models that say this: what was smoothed is smoothed before."""

    def sorted_columns(self, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Shares of classes with their columns in the order of sorted labels."""

    def decide(self, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
        """The number of the class to decide for in each row of shares."""

    def check(self, kernel: _core.Tree) -> None:
        """Raise a ParameterError if the nodes of a tree cannot say this."""

    def labelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree whose nodes say what this answer decides, where growing did not know it."""

    def unlabelled(self, kernel: _core.Tree) -> _core.Tree:
        """The tree as growing and pruning know it: what `labelled` changed is undone."""

    def predict(self, kernel: _core.Tree, rows: Rows, n_threads: int) -> npt.NDArray[Any]:
        """The label or the number of each row."""

    def at_ends(self, kernel: _core.Tree, ends: Ends) -> Any:
        """The label or the number of a row that ends in some nodes, by fractions."""

    def columns(self, kernel: _core.Tree) -> frozenset[int]:
        """The columns that nodes read to answer; none where they say constants."""

    def words(self, kernel: _core.Tree, node: int, schema: Schema) -> str:
        """How a node works out what it says, where that is more than a constant; else empty."""

    def program_fields(self, kernel: _core.Tree) -> dict[str, Any]:
        """What each node says, as fields of a routing program; an ExportError if no program can say it."""

    def constant_fields(self, said: npt.NDArray[np.float64], label: npt.NDArray[np.intp] | None) -> dict[str, Any]:
        """The same of nodes that say shares of the classes and decide for some, or that say numbers."""

    def to_json(self) -> dict[str, Any]:
        """As plain data, with its `kind`."""

    @classmethod
    def from_json(cls, data: Any, place: str) -> Self:
        """Read what `to_json` wrote; a ModelFormatError says where anything is amiss."""

    def same(self, other: Any) -> bool:
        """Whether another answer says the same, bit for bit."""


def sends_fractions(kernel: _core.Tree) -> bool:
    """Whether a row that nothing decides goes down all branches, in fractions."""
    return bool(kernel.routing[1] == SPREAD)


def nodes_of(ends: Ends) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The nodes and the fractions of a row, as arrays."""
    return np.array([node for node, _ in ends], dtype=np.int32), np.array([part for _, part in ends])
