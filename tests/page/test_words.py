"""What the modules of the page compute otherwise than Python does, they compute alike: words and places."""

import re

import numpy as np
import pandas as pd
import pytest

import bough
from bough.model.support import support_text
from bough.model.text import share
from bough.view.holdings import Holdings, class_numbers
from bough.view.layout import tidy
from bough.view.page import page
from bough.view.page.boxes import boxes
from bough.view.page.content import content

MANY_BRANCHES = [
    bough.CHAIDClassifier(min_samples_leaf=5, min_samples_split=10),
    bough.TreeClassifier(missing="own_branch", branching="per_level"),
    bough.TreeClassifier(missing="learned_direction", branching="per_level"),
    bough.TreeClassifier(missing="own_branch", branching="intervals"),
]


def many_branches():
    """Levels and numbers by which classes differ: of one column all are known, of the others some are missing."""
    rng = np.random.default_rng(5)
    color, size = rng.choice(np.array(["blue", "green", "red", "white"], object), (2, 900))
    age = rng.integers(0, 80, 900).astype(float)
    turn = np.array([{"blue": 0, "green": 1, "red": 2, "white": 3}[name] for name in color])
    y = np.array(list("abcd"))[(turn + (size == "blue") * (age > 40)) % 4]
    age[rng.random(900) < 0.2] = np.nan
    return {"color": color, "size": [None if rng.random() < 0.1 else value for value in size], "age": age}, y


def test_conditions_are_worded_as_the_model_words_them(run_node, make_kinds, make_small):
    X, y = bough.datasets.load("penguins").xy()
    trees = [make_kinds(), make_small(target="buys")]
    trees += [model.fit(X, y).tree_ for model in (bough.CARTClassifier(pruning=None), bough.C45Classifier())]
    trees += [model.fit(*many_branches()).tree_ for model in MANY_BRANCHES]
    for tree in trees:
        told = run_node("words_told.js", {"data": content(tree, whole=True)})
        assert told["conditions"][1:] == [
            node.parent.split.describe(node.branch, exact=False, most_levels=8) for node in tree.nodes[1:]
        ]
        leaves = [node.id for node in tree if node.is_leaf]
        assert all(told["rules"][leaf].startswith("if ") for leaf in leaves)


def test_a_leaf_and_its_share_are_said_as_text_says_them(run_node):
    X, y = bough.datasets.load("penguins").xy()
    models = [
        bough.CARTClassifier(pruning=None),
        bough.CARTClassifier(priors="equal"),
        bough.C45Classifier(leaf="laplace"),
    ]
    shares = [0, 1, 0.125, 0.005, 0.004, 0.0004, 0.285, 0.995, 0.9951, 0.9999, *np.random.default_rng(0).random(200)]
    for model in models:
        for weights in (None, np.linspace(0.5, 2, len(y))):
            tree = model.fit(X, y, weights).tree_
            told = run_node("words_told.js", {"data": content(tree, whole=True), "shares": shares})
            assert [re.sub("of weight .*", "", text) for text in told["support"]] == [
                re.sub("of weight .*", "", support_text(node)) for node in tree
            ]
            assert told["shares"] == [share(part) for part in shares]
    written = bough.tree_from({"x < 1": "a", "x >= 1": "b", "else": "a"})
    told = run_node("words_told.js", {"data": content(written, whole=True), "shares": []})
    assert told["support"] == [support_text(node) for node in written] == ["0 rows"] * 3


def test_the_page_of_a_model_that_refuses_missing_values_sends_them_nowhere(run_node):
    fruit = bough.datasets.load_fruit()
    tree = bough.ID3Classifier().fit(fruit.data, fruit.target).tree_
    told = run_node("words_told.js", {"data": content(tree, whole=True)})
    assert set(told["missing"]) == {"A case whose value is missing is refused."}
    assert set(told["marks"]) == {""}


def test_what_a_page_holds_is_read_by_its_scripts(web):
    X, y = bough.datasets.load("penguins").xy()
    scripts = "".join(path.read_text(encoding="utf-8") for path in web.glob("*.js"))
    for model, target in ((bough.CARTClassifier(), y), (bough.CARTRegressor(), np.arange(len(y)))):
        data = content(model.fit(X, target).tree_, whole=True)
        names = [
            *data,
            *(name for part in data.values() if isinstance(part, dict) for name in part),
            *data["columns"][0],
        ]
        assert [name for name in names if not re.search(rf"\.{name}\b|\b{name} }}|\b{name},", scripts)] == []


def test_a_long_level_before_others_is_cut_once():
    offices = [f"department of works, roads and bridges {k:02d}" for k in range(12)]
    X = {"office": [offices[k % 12] for k in range(240)]}
    tree = bough.CARTClassifier().fit(X, [int(k % 12 < 5) for k in range(240)]).tree_
    assert boxes(tree)["branch"] == ["", "department…es 00, … 4 more", "department…es 05, … 6 more"]
    tree = bough.CARTClassifier().fit({"office": [offices[k % 2] for k in range(40)]}, [k % 2 for k in range(40)]).tree_
    assert boxes(tree)["branch"][1] == "= department of w…idges 01"


@pytest.mark.parametrize("seed", range(5))
def test_folded_trees_are_placed_by_the_layout_of_all_drawings(seed, run_node):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    parent = [-1, *(int(rng.integers(max(0, node - 20), node)) for node in range(1, n))]
    order = preorder(parent)
    widths = rng.uniform(20, 100, n).round(1)
    x, _ = tidy(order, widths, 1.0, gap=7.0)
    told = run_node("layout_told.js", {"parent": order, "width": (widths + 7).tolist()})
    np.testing.assert_allclose(np.array(told) - 3.5, x, atol=1e-6)


def preorder(parent):
    """The same tree with its nodes numbered from top to bottom and left to right."""
    children = [[] for _ in parent]
    for node, above in enumerate(parent[1:], 1):
        children[above].append(node)
    numbers, stack, result = {}, [0], []
    while stack:
        node = stack.pop()
        numbers[node] = len(numbers)
        result.append(-1 if node == 0 else numbers[parent[node]])
        stack += reversed(children[node])
    return result


def test_drawings_and_pages_read_labels_alike():
    X = {"x": list(range(40))}
    tree = bough.CARTClassifier().fit(X, ["no", "yes"] * 20).tree_
    labels = ["yes", "no"]
    for given in (labels, np.array(labels), np.array([labels]).T, pd.Series(labels), pd.DataFrame({"y": labels})):
        assert class_numbers(tree, given).tolist() == [1, 0]
    for draw in (Holdings, page):
        with pytest.raises(bough.errors.DataError, match="y holds 3, which is none of the classes"):
            draw(tree, X, ["no", 3] * 20)
