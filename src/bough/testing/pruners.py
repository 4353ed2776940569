"""Merging of leaves, the global criterion, description length and reduced error by brute force: every step looked for
anew, every pruning of a tree tried. For small trees only; `Reading` is a tree as `read_tree` gives it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, inf, lgamma, log, log2, pi

from bough.testing.compare import Reading
from bough.testing.splits import Levels

Path = tuple[int, ...]
Pruning = frozenset[Path]
"""The inner nodes that a pruning makes leaves, none below another."""

TIE = 1e-9


@dataclass(frozen=True)
class Joined:
    """A step of merging: the node whose children were joined, and by how much the impurity rose."""

    path: Path
    increase: float


def merging(
    root: Reading, *, most: float = inf, weighted: bool = False, leaves: int = 1, factors: Sequence[float] | None = None
) -> list[Joined]:
    """Join sibling leaves step by step, always the ones whose joining raises the impurity least.

    Parameters
    ----------
    root : Reading
    most : float, default=inf
        The largest increase that is allowed.
    weighted : bool, default=False
        Whether increases count by the node's share of the weight.
    leaves : int, default=1
        Stop when so few leaves are left.
    factors : list of float, optional
        By class, what counts are multiplied by in the impurities.
    """
    cut: set[Path] = set()
    steps: list[Joined] = []
    while True:
        inner = {path: node for path, node in nodes(root) if node.children and not _is_below(path, cut)}
        ready = [
            path for path, node in inner.items() if not any((*path, b) in inner for b in range(len(node.children)))
        ]
        left = 1 + sum(len(node.children) - 1 for node in inner.values())
        if not ready or left <= leaves:
            return steps
        rises = {path: _rise(root, inner[path], factors, weighted=weighted) for path in ready}
        path = min(rises, key=lambda path: (rises[path], path))
        if rises[path] > most + 1e-12 * (root.impurity or 0.0):
            return steps
        cut.add(path)
        steps.append(Joined(path, rises[path]))


def _rise(root: Reading, node: Reading, factors: Sequence[float] | None, *, weighted: bool) -> float:
    weights = [_mass(child, factors) for child in node.children]
    own = node.impurity or 0.0
    mean = own
    if sum(weights) > 0:
        pairs = zip(weights, node.children, strict=True)
        mean = sum(weight * (child.impurity or 0.0) for weight, child in pairs) / sum(weights)
    share = _mass(node, factors) / _mass(root, factors) if weighted else 1.0
    return own * share - mean * share


def _mass(node: Reading, factors: Sequence[float] | None) -> float:
    if node.counts is None or not node.weight:
        return node.weight or 0.0
    return sum(count * factor for count, factor in zip(node.counts, factors or [1.0] * len(node.counts), strict=True))


def nodes(root: Reading) -> Iterator[tuple[Path, Reading]]:
    """The nodes with their paths, a parent before its children."""
    stack: list[tuple[Path, Reading]] = [((), root)]
    while stack:
        path, node = stack.pop()
        yield path, node
        stack += [((*path, branch), child) for branch, child in reversed(list(enumerate(node.children)))]


def _is_below(path: Path, cut: set[Path] | Pruning) -> bool:
    """Whether a node is cut off, or cut itself."""
    return any(path[: len(above)] == above for above in cut)


def prunings(root: Reading, path: Path = ()) -> list[Pruning]:
    """Every way to make leaves of inner nodes, from none to the root.

    Examples
    --------
    >>> from bough.testing import Reading, prunings
    >>> root = Reading(children=[Reading(), Reading(children=[Reading(), Reading()])])
    >>> [sorted(pruning) for pruning in prunings(root)]
    [[()], [(1,)], []]
    """
    if not root.children:
        return [frozenset()]
    below = [prunings(child, (*path, branch)) for branch, child in enumerate(root.children)]
    return [frozenset([path]), *(frozenset().union(*parts) for parts in product(*below))]


def kept(root: Reading, pruning: Pruning) -> Iterator[tuple[Path, Reading, bool]]:
    """The nodes that a pruning leaves: path, node, whether it is a leaf now."""
    for path, node in nodes(root):
        if not any(path[: len(above)] == above and len(above) < len(path) for above in pruning):
            yield path, node, not node.children or path in pruning


def choose(root: Reading, costs: dict[Pruning, float], *, smallest: bool = True) -> Pruning:
    """The pruning of the least cost; of equal ones the smallest tree, or the largest."""
    least = min(costs.values())
    near = [pruning for pruning, cost in costs.items() if cost <= least + TIE * (1 + abs(least))]
    size = {pruning: sum(1 for _ in kept(root, pruning)) for pruning in near}
    return min(near, key=lambda pruning: size[pruning] if smallest else -size[pruning])


def global_criterion(
    root: Reading,
    pruning: Pruning,
    alpha: float,
    *,
    size: str = "nodes",
    weighted: bool = False,
    factors: Sequence[float] | None = None,
) -> float:
    """J = alpha x size + the impurities of the leaves of a pruned tree (Duda, Hart and Stork).

    Parameters
    ----------
    root : Reading
    pruning : frozenset of paths
    alpha : float
    size : {"nodes", "links", "leaves"}
        What is counted; there is a link to every node but the root.
    weighted : bool, default=False
        Whether an impurity counts by the leaf's share of the weight.
    factors : list of float, optional
        By class, what counts are multiplied by in the impurities.

    Examples
    --------
    >>> leaf = Reading(weight=1, impurity=0.5)
    >>> root = Reading(weight=4, impurity=0.75, children=[Reading(weight=3, impurity=0.25), leaf])
    >>> [global_criterion(root, cut, 0.125) for cut in (frozenset([()]), frozenset())]
    [0.875, 1.125]
    >>> global_criterion(root, frozenset(), 0.125, size="leaves", weighted=True)
    0.5625
    """
    left = list(kept(root, pruning))
    leaves = [node for _, node, leaf in left if leaf]
    sizes = {"nodes": len(left), "links": len(left) - 1, "leaves": len(leaves)}
    impurities = fsum(
        (node.impurity or 0.0) * (_mass(node, factors) / _mass(root, factors) if weighted else 1.0)
        for node in leaves
        if node.weight
    )
    return alpha * sizes[size] + impurities


def stages(root: Reading, order: str = "best_first", factors: Sequence[float] | None = None) -> list[Pruning]:
    """The trees through which a tree has grown, as prunings of it, from the root alone to the whole.

    "best_first": at each step the node is split that gains most, times its weight; of equal ones that which came to be
    first. "layers": all nodes of a depth at once.

    Examples
    --------
    >>> def node(gain=0.0, *children):
    ...     return Reading(weight=1, gain=gain, children=list(children))
    >>> root = node(0.5, node(0.1, node(), node()), node(0.3, node(), node()))
    >>> [sorted(stage) for stage in stages(root)]
    [[()], [(0,), (1,)], [(0,)], []]
    >>> [sorted(stage) for stage in stages(root, "layers")]
    [[()], [(0,), (1,)], []]
    """
    found: list[Pruning] = []
    waiting: list[tuple[Path, Reading]] = [((), root)] if root.children else []  # in the order in which they came
    while waiting:
        found.append(frozenset(path for path, _ in waiting))
        worth = [(node.gain or 0.0) * _mass(node, factors) for _, node in waiting]
        split = waiting if order == "layers" else [waiting[worth.index(max(worth))]]
        paths = {path for path, _ in split}
        waiting = [(path, node) for path, node in waiting if path not in paths]
        waiting += [
            ((*path, branch), child)
            for path, node in split
            for branch, child in enumerate(node.children)
            if child.children
        ]
    return [*found, frozenset()]


def exception_bits(counts: Sequence[float], code: str = "counts") -> float:
    """Bits of the classes of the rows of a leaf.

    Examples
    --------
    Of 4 rows one is of the second of two classes: 5 vectors of counts, 4 orders.

    >>> round(exception_bits([3, 1]), 6) == round(log2(5) + log2(4), 6)
    True
    """
    n, k = fsum(counts), len(counts)
    if n == 0:
        return 0.0
    if code == "counts":
        ways = lgamma(n + k) - lgamma(k) - fsum(lgamma(count + 1) for count in counts)
        return ways / log(2)
    shares = fsum(count * log2(n / count) for count in counts if count > 0)
    return max(0.0, shares + (k - 1) / 2 * log2(n / 2) + k / 2 * log2(pi) - lgamma(k / 2) / log(2))


def question_bits(node: Reading, values: Sequence[int], *, one_level: bool = False) -> float:
    """Bits of the test of a node: its column, its threshold or its sets of levels, the branch of missing values.

    Examples
    --------
    One of two columns, one of its seven thresholds; missing values go to one of two branches.

    >>> from bough.testing import Reading, Threshold
    >>> node = Reading(Threshold(0, 0.5), missing=1, children=[Reading(), Reading()])
    >>> round(question_bits(node, [8, 3]), 6) == round(log2(2) + log2(7) + log2(2), 6)
    True
    """
    assert node.split is not None  # noqa: S101 (an inner node)
    bits = log2(len(values))
    if node.missing is not None:
        bits += log2(len(node.children))
    if not isinstance(node.split, Levels):
        return bits + log2(max(values[node.split.column] - 1, 1))
    levels, branches = len(node.split.branches), len(node.children)
    if node.missing is not None and node.missing not in node.split.branches.values():
        branches -= 1  # one is for missing values alone
    if one_level:
        return bits + log2(levels)
    if levels <= branches:
        return bits
    if branches == 2:
        return bits + log2(2 ** (levels - 1) - 1)
    return bits + levels * log2(branches) - lgamma(branches + 1) / log(2)


def description_bits(
    root: Reading,
    pruning: Pruning,
    values: Sequence[int],
    *,
    code: str = "counts",
    one_level: bool = False,
    tree_weight: float = 1.0,
) -> float:
    """Bits of a pruned tree and of the classes of its rows; `values` has the number of values of each column."""
    total = 0.0
    for _, node, leaf in kept(root, pruning):
        total += tree_weight * (1 if leaf else 1 + question_bits(node, values, one_level=one_level))
        counts = list(node.counts or ()) if node.weight else [0.0] * len(node.counts or ())
        if not leaf:  # rows that go to no child
            for child in node.children:
                if child.weight:
                    counts = [count - part for count, part in zip(counts, child.counts or (), strict=True)]
            counts = [count if count > TIE * (node.weight or 0.0) else 0.0 for count in counts]
        total += exception_bits(counts, code)
    return total


def passed(
    root: Reading, pruning: Pruning, case: Sequence[float | None], fallback: str
) -> Iterator[tuple[Path, Reading, float, int | None]]:
    """The nodes of a pruned tree that a case comes to, in which parts, and the branch that the test itself says.

    Where the test says none (None), `fallback` decides: "spread", "majority" or "stop". A case has ended where no node
    below is passed.
    """
    stack: list[tuple[Path, Reading, float]] = [((), root, 1.0)]
    while stack:
        path, node, share = stack.pop()
        branch = None
        if node.split is not None and path not in pruning:
            branch = node.split.branch(case[node.split.column])
            branch = node.missing if branch is None else branch
        yield path, node, share, branch
        if node.split is None or path in pruning:
            continue
        weights = [child.weight or 0.0 for child in node.children]
        if branch is None and fallback == "majority" and (node.majority or 0) >= 0:
            branch = node.majority
        if branch is not None:
            stack.append(((*path, branch), node.children[branch], share))
        elif fallback == "spread" and sum(weights) > 0:
            parts = enumerate(zip(node.children, weights, strict=True))
            stack += [((*path, b), child, share * w / sum(weights)) for b, (child, w) in parts if w > 0]


def ends(root: Reading, pruning: Pruning, case: Sequence[float | None], fallback: str) -> list[tuple[Reading, float]]:
    """Where a case ends in a pruned tree, in which parts; `fallback` is "spread", "majority" or "stop"."""
    way = list(passed(root, pruning, case, fallback))
    left = {path[:-1] for path, _, _, _ in way if path}
    return [(node, share) for path, node, share, _ in way if path not in left]


def held_out_loss(
    root: Reading,
    pruning: Pruning,
    cases: Sequence[Sequence[float | None]],
    y: Sequence[float],
    weights: Sequence[float],
    *,
    fallback: str = "spread",
    error: str = "squared",
) -> float:
    """What the answers of a pruned tree cost on rows: squared or absolute errors, or errors of classes ("classes")."""
    loss = {"squared": lambda a, b: (a - b) ** 2, "absolute": lambda a, b: abs(a - b), "classes": lambda a, b: a != b}
    return fsum(
        weight * share * loss[error](target, node.answer)
        for case, target, weight in zip(cases, y, weights, strict=True)
        for node, share in ends(root, pruning, case, fallback)
    )
