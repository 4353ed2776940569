"""One tree of a forest as a `bough.Tree`: what nodes hold is summed up from the leaves, where the forest keeps it.

So are gains of splits and impurities, as Gini's or as variance, whatever the forest grew by. A forest keeps weights
alone: a row counts as often as it was drawn, unless somebody who has the rows says how many there are.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model.routing import MAJORITY, MISSING
from bough.model.tree import Tree

if TYPE_CHECKING:
    from bough.model.forest.forest import Forest

__all__ = ["member"]

Floats = npt.NDArray[np.float64]

_ROUTING = (False, MAJORITY, MISSING, MISSING)  # no surrogates; what no test knows goes with the majority


def member(forest: "Forest", number: int, rows: npt.NDArray[np.int64] | None = None) -> Tree:
    """Tree number `number`, which routes and answers rows as it does in the forest.

    Parameters
    ----------
    forest : Forest
    number : int
    rows : ndarray, optional
        By node, as the forest numbers them: how many rows ended there, however often each was drawn.
    """
    kernel = forest.kernel
    arrays = {name: array.tolist() for name, array in kernel.tree(number).items()}
    held = _held(forest, arrays, rows)
    classes = 0 if forest.classes is None else len(forest.classes)
    builder = _core.TreeBuilder([1.0] * classes, _ROUTING)
    # The builder takes nodes depth first, the low branch before the high one.
    waiting = [(0, -1, 0)]
    while waiting:
        node, parent, branch = waiting.pop()
        child = arrays["child"][node]
        if child < 0:
            builder.add_node(parent, branch, majority=-1, **_says(held[node], classes))
            continue
        high = _high_levels(forest, arrays, node)
        # A branch of missing values alone is the last one in a tree; in a forest it may be either.
        turned = high is not None and all(high) and not arrays["missing_high"][node]
        low, other = (child + 1, child) if turned else (child, child + 1)
        major = int(held[other][1] > held[low][1])
        here = builder.add_node(parent, branch, majority=major, **_says(held[node], classes))
        gain = _gain(held[node], (held[child], held[child + 1]), classes)
        _add_test(builder, forest, arrays, node, [0] * len(high) if turned and high is not None else high, turned, gain)
        waiting += [(other, here, 1), (low, here, 0)]
    tree = Tree(builder.freeze(), forest.inputs, forest.answer, forest.target)
    tree.counts_draws = rows is None
    return tree


def _held(forest: "Forest", arrays: dict[str, list[Any]], ended: npt.NDArray[np.int64] | None) -> list[Floats]:
    """By node: rows, weight, and the weight of each class; or rows, weight and the sum of the values."""
    kernel = forest.kernel
    classes = kernel.classes
    weight = kernel.weight / forest.unit
    rows = np.maximum(np.rint(weight), 1)
    if classes:
        table = np.column_stack([rows, weight, kernel.count.reshape(-1, classes) / forest.unit])
    else:
        table = np.column_stack([rows, weight, kernel.answer * weight])
    held: list[Any] = [None] * len(arrays["child"])
    for node in range(len(held) - 1, -1, -1):  # children come after their parent
        child = arrays["child"][node]
        if child >= 0:
            held[node] = held[child] + held[child + 1]
            continue
        held[node] = table[arrays["place"][node]]
        if ended is not None:
            held[node] = np.concatenate([ended[node : node + 1], held[node][1:]])
    return held


def _says(held: Floats, classes: int) -> dict[str, Any]:
    """What a node says, its rows, and their weight."""
    weight = float(held[1])
    about = {"rows": int(held[0]), "weight": weight}
    if not classes:
        return {"value": float(held[2]) / weight, **about}
    counts = held[2 : classes + 2]
    risk = weight - float(counts.max())
    return {
        "label": int(counts.argmax()),
        "counts": [(k, float(count)) for k, count in enumerate(counts) if count > 0],
        "risk": risk,
        "impurity": _gini(held),
        **about,
    }


def _gini(held: Floats) -> float:
    shares = held[2:] / held[1]
    return 1.0 - float(shares @ shares)


def _gain(held: Floats, branches: Sequence[Floats], classes: int) -> float:
    """What a split takes from the Gini impurity of a node, or from the variance, which only means tell of here."""
    if classes:
        return _gini(held) - sum(float(branch[1] / held[1]) * _gini(branch) for branch in branches)
    mean = held[2] / held[1]
    return sum(float(branch[1] / held[1] * (branch[2] / branch[1] - mean) ** 2) for branch in branches)


def _high_levels(forest: "Forest", arrays: dict[str, list[Any]], node: int) -> list[int] | None:
    """By level of a nominal column: whether it takes the high branch."""
    described = forest.inputs.schema.columns[arrays["column"][node]]
    if described.kind != "nominal":
        return None
    place = arrays["place"][node]
    words = forest.kernel.set[place : place + described.n_levels // 32 + 1].tolist()
    return [(words[code // 32] >> (code % 32)) & 1 for code in range(described.n_levels)]


def _add_test(
    builder: Any,
    forest: "Forest",
    arrays: dict[str, list[Any]],
    node: int,
    high: list[int] | None,
    turned: bool,
    gain: float,
) -> None:
    column, missing = arrays["column"][node], int(arrays["missing_high"][node] != turned)
    if high is not None:
        builder.add_levels(column, list(range(len(high))), high, missing=missing, score=gain)
        return
    threshold = arrays["threshold"][node]
    if threshold == np.inf and missing:  # all that is known against what is missing
        builder.add_intervals(column, [], [0], missing=missing, score=gain)
        return
    # Ordered levels are cut after a level, by its code.
    ordered = forest.inputs.schema.columns[column].kind == "ordered"
    builder.add_threshold(column, np.floor(threshold) if ordered else threshold, missing=missing, score=gain)
