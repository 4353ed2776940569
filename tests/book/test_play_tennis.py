"""PlayTennis (Quinlan 1986; Mitchell, chapter 3): the tree of ID3, and what one noisy row does to it."""

import pandas as pd
import pytest

from bough import C45Classifier, ID3Classifier, datasets


def gains(node):
    return {split.column: split.gain for split in [node.split, *node.competitors]}


def with_noise():
    X, y = datasets.load_play_tennis().xy()
    row = dict(zip(X.columns, ["Sunny", "Hot", "Normal", "Strong"], strict=True))
    noisy = pd.concat([X, pd.DataFrame([row])], ignore_index=True).astype(X.dtypes)
    return noisy, pd.concat([y, pd.Series(["No"], name=y.name)], ignore_index=True).astype(y.dtype)


def test_information_gains():
    root = ID3Classifier(max_competitors=9).fit(*datasets.load_play_tennis().xy()).tree_.root
    printed = {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    assert gains(root) == pytest.approx(printed, abs=6e-4)
    sunny = {"Humidity": 0.971, "Temperature": 0.571, "Wind": 0.020}
    assert gains(root.children[0]) == pytest.approx(sunny, abs=6e-4)


def test_the_tree(nested):
    tree = ID3Classifier().fit(*datasets.load_play_tennis().xy()).tree_
    assert tree.n_leaves == 5
    assert nested(tree.root) == {
        "Outlook": {
            "Sunny": {"Humidity": {"High": "No", "Normal": "Yes"}},
            "Overcast": "Yes",
            "Rain": {"Wind": {"Weak": "Yes", "Strong": "No"}},
        }
    }


def test_one_noisy_row_changes_the_tree(nested):
    tree = ID3Classifier(max_competitors=9).fit(*with_noise()).tree_
    sunny = tree.root.children[0]
    # Wind gains nothing and is no competitor.
    assert gains(sunny) == pytest.approx({"Temperature": 0.585, "Humidity": 0.459}, abs=6e-4)
    assert nested(sunny) == {
        "Temperature": {"Hot": "No", "Mild": {"Humidity": {"High": "No", "Normal": "Yes"}}, "Cool": "Yes"}
    }
    assert tree.n_leaves == 7


def test_gain_ratio_keeps_humidity(nested):
    clf = C45Classifier(choice="best", min_samples_leaf=1, pruning=None, collapse=False)
    sunny = clf.fit(*with_noise()).tree_.root.children[0]
    assert nested(sunny) == {
        "Humidity": {"High": "No", "Normal": {"Temperature": {"Hot": "No", "Mild": "Yes", "Cool": "Yes"}}}
    }
