"""The splits that rows kept back from growing did not want, with what these rows said of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from bough.model.frame import as_frame

if TYPE_CHECKING:
    from bough import _core
    from bough.model.split import Split
    from bough.model.tree import Tree

__all__ = ["Refusal", "ValidationLog"]


class Refusal(NamedTuple):
    """A split that was refused.

    Attributes
    ----------
    node : int
        Its node, a leaf of the tree as it was grown.
    test : str
        What leads to the first of two branches; of more, what is asked.
    before, after : float
        Errors on the rows kept back that come to the node: as a leaf, and with the split.
    """

    node: int
    test: str
    before: float
    after: float


@dataclass(frozen=True, eq=False)
class ValidationLog(Sequence[Refusal]):
    """The splits that `Validation` refused, by their nodes.

    Attributes
    ----------
    measure : str
        What `before` and `after` count: "errors", "cost of errors", "squared error" or "absolute error".
    refusals : tuple of Refusal
    splits : tuple of Split
        The splits themselves, to look at: what they gain, which others were second.
    asked : bool
        Whether rows were kept back at all.
    """

    measure: str = "errors"
    refusals: tuple[Refusal, ...] = ()
    splits: "tuple[Split, ...]" = ()
    asked: bool = False

    @classmethod
    def read(
        cls, tree: "Tree", refused: "Sequence[tuple[int, float, float, _core.Tree]]", measure: str
    ) -> "ValidationLog":
        """The log of what the kernel refused while it grew a tree: each split comes as a tree of one test."""
        found = [tree.with_kernel(stump).root.split for _, _, _, stump in refused]
        splits = tuple(split for split in found if split is not None)
        refusals = tuple(
            Refusal(node, _words(split), before, after)
            for (node, before, after, _), split in zip(refused, splits, strict=True)
        )
        return cls(measure, refusals, splits, asked=True)

    def __len__(self) -> int:
        return len(self.refusals)

    @overload
    def __getitem__(self, place: int) -> Refusal: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Refusal, ...]: ...
    def __getitem__(self, place: int | slice) -> Refusal | tuple[Refusal, ...]:
        return self.refusals[place]

    def to_frame(self) -> Any:
        """Return a data frame with one row a refused split."""
        return as_frame({name: [getattr(entry, name) for entry in self] for name in Refusal._fields})

    def __str__(self) -> str:
        if not self.asked:
            return "no split was refused: no rows were kept back to judge them"
        if not len(self):
            return "no split was refused by the rows kept back"
        splits = "1 split was" if len(self) == 1 else f"{len(self):,} splits were"
        lines = [
            f"  node {node}: {test}: {self.measure} {before:.6g} -> {after:.6g}" for node, test, before, after in self
        ]
        return "\n".join([f"{splits} refused by the rows kept back", *lines])


def _words(split: "Split") -> str:
    if split.n_branches == 2:
        return split.describe(0, exact=False, most_levels=8)
    return f"{split.test.title()} ({split.n_branches} branches)"
