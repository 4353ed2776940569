"""The way of one case down a tree, with the reason of each step that is not by its value: prediction, told slowly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bough.model.asked import Asked
from bough.model.features import Cell, Unknown
from bough.model.routing import MISSING, SPREAD
from bough.model.tests import Test
from bough.model.ways import Ends, nowhere, rule_for

__all__ = ["Step", "Way", "step_from", "walk"]


@dataclass(frozen=True)
class Step:
    """How a case, or a part of it, goes on from a node whose test does not know its value.

    Attributes
    ----------
    node : int
    children : tuple of (int, float)
        The nodes it goes to, each with the share of the whole case; empty if it ends here.
    state : {"missing", "unseen", "absent"}
        What the test finds: no value, a level that no training row held, or one that no training row held at this node.
    cause : {"own", "surrogate", "majority", "stop", "parts"}
        What decides: the branch of missing values, a surrogate, the majority, nothing, all branches.
    surrogate : Test or None
        The one that decides.
    """

    node: int
    children: Ends
    state: str
    cause: str
    surrogate: Test | None = None


@dataclass(frozen=True)
class Way:
    """The steps of a case that were not by its value, in preorder, and where it ends: nodes, each with its share.

    All else follows from these: two cases with one way have the same explanation.
    """

    steps: tuple[Step, ...]
    ends: Ends


def walk(asked: Asked, cells: Sequence[Cell]) -> Way:
    """Follow a case from the root to where it ends, in parts if the tree sends it so."""
    steps: list[Step] = []
    ends: list[tuple[int, float]] = []
    parts = [(0, 1.0)]
    while parts:
        number, share = parts.pop()
        test, children = asked.place(number)
        if test is None:
            ends.append((number, share))
            continue
        branch = test.branch(cells)
        if isinstance(branch, int):
            parts.append((children[branch], share))
            continue
        step = step_from(asked, number, test, branch, share, lambda other: other.branch(cells))
        steps.append(step)
        if not step.children:
            ends.append((number, share))
        parts.extend(reversed(step.children))
    return Way(tuple(steps), tuple(ends))


def step_from(
    asked: Asked, node: int, test: Test, state: str, share: float, branch: Callable[[Test], int | Unknown]
) -> Step:
    """How a case, or a share of it, goes on from a node whose test does not know it; `branch` asks a surrogate."""
    children = asked.place(node).children
    rule = rule_for(asked, test, state)
    if rule == MISSING:
        if test.missing_branch is not None:
            return Step(node, ((children[test.missing_branch], share),), state, "own")
        for other in asked.surrogates(node):
            found = branch(other)
            if isinstance(found, int):
                return Step(node, ((children[found], share),), state, "surrogate", other)
        rule = asked.tree.routing[1]
    parts = tuple((child, share * part) for child, part in nowhere(asked, node, rule))
    return Step(node, parts, state, "stop" if not parts else "parts" if rule == SPREAD else "majority")
