"""Parts: stored arguments, equality by value, names, and the checks that name part and argument."""

import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import bough
from bough.errors import ParameterError
from bough.recipe import (
    CrossValidated,
    Entropy,
    ErrorBased,
    Exhaustive,
    Gini,
    MaxDepth,
    MinRows,
    PerLevel,
    ReducedError,
    Significance,
    Surrogates,
    draws,
)
from bough.recipe.part import snake_case
from bough.recipe.registry import NAMES, PARTS, SLOTS

X = {"x": np.arange(60.0), "town": ["a", "b", "c"] * 20}
Y = ["no"] * 30 + ["yes"] * 30
EVERY = pytest.mark.parametrize("part", NAMES.values(), ids=NAMES)


def test_the_registry_has_every_part_once():
    assert SLOTS == ("branching", "criterion", "search", "stopping", "pruning", "leaf", "missing", "reading")
    others = len(draws.PARTS) + 1  # a sampling is a part of ensembles, in no slot of a recipe
    assert sum(map(len, PARTS.values())) + others == len(NAMES)
    assert all(kind.slot == slot for slot, parts in PARTS.items() for kind in parts.values())
    assert all(snake_case(kind.__name__) == name for name, kind in NAMES.items())


@EVERY
def test_a_part_is_its_arguments(part):
    made = part()
    assert made == clone(made) == part(**made.get_params()) == pickle.loads(pickle.dumps(made))
    assert made != object()
    assert repr(made) == f"{part.__name__}()"
    for name, parameter in inspect.signature(part).parameters.items():
        assert parameter.default is not inspect.Parameter.empty, f"{name} has no default"
        plain = parameter.default if isinstance(parameter.default, tuple) else (parameter.default,)
        assert all(value is None or isinstance(value, str | int | float) for value in plain), name
        assert getattr(made, name) is parameter.default
        assert clone(made).set_params(**{name: "other"}) != made


@EVERY
def test_a_part_is_documented(part):
    text = inspect.getdoc(part)
    assert text
    for name in inspect.signature(part).parameters:
        assert name in text


def test_equality_looks_into_arrays():
    rows = np.array([1, 2, 3])
    assert ReducedError(rows) == ReducedError(rows.copy())
    assert ReducedError(rows) != ReducedError(rows[:2])
    assert ReducedError(rows) != ReducedError(3)
    assert CrossValidated(cv=[(rows, rows)]) == CrossValidated(cv=[(rows, rows)])
    assert Gini() != Entropy()
    with pytest.raises(TypeError):
        hash(Gini())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"stopping": MinRows(0)}, "MinRows.min_samples_split must be a whole number of at least 2"),
        ({"stopping": [MaxDepth(3), MinRows(10, 2.5)]}, "MinRows.min_samples_leaf must be"),
        ({"stopping": [MaxDepth(3), "max_depth"]}, "stopping names MaxDepth twice"),
        ({"stopping": Significance(1.5)}, r"Significance.level must be a number in \[0, 1\]"),
        ({"pruning": ErrorBased(confidence=0)}, "ErrorBased.confidence must lie between 0 and 1"),
        ({"pruning": "often"}, "pruning must be one of 'auto', 'cost_complexity', .*None, or such a part; got 'often'"),
        ({"pruning": ErrorBased}, r"pruning got the class ErrorBased; give a part: ErrorBased\(\)"),
        ({"pruning": MinRows()}, r"pruning got MinRows\(\), which answers another question: give it as stopping"),
        ({"criterion": 7}, "criterion must be a part, an object with a method score, or one of the names '"),
        ({"criterion": None}, "criterion must be a part"),
        ({"criterion": "squared_error"}, "is for numbers, and TreeClassifier predicts classes"),
        ({"leaf": "mean"}, r"leaf=Mean\(\) is for numbers"),
        ({"criterion": "weighted_gini"}, "weighs the costs of errors, which leaf=Bayes"),
        ({"criterion": "twoing", "branching": "per_level"}, r"Twoing\(\) does not go with branching=PerLevel\(\)"),
        ({"pruning": ErrorBased(raising=True), "missing": "stop"}, r"does not go with missing=Stop\(\)"),
        ({"stopping": "max_leaves", "missing": "fractional"}, "best-first needs whole rows"),
        ({"absent": "error"}, "absent must be one of"),
        ({"random_state": "x"}, "random_state must be"),
    ],
)
def test_what_no_fit_can_use_is_refused_with_the_reason(parameters, message):
    with pytest.raises(ParameterError, match=message):
        bough.TreeClassifier(**parameters).fit(X, Y)


HABITS = [
    Exhaustive(ties="rounding"),
    Exhaustive(branch_order="response"),
    Exhaustive(value_gap=0.5),
    Exhaustive(monotonic_cst={"x": 1}),
    Surrogates(majority="routed"),
    Surrogates(sets="two_disagree"),
]


@pytest.mark.parametrize("habit", HABITS, ids=repr)
@pytest.mark.parametrize(
    "other",
    [
        {"branching": "grouped"},
        {"branching": PerLevel(max_branches=3), "missing": "stop"},
        {"criterion": "chi_squared"},
        {"criterion": "gain_ratio"},
        {"stopping": "significance"},
        {"stopping": "validation"},
        {"branching": "one_level"},
        {"branching": "per_level"},
        {"missing": "learned_direction"},
        {"missing": "own_branch"},
    ],
    ids=repr,
)
def test_habits_of_other_programs_are_for_trees_of_their_kinds(habit, other):
    if habit.slot in other:
        return
    recipe = {habit.slot: habit} | other
    with pytest.raises(ParameterError, match=r"does not go with|needs (branching|criterion)"):
        bough.TreeClassifier(**recipe).fit(X, Y)


@pytest.mark.parametrize("gini", ["gini", "variance", Gini(halved=True)], ids=repr)
@pytest.mark.parametrize("habit", HABITS, ids=repr)
def test_habits_of_other_programs_in_trees_of_their_kinds(habit, gini):
    criterion = "entropy" if getattr(habit, "value_gap", 0) else gini
    assert bough.TreeClassifier(criterion=criterion, **{habit.slot: habit}).fit(X, Y).get_n_leaves() == 2


def test_a_gap_of_values_is_not_ignored_by_criteria_that_do_not_know_it():
    with pytest.raises(ParameterError, match=r"Exhaustive.value_gap .* needs criterion 'entropy' or 'gain_ratio'"):
        bough.TreeClassifier(search=Exhaustive(value_gap=0.5)).fit(X, Y)


def test_a_regressor_says_what_is_for_classes():
    for slot, name in (("criterion", "gini"), ("pruning", "error_based"), ("stopping", "majority_share")):
        with pytest.raises(ParameterError, match=f"{slot}=.*is for classes, and TreeRegressor predicts numbers"):
            bough.TreeRegressor(**{slot: name}).fit(X, X["x"])
