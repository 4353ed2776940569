"""Pruning by description length: the shortest of all prunings, by brute force, and code lengths by hand."""

from math import log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bough import C45Classifier, CARTClassifier, CARTRegressor, _core
from bough.errors import ParameterError
from bough.learn.repruning import growth_of
from bough.recipe.pruners import description_bits as bits_of
from bough.recipe.pruners import prune_by_description
from bough.testing import c45 as plain
from bough.testing import description_bits, prunings, read_tree
from bough.testing.c45.strategies import tables
from bough.testing.pruners import choose, nodes

MANY = 3000  # prunings of a tree that are still all tried


def values_of(table):
    return [len({c for c in col.cells if c is not None}) if col.numeric else len(col.levels) for col in table.columns]


@given(
    tables(max_rows=25),
    st.booleans(),
    st.sampled_from(["counts", "stochastic"]),
    st.booleans(),
    st.sampled_from([0.0, 0.2, 1.0, 3.0]),
    st.booleans(),
    st.sampled_from(["routed", "joined", "own"]),
)
def test_it_is_the_shortest_of_all_prunings(c45, table, binary, code, one_level, tree_weight, stops, missing):
    options = plain.Options(unpruned=True, collapsing=False, binary=binary, minimum=1.0)
    routing = (False, 2, 0, 0) if stops else (False, 4, 0, 0)
    kernel = c45.kernel_tree(table, plain.J48(table, options).root, routing, missing)
    root, values = read_tree(kernel), values_of(table)
    every = prunings(root)
    assume(len(every) <= MANY)
    how = {"one_level": one_level, "tree_weight": tree_weight}
    found, steps = _core.prune_description_length(kernel, np.array(values, dtype=np.int64), {"exceptions": code, **how})
    costs = {pruning: description_bits(root, pruning, values, code=code, **how) for pruning in every}
    best = choose(root, costs)
    left = read_tree(found)
    assert description_bits(left, frozenset(), values, code=code, **how) == pytest.approx(costs[best], abs=1e-6)
    paths = [path for path, _ in nodes(root)]
    cut = frozenset(paths[node] for node in steps["node"])
    top = frozenset(path for path in cut if not any(path[: len(up)] == up for up in cut if len(up) < len(path)))
    assert top == best
    for one, cost in ((found, costs[best]), (kernel, costs[frozenset()])):
        tree, exceptions = _core.description_length(one, np.array(values, dtype=np.int64), {"exceptions": code, **how})
        assert tree + exceptions == pytest.approx(cost, abs=1e-6)


def test_code_lengths_by_hand():
    # Two columns; column 0 has the values 1 .. 8, column 1 three levels.
    X = {"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "c": list("aabbcaab")}
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    clf = CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    tree, exceptions = bits_of(clf.tree_.kernel, growth_of(clf, X, y))
    assert tree == pytest.approx(3 + log2(2) + log2(7))  # three nodes, the column, one of seven thresholds
    assert exceptions == pytest.approx(2 * log2(5))  # 4 : 0 and 0 : 4, each one of five vectors with one order
    kernel, log = prune_by_description(clf.tree_.kernel, growth_of(clf, X, y))
    # As a leaf: one bit, one of nine vectors, one of 70 orders; that is no longer than 11.45 bits.
    assert list(log) == [(0, "leaf", pytest.approx(tree + exceptions), pytest.approx(1 + log2(9) + log2(70)))]
    assert len(kernel) == 1


def test_more_rows_pay_for_the_test():
    X = {"x": list(range(40))}
    y = [0] * 20 + [1] * 20
    clf = CARTClassifier(pruning=None).fit(X, y)
    assert clf.pruned("description_length", X, y).get_n_leaves() == 2
    assert clf.pruned("description_length", X, y, tree_weight=5.0).get_n_leaves() == 1
    noise = np.random.default_rng(0).integers(0, 2, 400)
    deep = CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit({"x": list(range(400))}, noise)
    assert deep.get_n_leaves() > 50
    for code in ("counts", "stochastic"):
        assert deep.pruned("description_length", {"x": list(range(400))}, noise, exceptions=code).get_n_leaves() < 5


def test_weights_are_numbers_of_rows():
    rng = np.random.default_rng(1)
    X = {"x": rng.normal(size=60).round(1), "c": rng.choice(list("abcd"), 60)}
    y = (X["x"] + rng.normal(size=60) > 0).astype(int)
    clf = C45Classifier(pruning=None).fit(X, y, sample_weight=np.full(60, 3.0))
    thrice = {name: np.repeat(cells, 3) for name, cells in X.items()}
    again = C45Classifier(pruning=None, min_samples_leaf=2).fit(thrice, np.repeat(y, 3))
    once = bits_of(clf.tree_.kernel, growth_of(clf, X, y))
    assert bits_of(again.tree_.kernel, growth_of(again, thrice, np.repeat(y, 3))) == pytest.approx(once)


def test_levels_intervals_and_missing_branches_have_their_price():
    def bits(build, values, **options):
        builder = _core.TreeBuilder([1.0, 1.0], (False, 4, 0, 0))
        builder.add_node(-1, 0, label=0, counts=[(0, 5.0), (1, 4.0)], weight=9.0)
        n = build(builder)
        for branch in range(n):
            builder.add_node(0, branch, label=0, counts=[(0, 5.0 / n), (1, 4.0 / n)], weight=9.0 / n)
        tree, _ = _core.description_length(builder.freeze(), np.array(values, dtype=np.int64), options)
        return tree - (n + 1)  # one bit a node

    def levels(codes, branches, missing=-1):
        n = max(*branches, missing) + 1
        return lambda builder: (builder.add_levels(0, codes, branches, missing=missing), n)[1]

    def cut(missing=-1):
        return lambda builder: (builder.add_threshold(0, 1.0, missing=missing), max(2, missing + 1))[1]

    def intervals(edges, missing=-1):
        n = max(len(edges) + 1, missing + 1)
        return lambda b: (b.add_intervals(0, edges, list(range(len(edges) + 1)), missing=missing), n)[1]

    assert bits(levels([0, 1, 2], [0, 1, 2]), [3]) == 0
    assert bits(levels([0, 1, 2, 3], [0, 0, 1, 1]), [4]) == pytest.approx(log2(7))
    assert bits(levels([0, 1, 2, 3], [0, 0, 1, 1]), [4], one_level=True) == pytest.approx(2)
    assert bits(levels([0, 1, 2, 3], [0, 1, 2, 2]), [4, 9]) == pytest.approx(1 + 4 * log2(3) - log2(6))
    assert bits(levels(list(range(80)), [0] * 40 + [1] * 40), [80]) == pytest.approx(79)
    assert bits(cut(), [11, 4]) == pytest.approx(1 + log2(10))
    assert bits(intervals([1.0, 2.0]), [11]) == pytest.approx(log2(45))  # two of ten places
    # Which branch missing values go to; one of their own takes no level and no place.
    assert bits(cut(missing=0), [11, 4]) == pytest.approx(1 + log2(10) + 1)
    assert bits(cut(missing=2), [11, 4]) == pytest.approx(1 + log2(10) + log2(3))
    assert bits(levels([0, 1, 2], [0, 1, 2], missing=1), [3]) == pytest.approx(log2(3))
    assert bits(levels([0, 1, 2], [0, 1, 2], missing=3), [3]) == pytest.approx(2)
    assert bits(levels([0, 1, 2, 3], [0, 0, 1, 1], missing=2), [4]) == pytest.approx(log2(7) + log2(3))
    assert bits(intervals([1.0, 2.0], missing=3), [11]) == pytest.approx(log2(45) + 2)


def test_what_does_not_fit_is_refused():
    X, y = {"x": list(range(40))}, [0] * 20 + [1] * 20
    clf = CARTClassifier().fit(X, y)
    with pytest.raises(ParameterError, match=r"'description_length' looks at rows.* keeps none: give X and y"):
        clf.pruned("description_length")
    with pytest.raises(ParameterError, match="tree_weight"):
        clf.pruned("description_length", X, y, tree_weight=-1.0)
    with pytest.raises(ParameterError, match="exceptions"):
        clf.pruned("description_length", X, y, exceptions="short")
    numbers = CARTRegressor().fit(X, np.arange(40.0))
    with pytest.raises(ParameterError, match="numbers have no length in bits"):
        numbers.pruned("description_length", X, np.arange(40.0))
    with pytest.raises(_core.InvalidInput, match=r"^values: one number for each column"):
        _core.prune_description_length(clf.tree_.kernel, np.zeros(0, dtype=np.int64), {})
    with pytest.raises(_core.InvalidInput, match=r"^tree: "):
        _core.prune_description_length(numbers.tree_.kernel, np.array([40]), {})
