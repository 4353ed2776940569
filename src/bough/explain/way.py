"""The way of one case down a tree, with the reason of each step that is not by its value: prediction, told slowly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bough.model.asked import Asked
from bough.model.features import Cell, Unknown
from bough.model.features.feature import Net, Sum
from bough.model.routing import MISSING, SPREAD
from bough.model.tests import Test
from bough.model.ways import Ends, nowhere, rule_for
from bough.table import UNSEEN

__all__ = ["Step", "Way", "filled_in", "step_from", "walk"]


@dataclass(frozen=True)
class Step:
    """How a case, or a part of it, goes on from a node whose test does not know its value, or not all of its values.

    Attributes
    ----------
    node : int
    children : tuple of (int, float)
        The nodes it goes to, each with the share of the whole case; empty if it ends here.
    state : {"missing", "unseen", "absent"}
        What the test finds: no value, a level that no training row held, or one that no training row held at this node.
    cause : {"own", "surrogate", "majority", "stop", "parts", "mean"}
        What decides: the branch of missing values, a surrogate, the majority, nothing, all branches; or the test
        itself, a sum in which the values that are not known count as its terms say: the mean of the node.
    surrogate : Test or None
        The one that decides.
    columns : tuple of int
        Of "mean": those that are not known.
    """

    node: int
    children: Ends
    state: str
    cause: str
    surrogate: Test | None = None
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Way:
    """The steps of a case that were not by its values, in preorder, and where it ends: nodes, each with its share.

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
            steps += filled_in(asked, number, test, cells, (children[branch], share))
            parts.append((children[branch], share))
            continue
        step = step_from(asked, number, test, branch, share, lambda other: other.branch(cells))
        steps.append(step)
        if not step.children:
            ends.append((number, share))
        parts.extend(reversed(step.children))
    return Way(tuple(steps), tuple(ends))


def filled_in(asked: Asked, node: int, test: Test, cells: Sequence[Cell], to: tuple[int, float]) -> list[Step]:
    """What a test that found a branch had to fill in, as a step for each state: columns of sums that are not known."""
    expression = test.feature.expression()
    if isinstance(expression, Net):
        expression = expression.units[0].sum
    if not isinstance(expression, Sum):
        return []
    by_state: dict[str, list[int]] = {"missing": [], "unseen": []}
    for column in test.columns:
        if cells[column] is None:
            by_state["missing"].append(column)
        elif cells[column] == UNSEEN and asked.columns[column].kind != "numeric":
            by_state["unseen"].append(column)
    return [Step(node, (to,), state, "mean", columns=tuple(own)) for state, own in by_state.items() if own]


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
