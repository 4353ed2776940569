"""A small network as a feature: its value, its words, its file, and what tests of it can and cannot say."""

import copy
import json
import math
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import bough
from bough import _core
from bough.errors import ModelFormatError, ParameterError
from bough.model import Tree
from bough.model.features import Linear, LinearTerm, Network, columns_asked, without_cells
from bough.model.features.feature import Net
from bough.model.files import load_model, save_model
from bough.model.tests import read_test
from bough.model.ways import cells_of
from bough.table import Column, Encoded, Schema, kernel_columns

SCHEMA = Schema(
    (
        Column("x", "numeric", "float64"),
        Column("n", "numeric", "int64"),
        Column("job", "nominal", "levels", ("A", "B", "C")),
        Column("size", "ordered", "levels", ("S", "M", "L")),
    )
)
CHOICES = ((0, -1), (1, -1), (2, 0), (2, 1), (3, -1))


def random_network(rng, *, whole=False, unseen_is_missing=True):
    chosen = sorted(rng.choice(len(CHOICES), int(rng.integers(2, 6)), replace=False).tolist())
    terms = [
        LinearTerm(*CHOICES[place], 1.0, float(rng.normal()), 0.1 + rng.random(), 3 if CHOICES[place][0] == 1 else 0)
        for place in chosen
    ]
    units = int(rng.integers(1, 6))
    numbers = rng.normal(size=(len(terms) + 1) * units + units + 1).tolist()
    return Network(terms, numbers, units, SCHEMA.columns, whole=whole, unseen_is_missing=unseen_is_missing)


def tree_of(network, threshold=0.1, low=0):
    """A root that asks it, a plain sum beside it, and two leaves."""
    builder = _core.TreeBuilder([], (False, 1, 0, 0))
    builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0, majority=1, impurity=1.0, risk=4.0)
    builder.add_threshold(0, threshold, low=low, score=0.5)
    network.ask(builder)
    builder.add_threshold(0, 0.5, role=1)
    Linear(network.terms, SCHEMA.columns).ask(builder)
    for branch in range(2):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    return Tree.by_hand(builder.freeze(), SCHEMA)


def random_rows(rng, n):
    x = rng.normal(size=n) * 2
    x[rng.random(n) < 0.2] = np.nan
    x[:3] = np.inf, -np.inf, 1e308
    return [
        Encoded(x),
        Encoded(rng.integers(-5, 5, n), rng.random(n) < 0.2),
        Encoded(rng.integers(-1, 3, n).astype(np.int32)),
        Encoded(rng.integers(-1, 3, n).astype(np.int32)),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_network_routes_as_its_formula_says(seed):
    rng = np.random.default_rng(seed)
    network = random_network(rng, whole=bool(rng.integers(2)))
    tree = tree_of(network, low=int(rng.integers(2)))
    columns = random_rows(rng, 60)
    ends = _core.apply(tree.kernel, kernel_columns(SCHEMA, columns), 1)
    for row in range(60):
        cells = cells_of(columns, row)
        value = network.value(cells)
        found = tree.root.split.test.branch(cells)
        assert found == ("missing" if value == "missing" else tree.root.split.test.leads[0 if value <= 0.1 else 1])
        assert ends[row] == (2 if found == "missing" else 1 + found)


def test_the_value_is_the_formula_with_missing_terms_filled():
    terms = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(2, 1, 1.0, 0.25)]
    network = Network(terms, [1.0, -1.0, 2.0, 3.0, 0.0, 0.5, 0.5, -1.0, 0.25], 2, SCHEMA.columns)

    def by_hand(x, one):
        return 0.25 + 0.5 * math.tanh(0.0 + x + 2.0 * one) - math.tanh(0.5 - x + 3.0 * one)

    assert network.value([0.3, None, 1, None]) == pytest.approx(by_hand(0.3, 1.0), rel=1e-15)
    assert network.value([None, None, 0, None]) == pytest.approx(by_hand(0.5, 0.0), rel=1e-15)
    assert network.value([0.3, None, None, None]) == pytest.approx(by_hand(0.3, 0.25), rel=1e-15)
    assert network.value([None] * 4) == "missing"
    assert network.value([math.inf, None, 0, None]) == 0.25 + 0.5 + 1.0
    assert [term.weight for term in network.terms] == [1.5, 4.0]
    assert network.columns == (2, 0)


def test_short_words_say_the_size_and_the_columns_and_exact_ones_the_whole_formula():
    rng = np.random.default_rng(3)
    for _ in range(20):
        chosen = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(3, -1, 1.0, 0.25)]
        units = int(rng.integers(1, 5))
        network = Network(chosen, rng.normal(size=4 * units + 1).tolist(), units, SCHEMA.columns)
        x, size = float(rng.normal()), int(rng.integers(3))
        formula = network.words(exact=True)
        code = re.sub(r"(\d) (tanh|x|size)\b", r"\1 * \2", formula)
        value = eval(code, {"tanh": math.tanh, "x": x, "size": size})
        assert network.value([x, None, None, size]) == pytest.approx(value, abs=1e-12)
        assert formula.count("tanh") == units
    network = Network(chosen, [1.0, 1.0, 0.0, 1.0, 0.0], 1, SCHEMA.columns)
    assert network.words() == "network of 1 unit on x, size"
    wide = Schema(tuple(Column(f"c{k}", "numeric", "float64") for k in range(6)))
    terms = [LinearTerm(k, -1, 1.0, 0.0) for k in range(6)]
    wide_network = Network(terms, [*range(1, 7), 0.0, 1.0, 0.0], 1, wide.columns)
    assert wide_network.words() == "network of 1 unit on c5, c4, c3, c2 ... (+2)"
    tree = tree_of(random_network(rng))
    assert repr(tree.root.split).startswith("<primary split: network of")
    assert "tanh(" in tree.root.split.describe(0)
    assert tree.root.split.describe(0).endswith("<= 0.1")
    assert "network of" in tree.draw()


def test_it_has_no_cells_and_is_read_from_the_arrays():
    tree = tree_of(random_network(np.random.default_rng(1)))
    first, second = (read_test(tree.arrays, split, SCHEMA.columns).feature for split in (0, 1))
    assert type(first) is Network
    assert type(second) is Linear
    assert isinstance(first.expression(), Net)
    assert not tree.root.split.test.has_cells
    assert without_cells(tree.arrays, np.ones(2, dtype=bool)).tolist() == [0, 1]


def test_importance_goes_to_columns_by_what_their_terms_pull():
    terms = [LinearTerm(0, -1, 1.0, 0.5, 1.0), LinearTerm(1, -1, 1.0, 0.0, 2.0)]
    tree = tree_of(Network(terms, [1.0, -1.0, 2.0, 3.0, 0.0, 0.5, 0.5, -1.0, 0.25], 2, SCHEMA.columns))
    columns, owners, shares = columns_asked(tree.arrays, np.array([0]))
    assert columns.tolist() == [0, 1]
    assert owners.tolist() == [0, 0]
    assert shares == pytest.approx([1.5 / 9.5, 8.0 / 9.5])
    assert tree.root.split.column == "n"


@pytest.mark.parametrize("way", [pickle.loads, None])
def test_files_and_pickles_keep_every_bit(way, tmp_path):
    tree = tree_of(random_network(np.random.default_rng(7), whole=True))
    if way is not None:
        again = pickle.loads(pickle.dumps(tree))
    else:
        save_model(tmp_path / "tree.json", {}, tree)
        _, again = load_model(tmp_path / "tree.json")
    for name in ("net_hidden", "net_begin", "net_weight", "lin_weight", "split_feature"):
        assert np.array_equal(getattr(again.arrays, name), getattr(tree.arrays, name))
    assert again.to_content() == tree.to_content()


def test_trees_without_networks_write_no_lists_of_them():
    X, y = bough.datasets.load("diagonal", n=60, random_state=0).xy()
    tree = bough.LDATreeClassifier(pruning=None).fit(X, y).tree_
    assert not any(name.startswith("net_") for name in tree.to_content()["tree"])
    assert tree.arrays.net_hidden.size == 0


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("net_hidden", [65, 0], "net_hidden"),
        ("net_hidden", [-1, 0], "net_hidden"),
        ("net_hidden", [0, 0], "net_begin"),
        ("net_hidden", [2], "net_hidden"),
        ("net_hidden", None, "net_hidden"),
        ("net_begin", [0, 5, 9], "net_begin"),
        ("net_begin", [0, 9, 8], "net_begin"),
        ("net_weight", [1.0] * 8 + ["NaN"], "net_weight"),
        ("net_weight", [9.0] * 9, "lin_weight"),
        ("lin_weight", [1.0, 4.0, 1.0, 1.0], "lin_weight"),
        ("net_hiden", [2, 0], "net_hiden"),
    ],
)
def test_a_hostile_file_is_refused_at_its_place(name, value, place, tmp_path):
    terms = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(2, 1, 1.0, 0.25)]
    tree = tree_of(Network(terms, [1.0, -1.0, 2.0, 3.0, 0.0, 0.5, 0.5, -1.0, 0.25], 2, SCHEMA.columns))
    path = tmp_path / "tree.json"
    save_model(path, {}, tree)
    content = json.loads(path.read_text())
    edited = copy.deepcopy(content)
    edited["tree"][name] = value
    path.write_text(json.dumps(edited))
    with pytest.raises(ModelFormatError, match=place):
        load_model(path)


def test_a_network_of_another_size_is_refused():
    terms = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(2, 1, 1.0, 0.25)]
    with pytest.raises(ParameterError, match="2 units, 1 to 64, on 2 terms has 9 numbers; got 8"):
        Network(terms, [0.0] * 8, 2, SCHEMA.columns)
    with pytest.raises(ParameterError, match="1 to 64"):
        Network(terms, [0.0], 0, SCHEMA.columns)


def test_what_needs_planes_or_cells_refuses_and_names_the_node():
    X = pd.DataFrame(np.random.default_rng(0).random((300, 2)), columns=["x", "y"])
    y = (X.x - 0.5) ** 2 + (X.y - 0.5) ** 2 < 0.15
    clf = bough.NeuralTreeClassifier(pruning=None, max_depth=2, random_state=0).fit(X, y)
    assert clf.tree_.root.split.found == "network"
    with pytest.raises(ParameterError, match="node 0 asks a network, whose edge is a curve"):
        clf.counterfactual(X.iloc[0])
    with pytest.raises(ParameterError, match="asks several together, as network of 4 units on"):
        clf.shap_values(X.iloc[:3])
    background = clf.shap_values(X.iloc[:3], kind="interventional", background=X.iloc[:20])
    np.testing.assert_allclose(
        background.sum(axis=1), clf.predict_proba(X.iloc[:3]) - clf.predict_proba(X.iloc[:20]).mean(axis=0), atol=1e-9
    )
    assert clf.explain(X.iloc[0]) is not None
