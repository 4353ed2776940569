"""The leaves of a tree on new rows: how many come, what was expected of them and observed, and how they got there.

Shares of the training rows are those of the weights that the tree stores. How far rows have moved between the leaves
is the population stability index, PSI: the sum of (q - p) log(q / p) over the shares p in training and q now.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.explain.frame import ways_of
from bough.model.wilson import wilson
from bough.explain.path import rule
from bough.explain.way import Way
from bough.model import Node, Tree
from bough.model.asked import Asked as Tests
from bough.validate.asked import Asked
from bough.validate.pieces import Columns, label_text
from bough.validate.rows import effective_rows, weighted_mean

__all__ = ["Leaf", "Leaves", "leaf_columns", "leaves_of", "routing_columns", "stability_index"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Leaf:
    """An end of a tree, mostly a leaf, on new rows.

    Attributes
    ----------
    node : Node
    answer : object
        The class or the number that is answered.
    training : float
        The share of the training weight that ended there.
    rows : float
        The weight of the new rows that end there; a row that goes down several branches counts in parts.
    share : float
        The same as a share of all.
    label : object
        The class that `expected` and `observed` are about: the positive one of two, of more the one that is answered.
        None for numbers.
    expected : float
        The probability of that class, or the number that is answered.
    value : float
        What was observed: the share of that class, or the mean; NaN without rows.
    low, high : float
        The interval of `value`: Wilson's, or Student's of the mean.
    psi : float
        What it adds to the stability index.
    """

    node: Node
    answer: Any
    training: float
    rows: float
    share: float
    label: Any
    expected: float
    value: float
    low: float
    high: float
    psi: float

    @property
    def rule(self) -> str:
        """What leads there; made when asked, because the rules of a deep tree fill the memory."""
        return " and ".join(map(str, rule(self.node.tree, self.node.id))) or "all rows"

    @property
    def is_off(self) -> bool:
        """Whether what was expected lies outside the interval of what was observed.

        Each leaf is looked at by itself: of intervals of 95 % about one in twenty is missed by chance.
        """
        return bool(np.isfinite(self.low) and not self.low <= self.expected <= self.high)


@dataclass(frozen=True)
class Leaves:
    """The ends of a tree on new rows.

    Attributes
    ----------
    leaves : tuple of Leaf
    psi : float
        The stability index; NaN where the tree stores no weights.
    by_chance : float
        What it would be on average if nothing had moved.
    routing : tuple of (str, str, str, int)
        How rows went where a value was missing or unseen: the column, what its test met ("missing", "unseen": a level
        that no training row held, "absent": none at that node), what decided ("own": a branch of missing values,
        "surrogate", "majority", "stop": nothing, the row ends there, "parts": all branches) and the number of rows.
    """

    leaves: tuple[Leaf, ...]
    psi: float
    by_chance: float
    routing: tuple[tuple[str, str, str, int], ...]


def stability_index(before: Floats, now: Floats, rows_before: float, rows_now: float) -> Floats:
    """What each place adds to the population stability index, by the shares of rows there.

    A place without rows would make it infinite: it counts as half a row.

    Examples
    --------
    >>> import numpy as np
    >>> from bough.validate.leaves import stability_index
    >>> stability_index(np.array([0.5, 0.5]), np.array([0.6, 0.4]), 100, 100).round(4)
    array([0.0182, 0.0223])
    """
    p, q = (np.maximum(share, 0.5 / rows) for share, rows in ((before, rows_before), (now, rows_now)))
    return np.asarray((q - p) * np.log(q / p))


def leaves_of(asked: Asked, scored: tuple[int, ...], labels: list[Any], level: float) -> Leaves | None:
    """What the leaves of a model that is a tree hold; None for a model without leaves.

    Parameters
    ----------
    asked : Asked
    scored : tuple of int
        The class that is judged; of several, that of each leaf's answer.
    labels : list
        All classes by their numbers.
    level : float
    """
    tree = asked.model
    if not isinstance(tree, Tree):
        return None
    tests = Tests(tree)
    ways = ways_of(tests, asked.rows.encoded, tree.apply(asked.rows))
    row, node, part = _ends(ways)
    ends = np.union1d(np.flatnonzero(_training(tree) > 0), node).astype(np.int64)
    weights = part * asked.trial.weights[row]
    total, counts = float(asked.trial.weights.sum()), np.bincount(node, weights, tree.n_nodes)[ends]
    before = _training(tree)[ends]
    trained = before.sum() > 0
    size = (float(tree.arrays.rows[0]), effective_rows(asked.trial.weights))
    index = stability_index(before, counts / total, *size) if trained else np.full(len(ends), np.nan)
    order = np.argsort(node, kind="stable")
    bounds = np.searchsorted(node[order], [ends, ends + 1])
    reads = bool(tree.answer.columns(tree.kernel))
    found = []
    for place, end in enumerate(ends.tolist()):
        mine = order[bounds[0, place] : bounds[1, place]]
        view = Node(tree, end)
        code, expected = _expected(view, scored, labels)
        truth = asked.trial.truth[row[mine]]
        if reads and weights[mine].any():  # such a leaf says a number of each row
            expected = float(np.average(asked.trial.answer[row[mine]], weights=weights[mine]))
        value, low, high = _observed(truth if code is None else truth == code, weights[mine], code is None, level)
        held = float(counts[place]), float(counts[place] / total)
        label = None if code is None else labels[code]
        found.append(
            Leaf(view, view.answer, float(before[place]), *held, label, expected, value, low, high, float(index[place]))
        )
    by_chance = (len(ends) - 1) * (1 / size[0] + 1 / size[1]) if trained and min(size) > 0 else np.nan
    return Leaves(tuple(found), float(index.sum()), by_chance, _routing(tests, ways))


def _training(tree: Tree) -> Floats:
    """The share of the training weight that ended in each node: of an inner one, what went to none of its branches."""
    arrays = tree.arrays
    weight = arrays.weight.copy()
    np.subtract.at(weight, arrays.parent[1:], arrays.weight[1:])
    weight[weight <= 1e-9 * arrays.weight[0]] = 0.0
    return weight / arrays.weight[0] if arrays.weight[0] > 0 else np.zeros(len(weight))


def _ends(ways: list[Way]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]:
    """Where rows end: numbers of rows and nodes, and the part of the row."""
    many = np.array([len(way.ends) for way in ways])
    flat = [end for way in ways for end in way.ends]
    nodes, parts = np.array([end[0] for end in flat], dtype=np.intp), np.array([end[1] for end in flat])
    return np.repeat(np.arange(len(ways)), many), nodes, parts


def _expected(node: Node, scored: tuple[int, ...], labels: list[Any]) -> tuple[int | None, float]:
    """The class that a node is judged by, and its probability there; or the number that it answers."""
    shares = node.probabilities
    if shares is None:
        return None, float(node.answer)
    label = labels[scored[0]] if len(scored) == 1 else node.answer
    return labels.index(label), float(shares[label])


def _observed(truth: Any, weights: Floats, numbers: bool, level: float) -> tuple[float, float, float]:
    """The weighted mean of what was observed, with its interval."""
    mean = weighted_mean(truth, weights, level)
    if numbers or not mean.rows > 0:
        return mean[:3]
    low, high = wilson(mean.value, mean.rows, level)
    return mean.value, float(low), float(high)


def _routing(tests: Tests, ways: list[Way]) -> tuple[tuple[str, str, str, int], ...]:
    """Rows by what led them on otherwise than by their value; one that meets the same twice counts once."""
    names = tests.tree.schema.names
    often = Counter(way for way in ways if way.steps)
    counts: Counter[tuple[str, str, str]] = Counter()
    for way, rows in often.items():
        met = {(" and ".join(names[c] for c in tests.asked_at(step.node).columns), step.state, step.cause)
               for step in way.steps}  # fmt: skip
        counts.update(dict.fromkeys(met, rows))
    return tuple((*key, rows) for key, rows in sorted(counts.items()))


def leaf_columns(leaves: tuple[Leaf, ...]) -> Columns:
    """One row a leaf."""
    numbers = all(leaf.label is None for leaf in leaves)
    columns: Columns = {"node": [leaf.node.id for leaf in leaves], "rule": [leaf.rule for leaf in leaves]}
    columns["answer"] = [leaf.answer if numbers else label_text(leaf.answer) for leaf in leaves]
    columns |= {name: [getattr(leaf, name) for leaf in leaves] for name in ("training", "rows", "share")}
    columns["class"] = [label_text(leaf.label) for leaf in leaves]
    columns["expected"] = [leaf.expected for leaf in leaves]
    columns["observed"] = [leaf.value for leaf in leaves]
    return columns | {name: [getattr(leaf, name) for leaf in leaves] for name in ("low", "high", "psi")}


def routing_columns(routing: tuple[tuple[str, str, str, int], ...]) -> Columns:
    """One row a column, what its test met and what decided."""
    names = ("column", "met", "decided_by", "rows")
    return {name: [one[place] for one in routing] for place, name in enumerate(names)}
