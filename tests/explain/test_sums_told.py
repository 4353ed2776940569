"""Explanations of trees of sums: what was missing and counted as the average row, and which of several sums won."""

import numpy as np
import pytest

import bough
from bough.errors import DataWarning
from bough.explain.dialogue import Dialogue


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def plane(penguins):
    return bough.LDATreeClassifier().fit(*penguins)


def test_missing_columns_of_a_sum_are_told_in_text_routes_and_frame(plane, penguins):
    X, _ = penguins
    told = plane.explain({"island": "Torgersen"})
    (route,) = told.routes
    asked = {plane.schema_.names[column] for column in plane.tree_.root.split.test.columns}
    assert (route.node, route.state, route.cause, set(route.columns)) == (0, "missing", "mean", asked - {"island"})
    assert route.column == route.columns[0]
    assert str(route).endswith(" are missing and count in the sum as in the average row of the node")
    assert f"{route}." in str(told)
    assert "bill_length_mm +0" not in str(told)
    frame = plane.explain(X.iloc[:5])
    one_by_one = [plane.explain(X.iloc[row].to_dict()) for row in range(5)]
    assert frame["missing"].tolist() == ["; ".join(map(str, each.routes)) for each in one_by_one]
    assert frame["missing"][0] == ""
    assert "sex and body_mass_g are missing" in frame["missing"][3]
    assert told.rule in str(told)  # the condition of the sum is still one of the way


def test_a_level_never_seen_in_a_sum_is_told(plane, penguins):
    X, _ = penguins
    with pytest.warns(DataWarning, match="neither"):
        told = plane.explain({**X.iloc[0].to_dict(), "sex": "neither"})
    assert [(route.state, route.columns) for route in told.routes] == [("unseen", ("sex",))]
    assert "sex has a level that no training row had and counts in the sum as in the average row" in str(told)


@pytest.mark.parametrize("kind", [bough.NeuralTreeClassifier, bough.LMDTClassifier, bough.SphereTreeClassifier])
def test_networks_machines_and_distances_tell_it_too(kind, penguins):
    told = kind().fit(*penguins).explain({"island": "Torgersen", "bill_length_mm": 40.0})
    assert told.routes[0].cause == "mean"
    assert "bill_depth_mm" in told.routes[0].columns


def test_a_dialogue_tells_the_same(plane):
    talk = Dialogue(plane.tree_)
    while talk.question is not None:
        if talk.question.column.name == "island":
            talk.tell(talk.question.column.levels.index("Torgersen"))
        else:
            talk.do_not_know()
    assert [str(route) for route in talk.explanation().routes] == [
        str(route) for route in plane.explain({"island": "Torgersen"}).routes
    ]


@pytest.mark.parametrize("kind", [bough.FACTClassifier, bough.LMDTClassifier])
def test_the_largest_sum_and_the_next_one_are_told_with_their_values(kind, penguins):
    X, y = penguins
    clf = kind().fit(X, y)
    row = X.iloc[0].to_dict()
    told = clf.explain(row)
    met = told.sums[0]
    machine = clf.tree_.root.split.test.feature
    values = {c.name: row[c.name] for c in clf.schema_.columns}
    cells = [c.levels.index(values[c.name]) if c.levels else values[c.name] for c in clf.schema_.columns]
    sums = machine.sums(cells)
    first, second = sorted(sums)[-1:-3:-1]
    assert met.value == pytest.approx(first - second)
    assert met.value == pytest.approx(met.mean + sum(met.parts.values()))
    assert f"is largest, {first:.4g}, before " in str(met)
    assert f" with {second:.4g}; the lead differs" in str(met)
    assert str(met) in str(told)
    assert machine.value(cells) == int(np.argmax(sums))
