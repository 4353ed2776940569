"""Pruning by the statistical significance of splits (texts 0:377, 2:971): subtrees none of whose splits is significant
are cut.

By hand, against the definition applied naively, and against scipy's tails.
"""

import numpy as np
import pytest
from scipy import stats

import bough
from bough import TreeClassifier, TreeRegressor, datasets
from bough.errors import ParameterError
from bough.recipe import MinRows, Significance, SignificantSplits
from bough.testing import insignificant, random_table, read_tree, split_p_values, to_frame
from bough.testing.pruners import kept, nodes
from bough.testing.significance import chi_squared_tail, f_tail


def test_the_tails_of_the_plain_version():
    for x in (0.01, 0.5, 1.0, 3.841, 9.0, 25.9):
        for df in (1, 2, 3, 7, 20):
            assert chi_squared_tail(x, df) == pytest.approx(stats.chi2.sf(x, df), rel=1e-9, abs=1e-14)
            for below in (1, 4.5, 30, 200):
                assert f_tail(x, df, below) == pytest.approx(stats.f.sf(x, df, below), rel=1e-9, abs=1e-14)


# By hand: the rain of tennis. Wind parts 3 yes, 2 no without error: chi-squared 5 on 5 rows, p = 0.0253; so does
# humidity below sunny. Outlook itself: chi-squared 3.547 with 2 degrees of freedom, p = 0.170.


def tennis(**parts):
    X, y = datasets.load("play_tennis").xy()
    clf = TreeClassifier(branching="per_level", criterion="entropy", **{"stopping": None, "pruning": None, **parts})
    return clf.fit(X, y)


def test_a_split_by_chance_stays_where_one_below_is_significant():
    """Stopping does not see what is below: it ends at the root (the horizon effect, 0:218)."""
    assert stats.chi2.sf(5, 1) == pytest.approx(0.0253, abs=5e-5)
    assert tennis(stopping=Significance(0.05)).get_n_leaves() == 1
    assert tennis(pruning=SignificantSplits(0.05)).get_n_leaves() == 5
    assert tennis(pruning=SignificantSplits(0.02)).get_n_leaves() == 1


def test_the_log_has_the_smallest_p_value_of_what_was_cut():
    X, y = datasets.load("play_tennis").xy()
    log = tennis().pruned("significant_splits", X, y, level=0.02).pruning_log_
    assert str(log).splitlines()[0] == (
        "significant_splits: 3 steps, from 5 leaves to 1; a split is significant up to p = 0.02 (chi-squared)"
    )
    p = stats.chi2.sf(5, 1)
    assert [(node, what, before, after) for node, what, before, after in log] == [
        (5, "leaf", pytest.approx(p), 1.0),
        (1, "leaf", pytest.approx(p), 1.0),
        (0, "leaf", pytest.approx(p), 1.0),
    ]


@pytest.mark.parametrize(("test", "statistic"), [("pearson", 25.926), ("one_sided", 18.148)])
def test_both_forms_of_chi_squared(test, statistic):
    """0:208: (20, 10) left and (70, 0) right."""
    X, y = {"x": [0] * 30 + [1] * 70}, [0] * 20 + [1] * 10 + [0] * 70
    grown = TreeClassifier(stopping=None, pruning=None).fit(X, y)
    p = stats.chi2.sf(statistic, 1)
    leaves = [
        grown.pruned("significant_splits", X, y, level=p * near, test=test).get_n_leaves() for near in (0.99, 1.01)
    ]
    assert leaves == [1, 2]
    paid = grown.pruned(SignificantSplits(p * 1.5, test=test, bonferroni=True), {**X}, y)
    assert paid.get_n_leaves() == 2  # one column pays for itself alone


def test_numbers_are_tested_by_f():
    X, y = {"x": list("aaabbb")}, [1.0, 2.0, 3.0, 2.0, 4.0, 6.0]
    p = stats.f_oneway(y[:3], y[3:]).pvalue
    leaves = [
        TreeRegressor(stopping=None, pruning=SignificantSplits(p * near)).fit(X, y).get_n_leaves()
        for near in (0.99, 1.01)
    ]
    assert leaves == [1, 2]


# Against the definition


def tree_of(classes, seed, **parts):
    missing = ["majority_branch", "fractional", "stop", "own_branch"][seed % 4]
    shared = {"missing": missing, "stopping": MinRows(4, 1), "pruning": None, **parts}
    if classes:
        return TreeClassifier(branching=["binary", "per_level"][seed // 4 % 2], **shared)
    return TreeRegressor(criterion=["squared_error", "absolute_error", "worst_error"][seed % 3], **shared)


FALLBACKS = {"majority_branch": "majority", "fractional": "spread", "stop": "stop", "own_branch": "stop"}


@pytest.mark.parametrize(
    ("classes", "test"), [(2, "pearson"), (3, "pearson"), (0, "pearson"), (2, "one_sided"), (3, "one_sided")]
)
def test_a_node_stays_where_it_or_one_below_it_is_significant(budget, classes, test):
    one_sided = test == "one_sided"
    for seed in range(max(1, round(12 * budget))):
        rng = np.random.default_rng(seed)
        weights = ["ones", "integers", "quarters", "zeros"][seed // 2 % 4]
        problem = random_table(rng, 40, classes=classes, missing=0.1 * (seed % 3), weights=weights)
        X, y, given = to_frame(problem), np.array(problem.y), np.array(problem.weights)
        full = tree_of(classes, seed)
        if one_sided and (full.missing == "own_branch" or full.branching == "per_level"):
            continue
        full.fit(X, y, sample_weight=given)
        used = given / given[given > 0].mean() if (given != given.round()).any() else given
        root = read_tree(full.tree_.kernel)
        values = zip(*(column.cells for column in problem.columns), strict=True)
        p = split_p_values(
            root, list(values), y.tolist(), used.tolist(), fallback=FALLBACKS[full.missing], one_sided=one_sided
        )
        for level in 10 ** rng.uniform(-4, -0.1, 4):
            if any(abs(each / level - 1) < 1e-9 for each in p.values()):
                continue
            cut = insignificant(p, float(level))
            part = SignificantSplits(float(level), test=test)
            pruned = full.pruned(part, X, y, sample_weight=given)
            paths = {number: path for number, (path, _) in enumerate(nodes(root))}
            assert frozenset(paths[step[0]] for step in pruned.pruning_log_) >= cut
            assert pruned.tree_.n_nodes == sum(1 for _ in kept(root, cut))
            for node, _, before, _ in pruned.pruning_log_:
                least = min(each for path, each in p.items() if path[: len(paths[node])] == paths[node])
                assert before == pytest.approx(least, rel=1e-6, abs=1e-12)
            in_fit = tree_of(classes, seed, pruning=part).fit(X, y, sample_weight=given)
            assert in_fit.pruning_log_ == pruned.pruning_log_


def test_where_stopping_splits_pruning_does_not_cut(budget):
    """A tree that stops where its split is not significant has significant splits alone, and nothing is cut of it."""
    for seed in range(max(1, round(8 * budget))):
        problem = random_table(np.random.default_rng(seed), 80, classes=2 * (seed % 2), missing=0.1)
        X, y = to_frame(problem), np.array(problem.y)
        stopping, pruning = [MinRows(4, 1), Significance(0.05)], SignificantSplits(0.05)
        kind = TreeClassifier if seed % 2 else TreeRegressor
        stopped = kind(stopping=stopping, pruning=pruning, missing="surrogates").fit(X, y)
        assert len(stopped.pruning_log_) == 0
        pruned = kind(stopping=stopping[:1], pruning=pruning, missing="surrogates").fit(X, y)
        assert pruned.get_n_leaves() >= stopped.get_n_leaves()


def test_fresh_rows_give_honest_p_values():
    """Noise: by the rows it was grown on a tree keeps splits, by others hardly any."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 10)), rng.integers(0, 2, 600)
    grown = TreeClassifier(stopping=MinRows(10), pruning=None).fit(X[:300], y[:300])
    own = grown.pruned("significant_splits", X[:300], y[:300], level=0.01)
    fresh = grown.pruned("significant_splits", X[300:], y[300:], level=0.01)
    assert own.get_n_leaves() > 20
    assert fresh.get_n_leaves() < own.get_n_leaves() / 2


def test_steps_are_the_trees_of_smaller_levels():
    X, y = datasets.load("penguins").xy()
    full = TreeClassifier(stopping=MinRows(2, 1), pruning=None, missing="majority_branch").fit(X, y)
    log = full.pruned("significant_splits", X, y, level=1e-12).pruning_log_
    assert (np.diff(log.before) <= 0).all()
    for level in (0.05, 0.01, 1e-4):
        cut = int((log.before > level).sum())
        assert full.pruned("significant_splits", X, y, level=level).get_n_leaves() == log.leaves[cut]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 0}, "level must lie between 0 and 1; got 0"),
        ({"level": 1.5}, "level must be"),
        ({"test": "exact"}, "test must be"),
        ({"bonferroni": 3}, "bonferroni must be"),
        ({"alpha": 0.1}, "alpha chooses a tree of pruning_path_"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(options, message):
    X, y = datasets.load("play_tennis").xy()
    with pytest.raises(ParameterError, match=message):
        tennis().pruned("significant_splits", X, y, **options)


def test_the_one_sided_sum_is_refused_where_it_means_nothing():
    X, y = datasets.load("play_tennis").xy()
    part = SignificantSplits(test="one_sided")
    with pytest.raises(ParameterError, match=r"branching=PerLevel\(\): the one-sided test compares two branches"):
        tennis(pruning=part)
    with pytest.raises(ParameterError, match="compares two branches, and the tree has a split of more"):
        tennis().pruned(part, X, y)
    numbers = {"x": list(range(20))}, np.arange(20.0)
    with pytest.raises(ParameterError, match="the one-sided test counts classes; numbers are tested by F"):
        TreeRegressor(pruning=part).fit(*numbers)
    with pytest.raises(ParameterError, match="'one_sided' is for classes; numbers are tested by Fisher's F"):
        TreeRegressor(pruning=None).fit(*numbers).pruned(part, *numbers)


def test_a_loaded_tree_is_pruned_by_the_rows_that_are_given(tmp_path):
    X, y = datasets.load("penguins").xy()
    full = TreeClassifier(stopping=MinRows(2, 1), pruning=None).fit(X, y)
    full.save(tmp_path / "model.json")
    loaded = bough.load(tmp_path / "model.json")
    with pytest.raises(ParameterError, match="pruning by 'significant_splits' looks at rows"):
        loaded.pruned("significant_splits")
    assert loaded.pruned("significant_splits", X, y).tree_ == full.pruned("significant_splits", X, y).tree_
