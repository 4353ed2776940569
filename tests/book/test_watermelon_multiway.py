"""The watermelons (Zhou, chapter 4) with a branch for every level: ID3, gain ratio, fractional cases, pruning."""

import pandas as pd
import pytest
from sklearn.base import clone

from bough import C45Classifier, ID3Classifier, TreeClassifier, datasets
from bough.recipe import Validation
from bough.testing.c45 import Split, table_of
from bough.testing.c45.gain import gain, ratio, split_information
from bough.testing.c45.search import class_weights

# Information gain and nothing else: no minimum, no price of thresholds, no average.
BY_GAIN = {"criterion": "entropy", "choice": "best", "threshold": "midpoint", "threshold_penalty": False,
           "numeric_minimum": "plain", "min_samples_leaf": 1e-9, "many_valued_share": 0.0}  # fmt: skip


def melons(version="2.0", **more):
    """Inputs, and ripe before unripe: the text calls a melon ripe where both are as many."""
    X, y = datasets.load_watermelon(version, **more).xy()
    return X, y.astype(pd.CategoricalDtype([True, False]))


def gains(node):
    return {split.column: split.gain for split in [node.split, *node.competitors]}


def test_information_gain_of_every_column():
    root = ID3Classifier(max_competitors=9).fit(*melons()).tree_.root
    assert root.split.column == "texture"
    printed = {"color": 0.108, "root": 0.143, "sound": 0.141, "texture": 0.381, "umbilicus": 0.289, "surface": 0.006}
    assert gains(root) == pytest.approx(printed, abs=6e-4)


def test_information_gain_inside_clear_texture():
    root = ID3Classifier(max_competitors=9).fit(*melons()).tree_.root
    clear = root.children[0]
    printed = {"color": 0.043, "root": 0.458, "sound": 0.331, "umbilicus": 0.458, "surface": 0.458}
    assert gains(clear) == pytest.approx(printed, abs=6e-4)


def worth(X, y, column):
    """Intrinsic value and gain ratio of a column by the plain version."""
    table = table_of(X, y)
    split = Split(column, len(table.columns[column].levels))
    branches = class_weights(table, table.rows, split)
    return split_information(branches, 17.0), ratio(gain(branches, 17.0), branches, 17.0)


def test_intrinsic_values_and_gain_ratios():
    X, y = melons()
    intrinsic, ratios = zip(*(worth(X, y, column) for column in range(6)), strict=True)
    assert (intrinsic[0], intrinsic[5]) == pytest.approx((1.580, 0.874), abs=6e-4)
    assert ratios == pytest.approx((0.068, 0.102, 0.106, 0.263, 0.187, 0.007), abs=6e-4)


def test_an_identifier_wins_by_gain_and_loses_by_ratio_among_the_above_average():
    X, y = melons(with_id=True)
    assert worth(X.assign(id=X["id"].astype("category")), y, 0) == pytest.approx((4.087, 0.2440), abs=6e-4)
    found = {}
    for criterion in ("entropy", "gain_ratio"):
        clf = C45Classifier(**{**BY_GAIN, "criterion": criterion}, pruning=None, categorical_features=["id"])
        found[criterion] = clf.fit(X, y).tree_.root.split.column
    assert found == {"entropy": "id", "gain_ratio": "texture"}
    average = C45Classifier(many_valued_share=0.0, min_samples_leaf=1, categorical_features=["id"], max_competitors=9)
    root = average.fit(X, y).tree_.root
    assert root.split.column == "texture"
    assert sum(gains(root).values()) / 7 == pytest.approx(0.2950, abs=5e-5)
    assert {name for name, gained in gains(root).items() if gained > 0.2950} == {"id", "texture"}


def test_the_tree_of_id3(nested):
    tree = ID3Classifier(class_order="declared").fit(*melons()).tree_
    dark = {"surface": {"hard": True, "soft": False}}
    slightly_curly = {"color": {"green": True, "dark": dark, "light": [True]}}
    assert nested(tree.root) == {
        "texture": {
            "clear": {"root": {"curly": True, "slightly_curly": slightly_curly, "straight": False}},
            "slightly_blurry": {"surface": {"hard": False, "soft": True}},
            "blurry": False,
        }
    }


def test_the_tree_with_numbers(nested):
    tree = C45Classifier(**BY_GAIN, pruning=None).fit(*melons("3.0")).tree_
    assert nested(tree.root) == {
        "texture": {
            "clear": {"density": {"<= 0.3815": False, "> 0.3815": True}},
            "slightly_blurry": {"surface": {"hard": False, "soft": True}},
            "blurry": False,
        }
    }
    assert tree.root.children[0].split.gain == pytest.approx(0.7642, abs=5e-5)


def test_the_tree_with_missing_values(nested):
    clf = ID3Classifier(missing="fractional", min_samples_split=1e-9, max_competitors=9, class_order="declared")
    tree = clf.fit(*melons("2.0a")).tree_
    printed = {"color": 0.252, "root": 0.171, "sound": 0.145, "texture": 0.424, "umbilicus": 0.289, "surface": 0.006}
    assert gains(tree.root) == pytest.approx(printed, abs=6e-4)
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
    assert nested(blurry) == {"color": {"green": False, "dark": True, "light": False}}


# Pruning with the validation rows of the text

TRAINING = [1, 2, 3, 6, 7, 10, 14, 15, 16, 17]
VALIDATION = [4, 5, 8, 9, 11, 12, 13]
ORDER = ["umbilicus", "color", "root", "sound", "texture", "surface"]


def pruned(**parameters):
    """The tree by gain, and its number of right answers on the validation rows."""
    X, y = melons()
    X = X[ORDER]
    held = [row - 1 for row in VALIDATION]
    clf = C45Classifier(**BY_GAIN, class_order="declared", **parameters)
    if parameters["pruning"] is None:
        rows = [row - 1 for row in TRAINING]
        clf.set_params(collapse=False).fit(X.iloc[rows], y.iloc[rows])
    else:
        clf.set_params(holdout=held).fit(X, y)
    return clf, int((clf.predict(X.iloc[held]) == y.iloc[held].to_numpy()).sum())


def test_the_full_tree_is_right_for_three_of_seven():
    clf, right = pruned(pruning=None)
    assert right == 3
    assert clf.tree_.root.split.column == "umbilicus"
    assert gains(clf.tree_.root)["umbilicus"] == pytest.approx(0.275, abs=6e-4)


def test_pruning_on_improvement_only(nested):
    clf, right = pruned(pruning="reduced_error", rule="strict")
    assert right == 5
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


def test_pruning_where_it_is_not_worse(nested):
    clf, right = pruned(pruning="reduced_error", rule="not_worse")
    assert right == 5
    assert nested(clf.tree_.root) == {"umbilicus": {"hollow": True, "slightly_hollow": True, "flat": False}}


def test_pre_pruning_stops_where_the_validation_rows_gain_nothing(nested):
    X, y = melons()
    X = X[["umbilicus", "color", "root", "sound", "texture", "surface"]]
    held = [row - 1 for row in VALIDATION]
    clf = TreeClassifier(branching="per_level", criterion="entropy", stopping=Validation(holdout=held),
                         pruning=None, missing="fractional", class_order="declared")  # fmt: skip
    clf.fit(X, y)
    assert nested(clf.tree_.root) == {"umbilicus": {"hollow": True, "slightly_hollow": True, "flat": False}}
    assert (clf.predict(X.iloc[held]) == y.iloc[held].to_numpy()).sum() == 5
    # Splitting the hollow ones on color would be right for four of seven, the slightly hollow ones on root for five.
    root = clf.tree_.root
    for branch, column, right in ((0, "color", 4), (1, "root", 5)):
        forced = [{"path": [], "column": "umbilicus"}, {"path": [branch], "column": column}]
        more = clone(clf).set_params(forced_splits=forced).fit(X, y)
        assert more.tree_.root.children[branch].rows == root.children[branch].rows
        assert (more.predict(X.iloc[held]) == y.iloc[held].to_numpy()).sum() == right
