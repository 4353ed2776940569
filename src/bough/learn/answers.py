"""What the nodes of a grown tree say, where that is not what the kernel's criterion makes them say."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.decisions import decide

__all__ = ["relabelled", "revalued", "shares_of_root"]

Floats = npt.NDArray[np.float64]


def shares_of_root(tree: Any) -> Floats:
    """The shares of the classes in the training rows, under priors."""
    nodes = np.zeros(1, dtype=np.int32)
    shares = _core.probabilities(tree, nodes)[0]
    whole: Floats = shares / shares.sum()
    return whole


def relabelled(tree: Any, m: float, prior: Floats) -> Any:
    """The tree whose nodes answer with the class that is most probable after smoothing."""
    shares = _core.probabilities(tree, np.arange(len(tree), dtype=np.int32), m, prior)
    label = decide(shares, None, 1e-12).astype(np.int32)
    return tree if (label == tree.label).all() else _changed(tree, label=label)


def revalued(tree: Any, columns: Any, values: Floats, weights: Floats | None, answer: str, threads: int) -> Any:
    """The tree whose nodes answer with the mean or the median of the training rows that pass them."""
    mass = np.ones(len(values)) if weights is None else weights
    indptr, nodes = _core.decision_path(tree, columns, threads)
    rows = np.repeat(np.arange(len(values)), np.diff(indptr))
    used = mass[rows] > 0
    rows, nodes = rows[used], nodes[used]
    order = np.lexsort((values[rows], nodes))
    rows, nodes = rows[order], nodes[order]
    own = tree.value.copy()
    begins = np.flatnonzero(np.r_[True, nodes[1:] != nodes[:-1]])
    for begin, end in zip(begins, np.r_[begins[1:], len(nodes)], strict=True):
        part, weight = values[rows[begin:end]], mass[rows[begin:end]]
        own[nodes[begin]] = np.average(part, weights=weight) if answer == "mean" else _median(part, weight)
    return _changed(tree, value=own)


def _median(values: Floats, weights: Floats) -> float:
    """The median of sorted values; between two that share it their middle."""
    passed = np.cumsum(weights)
    half = passed[-1] / 2
    first = int(np.argmax(passed >= half * (1 - 1e-12)))
    last = first + 1 if passed[first] <= half * (1 + 1e-12) and first + 1 < len(values) else first
    return float(values[first] / 2 + values[last] / 2)


def _changed(tree: Any, **arrays: Any) -> Any:
    return _core.Tree.from_arrays({**tree.to_arrays(), **arrays}, tree.routing)
