"""J. Corso, lecture slides on non-metric methods: PlayTennis and overfitting (worked example 4).

The table is Quinlan's (1986) and Mitchell's (chapter 3): the tree of ID3, and what one noisy row does to it.
"""

import pandas as pd
import pytest

from bough import C45Classifier, ID3Classifier, candidates, datasets
from bough.recipe import GainRatio


def with_noise():
    X, y = datasets.load_play_tennis().xy()
    row = dict(zip(X.columns, ["Sunny", "Hot", "Normal", "Strong"], strict=True))
    noisy = pd.concat([X, pd.DataFrame([row])], ignore_index=True).astype(X.dtypes)
    return noisy, pd.concat([y, pd.Series(["No"], name=y.name)], ignore_index=True).astype(y.dtype)


def test_information_gains(gains):
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


def test_one_noisy_row_changes_the_tree(nested, gains):
    tree = ID3Classifier(max_competitors=9).fit(*with_noise()).tree_
    sunny = tree.root.children[0]
    # Wind gains nothing, and competes all the same: ID3 goes on where no test gains.
    assert gains(sunny) == pytest.approx({"Temperature": 0.585, "Humidity": 0.459, "Wind": 0.0}, abs=6e-4)
    assert nested(tree.root) == {
        "Outlook": {
            "Sunny": {
                "Temperature": {"Hot": "No", "Mild": {"Humidity": {"High": "No", "Normal": "Yes"}}, "Cool": "Yes"}
            },
            "Overcast": "Yes",
            "Rain": {"Wind": {"Weak": "Yes", "Strong": "No"}},
        }
    }
    assert tree.n_leaves == 7


def test_inside_sunny_gain_and_ratio_disagree_about_the_noisy_table(figures):
    X, y = with_noise()
    table = candidates(X, y, model=ID3Classifier().fit(X, y), node=(0,))
    columns = ["Temperature", "Humidity", "Wind"]
    assert figures(table, "gain", columns) == pytest.approx([0.585, 0.459, 0.000], abs=6e-4)
    assert figures(table, "gain_ratio", columns[:2]) == pytest.approx([0.401, 0.459], abs=6e-4)


def test_gain_ratio_keeps_humidity(nested):
    clf = C45Classifier(min_samples_leaf=1, pruning=None, criterion=GainRatio(choice="best"))
    sunny = clf.fit(*with_noise()).tree_.root.children[0]
    assert nested(sunny) == {
        "Humidity": {"High": "No", "Normal": {"Temperature": {"Hot": "No", "Mild": "Yes", "Cool": "Yes"}}}
    }
