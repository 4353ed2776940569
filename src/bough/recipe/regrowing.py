"""Error-based pruning that grows raised branches on, and a last look at the whole tree: what the records of C5.0 show.

Where a branch takes the place of its parent, leaves that got other rows are grown anew. At last, subtrees are cut whose
loss on the training rows is within one standard error, and leaves of a test that say the same are joined.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bough.model import PruningLog
from bough.recipe.editable import Column, EditedNode, Floats, NodeTest, Rows, same_tests, test_of, write_tree
from bough.recipe.work import Growth

__all__ = ["prune_and_regrow"]

_SLACK = 0.1  # a smaller tree may be expected to make so many errors more
# Quinlan (1993) gives the deviates of the normal distribution by a table and straight lines in between.
_TAILS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def prune_and_regrow(
    kernel: Any, growth: Growth, columns: list[Column], *, confidence: float | None, global_pruning: bool
) -> tuple[Any, PruningLog]:
    """Prune a grown tree by the errors to expect, grow raised branches on, and look at the whole tree at last.

    Parameters
    ----------
    kernel : Tree of the kernel
        It sends rows whose value is missing down all branches.
    growth : Growth
        What it was grown from.
    columns : list of tuples
        The columns as the kernel gets them.
    confidence : float or None
        Of the errors to expect; None: nothing is cut by them.
    global_pruning : bool
        Whether to cut what is within one standard error of the training errors.
    """
    work = _Regrower(growth, columns, confidence)
    root = work.root(kernel)
    if confidence is not None:
        work.prune(root)
    if global_pruning:
        work.look_at_all(root)
    regrown = write_tree(root, kernel)
    if not same_tests(kernel, regrown):
        return regrown, PruningLog.regrown("error_based", kernel, regrown)
    why = "no subtree had to give way to a leaf or to its largest branch"
    return regrown, PruningLog.nothing(kernel, "error_based", "training risk", why)


class _Pessimist:
    """Errors to add to those of a leaf, for a confidence."""

    def __init__(self, confidence: float) -> None:
        self.confidence = confidence
        self.squared = float(np.interp(confidence, _TAILS, _DEVIATES)) ** 2

    def expected(self, total: float, wrong: float) -> float:
        return wrong + self._added(total, wrong) if total > 0 else 0.0

    def _added(self, total: float, wrong: float) -> float:
        none = total * (1.0 - math.pow(self.confidence, 1.0 / total))
        if wrong < 1e-6:
            return none
        if wrong < 0.9999:
            return none + wrong * (self._added(total, 1.0) - none)
        if wrong + 0.5 >= total:
            return 0.67 * (total - wrong)
        c, half = self.squared, wrong + 0.5
        rate = (half + c / 2 + math.sqrt(c * (half * (1 - half / total) + c / 4))) / (total + c)
        return total * rate - wrong


@dataclass(eq=False)
class _Visit:
    """A node on the way down, with the errors to expect of its branches that are pruned already."""

    node: EditedNode
    below: list[float] = field(default_factory=list)


class _Regrower:
    """Grows, prunes, raises and grows on."""

    def __init__(self, growth: Growth, columns: list[Column], confidence: float | None) -> None:
        self.growth = growth
        self.columns = columns
        self.labels = growth.target["label"].astype(np.intp)
        self.classes = int(growth.target["classes"])
        self.pessimist = _Pessimist(1.0 if confidence is None else confidence)

    def root(self, kernel: Any) -> EditedNode:
        """The tree as it was grown."""
        weights = self.growth.every(self.growth.grown_on(self.growth.weights))
        rows = np.flatnonzero(weights > 0)
        return self._read(kernel, rows, weights[rows])

    def _counts(self, rows: Rows, weight: Floats) -> Floats:
        return np.bincount(self.labels[rows], weight, self.classes).astype(np.float64)

    def _node(self, rows: Rows, weight: Floats, parent: EditedNode | None) -> EditedNode:
        counts = self._counts(rows, weight)
        label = int(counts.argmax()) if len(rows) or parent is None else parent.label
        return EditedNode(rows, weight, counts, label)

    def _read(self, kernel: Any, rows: Rows, weight: Floats) -> EditedNode:
        """A kernel's tree with these rows; subtrees that are no better than a leaf become leaves."""
        top = self._node(rows, weight, None)
        made = {0: top}
        for node in range(len(kernel)):
            at = made[node]
            children = kernel.children[kernel.child_begin[node] : kernel.child_begin[node + 1]].tolist()
            if not children:
                continue
            at.test = test_of(kernel, node)
            at.branches = [self._node(*part, at) for part in self._parts(at.test, at.rows, at.weight, len(children))]
            made |= dict(zip(children, at.branches, strict=True))
        below: dict[int, float] = {}  # what the leaves below an inner node get wrong
        for at in top.inner():
            wrong = sum(below.get(id(branch), branch.wrong) for branch in at.branches)
            if wrong >= at.wrong - 1e-9:
                at.become_leaf()
            else:
                below[id(at)] = wrong
        return top

    def _parts(self, test: NodeTest, rows: Rows, weight: Floats, many: int) -> list[tuple[Rows, Floats]]:
        """The rows of each branch; those without the value go down all of them in parts, as the known ones do."""
        branch = test.of(self.columns, rows)
        unknown = branch < 0
        shares = np.bincount(branch[~unknown], weight[~unknown], many)
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(many, 1.0 / many)
        parts = []
        for b in range(many):
            mine, mine_weight = rows[branch == b], weight[branch == b]
            if unknown.any() and shares[b] > 0:
                mine = np.concatenate([mine, rows[unknown]])
                mine_weight = np.concatenate([mine_weight, weight[unknown] * shares[b]])
            parts.append((mine, mine_weight))
        return parts

    def prune(self, root: EditedNode) -> None:
        """Prune a tree from its leaves up."""
        path = [_Visit(root)]
        while path:
            visit = path[-1]
            if len(visit.below) < len(visit.node.branches):
                path.append(_Visit(visit.node.branches[len(visit.below)]))
                continue
            errors = self._decide(visit.node, sum(visit.below))
            if errors is None:  # it was raised: once more
                visit.below.clear()
                continue
            visit.node.expected = errors
            path.pop()
            if path:
                path[-1].below.append(errors)

    def _decide(self, node: EditedNode, as_tree: float) -> float | None:
        """What becomes of a node below which all is pruned; the errors to expect then, None if a branch was raised."""
        as_leaf = self.pessimist.expected(node.total, node.wrong)
        if not node.branches:
            return as_leaf
        largest = max((branch for branch in node.branches if branch.branches), key=lambda b: b.total, default=None)
        as_branch = math.inf
        if largest is not None:
            as_branch = self._raised(largest, node.rows, node.weight, min(as_leaf, as_tree) + _SLACK)
        if as_leaf <= min(as_tree, as_branch) + _SLACK:
            node.become_leaf()
            return as_leaf
        if largest is not None and as_branch <= as_tree + _SLACK:
            node.test, node.branches = largest.test, largest.branches
            self._settle(node)
            return None
        return as_tree

    def _raised(self, branch: EditedNode, rows: Rows, weight: Floats, most: float) -> float:
        """The errors to expect of a branch with other rows; once they exceed `most` they are not counted on.

        What is below a node to which just its own rows come is known since that node was pruned.
        """
        errors, todo = 0.0, [(branch, rows, weight)]
        while todo and errors <= most:
            node, rows, weight = todo.pop()
            if node.holds(rows, weight):
                errors += node.expected
            elif node.test is None:
                counts = self._counts(rows, weight)
                errors += self.pessimist.expected(float(counts.sum()), float(counts.sum() - counts.max()))
            else:
                parts = self._parts(node.test, rows, weight, len(node.branches))
                todo.extend((below, *part) for below, part in zip(node.branches, parts, strict=True))
        return errors

    def _settle(self, node: EditedNode) -> None:
        """The rows of a node go down to all nodes below; leaves that got other rows are grown on."""
        todo = [node]
        while todo:
            todo.extend(self._settle_branches(todo.pop()))

    def _settle_branches(self, node: EditedNode) -> list[EditedNode]:
        """The rows of a node go down to its branches; those of them that have branches themselves."""
        if node.test is None:
            return []
        further = []
        parts = self._parts(node.test, node.rows, node.weight, len(node.branches))
        settled = []
        for branch, (rows, weight) in zip(node.branches, parts, strict=True):
            same = len(rows) == len(branch.rows) and abs(weight.sum() - branch.total) < 1e-9
            fresh = self._node(rows, weight, node)
            if branch.branches:
                fresh.test, fresh.branches = branch.test, branch.branches
                further.append(fresh)
            elif not same and len(rows):
                weights = np.zeros(len(self.labels))
                np.add.at(weights, rows, weight)
                fresh = self._read(self.growth.grow(-1.0, weights=weights), rows, weight)
            settled.append(fresh)
        node.branches = settled
        return further

    def look_at_all(self, root: EditedNode) -> None:
        """Cut the subtrees that save fewest errors a leaf, as long as all cuts together cost one standard error."""
        wrong = self._training_errors(root)
        left = math.sqrt(wrong * (1.0 - wrong / root.total)) + 1e-9
        saving = _Saving(root)
        while (weakest := saving.weakest(left)) is not None:
            left -= saving.cut(weakest)

    def _training_errors(self, root: EditedNode) -> float:
        """The weight of the rows that the tree gets wrong."""
        votes = np.zeros((len(self.labels), self.classes))
        for leaf in root.leaves():
            if leaf.total > 0:
                np.add.at(votes, leaf.rows, leaf.weight[:, None] * (leaf.counts / leaf.total))
        right = votes[root.rows].argmax(axis=1) == self.labels[root.rows]
        return float(root.weight[~right].sum())


class _Saving:
    """What the subtree of each inner node saves: the errors of the node as a leaf less those of the leaves below it."""

    def __init__(self, root: EditedNode) -> None:
        self.nodes = root.inner()  # those below first
        self.place = {id(node): place for place, node in enumerate(self.nodes)}
        self.above = np.full(len(self.nodes), -1)
        self.size = np.ones(len(self.nodes), dtype=np.intp)  # inner nodes of the subtree, which stand before its top
        self.errors = np.zeros(len(self.nodes))  # of the leaves below
        self.leaves = np.zeros(len(self.nodes), dtype=np.intp)  # below, that hold rows
        self.saved = np.zeros(len(self.nodes))
        self.each = np.zeros(len(self.nodes))  # saved by each leaf more
        for place, node in enumerate(self.nodes):
            below = [self.place[id(branch)] for branch in node.branches if branch.branches]
            self.above[below] = place
            self.size[place] += self.size[below].sum()
            self._count(place)

    def _count(self, place: int) -> None:
        node = self.nodes[place]
        parts = [self._part(branch) for branch in node.branches]
        errors, leaves = sum(part[0] for part in parts), sum(part[1] for part in parts)
        self.errors[place], self.leaves[place] = errors, leaves
        self.saved[place] = node.wrong - errors
        self.each[place] = self.saved[place] / max(1, leaves - 1)

    def _part(self, node: EditedNode) -> tuple[float, int]:
        if not node.branches:
            return node.wrong, int(node.total > 0)
        place = self.place[id(node)]
        return float(self.errors[place]), int(self.leaves[place])

    def weakest(self, left: float) -> int | None:
        """The node that saves least by each leaf more, of those that save no more than `left`; of equals the last."""
        each = np.where(self.saved <= left, self.each, math.inf)
        least = np.minimum.accumulate(each)
        found = np.flatnonzero((each < math.inf) & (each <= np.r_[math.inf, least[:-1]] + 1e-6))
        return int(found[-1]) if len(found) else None

    def cut(self, place: int) -> float:
        """Make a leaf of a node; what its subtree had saved."""
        saved = float(self.saved[place])
        self.nodes[place].become_leaf()
        self.saved[place - self.size[place] + 1 : place + 1] = math.inf  # they are no inner nodes any more
        while (place := int(self.above[place])) >= 0:
            self._count(place)
        return saved
