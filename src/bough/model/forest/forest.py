"""The forest: a model of many trees kept in a few flat arrays, 8 bytes a node, whose answers are averaged."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model.answer import Answer
from bough.model.ensemble.combined import Combined
from bough.model.ensemble.votes import voting_program
from bough.model.ensemble.words import in_words
from bough.model.forest.content import forest_content, forest_from
from bough.model.forest.member import member
from bough.model.forest.representative import distances
from bough.model.inputs import Inputs, Rows
from bough.model.kinds import add_kind
from bough.model.program import Program
from bough.model.program.join import mean_of
from bough.model.strict import Limits
from bough.model.text import counted
from bough.model.texts import of_model
from bough.model.tree import Tree

__all__ = ["Forest"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@add_kind
@dataclass(frozen=True, eq=False)
class Forest(Combined):
    """Many trees grown on rows and columns drawn for each, read-only: `forest[i]` is one of them, a `bough.Tree`.

    Parameters
    ----------
    kernel : _core.Forest
    inputs : Inputs
    answer : Answer
    target : str
    vote : {"mean", "majority"}
        Whether a tree says the shares of the classes in its leaf, or the most frequent of them, which equally frequent
        ones divide.
    unit : float, default=1.0
        What a row of weight 1 weighs in the whole numbers of the kernel.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> forest = bough.RandomForestClassifier(n_estimators=20).fit(X, y).forest_
    >>> forest
    <forest of 20 trees for species>
    >>> forest[0].predict(X).shape
    (344,)
    """

    kind: ClassVar[str] = "forest"
    _in_words = "a forest for numbers"

    kernel: _core.Forest
    inputs: Inputs
    answer: Answer
    target: str = "y"
    vote: Literal["mean", "majority"] = "mean"
    unit: float = 1.0

    @cached_property
    def columns_used(self) -> tuple[str, ...]:
        """The names of the columns that some split asks, in the order of the schema."""
        names = self.inputs.schema.names
        words = self.kernel.arrays()["node"]
        columns = words[2::3] >> 1 if self.kernel.node_bytes == 12 else words[1::2] & 255
        asked = np.flatnonzero(np.bincount(columns, minlength=len(names))[: len(names)])  # behind them: leaves
        return tuple(names[column] for column in asked.tolist())

    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on; what the model refuses is refused here. All columns are read in any case."""
        return self.inputs.read(X, reader=reader)

    def votes(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The mean of what the trees say: by row and class in the order of `classes`, or by row."""
        return self._mean(self.read(X), 0, len(self), n_threads)

    @of_model
    def said(self, X: Any, *, n_threads: int = 1) -> Iterator[Floats]:
        """What each tree says by itself, one after the other: as `votes`, whose mean this is.

        {rows}
        iterator of ndarray
        """
        rows = self.read(X)
        return (self._mean(rows, tree, tree + 1, n_threads) for tree in range(len(self)))

    def _mean(self, rows: Rows, first: int, last: int, n_threads: int) -> Floats:
        combine = "mean" if self.vote == "mean" else "vote"
        said = _core.forest_predict(self.kernel, rows.columns, combine, n_threads, first, last)
        return said[:, : len(self.classes)] if self.classes is not None else said[:, 0]

    @of_model
    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int64]:
        """Return the leaf in which each row ends, by row and tree: numbers of nodes as the forest keeps them.

        {rows}
        ndarray of shape (n_rows, n_trees)
        """
        return _core.forest_leaves(self.kernel, self.read(X).columns, n_threads, 0, len(self)).astype(np.int64)

    @of_model
    def distances(self, X: Any, *, n_threads: int = 1) -> Floats:
        """Return how far each tree is from the forest: the mean squared difference of their answers to these rows.

        Answers are the votes for the classes, or numbers.

        {rows}
        ndarray of shape (n_trees,)
        """
        return distances(self, X, n_threads=n_threads)

    def program(self) -> Program:
        """Return the model as a flat routing program: a first step that sends a row to all trees in parts."""
        return mean_of([voting_program(tree, self.vote) for tree in self])

    def to_content(self) -> dict[str, Any]:
        """What a model file says of the forest, as plain data."""
        return forest_content(self)

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        return cls(**forest_from(content, limits))

    def __len__(self) -> int:
        return len(self.kernel)

    def __iter__(self) -> Iterator[Tree]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, place: int) -> Tree:
        size = len(self)
        try:
            number = index(place)
        except TypeError:
            some = "[forest[i] for i in range(3)]"
            raise TypeError(
                f"a forest is asked for one tree by its number, or for some as {some}; got {place!r:.60}."
            ) from None
        if not -size <= number < size:
            raise IndexError(f"tree {number} of a forest of {size}")
        return member(self, number % size)

    def __repr__(self) -> str:
        return f"<forest of {counted(len(self), 'tree')} for {self.target}>"

    def __str__(self) -> str:
        leaves = np.diff(self.kernel.begin.astype(np.int64)) // 2 + 1
        what = ("probabilities" if self.vote == "mean" else "classes") if self.is_classifier else "numbers"
        return in_words(
            f"Forest of {counted(len(self), 'tree')} for {self.target}: mean of their {what}",
            leaves,
            self.columns_used,
            len(self.inputs.schema),
            f"nodes: {self.kernel.nodes:,}, {self.kernel.node_bytes} bytes each",
            "forest[i] is one of the trees, to be printed, drawn and exported.",
        )

    def __getstate__(self) -> dict[str, Any]:
        arrays = {name: np.asarray(array) for name, array in self.kernel.arrays().items()}
        about = {name: getattr(self, name) for name in ("inputs", "answer", "target", "vote", "unit")}
        return {"arrays": arrays, "classes": self.kernel.classes, "wide": self.kernel.node_bytes == 12, **about}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kernel = _core.Forest.from_arrays(state.pop("arrays"), state.pop("classes"), state.pop("wide"))
        self.__dict__.update(state, kernel=kernel)
