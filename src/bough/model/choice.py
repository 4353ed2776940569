"""What nodes chose among several searches: the kind of the test, and what rows said that it was not fitted to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from bough.model.arrays import arrays_of
from bough.model.frame import as_frame
from bough.model.text import plain_number, share

if TYPE_CHECKING:
    from bough import _core
    from bough.model.tree import Tree

__all__ = ["Choices", "NodeChoice", "kinds_by_depth"]


@dataclass(frozen=True)
class NodeChoice:
    """What a node chose.

    Attributes
    ----------
    kind : str
        The search that found its test.
    errors : dict
        By search: its error on rows that it was not fitted to; empty where nothing was compared because there are few
        rows.
    p_values : dict
        By search: the significance of the difference to the best of those before it.
    """

    kind: str
    errors: dict[str, float]
    p_values: dict[str, float]

    def text(self, classifier: bool) -> str:
        """As drawings tell it, such as "linear: errs 8.3 %, axis 17.5 % (p 0.004)"."""
        if not self.errors:
            return f"{self.kind}: too few rows to compare"
        say = share if classifier else plain_number
        others = [
            f"{kind} {say(error)}" + (f" (p {self.p_values[kind]:.2g})" if place else "")
            for place, (kind, error) in enumerate(self.errors.items())
        ]
        return f"{self.kind} chosen; errors: {', '.join(others)}"


@dataclass(frozen=True)
class Choices:
    """The choices of all nodes, by the branches that lead there, which cutting a tree does not change."""

    kinds: tuple[str, ...]
    by_path: Mapping[tuple[int, ...], NodeChoice]

    @classmethod
    def read(
        cls,
        tree: "_core.Tree",
        told: Sequence[tuple[int, int, Sequence[float], Sequence[float]]],
        kinds: Sequence[str],
    ) -> Self:
        """What the kernel told while it grew the tree; kinds of the same name are numbered."""
        names = tuple(
            f"{kind} {place + 1}" if list(kinds).count(kind) > 1 else kind for place, kind in enumerate(kinds)
        )
        arrays = arrays_of(tree)
        parent, branch = arrays.parent.tolist(), arrays.branch.tolist()
        found = {}
        for node, chosen, errors, p_values in told:
            steps = []
            while node > 0:
                steps.append(branch[node])
                node = parent[node]
            named = (dict(zip(names, map(float, values), strict=True)) for values in (errors, p_values))
            found[tuple(reversed(steps))] = NodeChoice(names[chosen], *named)
        return cls(names, found)

    def at(self, path: tuple[int, ...]) -> NodeChoice:
        """Of an inner node; without a comparison the first."""
        return self.by_path.get(path) or NodeChoice(self.kinds[0], {}, {})


def kinds_by_depth(tree: "Tree") -> Any:
    """How many inner nodes of each kind stand at each depth: a frame."""
    if tree.choices is None:
        return None
    depths: list[int] = []
    kinds: list[str] = []
    for node in tree:
        if node.choice is not None:
            depths.append(node.depth)
            kinds.append(node.choice.kind)
    pairs = list(zip(depths, kinds, strict=True))
    rows = range(max(depths, default=-1) + 1)
    columns: dict[str, Any] = {"depth": list(rows)}
    for kind in tree.choices.kinds:
        columns[kind] = [pairs.count((depth, kind)) for depth in rows]
    return as_frame(columns)
