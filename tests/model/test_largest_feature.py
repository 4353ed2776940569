"""The largest of several sums, made by hand: routed, told, drawn, saved, parted in two and turned into rules."""

import json

import numpy as np
import pytest

from bough import _core
from bough.errors import ModelFormatError, ParameterError
from bough.explain.path import rule
from bough.explain.way import walk
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import LinearTerm, columns_asked
from bough.model.features.largest import Largest, machine_terms
from bough.model.files import load_model, save_model
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
TERMS = [LinearTerm(0, -1, 1.0, 0.5), LinearTerm(1, -1, 1.0, 3.0, 1.0, 2), LinearTerm(2, 1, 1.0, 0.3)]
TERMS.append(LinearTerm(3, -1, 1.0, 1.0))
ROWS = [[1.0, 0.25, 0.0, 0.0, -1.0], [-2.0, 0.0, 0.5, 0.125, 0.0], [0.0, 0.0, -0.5, 1.0, 0.75]]


def tree_of(rows, branches=None, routing=(False, 2, 0, 0), **more):
    terms = machine_terms(TERMS, rows)
    branches = list(range(len(rows))) if branches is None else branches
    builder = _core.TreeBuilder([], routing)
    builder.add_node(-1, 0, value=-1.0, rows=4, weight=4.0, majority=0)
    builder.add_levels(0, list(range(len(rows))), branches, score=0.5, **more)
    builder.ask_sum(terms, machine=[number for row in rows for number in row])
    for branch in range(max([*branches, more.get("missing", 0)]) + 1):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    return Tree.by_hand(builder.freeze(), SCHEMA)


@pytest.fixture
def tree():
    return tree_of(ROWS)


def random_rows(rng, n):
    x = rng.normal(size=n)
    x[rng.random(n) < 0.2] = np.nan
    x[:2] = np.inf, -np.inf
    return [
        Encoded(x),
        Encoded(rng.integers(-5, 5, n), rng.random(n) < 0.2),
        Encoded(rng.integers(-2, 3, n).astype(np.int32)),
        Encoded(rng.integers(-1, 3, n).astype(np.int32)),
    ]


def test_machines_route_as_the_kernel_does(budget):
    rng = np.random.default_rng(0)
    for _ in range(max(20, int(100 * budget))):
        rows = (np.round(2 * rng.normal(size=(int(rng.integers(2, 5)), 5)), 1) + [*np.zeros(4), 0.01]).tolist()
        routing = (False, int(rng.choice([1, 2])), 0, int(rng.choice([0, 1, 2])))
        made, encoded = tree_of(rows, routing=routing), random_rows(rng, 40)
        found = _core.apply(made.kernel, kernel_columns(SCHEMA, encoded), 1)
        asked = Asked(made)
        assert [walk(asked, cells_of(encoded, row)).ends for row in range(40)] == [((node, 1.0),) for node in found]
        if routing[1] == 1:
            binary = made.to_binary()
            again = _core.apply(binary.kernel, kernel_columns(SCHEMA, encoded), 1)
            np.testing.assert_array_equal(binary.arrays.value[again], made.arrays.value[found])


def test_a_sum_wins_where_it_beats_each_of_the_others(budget):
    rng = np.random.default_rng(1)
    test = tree_of(ROWS).root.split.test
    for _ in range(int(200 * budget)):
        cells = [float(rng.normal()), int(rng.integers(0, 9)), int(rng.integers(3)), int(rng.integers(3))]
        held = [
            made.branch
            for made in test.rules()
            if all(
                (one.above is None or one.feature.value(cells) >= one.above)
                and (one.below is None or one.feature.value(cells) < one.below)
                for one in getattr(made.when, "terms", (made.when,))
            )
        ]
        assert held == [test.branch(cells)]


def test_words(tree):
    split = tree.root.split
    assert (split.kind, split.column, split.columns) == ("largest", "x", ("x", "job", "size", "n"))
    assert split.test.title() == "largest of 3 sums of x, job, size, n"
    assert [node.condition for node in tree.root.children] == [
        "1.0 x + 0.25 (n - 2) - 1.0 is largest",
        "-2.0 x + 0.5 [job = B] + 0.125 size is largest",
        "-0.5 [job = B] + 1.0 size + 0.75 is largest",
    ]
    assert split.describe(1, exact=False) == "-2 x + 0.5 [job = B] + 0.125 size is largest"
    assert [str(condition) for condition in rule(tree, 3)] == ["1 size - 0.5 [job = B] + 0.75 is largest"]
    assert "largest: 1 x + 0.25 (n - 2) - 1" in split.test.words(0, short=True)
    joined = tree_of(ROWS, [0, 1, 0]).root.split
    assert joined.describe(0, exact=False) == "1 x + 0.25 (n - 2) - 1 or 1 size - 0.5 [job = B] + 0.75 is largest"


def test_columns_share_the_importance_by_what_they_tell_apart(tree):
    columns, owners, shares = columns_asked(tree.arrays, np.array([0]))
    assert owners.tolist() == [0] * 4
    assert columns.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(shares, np.array([3.0, 0.25, 1.0, 1.0]) / 5.25)


def test_a_machine_is_predicted_and_saved(tree, tmp_path):
    rows = {
        "x": [3.0, -3.0, None, None],
        "n": [2, 2, 2, None],
        "job": ["A", "B", "A", None],
        "size": ["S", "S", "L", None],
    }
    assert tree.predict(rows).tolist() == [0.0, 1.0, 2.0, -1.0]
    save_model(tmp_path / "model.json", {}, tree)
    loaded = load_model(tmp_path / "model.json")[1]
    assert loaded == tree
    assert loaded.predict(rows).tolist() == tree.predict(rows).tolist()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mac_weight", [1.0], "mac_begin"),
        ("mac_begin", [0, 14], "mac_begin"),
        ("mac_begin", [0], "mac_begin"),
        ("lin_weight", [3.0, 0.25, 1.0, 1.5], "lin_weight[3]: the weight of a term of several sums"),
        ("set_code", [0, 1, 3], "as many sums as levels"),
    ],
)
def test_a_file_that_is_not_right_is_refused(tree, tmp_path, name, value, said):
    path = tmp_path / "model.json"
    save_model(path, {}, tree)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["tree"][name] = value
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ModelFormatError, match=said.replace("[", r"\[")):
        load_model(path)


def test_rules_say_that_each_difference_is_bounded():
    terms = [term._replace(origin=0) for term in TERMS[:3]]
    rows = [[row[0], row[1], row[2], row[-1]] for row in ROWS]
    builder = _core.TreeBuilder([], (False, 1, 0, 0))
    builder.add_node(-1, 0, value=0.0, rows=4, weight=4.0, majority=0)
    builder.add_levels(0, [0, 1, 2], [0, 1, 2])
    builder.ask_sum(machine_terms(terms, rows), machine=[number for row in rows for number in row])
    for branch in range(3):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    made = Tree.by_hand(builder.freeze(), SCHEMA)
    rules = made.rules(missing="known")
    rng = np.random.default_rng(0)
    table = {
        "x": rng.normal(size=200),
        "n": rng.integers(-9, 9, 200),
        "job": rng.choice(list("ABC"), 200),
        "size": ["S"] * 200,
    }
    np.testing.assert_array_equal(rules.predict(table), made.predict(table))
    with pytest.raises(ParameterError, match="what becomes of a sum with a missing term no rule says"):
        made.rules()


def test_many_columns_are_counted():
    schema = [Column(f"c{k}", "numeric", "float64") for k in range(6)]
    rows = [[float(k) for k in range(6)] + [0.0], [0.0] * 6 + [1e6]]
    machine = Largest(machine_terms([LinearTerm(k, -1, 1.0, 0.0) for k in range(6)], rows), rows, schema)
    assert machine.words() == "largest of 2 sums of c5, c4, c3, c2 ... (+2)"
    assert [machine.sum_words(k) for k in range(2)] == ["5 c5 + 4 c4 + 3 c3 + 2 c2 ... (+1)", "1e+06"]
