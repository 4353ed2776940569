"""Trees of the plain Python C4.5 as trees of the kernel, so that both can prune the same one."""

from types import SimpleNamespace

import numpy as np
import pytest

from bough import _core
from bough.testing.c45 import Column, Table

SPREAD = (False, 4, 0, 0)


def random_table(rng):
    """A small table with numbers, levels, missing cells, weights and a class that depends on some of it."""
    n = int(rng.integers(12, 120))
    n_classes = int(rng.integers(2, 5))
    lost = rng.choice([0.0, 0.1, 0.3])
    columns, score = [], rng.normal(size=n) * rng.choice([0.3, 1.0, 2.0])
    for j in range(int(rng.integers(1, 5))):
        missing = rng.random(n) < lost
        if rng.random() < 0.5:
            values = np.round(rng.normal(size=n), int(rng.integers(0, 3)))
            score = score + values * rng.choice([0.0, 1.0])
            levels = None
        else:
            levels = [f"l{k}" for k in range(int(rng.integers(2, 6)))]
            values = rng.integers(0, max(2, len(levels) - int(rng.integers(0, 2))), size=n)
            score = score + np.array([0.7, -0.7, 0.2, 0.0, 1.0, -1.0])[values] * rng.choice([0.0, 1.5])
        cells = [None if gone else value for value, gone in zip(values.tolist(), missing.tolist(), strict=True)]
        columns.append(Column(f"c{j}", cells, levels))
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = np.searchsorted(edges, score).tolist()
    weights = rng.choice([0.5, 1.0, 2.0], size=n).tolist() if rng.random() < 0.3 else []
    return Table(columns, y, [f"k{k}" for k in range(n_classes)], weights)


def kernel_table(table):
    """The columns, the ranked table and the target as the kernel takes them."""
    columns, levels = [], []
    for column in table.columns:
        if column.numeric:
            cells = np.array([np.nan if cell is None else cell for cell in column.cells], dtype=np.float64)
        else:
            cells = np.array([-1 if cell is None else cell for cell in column.cells], dtype=np.int32)
        columns.append((cells, None, 0 if column.numeric else 2))
        levels.append(0 if column.numeric else len(column.levels))
    ones = np.ones(len(table.classes))
    target = {
        "classes": len(table.classes),
        "label": np.array(table.y, dtype=np.uint32),
        "weight": np.array(table.weights, dtype=np.float64),
        "growth_scale": ones,
        "class_scale": ones,
    }
    return columns, _core.rank_table(columns, levels, None, 1), target


def kernel_tree(table, root, routing=SPREAD, missing="routed"):
    """A tree of the kernel with the tests and counts of one in plain Python.

    `missing` says where tests send missing values: "routed" nowhere, "joined" to a branch, "own" to a branch of their
    own, an empty leaf.
    """
    builder = _core.TreeBuilder([1.0] * len(table.classes), routing)
    stack = [(root, -1, 0, None)]
    while stack:
        node, parent, branch, counts_above = stack.pop()
        counts = counts_above if node.empty else node.counts
        label = max(range(len(counts)), key=lambda k: (counts[k], -k))
        me = builder.add_node(
            parent,
            branch,
            label=label,
            counts=[(k, w) for k, w in enumerate(counts) if w > 0],
            rows=len(node.rows),
            weight=0.0 if node.empty else node.weight,
            risk=0.0 if node.empty else sum(counts) - counts[label],
        )
        split = node.split
        children = list(node.children)
        if split is not None:
            to = {"routed": -1, "joined": len(node.rows) % len(children), "own": len(children)}[missing]
            if missing == "own":
                children.append(SimpleNamespace(empty=True, rows=[], split=None, children=[]))
            if split.threshold is not None:
                builder.add_threshold(split.column, float(split.threshold), missing=to)
            else:
                codes = range(len(table.columns[split.column].levels))
                builder.add_levels(split.column, list(codes), [split.branch(code) for code in codes], missing=to)
        below = [(child, me, b, counts) for b, child in enumerate(children)]
        stack += reversed(below)
    return builder.freeze()


def facts(tree):
    """What a tree says of its nodes, in preorder: test, weight, counts, rows."""
    lines = []
    for node in range(len(tree)):
        begin, end = int(tree.split_begin[node]), int(tree.split_begin[node + 1])
        test = None
        if end > begin:
            codes = ()
            payload = int(tree.split_payload[begin])
            if tree.split_kind[begin] == 1:
                sets = slice(int(tree.set_begin[payload]), int(tree.set_begin[payload + 1]))
                codes = tuple(tree.set_branch[sets].tolist())
                payload = 0
            test = (int(tree.split_column[begin]), payload, codes)
        held = slice(int(tree.count_begin[node]), int(tree.count_begin[node + 1]))
        counts = dict(zip(tree.count_class[held].tolist(), tree.count_weight[held].tolist(), strict=True))
        lines.append((int(tree.parent[node]), test, int(tree.rows[node]), float(tree.weight[node]), counts))
    return lines


def assert_same(found, expected):
    """The same tests in the same places, with counts equal up to rounding."""
    assert [line[:3] for line in facts(found)] == [line[:3] for line in facts(expected)]
    for mine, theirs in zip(facts(found), facts(expected), strict=True):
        assert abs(mine[3] - theirs[3]) < 1e-9
        assert mine[4].keys() == theirs[4].keys()
        assert all(abs(mine[4][k] - theirs[4][k]) < 1e-9 for k in mine[4])
    assert np.allclose(found.risk, expected.risk, atol=1e-9)


@pytest.fixture(scope="session")
def c45():
    """The functions above."""
    return SimpleNamespace(
        random_table=random_table, kernel_table=kernel_table, kernel_tree=kernel_tree, assert_same=assert_same
    )
