"""Z.-H. Zhou, decision trees (chapter 4): the watermelons (worked examples 1, 2, 3 and 12).

Information gain, gain ratio and Gini index, pruning by validation rows, numbers, missing values, the trees themselves.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from bough import C45Classifier, CARTClassifier, ID3Classifier, TreeClassifier, candidates, datasets
from bough.recipe import Entropy, Exhaustive, GainRatio, Reading, ReducedError, Validation

COLUMNS = ["color", "root", "sound", "texture", "umbilicus", "surface"]
# Information gain and nothing else: no minimum, no price of thresholds, no average.
BY_GAIN = {"criterion": Entropy(), "search": Exhaustive(), "numeric_minimum": "plain", "min_samples_leaf": 1e-9}
BINARY = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "search": Exhaustive(max_competitors=8)}


def melons(version="2.0", **more):
    """Inputs, and ripe before unripe: the text calls a melon ripe where both are as many."""
    X, y = datasets.load_watermelon(version, **more).xy()
    return X, y.astype(pd.CategoricalDtype([True, False]))


def best_of_each(X, y, **parameters):
    """The root of a binary tree, and the best split of each column."""
    root = CARTClassifier(**BINARY, **parameters).fit(X, y).tree_.root
    return root, {split.column: split for split in [root.split, *root.competitors]}


# Example 1: gain, gain ratio; of example 12: the Gini index

GAINS = [0.108, 0.143, 0.141, 0.381, 0.289, 0.006]
INSIDE_CLEAR = {"color": 0.043, "root": 0.458, "sound": 0.331, "umbilicus": 0.458, "surface": 0.458}


def test_entropy_and_gini_at_the_root():
    assert best_of_each(*melons(), criterion="entropy")[0].impurity == pytest.approx(0.9975, abs=5e-5)
    assert best_of_each(*melons())[0].impurity == pytest.approx(0.4983, abs=5e-5)


def test_information_gain_of_every_column(gains):
    root = ID3Classifier(max_competitors=9).fit(*melons()).tree_.root
    assert root.split.column == "texture"
    assert gains(root) == pytest.approx(dict(zip(COLUMNS, GAINS, strict=True)), abs=5e-4)


def test_gains_ratios_and_gini_index_as_a_table(figures):
    table = candidates(*melons())
    assert figures(table, "gain", COLUMNS) == pytest.approx(GAINS, abs=5e-4)
    ratios = [0.068, 0.102, 0.106, 0.263, 0.187, 0.007]
    assert figures(table, "gain_ratio", COLUMNS) == pytest.approx(ratios, abs=5e-4)
    assert figures(table, "intrinsic_value", ["color", "surface"]) == pytest.approx([1.580, 0.874], abs=5e-4)
    index = [0.4275, 0.4223, 0.4235, 0.2771, 0.3445, 0.4941]
    assert figures(table, "gini_after", COLUMNS) == pytest.approx(index, abs=5e-5)


def test_a_binary_tree_agrees_about_the_column_of_two_levels():
    root, found = best_of_each(*melons())
    assert root.impurity - found["surface"].gain == pytest.approx(0.4941, abs=5e-5)
    _, found = best_of_each(*melons(), criterion="entropy")
    assert found["surface"].gain == pytest.approx(0.006, abs=5e-4)


def test_gains_inside_clear_texture(gains, figures):
    X, y = melons()
    model = ID3Classifier(max_competitors=9).fit(X, y)
    clear = model.tree_.root.children[0]
    inside = np.flatnonzero([model.tree_.node(end).path[0] == 0 for end in model.apply(X).tolist()]) + 1
    assert inside.tolist() == [1, 2, 3, 4, 5, 6, 8, 10, 15]
    assert gains(clear) == pytest.approx(INSIDE_CLEAR, abs=5e-4)
    table = candidates(X, y, model=model, node=clear.path)
    assert figures(table, "gain", list(INSIDE_CLEAR)) == pytest.approx(list(INSIDE_CLEAR.values()), abs=5e-4)
    assert "texture" not in figures(table, "gain"), "a nominal column under a branch a level is not asked again"


def test_an_identifier_gains_most_and_has_the_smaller_ratio(figures):
    X, y = melons()
    table = candidates(X.assign(id=[f"row {i}" for i in range(17)]), y)
    assert figures(table, "gain")["id"] == pytest.approx(0.9975, abs=5e-5)
    assert figures(table, "intrinsic_value")["id"] == pytest.approx(4.087, abs=5e-4)
    assert figures(table, "gain_ratio", ["id", "texture"]) == pytest.approx([0.2440, 0.2631], abs=5e-5)


def test_an_identifier_wins_by_gain_and_loses_by_ratio_among_the_above_average(gains):
    X, y = melons(with_id=True)
    found = {}
    for criterion in ("entropy", "gain_ratio"):
        clf = C45Classifier(**{**BY_GAIN, "criterion": criterion}, pruning=None, categorical_features=["id"])
        found[criterion] = clf.fit(X, y).tree_.root.split.column
    assert found == {"entropy": "id", "gain_ratio": "texture"}
    average = C45Classifier(
        min_samples_leaf=1,
        categorical_features=["id"],
        criterion=GainRatio(many_valued_share=0.0),
        search=Exhaustive(threshold="data_value", max_competitors=9),
    )
    root = average.fit(X, y).tree_.root
    assert root.split.column == "texture"
    assert sum(gains(root).values()) / 7 == pytest.approx(0.2950, abs=5e-5)
    assert {name for name, gained in gains(root).items() if gained > 0.2950} == {"id", "texture"}


def test_a_binary_tree_takes_the_identifier_if_offered():
    root, _ = best_of_each(*melons(with_id=True), criterion="entropy")
    assert root.split.column == "id"
    assert root.split.gain == pytest.approx(0.9975, abs=5e-5)


# Example 1: pruning with the validation rows of the text

TRAINING = [1, 2, 3, 6, 7, 10, 14, 15, 16, 17]
VALIDATION = [4, 5, 8, 9, 11, 12, 13]
ORDER = ["umbilicus", "color", "root", "sound", "texture", "surface"]
HELD = [row - 1 for row in VALIDATION]
STUMP = {"umbilicus": {"hollow": True, "slightly_hollow": True, "flat": False}}


def training(order=ORDER):
    X, y = melons()
    rows = [row - 1 for row in TRAINING]
    return X[order].iloc[rows], y.iloc[rows]


def right(answers):
    """Of seven."""
    return int((np.asarray(answers) == melons()[1].iloc[HELD].to_numpy()).sum())


def right_of(tree, order=ORDER):
    return right(tree.labels(tree.apply(melons()[0][order].iloc[HELD])))


def pruned(pruning):
    """The tree by gain, and its number of right answers on the validation rows."""
    X, y = melons()
    clf = C45Classifier(**BY_GAIN, pruning=pruning, reading=Reading(class_order="declared"))
    clf.fit(*training()) if pruning is None else clf.fit(X[ORDER], y)
    return clf, right(clf.predict(X[ORDER].iloc[HELD]))


def test_the_full_tree_is_right_for_three_of_seven():
    clf, found = pruned(None)
    assert found == 3
    assert clf.tree_.root.split.column == "umbilicus"


# Node, its rows, the columns that tie there and their gain.
TIES = [
    ((), TRAINING, ["umbilicus", "color"], 0.275),
    ((0,), [1, 2, 3, 14], ["color", "root", "texture"], 0.811),
    ((1,), [6, 7, 15, 17], ["root", "sound", "surface"], 0.311),
    ((1, 1), [6, 7, 15], ["color", "texture"], 0.252),
]


@pytest.mark.parametrize(("path", "rows", "tied", "gain"), TIES)
def test_ties_go_to_the_first_column(path, rows, tied, gain, figures):
    model = ID3Classifier(reading=Reading(class_order="declared")).fit(*training())
    ends = model.apply(training()[0]).tolist()
    below = [row for row, end in zip(TRAINING, ends, strict=True) if model.tree_.node(end).path[: len(path)] == path]
    assert below == rows
    found = figures(candidates(*training(), model=model, node=path), "gain")
    assert [column for column in found if found[column] == pytest.approx(max(found.values()))] == tied
    assert found[tied[0]] == pytest.approx(gain, abs=5e-4)
    assert model.tree_.node(path).split.column == tied[0]


def test_other_ways_out_of_the_ties_give_other_trees():
    order = [ORDER[0], *reversed(ORDER[1:])]
    assert right_of(ID3Classifier(reading=Reading(class_order="declared")).fit(*training(order)).tree_, order) == 6


def test_where_classes_are_as_many_the_label_is_ripe():
    tree = ID3Classifier(reading=Reading(class_order="declared")).fit(*training()).tree_
    for path, count in [((), 5), ((1,), 2), ((1, 1, 1), 1)]:
        assert tree.node(path).counts == {True: count, False: count}
        assert tree.node(path).answer
    # With unripe first, the unsplit root would be right for four.
    assert right_of(ID3Classifier(reading=Reading(class_order="sorted")).fit(*training()).tree_.prune_at(())[0]) == 4


@pytest.mark.parametrize(
    ("cut", "found"),
    [
        ([], 3),
        ([(1, 1, 1)], 4),
        ([(1, 1)], 4),
        ([(1, 1, 1), (0,)], 5),
        ([(1,), (0,)], 5),
        ([()], 3),
    ],
)
def test_post_pruning_step_by_step(cut, found):
    tree = ID3Classifier(reading=Reading(class_order="declared")).fit(*training()).tree_
    assert right_of(tree.prune_at(*cut)[0] if cut else tree) == found


def test_pruning_on_improvement_only(nested):
    clf, found = pruned(ReducedError(HELD, strict=True))
    assert found == 5
    assert nested(clf.tree_.root) == {
        "umbilicus": {
            "hollow": True,
            "slightly_hollow": {"root": {"curly": False, "slightly_curly": {"color": {
                "green": True, "dark": True, "light": [True]}}, "straight": [True]}},
            "flat": False,
        }
    }  # fmt: skip
    # The subtree of rows 7 and 15, then the one of rows 1, 2, 3 and 14.
    assert [(what, before - after) for _, what, before, after in clf.pruning_log_] == [("leaf", 1.0), ("leaf", 1.0)]
    grown = pruned(None)[0].tree_
    assert [grown.node(int(entry[0])).path for entry in clf.pruning_log_] == [(1, 1, 1), (0,)]


def test_pruning_where_it_is_not_worse(nested):
    clf, found = pruned(ReducedError(HELD))
    assert found == 5
    assert nested(clf.tree_.root) == STUMP


def test_pre_pruning_stops_where_the_validation_rows_gain_nothing(nested):
    X, y = melons()
    X = X[ORDER]
    clf = TreeClassifier(
        branching="per_level",
        criterion="entropy",
        stopping=Validation(holdout=HELD),
        pruning=None,
        missing="fractional",
        reading=Reading(class_order="declared"),
    )
    clf.fit(X, y)
    assert nested(clf.tree_.root) == STUMP
    assert right(clf.predict(X.iloc[HELD])) == 5
    assert right_of(clf.tree_.prune_at(())[0]) == 3, "before the split"
    # Splitting the hollow ones on color would be right for four of seven, the slightly hollow ones on root for five.
    root = clf.tree_.root
    for branch, column, expected in ((0, "color", 4), (1, "root", 5)):
        forced = [{"path": [], "column": "umbilicus"}, {"path": [branch], "column": column}]
        more = clone(clf).set_params(forced_splits=forced).fit(X, y)
        assert more.tree_.root.children[branch].rows == root.children[branch].rows
        assert right(more.predict(X.iloc[HELD])) == expected


def test_post_pruning_keeps_more_branches_than_pre_pruning():
    assert pruned(ReducedError(HELD, strict=True))[0].get_n_leaves() > 3


# Example 2: numbers


def test_thresholds_of_density_and_sugar(figures):
    table = candidates(*melons("3.0"), criterion="gain")
    assert table["column"][0] == "texture"
    assert figures(table, "threshold", ["density", "sugar"]) == pytest.approx([0.3815, 0.126])
    assert figures(table, "gain", ["density", "sugar"]) == pytest.approx([0.262, 0.349], abs=5e-4)
    _, found = best_of_each(*melons("3.0"), criterion="entropy")
    assert [found[name].threshold for name in ("density", "sugar")] == pytest.approx([0.3815, 0.126])
    assert [found[name].gain for name in ("density", "sugar")] == pytest.approx([0.262, 0.349], abs=5e-4)


def test_the_root_of_a_binary_tree_is_texture_until_numbers_are_offered():
    # Of the three branches of the text a binary split keeps one apart: sugar, a threshold anyway, then gains more.
    for version, root in [("2.0", "texture"), ("3.0", "sugar")]:
        assert best_of_each(*melons(version), criterion="entropy")[0].split.column == root


def test_inside_clear_texture_density_parts_at_0_3815():
    X, y = melons("3.0")
    clear = X["texture"] == "clear"
    root, found = best_of_each(X[clear], y[clear], criterion="entropy")
    assert found["density"].threshold == pytest.approx(0.3815)
    assert found["density"].gain == pytest.approx(0.7642, abs=5e-5) == root.split.gain


def test_a_numeric_column_is_used_again_on_the_same_path():
    x = np.arange(12.0)
    y = np.isin(x, [4, 5, 6, 7])
    tree = CARTClassifier(**BINARY).fit(x.reshape(-1, 1), y).tree_
    upper, lower = (node for node in tree.nodes if node.split)
    assert lower.parent == upper
    assert lower.split.column == upper.split.column


# Example 12: the trees


def test_the_tree_of_id3(nested):
    tree = ID3Classifier(reading=Reading(class_order="declared")).fit(*melons()).tree_
    dark = {"surface": {"hard": True, "soft": False}}
    slightly_curly = {"color": {"green": True, "dark": dark, "light": [True]}}
    assert nested(tree.root) == {
        "texture": {
            "clear": {"root": {"curly": True, "slightly_curly": slightly_curly, "straight": False}},
            "slightly_blurry": {"surface": {"hard": False, "soft": True}},
            "blurry": False,
        }
    }


def test_the_tree_with_numbers(nested, figures):
    X, y = melons("3.0")
    clf = C45Classifier(**BY_GAIN, pruning=None).fit(X, y)
    assert nested(clf.tree_.root) == {
        "texture": {
            "clear": {"density": {"<= 0.3815": False, "> 0.3815": True}},
            "slightly_blurry": {"surface": {"hard": False, "soft": True}},
            "blurry": False,
        }
    }
    assert clf.tree_.root.children[0].split.gain == pytest.approx(0.7642, abs=5e-5)
    table = candidates(X, y, criterion="gain", model=clf, node=(1,))
    assert figures(table, "gain", ["surface", "density"]) == pytest.approx([0.7219, 0.7219], abs=5e-5), "a tie"
    assert figures(table, "threshold")["density"] == pytest.approx(0.560)


# Examples 3 and 12: missing values

GAINS_2A = [0.252, 0.171, 0.145, 0.424, 0.289, 0.006]


def test_gains_count_the_share_of_known_values(figures):
    assert figures(candidates(*melons("2.0a")), "gain", COLUMNS) == pytest.approx(GAINS_2A, abs=5e-4)


def test_the_tree_with_missing_values(nested, gains):
    clf = ID3Classifier(
        missing="fractional", min_samples_split=1e-9, max_competitors=9, reading=Reading(class_order="declared")
    )
    tree = clf.fit(*melons("2.0a")).tree_
    assert gains(tree.root) == pytest.approx(dict(zip(COLUMNS, GAINS_2A, strict=True)), abs=5e-4)
    clear, slightly_blurry, blurry = tree.root.children
    # Rows 8 and 10 have no texture: 7/15, 5/15 and 3/15 of each.
    assert clear.counts == pytest.approx({True: 6 + 7 / 15, False: 1 + 7 / 15})
    assert slightly_blurry.counts == pytest.approx({True: 1 + 5 / 15, False: 4 + 5 / 15})
    assert blurry.counts == pytest.approx({True: 3 / 15, False: 3 + 3 / 15})
    slightly_curly, muffled = clear.children[1], slightly_blurry.children[0]
    for node, column, gained in [
        (clear, "root", 0.388),
        (slightly_curly, "color", 0.438),
        (slightly_curly.children[1], "surface", 0.902),
        (slightly_blurry, "sound", 0.381),
        (muffled, "umbilicus", 0.985),
        (blurry, "color", 0.323),
    ]:
        assert node.split.column == column
        assert node.split.gain == pytest.approx(gained, abs=6e-4)
    assert gains(blurry) == pytest.approx({**gains(blurry), "root": 0.323, "umbilicus": 0.323}, abs=6e-4), "they tie"
    dark = {"surface": {"hard": True, "soft": False}}
    colors = {"green": True, "dark": dark, "light": [True]}
    assert nested(clear) == {"root": {"curly": True, "slightly_curly": {"color": colors}, "straight": False}}
    hollows = {"hollow": False, "slightly_hollow": True, "flat": [True]}
    assert nested(slightly_blurry) == {"sound": {"muffled": {"umbilicus": hollows}, "dull": False, "crisp": False}}
    assert nested(blurry) == {"color": {"green": False, "dark": True, "light": False}}
