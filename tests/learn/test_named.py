"""Estimators named after an algorithm: what a name stands for, what is given twice, how tables are read."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bough
from bough.errors import ParameterError
from bough.recipe import (
    Auto,
    CostComplexity,
    CrossValidated,
    Entropy,
    ErrorBased,
    Exhaustive,
    Fractional,
    GainRatio,
    MajorityBranch,
    PerLevel,
    Reading,
    Stop,
    Surrogates,
)

X, Y = bough.datasets.load("penguins").xy()
CART, C45 = bough.CARTClassifier, bough.C45Classifier


@pytest.mark.parametrize(
    ("kind", "named", "part"),
    [
        (CART, {"missing": "surrogates"}, {"missing": Surrogates()}),
        (CART, {"missing": "majority_branch"}, {"missing": MajorityBranch()}),
        (CART, {"missing": "stop"}, {"missing": Stop()}),
        (CART, {"pruning": 0.05}, {"pruning": CostComplexity(0.05)}),
        (CART, {"pruning": None}, {"pruning": CostComplexity(None)}),
        (CART, {"pruning": "cross_validated"}, {"pruning": CrossValidated()}),
        (CART, {"criterion": "entropy"}, {"criterion": Entropy()}),
        (CART, {"feature_costs": {"island": 3.0}}, {"search": Exhaustive(feature_costs={"island": 3.0})}),
        (C45, {}, {"search": Exhaustive("data_value"), "branching": PerLevel(declared=True), "criterion": GainRatio()}),
        (C45, {"criterion": "entropy"}, {"criterion": Entropy("above_average", True, 0.3)}),
        (C45, {"confidence": 0.1}, {"pruning": ErrorBased(0.1)}),
        (bough.ID3Classifier, {"missing": "fractional"}, {"missing": Fractional()}),
    ],
)
def test_a_name_stands_for_a_part(kind, named, part):
    one, other = kind(**named).fit(X, Y), kind(**part).fit(X, Y)
    assert one.tree_ == other.tree_
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_rows_without_a_value_go_the_same_way_whether_or_not_surrogates_inform():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(200, 4))).add_prefix("x").mask(rng.random((200, 4)) < 0.2)
    y = (table.fillna(0).sum(axis=1) > 0).to_numpy()
    for name, routing in (("stop", "stop"), ("majority_branch", "majority")):
        one = CART(missing=name, pruning=None).fit(table, y)
        other = CART(missing=Surrogates(routing=routing), pruning=None).fit(table, y)
        np.testing.assert_array_equal(one.apply(table), other.apply(table))


def test_a_nested_parameter_starts_from_what_the_name_stands_for():
    clf = C45().set_params(search__tolerance=1e-6, branching__max_branches=5)
    assert clf.search == Exhaustive("data_value", tolerance=1e-6)
    assert clf.branching == PerLevel(declared=True, max_branches=5)
    assert CART(pruning=0.01).set_params(pruning__method="accounts").pruning == CostComplexity(0.01, "accounts")
    assert CART().set_params(pruning__price=2.0).pruning == Auto(2.0)
    assert CART().set_params(reading__class_order="declared").reading == Reading(class_order="declared")


def test_parts_that_are_given_are_not_changed():
    search, pruning = Exhaustive(), ErrorBased()
    CART(search=search, monotonic_cst=None, feature_costs={"island": 2.0}).fit(X, Y)
    C45(pruning=pruning, confidence=0.1).fit(X, Y)
    assert (search, pruning) == (Exhaustive(), ErrorBased())
    clf = CART(search=search)
    assert clone(clf).get_params() == clf.get_params()


def test_a_parameter_and_a_part_go_together_unless_both_say_it():
    assert C45(confidence=0.05, pruning=ErrorBased(raising=False)).fit(X, Y).get_n_leaves() > 1
    with pytest.raises(
        ParameterError, match=r"confidence is given twice, also in pruning=ErrorBased\(confidence=0.1\)"
    ):
        C45(confidence=0.05, pruning=ErrorBased(0.1)).fit(X, Y)
    with pytest.raises(ParameterError, match="monotonic_cst is given twice"):
        CART(monotonic_cst=np.zeros(7), search=Exhaustive(monotonic_cst=np.ones(7))).fit(X, Y)
    with pytest.raises(ParameterError, match="confidence must lie between 0 and 1"):
        C45(confidence=0).fit(X, Y)


def test_every_estimator_reads_a_table_as_it_is_told():
    level = pd.Categorical(["a", "b", None] * 20, categories=["a", "b", "never"])
    table = pd.DataFrame({"level": level})
    y = pd.Series(pd.Categorical(["no", "yes", "yes"] * 20, categories=["yes", "no", "perhaps"]))
    reading = Reading("declared", "keep", "absent", "drop")
    for kind in (CART, C45, bough.CHAIDClassifier, bough.TreeClassifier):
        fitted = kind(reading=reading).fit(table, y)
        assert fitted.tree_.root.rows == 40
        assert fitted.classes_.tolist() == ["no", "perhaps", "yes"]
        assert fitted.predict({"level": ["a", "b"]}).tolist() == ["no", "yes"]
    binned = bough.ID3Classifier(missing="fractional", reading=reading).fit(table, y)
    assert binned.predict({"level": ["a", "b"]}).tolist() == ["no", "yes"]


@pytest.mark.parametrize("kind", [bough.CARTRegressor, bough.TreeRegressor])
def test_numbers_have_no_classes_to_be_read(kind):
    with pytest.raises(ParameterError, match=r"Reading.class_order='declared' is for classes"):
        kind(reading=Reading(class_order="declared")).fit({"x": range(40)}, np.arange(40.0))
    assert (
        kind(reading=Reading(empty_rows="drop")).fit({"x": [None, *range(40)]}, np.arange(41.0)).tree_.root.rows == 40
    )


def test_a_smaller_tree_is_asked_for_in_one_way():
    clf = CART(pruning=None).fit(X, Y)
    for wrong, said in (
        ({}, "takes exactly one of cp, alpha and n_leaves, or the way to prune"),
        ({"cp": 0.1, "n_leaves": 3}, "takes exactly one"),
        ({"n_leaves": 3, "X": X, "y": Y}, "X is for another way to prune: name it first"),
        ({"n_leaves": 3, "confidence": 0.1}, "confidence is for another way to prune"),
        ({"how": "merge_leaves", "n_leaves": 3}, "n_leaves chooses a tree of pruning_path_"),
    ):
        with pytest.raises(ParameterError, match=said):
            clf.pruned(**wrong)
