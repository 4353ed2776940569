"""A tree that asks sums of columns is drawn; where it has no routing program the page enters no case, and says why."""

import pytest

import bough
from bough import _core
from bough.model import Tree, split
from bough.model.features import Linear, LinearTerm
from bough.model.tests.threshold import Threshold
from bough.table import Column, Schema
from bough.view.page.content import content

TERMS = [LinearTerm(0, -1, 0.62, 120.9, 30.0), LinearTerm(1, -1, -0.2, 33.0, 11.0)]


@pytest.fixture
def sums(monkeypatch):
    """A tree whose root asks a sum, as its words and its routing know it, whatever the kernel can hold."""
    X = {"plas": [90.0, 100, 110, 150, 160, 170] * 5, "age": [20.0, 30, 40, 50, 60, 70] * 5}
    clf = bough.CARTClassifier(min_samples_leaf=2, pruning=None).fit(X, list("nnnyyy") * 5)
    read = split.read_test

    def asks_a_sum(arrays, number, schema, **how):
        test = read(arrays, number, schema, **how)
        if arrays.split_role[number] != 0 or test.raw_threshold is None:
            return test
        return Threshold(Linear(TERMS, schema), (50.5,), (0, 1))

    monkeypatch.setattr(split, "read_test", asks_a_sum)
    return clf


CONDITIONS = ["0.62 plas - 0.2 age <= 50.5", "0.62 plas - 0.2 age > 50.5"]


def test_a_test_of_a_sum_is_worded_and_its_page_says_why_no_case_can_be_entered(sums, run_node):
    data = content(sums.tree_, whole=True)
    told = run_node("words_told.js", {"data": data})
    assert told["conditions"][1:] == CONDITIONS
    assert told["rules"][1:] == [f"if {CONDITIONS[0]}: n", f"if {CONDITIONS[1]}: y"]
    assert data["asks"]["column"] == [[0, 1]]
    assert list(data["program"]) == ["why"]
    assert "0.62 plas - 0.2 age" in data["program"]["why"]


def test_the_page_of_a_tree_that_was_grown_on_sums_enters_no_case():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.LDATreeClassifier().fit(X, y)
    data = content(clf.tree_, whole=True)
    assert list(data["program"]) == ["why"]
    assert f"the tree asks {clf.tree_.root.split.test.title()}" in data["program"]["why"]


def test_a_tree_of_the_kernel_that_asks_a_sum_is_worded(run_node):
    builder = _core.TreeBuilder([], (False, 1, 0, 0))
    builder.add_node(-1, 0, value=0.5, rows=4, weight=4.0, majority=0)
    builder.add_threshold(0, 50.5)
    builder.ask_sum(TERMS)
    for branch in (0, 1):
        builder.add_node(0, branch, value=float(branch), rows=2, weight=2.0)
    schema = Schema((Column("plas", "numeric", "float64"), Column("age", "numeric", "float64")))
    told = run_node("words_told.js", {"data": content(Tree.by_hand(builder.freeze(), schema), whole=True)})
    assert told["conditions"][1:] == CONDITIONS


def test_a_tree_of_sums_is_shown_without_cases(sums, show):
    page = show(sums)
    assert page.get_by_role("tab").all_inner_texts() == ["Node", "Leaves"]
    assert "No case can be entered: the tree asks 0.62 plas - 0.2 age" in page.locator("header").inner_text()
    assert "0.62 plas - 0.2 age <= 50.5" in page.locator("#panel-node").inner_text()
    page.get_by_role("tab", name="Leaves").click()
    assert "0.62 plas - 0.2 age > 50.5" in page.locator("#panel-leaves").inner_text()
    page.get_by_label("Find").fill("age")
    assert page.locator("output").inner_text() == "1 node"
