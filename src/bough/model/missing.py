"""What happens where a value is missing: which other questions are asked and where each answer leads, in words."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bough.model.answer.answer import sends_fractions
from bough.model.split import Split
from bough.model.text import share

if TYPE_CHECKING:
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = ["asks_surrogates", "nowhere_text", "spreads", "surrogate_text"]


def asks_surrogates(node: "Node") -> bool:
    """Whether a case whose value is missing here meets other questions."""
    split = node.split
    own_way = split is not None and split.missing_branch is not None
    return not own_way and bool(node.tree.routing[0]) and bool(node.surrogates)


def spreads(tree: "Tree") -> bool:
    """Whether a case that nothing decides goes down all branches, in parts."""
    return sends_fractions(tree.kernel)


def nowhere_text(node: "Node") -> str:
    """What happens to a case that no branch is meant for."""
    if node.tree.refuses_missing:
        return "is refused"
    return "goes down all branches in parts" if spreads(node.tree) else "stops here"


def surrogate_text(
    node: "Node",
    describe: Callable[[Split, int], str],
    branches: Sequence[str],
    *,
    most: int | None = None,
    agreement: bool = False,
) -> str:
    """The surrogates of a node as questions, and the branches that their answers stand for.

    Parameters
    ----------
    describe : callable(split, branch)
        The condition that leads to a branch.
    branches : sequence of str
        What the branches of the node are called.
    most : int, optional
        Name no more surrogates than that.
    agreement : bool, default=False
        Add the share of the rows that each sends as the split does.
    """
    surrogates = node.surrogates
    asked = []
    for other in surrogates[:most]:
        agrees = f" ({share(other.agreement or 0.0)})" if agreement else ""
        if len(branches) == 2:
            asked.append(f"{describe(other, 0)}{agrees}")
        else:
            ways = [f"{describe(other, k)} {branches[k]}" for k in range(other.n_branches) if other.reaches(k)]
            asked.append(", ".join(ways) + agrees)
    if len(asked) < len(surrogates):
        asked.append(f"{len(surrogates) - len(asked)} more")
    text = f"asks {', then '.join(asked)}"
    return f"{text}: yes {branches[0]}, no {branches[1]}" if len(branches) == 2 else text
