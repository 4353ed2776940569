"""What a tree does with a value that no test knows, as the kernel writes it: the rules, the parts of a case that is
spread, and which splits and columns have a say.
"""

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from bough.model.features import columns_asked

if TYPE_CHECKING:
    from bough.model.arrays import Arrays
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = [
    "ERROR",
    "MAJORITY",
    "MISSING",
    "SPREAD",
    "STOP",
    "child_shares",
    "columns_in_turn",
    "columns_of",
    "columns_read",
    "tests_read",
    "unseen_rule",
]

# It is treated as a missing value is, goes with the majority, stops at the node, is refused, or goes down all branches.
MISSING, MAJORITY, STOP, ERROR, SPREAD = range(5)

_RULES: tuple[Literal["missing", "majority", "stop", "error"], ...] = ("missing", "majority", "stop", "error")
_PRIMARY, _SURROGATE = 0, 2  # the roles of splits, as the kernel writes them


def child_shares(node: "Node") -> tuple[tuple[int, float], ...]:
    """The children to which a case goes that is spread here, each with its part; none if no child has weight."""
    arrays = node.tree.arrays
    children = arrays.children[arrays.child_begin[node.id] : arrays.child_begin[node.id + 1]].tolist()
    weights = arrays.weight[children].tolist()
    total = sum(weights)
    if not math.isfinite(total):  # weights near the end of the range of doubles
        most = max(weights)
        weights = [weight / most for weight in weights]
        total = sum(weights)
    return tuple((child, weight / total) for child, weight in zip(children, weights, strict=True) if weight > 0)


def unseen_rule(kernel: Any) -> Literal["missing", "majority", "stop", "error"]:
    """What a tree of the kernel does with a level that no training row held."""
    return _RULES[int(kernel.routing[3])]


def tests_read(tree: "Tree") -> npt.NDArray[np.bool_]:
    """Which splits can decide over a case: those of nodes, and surrogates where these are asked."""
    roles = tree.arrays.split_role
    return np.asarray((roles == _PRIMARY) | ((roles == _SURROGATE) & bool(tree.routing[0])))


def columns_read(tree: "Tree") -> set[int]:
    """The columns that can change an answer: those of the splits that can decide."""
    return columns_of(tree.arrays, tests_read(tree))


def columns_in_turn(tree: "Tree") -> tuple[frozenset[int], frozenset[int]]:
    """The columns that can change an answer: those of the nodes' own tests, and those that only surrogates ask.

    Surrogates are asked where a value is missing or never seen; also where a test does not know a level, so that with
    such a test all columns come first.
    """
    from bough.model.tests import know_every_level

    arrays = tree.arrays
    primary = arrays.split_role == _PRIMARY
    first, every = columns_of(arrays, primary), columns_read(tree)
    if every > first and not know_every_level(arrays, primary, tree.schema.columns):
        first = every
    return frozenset(first), frozenset(every - first)


def columns_of(arrays: "Arrays", splits: npt.NDArray[Any]) -> set[int]:
    """The columns that some splits ask, all those of conjunctions included."""
    return set(columns_asked(arrays, np.flatnonzero(splits))[0].tolist())
