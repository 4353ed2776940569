"""What the parts promise, on tables where it could go wrong."""

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.recipe import (
    Bayes,
    ErrorThreshold,
    Exhaustive,
    Intervals,
    LearnedDirection,
    Merged,
    MinRows,
    MostLikely,
    OneLevel,
    OwnBranch,
    Pairs,
    PerLevel,
    Significance,
    Surrogates,
    Unbiased,
    Validation,
)


def rare_class(seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame({"x": random.integers(0, 4, 300).astype(str)}), (random.random(300) < 0.06).astype(int)


@pytest.mark.parametrize(
    "recipe",
    [
        {"stopping": Significance(0.05), "branching": "per_level"},
        {"branching": Merged(), "search": Unbiased(bonferroni=False), "stopping": None},
    ],
)
def test_priors_and_costs_make_no_chance_significant(recipe):
    splits = 0
    for seed in range(60):
        clf = bough.TreeClassifier(**recipe, leaf=Bayes(priors="equal"), pruning=None, missing="majority_branch")
        splits += clf.fit(*rare_class(seed)).get_n_leaves() > 1
    assert splits <= 9, "at the level of 5 % three of sixty are expected"


@pytest.mark.parametrize("seed", range(5))
def test_no_training_row_is_off_by_more_than_the_worst_error(seed):
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(400, 3)), columns=list("abc"))
    y = X["a"] * X["b"] + random.normal(size=400)
    reg = bough.TreeRegressor(criterion="worst_error", stopping=ErrorThreshold(0.5), pruning=None).fit(X, y)
    assert np.abs(reg.predict(X) - y).max() <= 0.5 + 1e-12
    assert reg.get_n_leaves() < 400


@pytest.mark.parametrize("branching", ["binary", "intervals", "per_level"])
@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "gini", "misclassification", "chi_squared"])
def test_equal_shares_part_no_node_where_a_gain_is_asked_for(criterion, branching):
    random = np.random.default_rng(8)
    for _ in range(8):
        values, shares = random.integers(2, 9), random.integers(1, 400, 3)
        x = np.repeat(np.arange(values), shares.sum()).astype(float)
        y = np.tile(np.repeat([0, 1, 2], shares), values)
        clf = bough.TreeClassifier(criterion=criterion, branching=branching, stopping=None, pruning=None)
        clf.set_params(search=Exhaustive(zero_gain=False))
        assert clf.fit(x.reshape(-1, 1), y).get_n_leaves() == 1


@pytest.mark.parametrize("scale", [1e-160, 1e-110, 1e110, 1e160])
@pytest.mark.parametrize("criterion", ["chi_squared", "gini", "entropy"])
def test_the_unit_of_the_weights_does_not_matter(criterion, scale):
    X, y = bough.datasets.load("penguins").xy()
    given = {"criterion": criterion, "branching": Intervals(k=3), "stopping": MinRows(0.1), "pruning": None}
    plain = bough.TreeClassifier(**given).fit(X, y)
    scaled = bough.TreeClassifier(**given).fit(X, y, sample_weight=np.full(len(y), scale))
    assert scaled.get_n_leaves() == plain.get_n_leaves() > 2


@pytest.mark.parametrize("gap", [1e4, 1e7, 1e8])
def test_differences_far_from_the_mean_of_the_table_are_judged_exactly(gap):
    random = np.random.default_rng(2)
    far = np.repeat([0, 1], 100)
    X = pd.DataFrame({"far": far, "x": random.normal(size=200)})
    reg = bough.TreeRegressor(stopping=[Significance(0.001), MinRows(20)], pruning=None)
    assert reg.fit(X, gap * far + random.normal(size=200)).get_n_leaves() == 2


def test_too_few_permutations_are_refused():
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ParameterError, match="139 resamples are the least"):
        bough.TreeClassifier(search=Unbiased(test="permutation", resamples=50)).fit(X, y)


@pytest.mark.parametrize(
    "recipe",
    [
        {"search": Pairs(), "missing": OwnBranch()},
        {"search": Pairs(), "missing": LearnedDirection()},
        {"search": Pairs(), "missing": MostLikely()},
        {"branching": Merged(), "missing": LearnedDirection()},
        {"branching": Intervals(), "stopping": MinRows(20, branches="two")},
        {"branching": Merged(), "stopping": MinRows(20, numeric_minimum="share")},
    ],
)
def test_what_would_be_ignored_is_refused(recipe):
    X, y = bough.datasets.load("penguins").xy()
    with pytest.raises(ParameterError, match="does not go with"):
        bough.TreeClassifier(**recipe).fit(X, y)


OPEN = {
    "intervals": {"branching": "intervals", "missing": "own_branch"},
    "grouped": {"branching": "grouped", "criterion": "gain_ratio", "missing": "fractional"},
    "merged": {"branching": "merged", "search": "unbiased"},
    "learned": {"missing": "learned_direction", "criterion": "chi_squared"},
    "pairs": {"search": "pairs"},
    "permutation": {"search": Unbiased(test="permutation", resamples=199)},
}


@pytest.mark.parametrize("name", OPEN)
def test_any_number_of_threads_gives_the_same_bits(name):
    random = np.random.default_rng(9)
    X = pd.DataFrame({f"x{i}": random.normal(size=2000) for i in range(3)})
    X["job"] = random.choice(list("ABCDEF"), 2000)
    X["town"] = random.choice(list("UVW"), 2000)
    X = X.mask(random.random(X.shape) < 0.05)
    y = (X["x0"].fillna(0) > 0) ^ X["job"].isin(["B", "D"]) ^ (random.random(2000) < 0.1)
    trees = [bough.TreeClassifier(**OPEN[name], n_jobs=jobs).fit(X, y).tree_ for jobs in (1, 2)]
    assert len(trees[0]) > 1
    for field in ("parent", "split_payload", "split_score", "edge_bits", "count_weight"):
        np.testing.assert_array_equal(getattr(trees[0].kernel, field), getattr(trees[1].kernel, field))


@pytest.fixture
def table():
    random = np.random.default_rng(1)
    X = pd.DataFrame({"age": random.integers(20, 60, 200).astype(float), "job": random.choice(list("ABC"), 200)})
    X["z"] = X["age"] + random.normal(size=200)
    y = (X["age"] > 40) ^ (random.random(200) < 0.1)
    return X.mask(random.random(X.shape) < 0.1), y


def test_columns_that_are_not_allowed_are_no_surrogates(table):
    X, y = table
    tree = bough.TreeClassifier(allowed_columns={(): ["age", "job"]}, pruning=None).fit(X, y).tree_
    asked = {split.column for node in tree.nodes for split in [*node.surrogates, *node.competitors] if node.split}
    assert asked <= {"age", "job"}


def test_levels_that_a_forced_split_does_not_name_are_absent(table):
    X, y = table
    forced = [{"path": [], "column": "job", "levels": [["A"], ["B"]]}]
    tree = bough.TreeClassifier(forced_splits=forced, pruning=None, missing="majority_branch").fit(X, y).tree_
    assert tree.root.split.levels == (("A",), ("B",))
    assert sum(child.rows for child in tree.root.children) == 200


@pytest.mark.parametrize("given", [{"branching": PerLevel(declared=True)}, {"missing": "own_branch"}])
def test_a_tree_can_be_grown_on_where_branches_are_empty(table, given):
    X, y = table
    X["job"] = X["job"].astype(pd.CategoricalDtype(list("ABCD")))
    recipe = {"branching": "per_level", "missing": "fractional", "pruning": None, **given}
    first = bough.TreeClassifier(**recipe, stopping="max_depth").fit(X, y)
    whole = X.dropna()
    again = bough.TreeClassifier(**recipe, initial_tree=first.tree_).fit(whole, y[whole.index])
    assert [node.split.column for node in again.tree_.nodes if node.split][:1] == [first.tree_.root.split.column]


def test_a_forced_threshold_sends_missing_values_as_the_rule_says(table):
    X, y = table
    forced = [{"path": [], "column": "age", "threshold": 40.0}]
    for missing, branches in (("own_branch", 3), ("learned_direction", 2)):
        root = bough.TreeClassifier(forced_splits=forced, missing=missing, pruning=None).fit(X, y).tree_.root
        assert (len(root.children), root.split.missing_branch is None) == (branches, False)


def test_surrogates_can_be_shown_without_being_asked(table):
    X, y = table
    recipe = {"criterion": "chi_squared", "pruning": None, "missing": Surrogates(routing="stop")}
    assert bough.TreeClassifier(**recipe).fit(X, y).tree_.root.surrogates


def test_one_level_against_all_that_are_declared(table):
    X = table[0]
    X["job"] = X["job"].astype(pd.CategoricalDtype(list("ABCD")))
    recipe = {"branching": OneLevel(declared=True), "criterion": "chi_squared", "pruning": None}
    tree = bough.TreeClassifier(**recipe).fit(X[["job"]], X["job"] == "B").tree_
    assert tree.root.split.levels == (("B",), ("A", "C", "D"))


def test_the_branch_of_missing_values_counts_among_the_branches(table):
    X, y = table
    clf = bough.TreeClassifier(branching=PerLevel(max_branches=3), missing="own_branch", pruning=None).fit(
        X[["job"]], y
    )
    assert clf.get_n_leaves() == 1


@pytest.mark.parametrize("leaf", [Bayes(priors="equal"), Bayes(class_weight="balanced")])
def test_rows_that_are_held_back_count_by_the_factors_of_their_classes(leaf):
    """By hand: a leaf says a and errs on one b; two leaves err on three a, which weigh less than one b."""
    x = [0] * 75 + [1] * 25 + [0] * 8 + [1] * 4
    y = list("a" * 70 + "b" * 5 + "a" * 10 + "b" * 15 + "a" * 8 + "aaab")
    asked = np.arange(len(y)) >= 100
    how = {"stopping": Validation(holdout=asked), "pruning": None, "missing": "majority_branch"}
    assert bough.TreeClassifier(leaf=leaf, **how).fit({"x": x}, y).get_n_leaves() == 2
    assert bough.TreeClassifier(**how).fit({"x": x}, y).get_n_leaves() == 1
