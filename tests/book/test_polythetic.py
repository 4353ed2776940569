"""Text 0, line 86 (Duda, Hart and Stork, 8.3): tests of logical combinations of properties, in polythetic trees."""

from itertools import product

import numpy as np

import bough
from bough.recipe import Conjunctions, Pairs

GROWN = {"stopping": None, "pruning": None}


def fruit():
    rows = list(product(["small", "medium", "big"], ["yellow", "green", "red"], ["round", "thin"], [1, 2, 3, 4]))
    return {name: np.array([row[k] for row in rows]) for k, name in enumerate(("size", "color", "shape", "sweet"))}


def test_the_query_of_the_footnote_is_one_test():
    """`(size = medium) AND (NOT (color = yellow))?` leads down one and only one branch."""
    X = fruit()
    y = (X["size"] == "medium") & (X["color"] != "yellow")
    root = bough.TreeClassifier(search=Pairs(), **GROWN).fit(X, y).tree_.root
    assert [child.condition for child in root.children] == [
        "size = medium and color != yellow",
        "size != medium or color = yellow",
    ]
    assert [child.is_leaf for child in root.children] == [True, True]
    monothetic = bough.TreeClassifier(**GROWN).fit(X, y)
    assert monothetic.get_n_leaves() == 3


def test_three_properties_with_a_threshold_are_one_test():
    X = fruit()
    y = (X["size"] == "medium") & (X["color"] != "yellow") & (X["sweet"] > 2)
    clf = bough.TreeClassifier(search=Conjunctions(size=3, thresholds=3), **GROWN).fit(X, y)
    assert clf.tree_.root.children[0].condition == "size = medium and color != yellow and sweet > 2.5"
    assert clf.get_n_leaves() == 2
    assert (clf.predict(X) == y).all()
    two = bough.TreeClassifier(search=Conjunctions(thresholds=3), **GROWN).fit(X, y)
    assert (two.get_n_leaves(), bough.TreeClassifier(**GROWN).fit(X, y).get_n_leaves()) == (3, 4)
    either = bough.TreeClassifier(search=Conjunctions(size=3, thresholds=3), **GROWN).fit(X, ~y)
    assert either.get_n_leaves() == 2, "a disjunction is a conjunction with its branches exchanged"
