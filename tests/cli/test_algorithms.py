"""Every algorithm has a name on the command line, and what is said of the columns comes to the trees of many."""

import pytest

import bough as library
from bough.cli.algorithms import ALGORITHMS, make
from bough.errors import ParameterError


def test_every_estimator_has_a_name():
    made = set()
    for name in ALGORITHMS:
        for task in ("classification", "regression"):
            try:
                made.add(type(make(name, task, {}, {})).__name__)
            except ParameterError as error:
                assert "learns classes" in str(error)  # noqa: PT017 (only some are for numbers)
    every = {name for name in library.__all__ if name.endswith(("Classifier", "Regressor"))}
    assert made == every


@pytest.mark.parametrize(
    "name", ["lda", "cart-lc", "quest", "fact", "lmdt", "sphere", "bagged:n_estimators=2", "boosted"]
)
def test_sums_and_many_trees_are_fitted_by_name(bough, name):
    status, out, err = bough(
        "fit", "penguins", "--target", "species", "--algorithm", name, "--folds", 0, "--quiet", "-o", "model.json"
    )
    assert (status, err) == (0, "")
    assert "Written to model.json." in out
    assert bough("predict", "model.json", "penguins", "-o", "answers.csv")[0] == 0


def test_sums_of_numbers_and_what_is_left_out_in_the_words_of_the_command_line(bough):
    fit = [
        "fit",
        "penguins",
        "--target",
        "body_mass_g",
        "--drop-unlabelled",
        "--folds",
        0,
        "-o",
        "model.json",
        "--quiet",
    ]
    status, out, _ = bough(*fit, "--algorithm", "oblique")
    assert status == 0
    assert "`bough show --svg FILE` tells all terms where the pointer rests" in out
    status, _, err = bough(*fit, "--algorithm", "lda")
    assert status == 2
    assert "lda learns classes, but the target holds numbers: choose --algorithm cart, tree, oblique" in err


def test_kinds_of_columns_come_to_the_trees_of_many():
    given = {"categorical_features": ["a"], "ordered_features": {"b": ["S", "M"]}, "n_jobs": 2, "random_state": 3}
    made = make("bagged", "classification", {"estimator__max_depth": 2}, given)
    assert made.estimator.categorical_features == ["a"]
    assert made.estimator.ordered_features == {"b": ["S", "M"]}
    assert (made.n_jobs, made.random_state, made.estimator.n_jobs, made.estimator.max_depth) == (2, 3, None, 2)
    plain = make("boosted", "classification", {}, {"categorical_features": "from_dtype", "n_jobs": 2})
    assert plain.estimator is None


def test_a_parameter_of_the_trees_is_named(bough):
    _, _, err = bough(
        "fit", "penguins", "--target", "species", "--algorithm", "bagged", "--max-depth", 3, "-o", "model.json"
    )
    assert "bagged has no parameter 'max_depth': did you mean 'estimator__max_depth'?" in err
