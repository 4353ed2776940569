"""What a pruning did and why: the one form in which every pruner keeps it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bough.model.arrays import risk_total
from bough.model.frame import as_frame
from bough.model.text import counted

__all__ = ["PruningLog"]

Step = tuple[int, str, float, float]

_REGROWN = -2
_WORDS = {
    "leaf": "became a leaf",
    "raised": "gave way to one of its branches",
    "regrown": "was pruned and grown on below",
}


@dataclass(frozen=True, eq=False)
class PruningLog(Sequence[Step]):
    """The steps of a pruning, in the order of its decisions.

    An entry is (node, what, before, after): a node of the tree as it was grown; "leaf" if it became one, "raised" if
    one of its branches took its place, "regrown" if it was pruned and grown on in steps of which only the outcome is
    known; what the pruner compared, of the subtree and of what took its place.

    Attributes
    ----------
    pruner : str
        Its name, as in "merge_leaves".
    measure : str
        What `before` and `after` count: "bits", "errors to expect", ... `measures` has it for each step.
    node, branch, before, after : ndarray
        One entry a step; `branch` is the branch that was raised, -1 where the node became a leaf, -2 where it was
        regrown.
    leaves : ndarray
        The leaves of the whole tree, before the first step and after each.
    training_error : ndarray
        The mean risk of its leaves on the training rows, likewise: error rate, mean cost, squared or absolute error.
    plain : ndarray of bool
        The steps that compared training errors as they are: those by which C4.5 collapses a tree before it asks for the
        errors to expect.
    why : str
        What all steps have in common, such as the price of a leaf; may be empty.
    cut_at : float or None
        The relative complexity up to which nodes became leaves, where a tree is cut at one.
    """

    pruner: str
    measure: str
    node: npt.NDArray[np.int32]
    branch: npt.NDArray[np.int32]
    before: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    leaves: npt.NDArray[np.int64]
    training_error: npt.NDArray[np.float64]
    plain: npt.NDArray[np.bool_]
    why: str = ""
    cut_at: float | None = None

    @classmethod
    def of_steps(
        cls, pruner: str, measure: str, tree: Any, steps: dict[str, npt.NDArray[Any]], why: str = ""
    ) -> "PruningLog":
        """The log of the steps that the kernel took from a tree."""
        leaf = np.diff(tree.child_begin) == 0
        total = risk_total(tree) or 1.0
        leaves = np.r_[np.count_nonzero(leaf), steps["leaves"]].astype(np.int64)
        risk = np.r_[tree.risk[leaf].sum(), steps["risk"]] / total
        plain = steps["plain"].astype(bool) if "plain" in steps else np.zeros(len(steps["node"]), dtype=bool)
        compared = (steps["before"], steps["after"])
        return cls(pruner, measure, steps["node"], steps["branch"], *compared, leaves, risk, plain, why)

    @classmethod
    def nothing(cls, tree: Any, pruner: str = "none", measure: str = "", why: str = "") -> "PruningLog":
        """The log of a tree that was not pruned, or from which a pruner cut nothing."""
        ids, numbers = np.zeros(0, np.int32), np.zeros(0)
        steps: dict[str, npt.NDArray[Any]] = {
            "node": ids,
            "branch": ids,
            "before": numbers,
            "after": numbers,
            "leaves": ids,
            "risk": numbers,
        }
        return cls.of_steps(pruner, measure, tree, steps, why)

    @classmethod
    def regrown(cls, pruner: str, tree: Any, smaller: Any) -> "PruningLog":
        """The log of a tree that was pruned and grown on: what became of the whole."""
        leaf = np.diff(smaller.child_begin) == 0
        before, after = (float(it.risk[np.diff(it.child_begin) == 0].sum()) for it in (tree, smaller))
        steps: dict[str, npt.NDArray[Any]] = {
            "node": np.zeros(1, np.int32),
            "branch": np.full(1, _REGROWN, np.int32),
            "before": np.array([before]),
            "after": np.array([after]),
            "leaves": np.array([np.count_nonzero(leaf)]),
            "risk": np.array([after]),
        }
        why = "nodes that were grown on have no number in the grown tree, so the steps are not recorded"
        return cls.of_steps(pruner, "training risk", tree, steps, why)

    def __len__(self) -> int:
        return len(self.node)

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> list[Step]: ...
    def __getitem__(self, place: int | slice) -> Step | list[Step]:
        if isinstance(place, slice):
            return [self._step(step) for step in range(len(self))[place]]
        return self._step(range(len(self))[place])

    def __iter__(self) -> Iterator[Step]:
        return map(self._step, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PruningLog):
            return (self.pruner, list(self)) == (other.pruner, list(other))
        return list(self) == other if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal by value, and values may be many

    def _step(self, place: int) -> Step:
        return int(self.node[place]), self._what(place), float(self.before[place]), float(self.after[place])

    def _what(self, place: int) -> str:
        branch = int(self.branch[place])
        return "raised" if branch >= 0 else "regrown" if branch == _REGROWN else "leaf"

    @property
    def measures(self) -> list[str]:
        """What `before` and `after` count, one a step."""
        return ["training errors" if plain else self.measure for plain in self.plain.tolist()]

    def to_frame(self) -> Any:
        """Return a data frame with one row a step: what was done, why, and the size and error of the tree then."""
        return as_frame(
            {
                "node": self.node.astype(np.int64),
                "what": [self._what(place) for place in range(len(self))],
                "measure": self.measures,
                "before": self.before,
                "after": self.after,
                "n_leaves": self.leaves[1:],
                "training_error": self.training_error[1:],
            }
        )

    def __str__(self) -> str:
        if not len(self):
            return "nothing was pruned" + (f": {self.why}" if self.why else "")
        before = counted(int(self.leaves[0]), "leaf")
        head = f"{self.pruner}: {counted(len(self), 'step')}, from {before} to {self.leaves[-1]:,}"
        if self.why:
            head += f"; {self.why}"
        lines = [
            f"  node {node} {_WORDS[what]}: {measure} {before:.6g} -> {after:.6g}; {counted(leaves, 'leaf')}"
            for (node, what, before, after), measure, leaves in zip(
                self, self.measures, self.leaves[1:].tolist(), strict=True
            )
        ]
        return "\n".join([head, *lines])
