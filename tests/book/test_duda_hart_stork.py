"""R. O. Duda, P. E. Hart and D. G. Stork, non-metric methods (chapter 8): worked examples 5, 6, 8, 9, 11, 13 and 14.

Sixteen points, surrogate splits, costs, fruit, chance, twoing, and splits that few rows can take.
"""

import numpy as np
import pytest
from scipy import stats

from bough import CARTClassifier, TreeClassifier, candidates, datasets
from bough.recipe import Exhaustive, Reading, Significance, Surrogates

GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
ENTROPY = {"criterion": "entropy", **GROWN}
STUMP = {**GROWN, "max_depth": 1}


# Example 5: sixteen points in the plane; entropy, thresholds, and how unstable a tree is


def cuts(fitted):
    return [(node.split.column, node.split.threshold) for node in fitted.tree_.nodes if node.split]


def test_the_best_first_split_is_on_x2():
    X, y = datasets.load_sixteen_points().xy()
    root = CARTClassifier(**ENTROPY).fit(X, y).tree_.root
    assert root.impurity == 1.0
    assert root.split.column == "x2"
    assert root.split.threshold == pytest.approx(0.475)
    assert root.split.gain == pytest.approx(0.311, abs=5e-4)


def test_the_split_of_the_print_is_the_best_of_x1_only():
    X, y = datasets.load_sixteen_points().xy()
    [runner_up] = CARTClassifier(**ENTROPY).fit(X, y).tree_.root.competitors
    assert runner_up.column == "x1"
    assert runner_up.threshold == pytest.approx(0.595)
    assert runner_up.gain == pytest.approx(0.205, abs=5e-4)


def test_one_point_moves_and_the_tree_is_another_one():
    tables = [datasets.load_sixteen_points(), datasets.load_sixteen_points(moved=True)]
    fits = [CARTClassifier(**ENTROPY).fit(*table.xy()) for table in tables]
    assert cuts(fits[0])[0] == ("x2", pytest.approx(0.475))
    # x2 < 0.335 and x2 < 0.475 tie at 0.311, and the lowest threshold wins.
    table = candidates(*tables[1].xy(), criterion="gain", cuts="all")
    tied = table[(table["column"] == "x2") & (table["gain"] > table["gain"].max() - 1e-9)]
    assert list(tied["threshold"]) == pytest.approx([0.335, 0.475])
    assert list(tied["gain"]) == pytest.approx([0.311, 0.311], abs=5e-4)
    assert cuts(fits[1]) == [
        ("x2", pytest.approx(0.335)),
        ("x2", pytest.approx(0.105)),
        ("x1", pytest.approx(0.595)),
        ("x1", pytest.approx(0.69)),
    ]
    assert fits[1].tree_.root.split.gain == pytest.approx(0.311, abs=5e-4)


@pytest.mark.parametrize("order", [["x1", "x2"], ["x2", "x1"]])
def test_the_tie_of_two_thresholds_does_not_depend_on_rows_or_columns(order):
    X, y = datasets.load_sixteen_points(moved=True).xy()
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(y))
        fitted = CARTClassifier(**ENTROPY).fit(X[order].iloc[rows], y.iloc[rows])
        found = [(column, round(threshold, 3)) for column, threshold in cuts(fitted)]
        assert found == [("x2", 0.335), ("x2", 0.105), ("x1", 0.595), ("x1", 0.69)]


def test_thresholds_that_send_equal_values_high():
    X, y = datasets.load_sixteen_points(moved=True).xy()
    fitted = CARTClassifier(**ENTROPY, search=Exhaustive(side="lt")).fit(X, y)
    assert {node.split.side for node in fitted.tree_.nodes if node.split} == {"lt"}
    assert fitted.score(X, y) == 1.0
    at_the_threshold = X.iloc[[0]].assign(x2=fitted.tree_.root.split.threshold)
    path = fitted.decision_path(at_the_threshold).indices
    assert path[1] == fitted.tree_.root.children[1].id, "x2 < 0.335 is false: the second branch"


@pytest.fixture(params=[False, True])
def printed(request):
    """The tree of the print, whose first split is not the best one."""
    X, y = datasets.load_sixteen_points(moved=request.param).xy()
    first = {"path": [], "column": "x1", "threshold": 0.595}
    return TreeClassifier(criterion="entropy", stopping=None, pruning=None, forced_splits=[first]).fit(X, y)


def test_with_the_printed_first_split_forced_the_printed_tree_appears(printed):
    root = printed.tree_.root
    assert (root.split.column, root.split.threshold) == ("x1", 0.595)
    assert root.split.gain == pytest.approx(0.205, abs=5e-4)
    found = [(node.rows, node.impurity) for node in printed.tree_.nodes if node.impurity > 0]
    expected = [(16, 1.0), (10, 0.881), (4, 0.811), (6, 0.650), (2, 1.0)]
    assert found == [(rows, pytest.approx(impurity, abs=5e-4)) for rows, impurity in expected]


def merges(printed, **options):
    """Rows of each node whose leaves are merged, and its impurity before and after."""
    log = printed.pruned("merge_leaves", **options).pruning_log_
    return [(printed.tree_.node(int(node)).rows, before, after) for node, _, before, after in log]


def test_merging_by_the_nodes_own_impurity_joins_the_pair_of_four_points_first(printed):
    assert merges(printed)[0] == (4, 0.0, pytest.approx(0.811, abs=5e-4))


def test_merging_weighted_by_rows_joins_the_pair_of_two_points_first(printed):
    found = merges(printed, weighted=True)
    rise = {rows: after - before for rows, before, after in found}
    assert found[0][0] == 2
    assert (rise[2], rise[4]) == (0.125, pytest.approx(0.203, abs=5e-4))
    # A threshold between the two keeps the larger pair apart; the split above the smaller one gains less still.
    assert [rows for rows, _, _ in merges(printed, weighted=True, max_increase=0.15)] == [2, 6]


# Example 6: ten points that show surrogate splits; agreement, direction, use

SURROGATES = {"criterion": "entropy", **STUMP}
TEXT = {**SURROGATES, "missing": Surrogates(direction="keep", filter=False)}


@pytest.fixture
def table():
    return datasets.load_ten_points().xy()


def root_of(table, **parameters):
    return CARTClassifier(**parameters).fit(*table).tree_.root


def test_primary_split(table):
    root = root_of(table, **SURROGATES)
    assert root.split.describe(0) == "x1 <= 5.5"
    assert root.split.gain == pytest.approx(0.610, abs=5e-4)


def test_surrogates_of_the_text_keep_the_direction(table):
    found = root_of(table, **TEXT).surrogates
    assert [surrogate.describe(0) for surrogate in found] == ["x3 <= 3.5", "x2 <= 3.5"]
    assert [surrogate.agreement for surrogate in found] == pytest.approx([8 / 10, 6 / 10])


def test_association_with_the_test_of_the_largest_gain(table):
    found = candidates(*table, cuts="all")
    figures = zip(found["column"], found["threshold"], found["association"], strict=True)
    shares = {(column, threshold): share for column, threshold, share in figures}
    assert shares["x1", 5.5] == 1.0
    assert shares["x3", 3.5] == pytest.approx(0.8)
    assert shares["x2", 3.5] == pytest.approx(0.6)


def test_the_second_surrogate_is_no_better_than_the_majority(table):
    kept = root_of(table, **TEXT).surrogates
    assert [surrogate.adjusted for surrogate in kept] == pytest.approx([0.5, 0.0])
    dropped = root_of(table, **SURROGATES, missing=Surrogates(direction="keep")).surrogates
    assert [surrogate.describe(0) for surrogate in dropped] == ["x3 <= 3.5"]


@pytest.mark.parametrize("filtered", [True, False])
def test_in_any_direction_x2_reaches_seven(table, filtered):
    found = root_of(table, **SURROGATES, missing=Surrogates(direction="any", filter=filtered)).surrogates
    assert [surrogate.column for surrogate in found] == ["x3", "x2"]
    assert [surrogate.agreement for surrogate in found] == pytest.approx([8 / 10, 7 / 10])
    assert [surrogate.low for surrogate in found] == [0, 1], "high values of x2 go with low values of x1"


def test_weighted_threshold(table):
    assert root_of(table, **SURROGATES, search=Exhaustive("weighted")).split.threshold == pytest.approx(5.6)
    assert root_of(table, **SURROGATES, search=Exhaustive("midpoint")).split.threshold == 5.5


def test_patterns_with_missing_values(table):
    fitted = CARTClassifier(**TEXT).fit(*table)
    left, right = (child.id for child in fitted.tree_.root.children)
    patterns = np.array([[np.nan, 2, 4], [np.nan, 2, np.nan], [np.nan, np.nan, np.nan]])
    ends = fitted.apply({name: patterns[:, k] for k, name in enumerate(["x1", "x2", "x3"])})
    assert ends.tolist() == [right, left, left], "by x3; by x2; with the majority, six rows against four"


def test_patterns_without_surrogates(table):
    pattern = {"x1": [np.nan], "x2": [2.0], "x3": [4.0]}
    fitted = CARTClassifier(**SURROGATES, missing="majority_branch").fit(*table)
    assert fitted.apply(pattern).tolist() == [fitted.tree_.root.children[0].id]
    fitted = CARTClassifier(**SURROGATES, missing="stop").fit(*table)
    assert fitted.apply(pattern).tolist() == [0]
    np.testing.assert_allclose(fitted.predict_proba(pattern), [[0.5, 0.5]])


# Example 8: a node 90/10 that is split into 70/0 and 20/10, and what costs do to splits


@pytest.fixture
def seventy_and_thirty():
    return np.repeat([[0.0], [1.0]], [70, 30], axis=0), np.repeat([0, 1], [90, 10])


def test_gini_sees_what_errors_do_not(seventy_and_thirty):
    found = root_of(seventy_and_thirty, **GROWN)
    assert found.impurity == pytest.approx(0.18)
    assert found.impurity - found.split.gain == pytest.approx(0.1333, abs=5e-5)


def test_errors_stay_the_same(seventy_and_thirty):
    found = root_of(seventy_and_thirty, **GROWN, criterion="misclassification")
    assert found.impurity == pytest.approx(0.1)
    assert found.split is None, "nothing is gained"
    forced = root_of(seventy_and_thirty, **STUMP, criterion="misclassification", search=Exhaustive(zero_gain=True))
    assert forced.impurity - forced.split.gain == pytest.approx(0.1)


def test_weighted_gini_is_the_double_sum_of_costs():
    costs = np.array([[0.0, 2.0, 7.0], [3.0, 0.0, 1.0], [5.0, 4.0, 0.0]])
    y = np.repeat([0, 1, 2], [5, 3, 2])
    p = np.array([0.5, 0.3, 0.2])
    found = root_of((y.reshape(-1, 1), y), **GROWN, costs=costs, criterion="weighted_gini")
    assert found.impurity == pytest.approx(p @ costs @ p)


def test_weighted_gini_of_two_classes_is_gini_times_a_constant():
    y = np.repeat([0, 1], [30, 70])
    one = (y.reshape(-1, 1), y)
    found = root_of(one, **GROWN, costs=[[0, 7], [2, 0]], criterion="weighted_gini")
    assert found.impurity == pytest.approx(4.5 * root_of(one, **GROWN).impurity)


def test_costs_of_two_classes_change_splits_as_altered_priors_only():
    points = datasets.load_sixteen_points(moved=True).xy()
    costs = {"costs": [[0, 1], [4, 0]]}
    plain = cuts(CARTClassifier(**GROWN).fit(*points))
    assert cuts(CARTClassifier(**GROWN, **costs, criterion="weighted_gini").fit(*points)) == plain
    altered = cuts(CARTClassifier(**GROWN, **costs).fit(*points))
    assert (plain[0], altered[0]) == (("x2", pytest.approx(0.335)), ("x2", pytest.approx(0.475)))


# Example 9: fruit told apart by properties; the tree, its binary form and a cut by hand

FRUIT = {
    "color": {
        "green": {"size": {"big": "Watermelon", "medium": "Apple", "small": "Grape"}},
        "yellow": {"shape": {"round": {"size": {"big": "Grapefruit", "small": "Lemon"}}, "thin": "Banana"}},
        "red": {"size": {"medium": "Apple", "small": {"taste": {"sweet": "Cherry", "sour": "Grape"}}}},
    }
}


@pytest.fixture
def fruit():
    """The tree of the text: what its nodes ask is forced."""
    asked = {(): "color", (0,): "size", (1,): "shape", (1, 0): "size", (2,): "size", (2, 1): "taste"}
    forced = [{"path": path, "column": column} for path, column in asked.items()]
    clf = TreeClassifier(branching="per_level", stopping=None, pruning=None, missing="stop", forced_splits=forced)
    return clf.fit(*datasets.load_fruit().xy()).tree_


def test_the_tree_is_the_one_of_the_text(fruit, nested):
    assert nested(fruit.root) == FRUIT
    data = datasets.load_fruit()
    assert fruit.labels(fruit.apply(data.data)).tolist() == list(data.target)


def test_a_sweet_yellow_thin_medium_fruit_is_a_banana_for_two_reasons(fruit):
    one = {"color": ["yellow"], "size": ["medium"], "shape": ["thin"], "taste": ["sweet"]}
    (node,) = fruit.apply(one).tolist()
    assert fruit.node(node).answer == "Banana"
    way = []
    at = fruit.node(node)
    while at.parent is not None:
        way.append(at.condition)
        at = at.parent
    assert way[::-1] == ["color = yellow", "shape = thin"]


def test_an_apple_is_of_medium_size_and_not_yellow(fruit):
    apples = [node for node in fruit if node.is_leaf and node.answer == "Apple"]
    assert [(node.parent.condition, node.condition) for node in apples] == [
        ("color = green", "size = medium"),
        ("color = red", "size = medium"),
    ]
    data = datasets.load_fruit()
    for color, size, name in zip(data.data["color"], data.data["size"], data.target, strict=True):
        assert (name == "Apple") == (size == "medium" and color != "yellow")


def test_the_binary_tree_asks_for_green_then_for_yellow(fruit):
    binary = fruit.to_binary()
    assert all(len(node.children) in (0, 2) for node in binary)
    green = binary.root.split
    yellow = binary.root.children[1].split
    assert green.levels == (("green",), ("yellow", "red"))
    assert yellow.levels == (("yellow",), ("red",))
    asked = [node.split.levels[0] for node in binary if node.split and node.split.column == "size"]
    assert asked == [("big",), ("medium",), ("big",), ("medium",)]
    data = datasets.load_fruit()
    assert binary.labels(binary.apply(data.data)).tolist() == list(data.target)
    assert binary.n_leaves == fruit.n_leaves


def test_cut_by_hand_at_yellow(fruit):
    smaller, log, _ = fruit.prune_at((1,))
    assert smaller.node((1,)).is_leaf
    assert [entry[:2] for entry in log] == [((1,), "leaf")]


# Example 11: is a split better than chance? The text's sum over one branch, Pearson's over both

BRANCHES = {"20/10 first": np.array([[20, 10], [70, 0]]), "70/0 first": np.array([[70, 0], [20, 10]])}


def splits(branches, *, level, test, weight=1.0):
    x = np.repeat([0, 0, 1, 1], branches.ravel()).reshape(-1, 1).astype(float)
    y = np.repeat([0, 1, 0, 1], branches.ravel())
    reading = Reading(fractional_weights="as_given")
    stopping = [Significance(level=level, test=test)]
    clf = TreeClassifier(stopping=stopping, pruning=None, missing="majority_branch", reading=reading)
    return clf.fit(x, y, sample_weight=np.full(len(y), weight)).get_n_leaves() > 1


def splits_at(branches, statistic, *, test):
    """Whether a level just beyond the p-value of the statistic lets the split pass, and one just below does not."""
    p = stats.chi2.sf(statistic, 1)
    return [splits(branches, level=p * near, test=test) for near in (0.999, 1.001)] == [False, True]


@pytest.mark.parametrize(("way", "statistic"), [("20/10 first", 18.148), ("70/0 first", 7.778)])
def test_the_sum_of_the_text_looks_at_the_first_branch(way, statistic):
    left = BRANCHES[way][0]
    expected = left.sum() / 100 * np.array([90, 10])
    exact = ((left - expected) ** 2 / expected).sum()
    assert exact == pytest.approx(statistic, abs=5e-4)
    assert splits_at(BRANCHES[way], exact, test="one_sided")


@pytest.mark.parametrize("way", BRANCHES)
def test_pearsons_sum_looks_at_both(way):
    exact = stats.chi2_contingency(BRANCHES[way], correction=False).statistic
    assert exact == pytest.approx(25.926, abs=5e-4)
    assert splits_at(BRANCHES[way], exact, test="pearson")
    assert Significance().test == "pearson"


@pytest.mark.parametrize(("level", "critical"), [(0.05, 3.841), (0.01, 6.635)])
@pytest.mark.parametrize(("test", "statistic"), [("pearson", 25.926), ("one_sided", 18.148)])
def test_critical_values(level, critical, test, statistic):
    assert stats.chi2.isf(level, 1) == pytest.approx(critical, abs=5e-4)
    weights = [critical * near / statistic for near in (0.999, 1.001)]  # the statistic grows with the weight of rows
    found = [splits(BRANCHES["20/10 first"], level=level, test=test, weight=weight) for weight in weights]
    assert found == [False, True]


def test_chi_squared_in_the_table_of_tests():
    table = candidates({"x": ["left"] * 30 + ["right"] * 70}, [0] * 20 + [1] * 10 + [0] * 70)
    assert table["chi_squared"][0] == pytest.approx(25.926, abs=5e-4)
    assert table["p_value"][0] < 0.01


# Example 13: four classes on a line; Gini cuts off the largest class, twoing parts the four into two superclasses

THRESHOLDS = [1.5, 2.5, 3.5]
DROPS = {"gini": [0.2688, 0.2503, 0.2435], "twoing": [0.2016, 0.2496, 0.1824]}


def drops(criterion):
    """The drop of each of the three thresholds, each offered alone as a column of two values."""
    X, y = datasets.load_four_classes().xy()
    offered = {f"at {cut}": (X["x"] > cut).astype(float).to_numpy() for cut in THRESHOLDS}
    root = CARTClassifier(criterion=criterion, **STUMP).fit(offered, y).tree_.root
    found = {split.column: split.gain for split in [root.split, *root.competitors]}
    return [found[name] for name in offered]


@pytest.mark.parametrize(("criterion", "threshold"), [("gini", 1.5), ("twoing", 2.5)])
def test_drops_and_the_split_taken(criterion, threshold):
    assert drops(criterion) == pytest.approx(DROPS[criterion], abs=5e-5)
    fitted = CARTClassifier(criterion=criterion, **STUMP).fit(*datasets.load_four_classes().xy())
    assert fitted.tree_.root.split.threshold == threshold


def test_all_thresholds_and_the_best_by_each_criterion():
    X, y = datasets.load_four_classes().xy()
    table = candidates(X, y, cuts="all")
    assert list(table["threshold"]) == THRESHOLDS
    for criterion, expected in DROPS.items():
        assert list(table[criterion]) == pytest.approx(expected, abs=5e-5)
    assert "gini" in table["best_by"][0]
    assert "twoing" in table["best_by"][1]
    assert list(candidates(X, y, criterion="twoing")["threshold"]) == [2.5]


def test_twoing_is_half_the_gini_drop_of_the_best_superclass():
    X, y = datasets.load_four_classes().xy()
    best = max(
        CARTClassifier(**STUMP).fit(X > 2.5, y.isin(group)).tree_.root.split.gain
        for group in (["a"], ["b"], ["c"], ["d"], ["a", "b"], ["a", "c"], ["a", "d"])
    )
    assert drops("twoing")[1] == pytest.approx(best / 2)


def test_the_same_for_levels():
    X, y = datasets.load_four_classes().xy()
    names = np.array(["north", "east", "south", "west"])
    fitted = CARTClassifier(criterion="twoing", **STUMP).fit({"side": names[X["x"].astype(int) - 1]}, y)
    split = fitted.tree_.root.split
    assert sorted(map(sorted, split.levels)) == [["east", "north"], ["south", "west"]]
    assert split.gain == pytest.approx(0.2496, abs=5e-5)
    assert split.found == "exact"


def test_the_superclasses_are_readable():
    X, y = datasets.load_four_classes().xy()
    twoing = CARTClassifier(criterion="twoing", **STUMP).fit(X, y).tree_.root
    assert twoing.superclasses == (("a", "b"), ("c", "d"))
    gini = CARTClassifier(criterion="gini", **STUMP).fit(X, y).tree_.root
    assert gini.superclasses == (("a",), ("b", "c", "d"))


# Example 14: does a split that few rows can take count in full?


@pytest.mark.parametrize(
    ("discount", "column", "expected"),
    [(True, "x1", {"x1": 0.32, "x2": 0.25}), (False, "x2", {"x1": 0.32, "x2": 0.5})],
)
def test_the_drop_times_the_known_share_or_not(discount, column, expected, gains):
    root = root_of(datasets.load_missing_score().xy(), missing=Surrogates(discount=discount), **STUMP)
    assert root.split.column == column
    assert gains(root) == pytest.approx(expected)


def test_by_default_missing_values_count():
    assert CARTClassifier().get_params()["missing__discount"]
