"""Merging of sibling leaves: against brute force, by hand, and what both units of an increase mean."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough import CARTClassifier, CARTRegressor, _core
from bough.errors import ParameterError
from bough.recipe.pruners import merge_leaves
from bough.testing import c45 as plain
from bough.testing import merging, prunings, read_tree
from bough.testing.c45.strategies import tables
from bough.testing.pruners import kept, nodes


def paths_of(kernel):
    """The path of each node, by its id."""
    return [path for path, _ in nodes(read_tree(kernel))]


def with_impurity(kernel, weights_too=False):
    """Gini impurities, which trees made by hand lack."""
    impurity = np.zeros(len(kernel))
    for node in range(len(kernel)):
        held = kernel.count_weight[kernel.count_begin[node] : kernel.count_begin[node + 1]]
        impurity[node] = 1 - ((held / held.sum()) ** 2).sum() if held.sum() > 0 else 0.0
    return _core.Tree.from_arrays(kernel.to_arrays() | {"impurity": impurity}, kernel.routing)


@given(
    tables(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([math.inf, 0.0, 0.05, 0.2, 0.5]),
    st.integers(1, 6),
)
def test_steps_are_those_of_brute_force(c45, table, binary, weighted, most, leaves):
    options = plain.Options(unpruned=True, collapsing=False, binary=binary, minimum=1.0)
    kernel = with_impurity(c45.kernel_tree(table, plain.J48(table, options).root))
    found, log = merge_leaves(kernel, max_increase=most, weighted=weighted, max_leaves=leaves)
    expected = merging(read_tree(kernel), most=most, weighted=weighted, leaves=leaves)
    paths = paths_of(kernel)
    assert [paths[node] for node, _, _, _ in log] == [step.path for step in expected]
    assert [after - before for _, _, before, after in log] == pytest.approx([step.increase for step in expected])
    assert log.leaves[-1] == np.count_nonzero(np.diff(found.child_begin) == 0)
    assert log.training_error[-1] == pytest.approx(found.risk[np.diff(found.child_begin) == 0].sum() / found.weight[0])
    _core.Tree.from_arrays(found.to_arrays(), found.routing)  # the validator has no objection


def test_priors_count_in_the_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(1)
    y = (X[:, 0] + rng.normal(size=200) > 0.5).astype(int)
    clf = CARTClassifier(priors=[0.9, 0.1], pruning=None, min_samples_split=10).fit(X, y)
    kernel = clf.tree_.kernel
    for weighted in (False, True):
        _, log = merge_leaves(kernel, weighted=weighted)
        steps = merging(read_tree(kernel), weighted=weighted, factors=kernel.growth_scale.tolist())
        assert [paths_of(kernel)[node] for node in log.node] == [step.path for step in steps]
        gains = {node.id: node.split.gain for node in clf.tree_.nodes if node.split}
        if not weighted:  # without missing values an increase is what the split gained
            for node, _, before, after in log:
                assert after - before == pytest.approx(gains[node])


def test_numbers_too():
    X = np.arange(8.0)[:, np.newaxis]
    y = np.array([0.0, 0, 1, 1, 10, 10, 14, 14])
    grown = CARTRegressor(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    assert grown.get_n_leaves() == 4
    smaller = grown.pruned("merge_leaves", max_increase=1.0)
    assert smaller.predict(X).tolist() == [0.5] * 4 + [10, 10, 14, 14]
    assert [entry[2:] for entry in smaller.pruning_log_] == [(0.0, 0.25)]
    assert grown.pruned("merge_leaves", max_leaves=2).get_n_leaves() == 2
    assert grown.pruned("merge_leaves").get_n_leaves() == 1
    assert grown.get_n_leaves() == 4, "the estimator itself stays as it was"


def test_a_subtree_of_every_step_is_a_pruning(c45):
    table = c45.random_table(np.random.default_rng(3))
    kernel = with_impurity(
        c45.kernel_tree(table, plain.J48(table, plain.Options(unpruned=True, collapsing=False)).root)
    )
    root = read_tree(kernel)
    assert len(list(kept(root, frozenset()))) == len(kernel)
    assert frozenset([()]) in prunings(root)


def test_a_chain_is_merged_without_recursion(make_chain):
    kernel = make_chain(100_000).kernel
    found, log = merge_leaves(kernel)
    assert (len(found), len(log)) == (1, 100_000)


@pytest.mark.parametrize(
    "options", [{"max_increase": -1.0}, {"max_increase": math.nan}, {"max_leaves": 0}, {"weighted": "yes"}]
)
def test_what_makes_no_sense_is_refused(options):
    kernel = CARTClassifier().fit({"x": list(range(40))}, [0] * 20 + [1] * 20).tree_.kernel
    with pytest.raises(ParameterError, match=next(iter(options))):
        merge_leaves(kernel, **options)
