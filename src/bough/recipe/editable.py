"""A tree as linked Python nodes, for what C5.0's pruning changes; read from the kernel's arrays and written back."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.tests import read_test

__all__ = ["Column", "EditedNode", "Floats", "NodeTest", "Rows", "same_tests", "test_of", "write_tree"]

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Column = tuple[npt.NDArray[Any], npt.NDArray[Any] | None, int]

_ORDERED, _NOMINAL = 1, 2  # kinds of columns, as the kernel numbers them


@dataclass(eq=False)
class NodeTest:
    """A threshold, or branches of levels."""

    column: int
    score: float
    threshold: Any = None  # None: levels
    side: int = 0
    low: int = 0
    codes: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    branches: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))

    def says(self) -> tuple[Any, ...]:
        """What it asks: equal for tests that send every row the same way."""
        order = np.argsort(self.codes, kind="stable")
        levels = (self.codes[order].tolist(), self.branches[order].tolist())
        return self.column, self.threshold, self.side, self.low, levels

    def of(self, columns: list[Column], rows: Rows) -> npt.NDArray[np.int32]:
        """The branch of each row, -1 where the value is missing."""
        data, missing, kind = columns[self.column]
        values = data[rows]
        if kind == _NOMINAL:
            table = np.full(max(int(self.codes.max()), int(values.max(initial=0))) + 2, -1, dtype=np.int32)
            table[self.codes] = self.branches
            return table[np.where(values < 0, -1, values)]
        unknown = np.zeros(len(rows), dtype=bool)
        if values.dtype.kind == "f":
            unknown = np.isnan(values)
        elif kind == _ORDERED:
            unknown = values < 0
        if missing is not None:
            unknown = unknown | missing[rows].astype(bool)
        below = values <= self.threshold if self.side == 0 else values < self.threshold
        return np.where(unknown, -1, np.where(below, self.low, 1 - self.low)).astype(np.int32)


@dataclass(eq=False)
class EditedNode:
    """A node that may change: its rows with their weights, its answer, its test and branches."""

    rows: Rows
    weight: Floats
    counts: Floats
    label: int
    test: NodeTest | None = None
    branches: list["EditedNode"] = field(default_factory=list)
    expected: float = math.nan  # errors, once it is pruned

    @property
    def total(self) -> float:
        """The weight of its rows."""
        return float(self.counts.sum())

    @property
    def wrong(self) -> float:
        """What of it a leaf gets wrong."""
        return self.total - float(self.counts[self.label]) if self.total > 0 else 0.0

    def holds(self, rows: Rows, weight: Floats) -> bool:
        """Whether its rows are these, in this order."""
        return len(rows) == len(self.rows) and np.array_equal(rows, self.rows) and np.array_equal(weight, self.weight)

    def become_leaf(self) -> None:
        """Forget the test and all below."""
        self.test, self.branches = None, []

    def inner(self) -> list["EditedNode"]:
        """The inner nodes, those below first."""
        found, todo = [], [self]
        while todo:
            node = todo.pop()
            if node.branches:
                found.append(node)
                todo.extend(node.branches)
        return found[::-1]

    def leaves(self) -> Iterator["EditedNode"]:
        """The leaves."""
        todo = [self]
        while todo:
            node = todo.pop()
            if not node.branches:
                yield node
            todo.extend(reversed(node.branches))

    def joined(self) -> list[list["EditedNode"]]:
        """The branches that hold rows; leaves of levels with the same answer together."""
        groups: list[list[EditedNode]] = []
        by_label: dict[int, list[EditedNode]] = {}
        for branch in self.branches:
            if branch.total <= 0:
                continue
            joins = self.test is not None and self.test.threshold is None and not branch.branches
            if joins and branch.label in by_label:
                by_label[branch.label].append(branch)
                continue
            groups.append([branch])
            if joins:
                by_label[branch.label] = groups[-1]
        return groups if len(groups) > 1 else []


def test_of(kernel: Any, node: int) -> NodeTest:
    """The test of a node of the kernel's tree, if it is one that can be edited."""
    split = int(kernel.split_begin[node])
    test = read_test(kernel, split, None)
    facts = (test.column, float(kernel.split_score[split]))
    if test.raw_threshold is not None:
        return NodeTest(*facts, test.raw_threshold, int(test.side == "lt"), test.low or 0)
    codes, branches = test.known_codes, test.code_branches
    if codes is not None and branches is not None:
        return NodeTest(*facts, codes=codes, branches=branches)
    raise ParameterError("regrow needs tests that are thresholds or sets of levels.")


def same_tests(kernel: Any, other: Any) -> bool:
    """Whether two of the kernel's trees have the same nodes and ask the same in them."""
    if not all(np.array_equal(getattr(kernel, name), getattr(other, name)) for name in ("child_begin", "children")):
        return False
    inner = np.flatnonzero(np.diff(kernel.child_begin) > 0).tolist()
    return all(test_of(kernel, node).says() == test_of(other, node).says() for node in inner)


def write_tree(root: EditedNode, kernel: Any) -> Any:
    """The kernel's tree, with the routing of another: leaves of a test that say the same are one, empty ones none."""
    builder = _core.TreeBuilder(kernel.class_scale.tolist(), kernel.routing)
    todo: list[tuple[EditedNode, int, int]] = [(root, -1, 0)]
    while todo:
        node, parent, branch = todo.pop()
        groups = node.joined()
        sizes = [sum(member.total for member in group) for group in groups]
        at = builder.add_node(
            parent,
            branch,
            label=node.label,
            counts=[(k, float(n)) for k, n in enumerate(node.counts) if n > 0],
            rows=len(node.rows),
            weight=node.total,
            impurity=_entropy(node.counts),
            risk=node.wrong,
            majority=int(np.argmax(sizes)) if groups else -1,
        )
        if node.test is not None and groups:
            _write_test(builder, node.test, node.branches, groups)
            todo.extend((_union(groups[number]), at, number) for number in reversed(range(len(groups))))
    return _core.weakest_links(builder.freeze())


def _write_test(builder: Any, test: NodeTest, branches: list[EditedNode], groups: list[list[EditedNode]]) -> None:
    number = {id(member): i for i, group in enumerate(groups) for member in group}
    if test.threshold is not None:
        low = number[id(branches[test.low])]
        builder.add_threshold(test.column, test.threshold, side=test.side, low=low, score=test.score)
        return
    pairs = [
        (int(code), number[id(branches[branch])])
        for code, branch in zip(test.codes, test.branches, strict=True)
        if id(branches[branch]) in number
    ]
    builder.add_levels(test.column, [code for code, _ in pairs], [branch for _, branch in pairs], score=test.score)


def _union(group: list[EditedNode]) -> EditedNode:
    if len(group) == 1:
        return group[0]
    rows, places = np.unique(np.concatenate([node.rows for node in group]), return_inverse=True)
    weight = np.zeros(len(rows))
    np.add.at(weight, places, np.concatenate([node.weight for node in group]))
    return EditedNode(rows, weight, np.sum([node.counts for node in group], axis=0), group[0].label)


def _entropy(counts: Floats) -> float:
    shares = counts[counts > 0] / max(counts.sum(), 1e-300)
    return float(-(shares * np.log2(shares)).sum()) + 0.0
