"""The ensemble: a model of many trees that were fitted to one table, whose answers are combined by votes or means."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self, overload

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError, ParameterError
from bough.model.answer import Answer
from bough.model.ensemble.combined import Combined
from bough.model.ensemble.content import ensemble_content, ensemble_from
from bough.model.ensemble.votes import VOTES, Vote, row_votes, voting_program
from bough.model.ensemble.words import in_words
from bough.model.inputs import Inputs, Rows
from bough.model.kinds import add_kind
from bough.model.program import Program
from bough.model.program.join import mean_of
from bough.model.refusing import refuse_asked
from bough.model.strict import Limits
from bough.model.text import counted
from bough.model.texts import of_model
from bough.model.tree import Tree

__all__ = ["Ensemble"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@add_kind
@dataclass(frozen=True, eq=False)
class Ensemble(Combined):
    """Trees whose answers are combined, read-only: `model[i]` is one of them.

    Classes are decided by the weighted mean of what the trees say, under the costs that they were fitted with;
    `predict_proba` is that mean, in which costs have no say. Numbers are answered by the weighted mean.

    Parameters
    ----------
    trees : sequence of Tree
        Fitted to one table: they read the same columns, and know the same classes, costs and levels. Only the bins of
        numbers may be their own.
    vote : {"mean", "majority", "confidence"}, default="mean"
        What a tree says of the classes: its probabilities, its most probable class, or that class with its confidence.
    weights : sequence of float, optional
        What each tree counts, above 0; by default the same.

    Examples
    --------
    >>> import bough
    >>> from bough.model import Ensemble
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> trees = [bough.CARTClassifier(max_depth=depth).fit(X, y).tree_ for depth in (1, 2, 3)]
    >>> model = Ensemble(trees, vote="majority", weights=[1, 2, 2])
    >>> model
    <mean of 3 trees for species>
    >>> model[1].depth, len(model), float(model.predict_proba(X)[0].max())
    (2, 3, 1.0)
    """

    kind: ClassVar[str] = "ensemble"
    _in_words = "a mean of regression trees"

    trees: Sequence[Tree]
    vote: Vote = "mean"
    weights: Sequence[float] | Floats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "trees", tuple(self.trees))
        if self.vote not in VOTES:
            raise ParameterError(f"vote must be one of {', '.join(map(repr, VOTES))}; got {self.vote!r:.80}.")
        if not self.trees:
            raise ParameterError("an ensemble needs one tree at least.")
        for number, tree in enumerate(self.trees):
            _check_like(self.trees[0], tree, number)
        if self.weights is None:
            return
        weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (len(self.trees),) or not ((weights > 0) & np.isfinite(weights)).all():
            raise ParameterError(f"weights must be {len(self.trees)} numbers above 0, one for each tree.")
        object.__setattr__(self, "weights", weights)

    @cached_property
    def inputs(self) -> Inputs:
        """The columns of a table to predict on, and how it is read; bins are those of each tree."""
        return replace(self.trees[0].inputs, bins=None)

    @cached_property
    def answer(self) -> Answer:
        """What is said: classes with their costs, or numbers. Smoothing is that of each tree."""
        return self.trees[0].answer.of_means()

    @property
    def target(self) -> str:
        """The name of what is predicted."""
        return self.trees[0].target

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The names of the columns that some test of some tree asks, in the order of the schema."""
        asked = {name for tree in self.trees for name in tree.columns_used}
        return tuple(name for name in self.inputs.schema.names if name in asked)

    @cached_property
    def shares(self) -> Floats:
        """What each tree counts, as a share of one."""
        given = np.ones(len(self.trees)) if self.weights is None else np.asarray(self.weights, dtype=np.float64)
        parts: Floats = given / given.sum()
        return parts

    @of_model
    def read(self, X: Any, *, every: bool = False, reader: str = "the model") -> Rows:
        """Read a table to predict on; what the model refuses is refused here.

        {reading}
        """
        if isinstance(X, Rows):
            return X
        first, then = (None, frozenset[int]()) if every else self._asked
        rows = self.inputs.read(X, only=first, if_missing=then, reader=reader)
        if self.inputs.only_asked:
            for tree in self.trees:
                refuse_asked(tree, _rows_of(tree, rows))
        return rows

    @cached_property
    def _asked(self) -> tuple[frozenset[int], frozenset[int]]:
        pairs = [tree.columns_read for tree in self.trees]
        first = frozenset[int]().union(*(pair[0] for pair in pairs))
        return first, frozenset[int]().union(*(pair[1] for pair in pairs)) - first

    def each(self, X: Any, *, n_threads: int = 1) -> Iterator[Floats]:
        """What the trees say to the rows of a table, one tree after the other.

        Parameters
        ----------
        X : table or Rows
        n_threads : int, default=1

        Yields
        ------
        ndarray of shape (n_rows, n_classes) or (n_rows,)
            The vote of the tree, in the order of `classes`; or numbers.
        """
        rows = self.read(X)
        for tree in self.trees:
            yield row_votes(tree, _rows_of(tree, rows), self.vote, n_threads)

    def votes(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The weighted mean of what the trees say, classes in the order of `classes`."""
        return self._mean(self.each(X, n_threads=n_threads))

    def _mean(self, said: Iterator[Floats]) -> Floats:
        total: Any = 0.0
        for share, one in zip(self.shares, said, strict=True):  # in the order of the trees: the same bits anywhere
            total = total + share * one
        mean: Floats = np.asarray(total)
        return mean

    def _deciding(self, rows: Rows, n_threads: int) -> Floats:
        """What classes are decided by: the votes; of probabilities those without smoothing that has no say in it."""
        if self.vote != "mean":
            return self.votes(rows, n_threads=n_threads)
        return self._mean(tree.deciding(_rows_of(tree, rows), n_threads=n_threads) for tree in self.trees)

    def program(self) -> Program:
        """Return the model as a flat routing program: a first step that sends a row to all trees in parts."""
        weights = None if self.weights is None else [float(weight) for weight in self.weights]
        joined = mean_of([voting_program(tree, self.vote) for tree in self.trees], weights)
        tolerance = getattr(self.answer, "tolerance", joined.tolerance)
        return replace(joined, tolerance=tolerance)

    def to_content(self) -> dict[str, Any]:
        """What a model file says of the trees and of how they are combined, as plain data."""
        return ensemble_content(self)

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        trees, vote, weights = ensemble_from(content, limits)
        try:
            return cls(trees, vote, weights)
        except ParameterError as error:
            raise ModelFormatError(str(error), "$.trees") from None

    def __len__(self) -> int:
        return len(self.trees)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    @overload
    def __getitem__(self, place: int) -> Tree: ...

    @overload
    def __getitem__(self, place: slice) -> "Ensemble": ...

    def __getitem__(self, place: int | slice) -> "Tree | Ensemble":
        if isinstance(place, slice):
            weights = None if self.weights is None else self.weights[place]
            return Ensemble(self.trees[place], self.vote, weights)
        return self.trees[place]

    def __repr__(self) -> str:
        return f"<mean of {counted(len(self), 'tree')} for {self.target}>"

    def __str__(self) -> str:
        leaves = np.array([tree.n_leaves for tree in self.trees])
        how = {"mean": "probabilities", "majority": "classes", "confidence": "classes with their confidence"}
        what = how[self.vote] if self.is_classifier else "numbers"
        weighted = "" if self.weights is None else ", weighted"
        return in_words(
            f"Mean of {counted(len(self), 'tree')} for {self.target}: {what}{weighted}",
            leaves,
            self.columns_used,
            len(self.inputs.schema),
            "model[i] is one of the trees, to be printed, drawn and exported.",
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        return (
            self.vote == other.vote and np.array_equal(self.shares, other.shares) and list(self.trees) == [*other.trees]
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, and values may be large

    def __getstate__(self) -> dict[str, Any]:
        return {"trees": self.trees, "vote": self.vote, "weights": self.weights}  # not what was worked out since

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _rows_of(tree: Tree, rows: Rows) -> Rows:
    """Rows as one of the trees asks them: numbers in its bins."""
    bins = tree.inputs.bins
    return rows if bins is None else Rows(tree.inputs.asked, bins.encode(rows.encoded))


def _check_like(first: Tree, tree: Tree, number: int) -> None:
    """Refuse a tree that cannot be combined with the first."""
    if tree is first:
        return
    mine, theirs = first.answer, tree.answer
    same = {
        "inputs": replace(first.inputs, bins=None) == replace(tree.inputs, bins=None),
        "target": first.target == tree.target,
        "classes": type(mine) is type(theirs) and np.array_equal(np.asarray(mine.classes), np.asarray(theirs.classes)),
        "costs": np.array_equal(np.asarray(mine.costs), np.asarray(theirs.costs)),
    }
    for name, holds in same.items():
        if not holds:
            raise ParameterError(f"the trees of an ensemble must have the same {name}; those of tree {number} differ.")
