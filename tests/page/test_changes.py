"""The change that the page proposes alters the decision, and no change of fewer columns does: tried on a grid."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

import bough
from bough.view.page.content import content

VALUES = {
    "age": [10.0, 25.0, 42.0, 60.0, None],
    "dose": [0, 1, 2, 3, 5, None],
    "job": ["A", "B", "C", "D", None],
    "size": ["S", "M", "L", None],
}
ORDER = {"size": ["S", "M", "L"]}


def random_table(rng, n, missing):
    return {
        name: [None if missing and rng.random() < 0.2 else value for value in rng.choice(np.array(known, object), n)]
        for name, values in VALUES.items()
        for known in [[value for value in values if value is not None]]
    }


def decisions(model, rows):
    return model.predict({name: [row[k] for row in rows] for k, name in enumerate(VALUES)}).tolist()


def fewest(model, row, now):
    """How many columns must change, by trying all; None if nothing helps."""
    names = list(VALUES)
    for size in range(1, len(names) + 1):
        rows = []
        for chosen in combinations(range(len(names)), size):
            others = [[v for v in VALUES[names[k]] if v is not None and v != row[k]] for k in chosen]
            for values in product(*others):
                changed = list(row)
                for k, value in zip(chosen, values, strict=True):
                    changed[k] = value
                rows.append(changed)
        if any(decision != now for decision in decisions(model, rows)):
            return size
    return None


MODELS = {
    "cart": lambda: bough.CARTClassifier(min_samples_split=4, min_samples_leaf=1, pruning=None, ordered_features=ORDER),
    "cart stop": lambda: bough.CARTClassifier(missing="stop", min_samples_leaf=2, pruning=None, ordered_features=ORDER),
    "majority": lambda: bough.CARTClassifier(
        missing="majority_branch", min_samples_leaf=2, pruning=None, ordered_features=ORDER
    ),
    "own branch": lambda: bough.TreeClassifier(missing="own_branch", branching="per_level", ordered_features=ORDER),
    "regression": lambda: bough.CARTRegressor(min_samples_leaf=4, pruning=None, ordered_features=ORDER),
    "c45": lambda: bough.C45Classifier(pruning=None, ordered_features=ORDER),
}


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_no_smaller_change_alters_the_decision(name, missing, run_node, cells, budget):
    rng = np.random.default_rng(3)
    X = random_table(rng, 120, missing)
    y = rng.normal(size=120).round(1) if name == "regression" else rng.choice(["n", "y", "z"], 120)
    model = MODELS[name]().fit(X, y)
    known = {field.name: field.levels for field in model.tree_.program().fields}
    given = random_table(rng, max(4, round(8 * budget)), missing)
    rows = list(zip(*given.values(), strict=True))
    data = content(model.tree_, whole=True)
    told = run_node("changes.js", {"data": data, "cases": cells(model.tree_, given)})
    now = decisions(model, rows)
    for row, before, found in zip(rows, now, told, strict=True):
        needed = fewest(model, list(row), before)
        if found is None:
            assert needed is None
            continue
        after = list(row)
        for column, cell in found["changed"]:
            levels = known[column]
            after[list(VALUES).index(column)] = levels[cell] if levels else cell
        decided = decisions(model, [after])[0]
        assert decided != before
        assert decided == (found["value"] if name == "regression" else model.tree_.class_labels[found["label"]])
        assert found["sure"]
        assert len(found["changed"]) <= needed


@pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", ["cart", "cart stop", "majority", "own branch", "c45"])
def test_the_change_is_as_small_as_the_counterfactual_of_the_model(name, missing, run_node, cells, budget):
    rng = np.random.default_rng(8)
    model = MODELS[name]().fit(random_table(rng, 200, missing), rng.choice(["n", "y", "z"], 200))
    given = random_table(rng, max(10, round(40 * budget)), missing)
    assert_as_small(model, given, run_node, cells)


def test_votes_of_which_some_are_unknown_change_as_the_model_says(run_node, cells, shared, budget):
    votes = pd.read_csv(shared / "data" / "votes.csv", dtype=object)
    X = votes.drop(columns="class")
    rng = np.random.default_rng(0)
    rows = X.sample(max(20, round(120 * budget)), random_state=1)
    given = rows.mask(rng.random(rows.shape) < 0.3).where(lambda table: table.notna(), None)
    for how in ({}, {"pruning": None}):
        model = bough.C45Classifier(**how).fit(X, votes["class"])
        assert_as_small(model, given.to_dict("list"), run_node, cells)


def assert_as_small(model, given, run_node, cells):
    """The page proposes as few columns and steps as the model itself, and is sure of it."""
    data = content(model.tree_, whole=True)
    told = run_node("changes.js", {"data": data, "cases": cells(model.tree_, given)})
    for row, found in zip(zip(*given.values(), strict=True), told, strict=True):
        expected = list(model.counterfactual(dict(zip(given, row, strict=True))))
        if not expected:
            assert found is None
            continue
        assert (len(found["changed"]), found["steps"]) == (len(expected[0].changes), expected[0].rank)
        assert found["sure"]


def test_columns_that_may_not_change_stay(run_node):
    X = {"a": [0, 0, 1, 1] * 10, "b": [0, 1, 0, 1] * 10}
    clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(X, [0, 0, 1, 1] * 10)
    data = content(clf.tree_, whole=True)
    free = run_node("changes.js", {"data": data, "cases": [[0, 0]]})
    assert free == [{"changed": [["a", 1]], "steps": 1, "label": 1, "value": None, "sure": True}]
    assert run_node("changes.js", {"data": data, "cases": [[0, 0]], "fixed": [0]}) == [None]
