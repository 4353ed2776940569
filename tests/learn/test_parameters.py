"""Every parameter is judged before anything is grown, and none is accepted and ignored."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest

from bough import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier
from bough.errors import BoughError, ParameterError
from bough.recipe import Binary, Exhaustive, PerLevel, Reading, Surrogates

KINDS = [CARTClassifier, CARTRegressor]
CHOICES = ["", "nonsense", 1, None, ["gini"]]

# What each parameter refuses. A parameter that is not listed here is a parameter without a test.
BAD = {
    "criterion": [*CHOICES, "poisson", "gain_ratio"],
    "criterion__halved": [1, "yes", None],
    "branching": [*CHOICES, "per_level", "one_level"],
    "search": [*CHOICES, "unbiased", "pairs"],
    "search__monotonic_cst": ["up", {"town": 1}],
    "search__feature_costs": ["dear", {"x": 0}],
    "search__value_gap": [-1, "wide", None, np.nan, np.inf],
    "search__tolerance": [-1, 2, "much", None, np.nan],
    "missing__routing": CHOICES,
    "reading": ["", 1, ["declared"]],
    "reading__unused_classes": CHOICES,
    "search__threshold": CHOICES,
    "search__side": CHOICES,
    "branching__subsets": CHOICES,
    "search__ties": CHOICES,
    "max_depth": [0, -1, 2.0, "3", True, np.nan],
    "min_samples_split": [0, 1, -5, 0.0, 1.5, -0.1, "20", True, None, np.nan],
    "min_samples_leaf": [0, -5, 0.0, 1.5, -0.1, "20", True, None, np.nan],
    "min_weight_fraction_leaf": [-0.1, 0.6, "0.1", True, None, np.nan],
    "min_impurity_decrease": [-0.1, "0.1", True, None, np.nan],
    "max_leaf_nodes": [0, 1, -1, 2.0, "3", True, np.nan],
    "count_by": CHOICES,
    "search__zero_gain": [1, "yes"],
    "monotonic_cst": ["up", 1, [0, 0], {"x": 2}, {"x": "up"}, {"nothing": 1}, [0.5, 0, 0, 0], {"town": 1}],
    "pruning": ["", "cv", "error_based", -0.1, True, np.nan, [0.1]],
    "pruning__price": ["", -0.1, True, np.nan, np.inf, None],
    "pruning__cp": ["", -0.1, True, np.nan],
    "pruning__method": CHOICES,
    "pruning__risk": CHOICES,
    "pruning__cv": [0, 1, "many", True],
    "priors": [
        "data",
        [0.5, 0.6, 0.7],
        [1, 0],
        [-0.5, 0.5, 1],
        {"a": 1.0},
        {"a": 0.5, "b": 0.3, "q": 0.2},
        3,
        ["a", "b", "c"],
    ],
    "costs": [
        "high",
        [[0, 1], [1, 0]],
        {("a", "q"): 1},
        {"a": 1},
        {("a", "b"): -1},
        {("a", "a"): 1},
        {("a", "b"): np.nan},
        5,
    ],
    "class_weight": ["even", [1, 2], {"q": 1}, {"a": -1}, {"a": np.inf}, {"a": 0, "b": 0, "c": 0}, {"a": "heavy"}, 3],
    "reading__class_order": CHOICES,
    "feature_costs": ["dear", 1, [1, 1], {"x": 0}, {"x": -1}, {"x": np.inf}, {"x": "dear"}, {"nothing": 1}],
    "missing": [*CHOICES, "surrogate", "fractional"],
    "missing__discount": [1, "yes", None],
    "missing__max_surrogates": [-1, 2.0, "3", True, None, np.nan],
    "missing__direction": CHOICES,
    "missing__filter": [1, "yes", None],
    "missing__base": CHOICES,
    "missing__min_samples": [-1, "two", None, np.nan, True],
    "missing__sets": CHOICES,
    "missing__fallback": CHOICES,
    "missing__majority": CHOICES,
    "absent": [*CHOICES, "error"],
    "unseen": CHOICES,
    "reading__unused_levels": CHOICES,
    "reading__empty_rows": CHOICES,
    "reading__fractional_weights": CHOICES,
    "search__branch_order": CHOICES,
    "search__max_competitors": [-1, 2.0, "3", True, None, np.nan],
    "search__lookahead": [0, 3, 1.5, "2", True, None, np.nan],
    "search__beam": [0, -1, 2.0, "3", True, None, np.nan],
    "search__refine": ["", "nonsense", 1, ["alternate"]],
    "categorical_features": ["all", [9], ["nothing"], [True], 3],
    "ordered_features": ["size", {"nothing": ["S"]}, {"size": "S"}, 3],
    "n_jobs": [0, "two", 1.5],
    "random_state": ["seed", 1.5],
    "verbose": ["much", None, -1, 1.5],
}


def table(n=300, seed=0):
    """Columns of every kind that lean on each other, missing values, and a row without any value."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n).round(1)
    z = (x + rng.normal(size=n)).round(1)
    size = pd.Series(np.array(["S", "M", "L", "XL"])[np.clip((x + 2 + rng.normal(size=n)).astype(int), 0, 3)])
    town = pd.Series(rng.choice(["rome", "oslo", "bern", "kyiv", "lima", "male"], n))
    X = pd.DataFrame({"x": x, "z": z, "size": size, "town": town})
    signal = 2 * x + z + town.isin(["oslo", "lima", "male"]) * 2 + rng.normal(size=n)
    X = X.mask(rng.random(X.shape) < 0.12)
    X.iloc[:3] = None
    X["x"], X["z"] = X["x"].astype(float), X["z"].astype(float)
    return X, np.array(["a", "b", "c"])[np.digitize(signal, [-0.5, 2.5])], signal.to_numpy()


def of(kind, data):
    X, labels, numbers = data
    return X, numbers if kind is CARTRegressor else labels


def parameters_of(kind):
    return sorted(kind().get_params())


@pytest.mark.parametrize("kind", KINDS)
def test_every_parameter_has_a_test(kind):
    assert [name for name in parameters_of(kind) if name not in BAD] == []
    assert [name for name in parameters_of(kind) if name not in EFFECTS] == []


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in parameters_of(kind)])
def test_bad_values_are_named(kind, name):
    X, y = of(kind, table(60))
    for value in BAD[name]:
        if (kind, name, value) == (CARTRegressor, "criterion", "gini"):
            continue
        with pytest.raises(BoughError) as caught:
            kind().set_params(**{name: value}).fit(X, y)
        assert isinstance(caught.value, ParameterError), (name, value, caught.value)
        assert name.rpartition("__")[2] in str(caught.value), (name, value, caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"priors": "equal", "class_weight": "balanced"}, "priors and class_weight"),
        ({"criterion": "weighted_gini"}, "criterion='weighted_gini' weighs the costs of errors: give costs"),
        ({"search__ties": "rounding", "criterion": "twoing"}, "ties='rounding'"),
        ({"feature_costs": {"x": 2.0}, "search__feature_costs": {"x": 3.0}}, "feature_costs is given twice"),
        ({"monotonic_cst": {"x": 1}}, "two classes"),
    ],
    ids=str,
)
def test_combinations_that_contradict_each_other(parameters, message):
    X, y, _ = table(60)
    with pytest.raises(ParameterError, match=message):
        CARTClassifier().set_params(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("kind", "parameters", "who"),
    [
        (CARTClassifier, {"pruning": "error_based"}, r"use C45Classifier or TreeClassifier\(pruning='error_based'\)"),
        (
            CARTClassifier,
            {"missing": "fractional"},
            r"use C45Classifier, ID3Classifier or TreeClassifier\(missing='fractional'\)",
        ),
        (CARTRegressor, {"missing": "fractional"}, r"use TreeRegressor\(missing='fractional'\)"),
        (CARTRegressor, {"pruning": "error_based"}, "is for classes, and CARTRegressor predicts numbers"),
        (
            CARTClassifier,
            {"branching": PerLevel()},
            r"use C45Classifier, ID3Classifier or TreeClassifier\(branching=PerLevel\(\)\)",
        ),
        (CARTClassifier, {"missing": "own_branch"}, "use CHAIDClassifier or TreeClassifier"),
        (
            C45Classifier,
            {"pruning": 0.01},
            "must be one of 'error_based', 'reduced_error', None, or such a part; got 0.01",
        ),
        (C45Classifier, {"pruning": "cost_complexity"}, "use CARTClassifier or TreeClassifier"),
        (ID3Classifier, {"missing": "surrogates"}, "use CARTClassifier or TreeClassifier"),
    ],
)
def test_an_answer_that_another_estimator_has_is_named(kind, parameters, who):
    X, y = of(kind, table(60))
    with pytest.raises(ParameterError, match=who):
        kind(**parameters).fit(X, y)


@pytest.mark.parametrize(("kind", "most"), [(CARTClassifier, 26), (CARTRegressor, 26), (C45Classifier, 20)])
def test_a_named_estimator_can_be_held_in_ones_head(kind, most):
    assert len(kind().get_params(deep=False)) <= most


def test_criteria_of_the_other_task_are_refused():
    X, labels, numbers = table(60)
    for criterion in ("squared_error", "absolute_error", "worst_error"):
        with pytest.raises(ParameterError, match="criterion"):
            CARTClassifier(criterion=criterion).fit(X, labels)
    for criterion in ("gini", "entropy", "twoing", "misclassification", "weighted_gini"):
        with pytest.raises(ParameterError, match="criterion"):
            CARTRegressor(criterion=criterion).fit(X, numbers)


def test_unknown_parameters_are_type_errors():
    with pytest.raises(TypeError, match="splitter"):
        CARTClassifier(splitter="best")
    with pytest.raises(TypeError):
        CARTClassifier("gini")
    with pytest.raises(ValueError, match="Invalid parameter 'splitter'"):
        CARTClassifier().set_params(splitter="best")


@pytest.mark.parametrize(
    ("kind", "given", "place"),
    [
        (CARTClassifier, {"max_surrogates": 5}, "missing=Surrogates(max_surrogates=5)"),
        (CARTRegressor, {"cv": 5}, "pruning=CostComplexity(cv=5) or pruning=CrossValidated(cv=5)"),
        (C45Classifier, {"raising": False}, "pruning=ErrorBased(raising=False)"),
        (ID3Classifier, {"class_order": "declared"}, "reading=Reading(class_order='declared')"),
        (TreeClassifier, {"max_depth": 3}, "stopping=MaxDepth(max_depth=3)"),
    ],
)
def test_a_parameter_of_a_part_is_refused_with_its_place(kind, given, place):
    with pytest.raises(TypeError, match=re.escape(f"it goes to a part: {place}.")):
        kind(**given)
    assert set(inspect.signature(kind).parameters) == set(kind().get_params(deep=False))


def test_a_class_made_from_an_estimator_may_take_what_it_likes():
    class Own(CARTClassifier):
        def __init__(self, max_surrogates=5, **more):
            super().__init__(missing=Surrogates(max_surrogates), **more)

    assert Own(max_surrogates=3, max_depth=2).missing == Surrogates(3)


def test_a_failed_fit_leaves_the_estimator_as_it_was():
    X, y, _ = table(100)
    fitted = CARTClassifier().fit(X, y)
    before = fitted.tree_
    with pytest.raises(ParameterError):
        fitted.set_params(max_depth=0).fit(X, y)
    assert fitted.tree_ is before


GROWN = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
# A change of each parameter that must be seen somewhere: (what is set besides, the value without, the value with).
EFFECTS = {
    "criterion": ({}, None, "other"),
    "criterion__halved": (GROWN | {"search__max_competitors": 0}, False, True),
    "branching": (GROWN, "binary", Binary("heuristic")),
    "search": ({}, "exhaustive", Exhaustive("weighted")),
    "search__monotonic_cst": (GROWN, None, {"x": -1}),
    "search__feature_costs": ({}, None, {"x": 100.0}),
    "search__value_gap": (GROWN | {"criterion": "entropy"}, 0.0, 0.5),
    "search__tolerance": (GROWN | {"criterion": "entropy"}, 0.0, 0.2),
    "missing__routing": ({}, "surrogates", "stop"),
    "reading": ({}, None, Reading(empty_rows="drop")),
    "reading__unused_classes": ({}, "drop", "keep"),
    "search__threshold": ({}, "midpoint", "weighted"),
    "search__side": ({}, "le", "lt"),
    "branching__subsets": (GROWN, "auto", "heuristic"),
    "search__ties": (GROWN, "first", "rounding"),
    "max_depth": ({}, None, 1),
    "min_samples_split": (GROWN, 2, 40),
    "min_samples_leaf": (GROWN, 1, 12),
    "min_weight_fraction_leaf": (GROWN, 0.0, 0.1),
    "min_impurity_decrease": (GROWN, 0.0, 0.05),
    "max_leaf_nodes": (GROWN, None, 4),
    "count_by": ({"pruning": None}, "weight", "rows"),
    "search__zero_gain": (GROWN, False, True),
    "monotonic_cst": (GROWN, None, {"x": -1}),
    "pruning": ({}, 0.01, None),
    "pruning__price": ({}, 1.0, 100.0),
    "pruning__cp": ({}, 0.01, 0.2),
    "pruning__risk": ({"pruning": 0.01}, "error", "brier"),
    "pruning__cv": ({"pruning": 0.01}, None, 3),
    "pruning__method": (GROWN | {"pruning": 0.0}, "weakest_link", "accounts"),
    "priors": ({}, None, {"a": 0.1, "b": 0.1, "c": 0.8}),
    "costs": ({}, None, {("a", "b"): 9}),
    "class_weight": ({}, None, "balanced"),
    "reading__class_order": ({"priors": [0.7, 0.2, 0.1]}, "sorted", "declared"),
    "feature_costs": ({}, None, {"x": 100.0}),
    "missing": ({}, "surrogates", "stop"),
    "missing__discount": ({}, True, False),
    "missing__max_surrogates": ({}, 5, 1),
    "missing__direction": (GROWN, "any", "keep"),
    "missing__filter": ({}, True, False),
    "missing__base": ({}, "known", "joint"),
    "missing__min_samples": (GROWN, 2, 40),
    "missing__sets": (GROWN, "any", "two_disagree"),
    "missing__fallback": ({"missing__max_surrogates": 1}, "majority", "stop"),
    "missing__majority": (GROWN, "known", "routed"),
    "absent": (GROWN | {"missing__max_surrogates": 0}, "missing", "stop"),
    "unseen": ({}, "missing", "stop"),
    "reading__unused_levels": ({"unseen": "stop"}, "unseen", "absent"),
    "reading__empty_rows": ({}, "keep", "drop"),
    "reading__fractional_weights": ({"pruning": None}, "mean_one", "as_given"),
    "search__branch_order": (GROWN, "value", "response"),
    "search__max_competitors": ({}, 4, 1),
    "search__lookahead": (GROWN, 1, 2),
    "search__beam": (GROWN | {"search__lookahead": 2}, 5, 1),
    "search__refine": ({"pruning": None, "max_depth": 2}, None, "alternate"),
    "categorical_features": ({}, "from_dtype", ["z"]),
    "ordered_features": ({}, None, {"size": ["S", "M", "L", "XL"]}),
    "n_jobs": ({}, 1, 2),
    "random_state": ({"pruning": "cross_validated"}, None, 3),
    "verbose": ({}, 0, 1),
}
WITHOUT_EFFECT = {"n_jobs"}  # the same bits by promise: tests/invariants/test_threads.py
OF_CLASSES = {"reading__class_order", "reading__unused_classes", "search__value_gap"}  # refused for numbers


def fingerprint(fitted, X):
    """All that a user could see of a fit: the tree, what it predicts, its path."""
    strange = X.copy()
    strange.loc[::3, "town"] = "atlantis"
    strange.loc[::4, "x"] = np.nan
    cases = pd.concat([X, strange], ignore_index=True)
    arrays = fitted.tree_.kernel.to_arrays()
    arrays["apply"] = fitted.apply(cases)
    arrays["predict"] = fitted.predict(cases)
    if isinstance(fitted, CARTClassifier):
        arrays["proba"] = fitted.predict_proba(cases)
    arrays |= {f"path {name}": column.to_numpy() for name, column in fitted.pruning_path_.items()}
    return {name: array.tolist() for name, array in arrays.items()}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in parameters_of(kind)])
def test_no_parameter_is_ignored(kind, name, capsys):
    besides, without, with_it = EFFECTS[name]
    if kind is CARTRegressor and name in OF_CLASSES:
        X, y = of(kind, table(60))
        with pytest.raises(ParameterError, match=name.rpartition("__")[2]):
            kind().set_params(**{name: with_it}).fit(X, y)
        return
    if kind is CARTRegressor and name == "search__tolerance":
        pytest.skip("asked when a fitted tree is pruned")
    if name == "criterion":
        without, with_it = ("gini", "entropy") if kind is CARTClassifier else ("squared_error", "absolute_error")
    if kind is CARTRegressor and name.startswith("branching"):
        besides = besides | {"criterion": "absolute_error"}  # for squared error an order is exact
    for seed in range(6):
        X, y = of(kind, table(seed=seed))
        weighted = name in ("count_by", "reading__fractional_weights")
        weights = np.random.default_rng(seed).integers(1, 4, len(y)) / 2.5 if weighted else None
        if name.endswith("monotonic_cst") and kind is CARTClassifier:
            y = y == "a"
        if name == "reading__class_order":
            y = pd.Series(pd.Categorical(y, categories=["c", "b", "a"]))
        if name == "reading__unused_classes":
            y = pd.Series(pd.Categorical(y, categories=["a", "b", "c", "never"]))
        if name.startswith("branching"):
            X = X.assign(town=X["town"] + X["size"])  # more levels
        if name == "reading__unused_levels":
            X = X.assign(town=X["town"].astype(pd.CategoricalDtype(sorted([*X["town"].dropna().unique(), "atlantis"]))))
        if name == "search__zero_gain":
            X = X.assign(x=np.arange(300) % 2.0, z=np.arange(300) // 2 % 2.0)[["x", "z", "town"]].assign(town="rome")
            y = (X["x"] == X["z"]).to_numpy()
        seen = []
        for value in (without, with_it):
            fitted = kind().set_params(**{**besides, name: value}).fit(X, y, weights)
            seen.append((str(fingerprint(fitted, X)), "grown in" in capsys.readouterr().err))
        if seen[0] != seen[1]:
            assert name not in WITHOUT_EFFECT
            return
    assert name in WITHOUT_EFFECT
