"""The binary tree that says the same as a tree with more branches: a test of B branches becomes a chain of B - 1.

Each link of a chain sets one branch apart from those that are left. The first link is the old node, with all that is
known of it; the others stand for what is left, and no case ever ends in one of them.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from bough import _core
from bough.model.split import Split

if TYPE_CHECKING:
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = ["to_binary"]

Tree_ = TypeVar("Tree_", bound="Tree")

_PRIMARY, _SURROGATE = 0, 2  # as the kernel writes them
_ROLE = {"primary": _PRIMARY, "competitor": 1, "surrogate": _SURROGATE}

_Facts: TypeAlias = dict[str, Any]
_FACTS = ("rows", "weight", "impurity", "risk", "complexity", "majority")


@dataclass(frozen=True)
class _Place:
    """Where a node or a link is to be written; `link` counts along the chain of the old node, 0 is the node itself."""

    node: int
    parent: int
    branch: int
    link: int = 0


@dataclass(frozen=True)
class _Link:
    """One test of a chain: old branches from `high` on take branch 1, those below branch 0."""

    high: int
    first: int  # the lowest old branch that can still come here
    asks_missing: bool = False

    def side(self, branch: int) -> int:
        return int(branch >= self.high)


def to_binary(tree: Tree_) -> Tree_:
    """Return the binary tree that says the same: every case is answered as in this tree.

    A test with B > 2 branches becomes a chain of tests that set one branch apart from the rest, in the order of
    the branches: color in {green}?, then color in {yellow}?, ... Intervals become thresholds (where a branch lies
    between others that are left, one test with two edges). A branch of its own for missing values is asked for
    first: is the value missing?. Binary tests stay as they are.

    Missing, absent and unseen values are routed as before: surrogates, the majority and the branch of missing
    values are asked at every link of a chain and agree. In a tree whose routing spreads cases in parts, the rest
    of a chain weighs what its branches weigh together, so that the shares along a chain multiply to the old ones:
    w1 / W and then w2 / (W - w1) of (W - w1) / W. Probabilities can differ in the last bits by that rounding.

    The gain of an old test stands at the first link of its chain, so that importances stay the same; the nodes
    between have the sums of what is left and answer by them, though no case ends there. A test of many levels
    makes long sets: they take room by the square of the number of branches.

    Examples
    --------
    >>> import bough
    >>> fruit = bough.datasets.load_fruit()
    >>> tree = bough.ID3Classifier().fit(fruit.data, fruit.target).tree_
    >>> [child.condition for child in tree.root.children]
    ['size = big', 'size = medium', 'size = small']
    >>> binary = tree.to_binary()
    >>> binary.root.children[1].children[0].condition, max(len(node.children) for node in binary)
    ('size = medium', 2)
    """
    writer = _Writer(tree)
    todo = [_Place(0, -1, 0)]
    while todo:
        todo.extend(reversed(writer.write(todo.pop())))
    arrays = writer.builder.freeze().to_arrays()
    arrays["growth_scale"] = tree.arrays.growth_scale
    if len(tree.arrays.split_adjusted) == 0:
        arrays["split_adjusted"] = np.zeros(0)
    return tree.with_kernel(_core.Tree.from_arrays(arrays, tree.routing))


class _Writer:
    def __init__(self, tree: "Tree") -> None:
        self.tree = tree
        self.builder = _core.TreeBuilder(tree.arrays.class_scale.tolist(), tree.routing)
        self._rests: dict[int, list[_Facts]] = {}  # of chains that are not complete yet: what is left from a branch on

    def write(self, place: _Place) -> list[_Place]:
        """Write one node with its splits; return what comes below it, first branch first."""
        node = self.tree.nodes[place.node]
        split, children = node.split, node.children
        if split is None or len(children) == 2:
            new = self.builder.add_node(place.parent, place.branch, **self._facts(place.node))
            for other in () if split is None else (split, *node.competitors, *node.surrogates):
                self._copy(other)
            return [_Place(child.id, new, branch) for branch, child in enumerate(children)]
        links = _chain(split, len(children))
        link = links[place.link]
        facts = self._facts(place.node) if place.link == 0 else self._rest(node, links, place.link)
        if facts["majority"] >= 0:
            facts["majority"] = link.side(facts["majority"])
        new = self.builder.add_node(place.parent, place.branch, **facts)
        self._part(split, link, _PRIMARY, (split.gain or 0.0) if place.link == 0 else 0.0)
        if place.link == 0:
            for other in node.competitors:
                self._copy(other)
        if place.link == 0 or split.missing_branch is None:  # else nobody asks them
            for other in node.surrogates:
                self._part(other, link, _SURROGATE, other.agreement or 0.0)
        below = _Place(place.node, new, 0, place.link + 1)
        if link.asks_missing:
            return [below, _Place(children[-1].id, new, 1)]
        apart = _Place(children[link.first].id, new, 0)
        if place.link == len(links) - 1:
            self._rests.pop(place.node, None)
            return [apart, _Place(children[link.first + 1].id, new, 1)]
        return [apart, _Place(place.node, new, 1, place.link + 1)]

    def _part(self, split: Split, link: _Link, role: int, score: float) -> None:
        """A split whose branches are made two; values that lead to an earlier branch do not come to a primary test."""
        test, gone = split.test, link.first if role == _PRIMARY else 0
        missing = test.missing_branch
        asked_for = test.missing_alone and test.tells_missing  # by the first link
        own = None if missing is None or (asked_for and not link.asks_missing) else link.side(missing)
        parted = test.mapped(lambda branch: None if branch < gone else link.side(branch), own)
        parted.write(self.builder, role=role, score=score, adjusted=split.adjusted or 0.0)

    def _copy(self, split: Split) -> None:
        """A split as it is."""
        (score,) = (number for number in (split.gain, split.agreement) if number is not None)
        split.test.write(self.builder, role=_ROLE[split.role], score=score, adjusted=split.adjusted or 0.0)

    def _facts(self, node: int) -> _Facts:
        """What is known of an old node."""
        arrays = self.tree.arrays
        facts: _Facts = {name: getattr(arrays, name)[node].item() for name in _FACTS}
        if self.tree.is_classifier:
            own = slice(arrays.count_begin[node], arrays.count_begin[node + 1])
            counts = zip(arrays.count_class[own].tolist(), arrays.count_weight[own].tolist(), strict=True)
            return facts | {"label": int(arrays.label[node]), "counts": list(counts)}
        return facts | {"value": float(arrays.value[node])}

    def _rest(self, node: "Node", links: list[_Link], link: int) -> _Facts:
        """What is known of the branches that are left at a link."""
        rests = self._rests.get(node.id)
        if rests is None:
            known = len(node.children) - int(links[0].asks_missing)
            rests = self._rests[node.id] = self._add_up(node, [child.id for child in node.children[:known]])
        return dict(rests[links[link].first])

    def _add_up(self, node: "Node", children: list[int]) -> list[_Facts]:
        """For each child, the sum of it and those after it; without weight they answer as the node does."""
        rest = self._facts(node.id) | {"rows": 0, "weight": 0.0, "risk": 0.0}
        sums: list[_Facts] = []
        counts = np.zeros(len(self.tree.arrays.class_scale))
        for child in reversed(children):
            own = self._facts(child)
            weight = rest["weight"] + own["weight"]
            rest = rest | {"rows": rest["rows"] + own["rows"], "weight": weight}
            if own["weight"] > 0:
                share = own["weight"] / weight
                rest["impurity"] = own["impurity"] * share + rest["impurity"] * (1 - share)
                if self.tree.is_classifier:
                    for number, count in own["counts"]:
                        counts[number] += count
                    rest |= self._decide(counts)
                else:
                    rest |= self._mean(rest, own, share)
            sums.append(rest)
        return sums[::-1]

    def _decide(self, counts: Any) -> _Facts:
        mass = counts * self.tree.arrays.class_scale
        costs = 1.0 - np.eye(len(mass)) if self.tree.costs is None else self.tree.costs
        risks = mass @ costs
        label = int(np.argmin(risks))
        held = [(k, float(w)) for k, w in enumerate(counts) if w > 0]
        return {"label": label, "counts": held, "risk": float(risks[label])}

    def _mean(self, rest: _Facts, own: _Facts, share: float) -> _Facts:
        """The mean of two groups of rows, and their errors about it; distances from a median are at most those."""
        value = own["value"] * share + rest["value"] * (1 - share)
        power = 1 if self.tree.criterion == "absolute_error" else 2
        risk = rest["risk"] + own["risk"]
        risk += own["weight"] * abs(own["value"] - value) ** power
        risk += (rest["weight"] - own["weight"]) * abs(rest["value"] - value) ** power
        return {"value": value, "risk": risk}


def _chain(split: Split, branches: int) -> list[_Link]:
    """The links of the chain that takes the place of a split: the missing values first, then branch by branch."""
    asks_first = split.missing_alone and split.test.tells_missing
    known = branches - int(asks_first)
    chain = [_Link(first + 1, first) for first in range(known - 1)]
    return [_Link(known, 0, asks_missing=True), *chain] if asks_first else chain
