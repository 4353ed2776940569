"""`_core.apply` against a router in plain Python, on random trees over columns of every type and state."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough import _core

MISSING, UNSEEN, ABSENT = "missing", "unseen", "absent"
RULES = [MISSING, "majority", "stop", "error"]
NUMERIC, ORDERED, NOMINAL = 0, 1, 2

# Values where a comparison in the wrong type goes wrong.
FLOATS = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    0.1,
    0.5,
    1.0,
    1.7e308,
    math.inf,
    -math.inf,
    2.0**53,
    2.0**63,
    -(2.0**63),
    2.0**64,
]
FLOATS += [math.nextafter(1.0, 2.0), math.nextafter(2.0**63, 0), math.nextafter(2.0**64, 0), float(np.float32(0.1))]
INTS = [0, 1, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1]
UINTS = [0, 1, 2**53 + 1, 2**63, 2**63 - 1, 2**64 - 1, 2**64 - 2]
DTYPES = {
    "float64": FLOATS,
    "float32": FLOATS,
    "int64": INTS,
    "uint64": UINTS,
    "int32": [0, 1, -1, 2**31 - 1, -(2**31)],
}


def exact(x):
    return x if isinstance(x, float) and math.isinf(x) else Fraction(x)


def goes_low(x, threshold, side):
    return exact(x) <= exact(threshold) if side == 0 else exact(x) < exact(threshold)


class Split:
    """A split as data: how the builder is told, and how plain Python routes by it."""

    def __init__(self, column, threshold=None, side=0, low=0, levels=None):
        self.column, self.threshold, self.side, self.low, self.levels = column, threshold, side, low, levels

    def add_to(self, builder, role):
        if self.levels is None:
            builder.add_threshold(self.column, self.threshold, side=self.side, low=self.low, role=role)
        else:
            codes = sorted(self.levels)
            builder.add_levels(self.column, codes, [self.levels[c] for c in codes], role=role)

    def branch(self, row):
        cell = row[self.column]
        if cell in (MISSING, UNSEEN):
            return cell
        if self.levels is not None:
            return self.levels.get(cell, ABSENT)
        return self.low if goes_low(cell, self.threshold, self.side) else 1 - self.low


class Node:
    def __init__(self, splits=(), children=(), majority=-1):
        self.splits, self.children, self.majority, self.id = splits, children, majority, None

    def number(self, ids):
        self.id = next(ids)
        for child in self.children:
            child.number(ids)

    def add_to(self, builder, parent, branch):
        me = builder.add_node(parent, branch, value=0.0, majority=self.majority)
        assert me == self.id
        for k, split in enumerate(self.splits):
            split.add_to(builder, 0 if k == 0 else 2)
        for k, child in enumerate(self.children):
            child.add_to(builder, me, k)


def route(node, row, routing):
    """The path of a row, by the rules as they are written in the documentation."""
    path = [node.id]
    while node.children:
        branch = node.splits[0].branch(row)
        if not isinstance(branch, int):
            rule = {MISSING: MISSING, ABSENT: RULES[routing[2]], UNSEEN: RULES[routing[3]]}[branch]
            branch = None
            if rule == MISSING:
                if routing[0]:
                    answers = (s.branch(row) for s in node.splits[1:])
                    branch = next((b for b in answers if isinstance(b, int)), None)
                rule = RULES[routing[1]]
            if branch is None and rule == "majority" and node.majority >= 0:
                branch = node.majority
        if branch is None:
            break
        node = node.children[branch]
        path.append(node.id)
    return path


@st.composite
def columns_strategy(draw):
    """[(kind, dtype, n_levels)], at least one."""
    numeric = st.tuples(st.just(NUMERIC), st.sampled_from(list(DTYPES)), st.just(0))
    levels = st.tuples(st.sampled_from([ORDERED, NOMINAL]), st.just("int32"), st.sampled_from([2, 3, 64, 70]))
    return draw(st.lists(st.one_of(numeric, levels), min_size=1, max_size=4))


@st.composite
def split_strategy(draw, columns, branches):
    usable = [j for j, c in enumerate(columns) if c[0] == NOMINAL or branches == 2]
    j = draw(st.sampled_from(usable))
    kind, _, n_levels = columns[j]
    if kind == NOMINAL:
        codes = draw(st.lists(st.integers(0, n_levels - 1), unique=True, min_size=min(branches, n_levels), max_size=8))
        codes = codes if len(codes) >= branches else list(range(branches))
        others = draw(st.lists(st.integers(0, branches - 1), min_size=len(codes), max_size=len(codes)))
        return Split(j, levels={c: k if k < branches else others[k] for k, c in enumerate(codes)})
    pool = st.integers(0, n_levels - 1) if kind == ORDERED else st.sampled_from(FLOATS + INTS + UINTS)
    return Split(j, threshold=draw(pool), side=draw(st.integers(0, 1)), low=draw(st.integers(0, 1)))


@st.composite
def tree_strategy(draw, columns, depth=4):
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return Node()
    widest = max((c[2] for c in columns if c[0] == NOMINAL), default=0)
    only_nominal = all(c[0] == NOMINAL for c in columns)
    branches = draw(st.sampled_from([2, 2, 2, 3])) if widest >= 3 else 2
    if branches == 3 and not any(c[0] == NOMINAL and c[2] >= 3 for c in columns):
        branches = 2
    if branches == 3:
        columns_3 = [c if c[0] == NOMINAL and c[2] >= 3 else (NUMERIC, "float64", 0) for c in columns]
        splits = [draw(split_strategy(columns_3, 3)) for _ in range(draw(st.integers(1, 2)))]
    else:
        splits = [draw(split_strategy(columns, 2)) for _ in range(draw(st.integers(1, 3)))]
    assert not only_nominal or all(s.levels is not None for s in splits)
    children = [draw(tree_strategy(columns, depth - 1)) for _ in range(branches)]
    return Node(splits, children, draw(st.integers(-1, branches - 1)))


@st.composite
def cells_strategy(draw, column, n):
    kind, dtype, n_levels = column
    if kind != NUMERIC:
        pool = [*range(min(n_levels, 4)), n_levels - 1, MISSING, UNSEEN]
    else:
        pool = [*(x for x in DTYPES[dtype] if not (dtype == "float32" and abs(x) > 3e38 and math.isfinite(x))), MISSING]
        if dtype == "float32":
            pool = [x if x == MISSING else float(np.float32(x)) for x in pool]
    return draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))


def encode(column, cells, stride):
    """The cells as the kernel gets them: data (strided, read-only), mask, kind."""
    kind, dtype, _ = column
    data = np.zeros(len(cells) * stride, dtype)[::stride]
    mask = np.array([c == MISSING for c in cells])
    for i, cell in enumerate(cells):
        if kind != NUMERIC:
            data[i] = {MISSING: -1, UNSEEN: -2}.get(cell, cell)
        elif cell != MISSING:
            data[i] = cell
        elif dtype.startswith("float"):
            data[i] = np.nan
    data.flags.writeable = False
    needs_mask = kind == NUMERIC and not dtype.startswith("float") and mask.any()
    return data, mask if needs_mask else None, kind


@given(data=st.data())
def test_every_row_takes_the_way_that_the_rules_say(data):
    columns = data.draw(columns_strategy())
    root = data.draw(tree_strategy(columns))
    routing = (data.draw(st.booleans()), data.draw(st.integers(1, 2)), *data.draw(st.tuples(*[st.integers(0, 2)] * 2)))
    n = data.draw(st.sampled_from([1, 7, 130]))
    table = [data.draw(cells_strategy(c, n)) for c in columns]
    encoded = [encode(c, cells, data.draw(st.sampled_from([1, 3]))) for c, cells in zip(columns, table, strict=True)]
    root.number(itertools.count())
    builder = _core.TreeBuilder([], routing)
    root.add_to(builder, -1, 0)
    tree = builder.freeze()
    tree.check_columns([c[0] for c in columns], [c[2] for c in columns])

    expected = [route(root, row, routing) for row in zip(*table, strict=True)]
    assert _core.apply(tree, encoded, 1).tolist() == [path[-1] for path in expected]
    assert _core.apply(tree, encoded, 3).tolist() == [path[-1] for path in expected]
    indptr, indices = _core.decision_path(tree, encoded)
    assert [indices[a:b].tolist() for a, b in itertools.pairwise(indptr)] == expected


def chain(depth):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    for d in range(depth):
        builder.add_threshold(0, float(d))
        builder.add_node(2 * d, 0, value=float(d))
        builder.add_node(2 * d, 1, value=-1.0)
    return builder.freeze()


def test_a_chain_of_100_000_tests_is_walked():
    tree = chain(100_000)
    x = np.array([0.0, 99_999.0, 1e9, np.nan])
    assert _core.apply(tree, [(x, None, 0)]).tolist() == [1, 199_999, 200_000, 0]
    indptr, _ = _core.decision_path(tree, [(x, None, 0)])
    assert np.diff(indptr).tolist() == [2, 100_001, 100_001, 1]


def test_many_rows_in_several_threads_give_the_same_bits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 3)) * 500
    tree = chain(1000)
    for order in ("C", "F"):
        A = np.asarray(X, order=order)
        columns = [(A[:, j], None, 0) for j in range(3)]
        once = _core.apply(tree, columns, 1)
        assert np.array_equal(once, _core.apply(tree, columns, 2))
        expected = np.clip(np.ceil(X[:, 0]), 0, 1000).astype(int)
        assert np.array_equal(once, np.where(expected == 1000, 2000, 2 * expected + 1))


def test_an_empty_table_and_a_tree_of_one_node():
    tree = chain(0)
    assert _core.apply(tree, [(np.zeros(3), None, 0)]).tolist() == [0, 0, 0]
    assert _core.apply(tree, [(np.zeros(0), None, 0)]).tolist() == []


def test_an_unseen_level_can_be_an_error_that_names_the_row():
    builder = _core.TreeBuilder([], (True, 1, 0, 3))
    builder.add_node(-1, 0, value=0.0)
    builder.add_levels(0, [0, 1], [0, 1])
    builder.add_node(0, 0, value=0.0)
    builder.add_node(0, 1, value=0.0)
    tree = builder.freeze()
    codes = np.zeros(10_000, "i4")
    codes[[4321, 777, 9000]] = -2
    with pytest.raises(_core.InvalidInput, match="row 777: column 0 holds a level never seen in training"):
        _core.apply(tree, [(codes, None, 2)], 2)


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ([], ValueError, "at least one column"),
        ([(np.zeros(3), None, 2)], ValueError, "levels are int32 codes"),
        ([(np.zeros(3), None, 9)], ValueError, "unknown kind 9"),
        ([(np.zeros(3, "f2"), None, 0)], ValueError, "expected an array of float32, float64, int32, int64 or uint64"),
        ([(np.zeros(3), np.zeros(2, bool), 0)], ValueError, "the mask has another length"),
        ([(np.zeros(3), np.zeros(3), 0)], TypeError, "the mask is a one-dimensional numpy array of bool"),
        ([(np.zeros((3, 1)), None, 0)], TypeError, "expected a one-dimensional numpy array"),
        ([(np.zeros(3), None)], TypeError, "expected .data, missing, kind."),
        ([(np.zeros(3), None, 0), (np.zeros(4), None, 0)], ValueError, "4 rows, the first column has 3"),
        ([(np.zeros(3, "i4"), None, 2)], ValueError, "column 0 is of another kind than in training"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, error, message):
    with pytest.raises(error, match=message):
        _core.apply(chain(1), columns)


def test_probabilities_of_nodes():
    builder = _core.TreeBuilder([1.0, 3.0, 1.0])
    builder.add_node(-1, 0, label=1, counts=[(0, 3.0), (1, 1.0)])
    tree = builder.freeze()
    assert _core.probabilities(tree, np.zeros(2, "i4")).tolist() == [[0.5, 0.5, 0.0]] * 2
    with pytest.raises(_core.InvalidInput, match=r"nodes\[0\]"):
        _core.probabilities(tree, np.ones(1, "i4"))
