"""What the nodes of a tree are pruned by, as one number a node: what their answers cost, or how far their probabilities
are off.

Weakest-link pruning compares a node with the leaves below it by any sum over rows. The kernel stores one such risk,
what answers cost, which is blind to a split whose branches decide alike with unlike probabilities. The others are
worked out from the class counts of the nodes, so that a tree that was read from a file knows them too.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from bough import _core
from bough.model.tests import levels_parted

__all__ = ["MEASURES", "node_charge", "node_risk", "row_of", "with_links"]

Floats = npt.NDArray[np.float64]

# How complexities are counted, by what is summed over rows. The first two count what answers cost: exact, or by the
# accounts that rpart carries.
MEASURES = ("weakest_link", "accounts", "brier", "deviance", "evidence")


def node_risk(kernel: Any, measure: str, row: float = 1.0) -> Floats:
    """The risk of each node as a leaf, summed over its training rows.

    Parameters
    ----------
    kernel : _core.Tree
    measure : {"weakest_link", "accounts", "brier", "deviance", "evidence"}
        "brier": squared distance of the shares from the class of a row. "deviance": -2 log of the share of its class.
        "evidence": the same where each row is predicted by the rows of the leaf before it, and the first by the shares
        of the whole table, in whatever order (Buntine 1992): small leaves do not look better than they are. For numbers
        it is what answers cost.
    row : float, default=1.0
        What one row weighs; only the evidence asks.
    """
    if measure in ("weakest_link", "accounts") or not kernel.is_classifier:
        return np.array(kernel.risk)
    node = np.repeat(np.arange(len(kernel)), np.diff(kernel.count_begin))
    mass = np.asarray(kernel.count_weight) * np.asarray(kernel.class_scale)[kernel.count_class]
    total = _by_node(kernel, node, mass)
    if measure == "brier":
        squares = _by_node(kernel, node, mass * mass)
        return np.maximum(total - squares / np.where(total > 0, total, 1.0), 0.0)
    if measure == "deviance":
        share = mass / np.where(total > 0, total, 1.0)[node]
        return np.maximum(_by_node(kernel, node, -2.0 * mass * np.log(np.where(share > 0, share, 1.0))), 0.0)
    one = row_of(kernel) * row
    prior = np.zeros(len(kernel.class_scale))
    first = slice(0, int(kernel.count_begin[1]))
    prior[kernel.count_class[first]] = mass[first] / (total[0] or 1.0)
    before = prior[kernel.count_class]
    seen = before > 0
    # Chances of a Dirichlet and a multinomial: lengths in units of rows.
    length = np.zeros(len(mass))
    length[seen] = gammaln(before[seen]) - gammaln(mass[seen] / one + before[seen])
    in_turn: Floats = 2.0 * one * (gammaln(total / one + 1.0) + _by_node(kernel, node, length))
    return np.maximum(in_turn, 0.0)


def node_charge(kernel: Any, measure: str, row: float = 1.0) -> Floats | None:
    """How many times the price of a leaf the split of each node pays for each leaf that it adds; None: once everywhere.

    The price of the evidence is that of a threshold, the best of some n cuts. A set of levels is the best of many more,
    2^(L - 1) for the L levels present in the node, and of noise the best of them gains in proportion to L.
    """
    if measure != "evidence":
        return None
    rows = max(float(kernel.weight[0]) / row, 2.0)
    inner = np.flatnonzero(np.diff(kernel.split_begin) > 0)
    levels = levels_parted(kernel, np.asarray(kernel.split_begin)[inner])
    leaves = np.diff(kernel.child_begin)[inner] - 1
    charge = np.ones(len(kernel))
    charge[inner] = np.maximum((levels - 1) * math.log(2.0) / (leaves * math.log(rows)), 1.0)
    return charge


def with_links(kernel: Any, measure: str, row: float = 1.0) -> Any:
    """The tree with the complexities of weakest-link pruning in a measure; see `node_risk` and `node_charge`."""
    return _core.weakest_links(kernel, node_risk(kernel, measure, row), node_charge(kernel, measure, row))


def row_of(kernel: Any) -> float:
    """How much one row of weight 1 counts under priors and class weights: 1 without them.

    Where a rare class counts more, fewer rows carry the sums, and chance moves them more. The factor is that of the
    variance of the shares of the root, and never less than the mean of the rows, so that a class of next to no weight
    is not told apart.
    """
    first = slice(0, int(kernel.count_begin[1]))
    scale = np.asarray(kernel.class_scale)[kernel.count_class[first]]
    mass = np.asarray(kernel.count_weight)[first] * scale
    total = float(mass.sum())
    present = np.count_nonzero(mass)
    if present < 2:
        return float(scale[mass > 0].sum()) or 1.0
    mean = total / float(np.asarray(kernel.count_weight)[first].sum())
    return max(float(scale @ (1.0 - mass / total)) / (present - 1), mean)


def _by_node(kernel: Any, node: npt.NDArray[Any], values: Floats) -> Floats:
    return np.bincount(node, weights=values, minlength=len(kernel)).astype(np.float64)
