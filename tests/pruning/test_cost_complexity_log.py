"""What cost-complexity pruning cuts inside a fit is in the log, with the reason, as when it prunes afterwards."""

import numpy as np
import pytest

import bough
from bough.recipe import CostComplexity, CrossValidated

X, Y = bough.datasets.load("penguins").xy()
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "missing": "majority_branch"}


def grown_on(rule="weakest_link"):
    return bough.CARTClassifier(pruning=CostComplexity(None, method=rule), **SMALL).fit(X, Y)


def risk_of(fitted):
    """The mean risk of the leaves."""
    kernel = fitted.tree_.kernel
    return kernel.risk[np.diff(kernel.child_begin) == 0].sum() / kernel.weight[0]


@pytest.mark.parametrize("rule", ["weakest_link", "accounts"])
@pytest.mark.parametrize("cp", [0.0, 0.01, 0.2, 1.0])
def test_the_log_of_a_fit_leads_from_the_grown_tree_to_the_fitted_one(rule, cp):
    fitted = bough.CARTClassifier(pruning=CostComplexity(cp, method=rule), **SMALL).fit(X, Y)
    log = fitted.pruning_log_
    assert log.pruner == "cost_complexity"
    assert log.leaves[-1] == fitted.get_n_leaves()
    assert log.leaves[0] == fitted.get_n_leaves() + len(log)  # every test has two branches
    assert log.training_error[-1] == pytest.approx(risk_of(fitted))
    assert (np.diff(log.leaves) == -1).all()  # nothing is cut that is gone already
    assert (log.after >= log.before - 1e-9).all()
    if len(log):
        assert f"cp={cp:.6g}" in str(log)
        assert "became a leaf: training risk" in str(log)


def test_nodes_that_are_not_worth_growing_are_not_in_the_log():
    whole, cut = grown_on(), bough.CARTClassifier(pruning=0.05, **SMALL).fit(X, Y)
    afterwards = whole.pruned("cost_complexity", cp=0.05)
    assert afterwards.get_n_leaves() == cut.get_n_leaves()
    assert len(cut.pruning_log_) < len(afterwards.pruning_log_)
    assert "nodes of no more risk than that were not split at all" in str(cut.pruning_log_)


def test_cross_validation_says_what_it_cut_and_why():
    fitted = bough.CARTClassifier(pruning=CrossValidated(rule="1se"), **SMALL).fit(X, Y)
    log = fitted.pruning_log_
    assert len(log) > 0
    assert log.leaves[-1] == fitted.get_n_leaves()
    assert "chosen by cross-validation and the rule '1se'" in str(log)


@pytest.mark.parametrize("part", [CostComplexity(0.05), CrossValidated(cv=3)])
def test_recipes_and_numbers_have_the_log_too(part):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    fitted = bough.TreeRegressor(pruning=part).fit(x, x[:, 0] + rng.normal(size=200))
    log = fitted.pruning_log_
    assert len(log) > 0
    assert (log.leaves[-1], log.training_error[-1]) == (fitted.get_n_leaves(), pytest.approx(risk_of(fitted)))


def test_a_tree_of_the_sequence_says_what_was_cut_from_the_larger_one():
    whole = grown_on()
    smaller = whole.pruned(n_leaves=3)
    assert len(whole.pruning_log_) == 0
    assert smaller.pruning_log_.leaves[[0, -1]].tolist() == [whole.get_n_leaves(), smaller.get_n_leaves()]


def test_nothing_cut_is_said_with_the_price():
    clf = bough.CARTClassifier(pruning=0.01).fit({"x": list(range(40))}, [0] * 20 + [1] * 20)
    assert str(clf.pruning_log_).startswith("nothing was pruned: a split must lower the training risk by more than 0.2")


def test_what_regrowing_did_is_told_as_one_step():
    clf = bough.like("C5.0").fit(X, Y)
    ((node, what, _, after),) = clf.pruning_log_
    assert (node, what) == (0, "regrown")
    assert after == pytest.approx(risk_of(clf) * len(X))
    assert clf.pruning_log_.leaves[-1] == clf.get_n_leaves()
    assert "the steps are not recorded" in str(clf.pruning_log_)


def test_regrowing_that_changed_nothing_is_told_as_nothing():
    """Two levels and a number, each value of its own class: nothing is worth cutting."""
    table, y = {"c": list("aabb") * 50, "x": [0.0, 1.0] * 100}, ["p", "q", "r", "s"] * 50
    clf = bough.like("C5.0").fit(table, y)
    log = clf.pruning_log_
    assert (len(log), log.pruner, log.leaves.tolist()) == (0, "error_based", [clf.get_n_leaves()])
    assert clf.get_n_leaves() == 4
    assert str(log) == ("nothing was pruned: no subtree had to give way to a leaf or to its largest branch")


def test_one_step_is_called_so():
    clf = bough.like("C5.0").fit(X, Y)
    assert "error_based: 1 step, from" in str(clf.pruning_log_)
    grown = grown_on()
    assert "merge_leaves: 2 steps, from" in str(
        grown.pruned("merge_leaves", max_leaves=grown.get_n_leaves() - 2).pruning_log_
    )


def test_a_node_of_the_accounts_is_cut_once(budget):
    """By accounts a child may have a larger complexity than its parent and go with it all the same."""
    rng = np.random.default_rng(3)
    for _ in range(max(20, int(150 * budget))):
        table = rng.integers(0, 6, size=(60, 3)).astype(float)
        y = rng.integers(0, 3, 60)
        clf = bough.CARTClassifier(pruning=CostComplexity(rng.uniform(0, 0.3), method="accounts"), **SMALL).fit(
            table, y
        )
        log = clf.pruning_log_
        assert (log.leaves[0] - np.arange(len(log) + 1)).tolist() == log.leaves.tolist()
        assert (log.leaves[-1], log.training_error[-1]) == (clf.get_n_leaves(), pytest.approx(risk_of(clf)))
        inner = set()
        for node in log.node.tolist():
            assert node not in inner
            inner.add(node)
