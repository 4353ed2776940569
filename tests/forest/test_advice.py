"""What forests and ensembles say to those who ask for what is not there: errors, warnings and hints."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import bough
from bough.errors import DataError, DataWarning, ParameterError
from bough.learn.target import _BOTH
from bough.recipe import Sampling

PENGUINS = bough.datasets.load("penguins").xy()
NUMBERS = bough.datasets.load("friedman1").xy()


@pytest.fixture(scope="module")
def forest():
    return bough.RandomForestClassifier(n_estimators=4, max_depth=3).fit(*PENGUINS)


@pytest.fixture(scope="module")
def bagged():
    return bough.BaggedTreesClassifier(n_estimators=3).fit(*PENGUINS)


def test_a_file_keeps_no_answers_out_of_bag_and_says_how_to_have_them(tmp_path):
    X, y = NUMBERS
    reg = bough.RandomForestRegressor(n_estimators=30, oob_score=True, keep_rows=True).fit(X, y)
    reg.save(tmp_path / "forest.bough")
    loaded = bough.load(tmp_path / "forest.bough")
    with pytest.raises(ParameterError, match=r"files do not keep them: give out_of_bag=reg\.out_of_bag\(X, y\)"):
        loaded.predict_interval(X)
    assert np.array_equal(loaded.predict_interval(X, out_of_bag=loaded.out_of_bag(X, y)), reg.predict_interval(X))
    with pytest.raises(ParameterError, match=r"files do not keep them: give leaf_rows=reg\.leaf_rows\(X, y\)"):
        loaded.predict_quantiles(X)
    with pytest.raises(AttributeError, match=r"oob_score_.*files do not keep it"):
        print(loaded.oob_score_)
    fresh = bough.RandomForestRegressor(n_estimators=2).fit(X, y)
    with pytest.raises(ParameterError, match="fit with oob_score=True, or give"):
        fresh.predict_interval(X)


@pytest.mark.parametrize("stem", _BOTH)
def test_the_wrong_target_names_the_other_estimator_of_the_algorithm(stem):
    for name, other, (X, y) in (("Classifier", "Regressor", NUMBERS), ("Regressor", "Classifier", PENGUINS)):
        assert hasattr(bough, stem + other)
        with pytest.raises(DataError, match=f"[Uu]se {stem}{other}"):
            getattr(bough, stem + name)().fit(X, y)


def test_every_algorithm_with_two_estimators_is_named():
    stems = {name.removesuffix("Classifier") for name in bough.__all__ if name.endswith("Classifier")}
    assert {stem for stem in stems if f"{stem}Regressor" in bough.__all__} == set(_BOTH)


@pytest.mark.parametrize("name", ["estimators_", "tree_", "to_html"])
def test_what_single_trees_and_others_have_leads_to_the_members(forest, bagged, name):
    for model in (forest, bagged):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match=rf"{name}'.*model\[0\]"):
            getattr(model, name)


@pytest.mark.parametrize("name", ["importance", "proximity", "representative_tree"])
def test_what_forests_alone_have_names_them(bagged, name):
    with pytest.raises(AttributeError, match="RandomForestClassifier"):
        getattr(bagged, name)


def test_attributes_that_are_not_there_fail_as_ever(forest):
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        print(forest.nonsense)
    with pytest.raises(NotFittedError):
        print(bough.RandomForestClassifier().feature_importances_)


@pytest.mark.parametrize("place", [slice(1, 3), "a", 1.5])
def test_a_forest_is_asked_for_one_tree_by_its_number(forest, place):
    with pytest.raises(TypeError, match="one tree by its number"):
        forest[place]
    assert str(forest[np.int64(1)]) == str(forest[-3])


def test_importance_as_a_frame(forest):
    frame = forest.importance(as_frame=True)
    assert list(frame["column"]) == forest.importance().ranking
    with pytest.raises(ParameterError, match="leave out X, y"):
        forest.importance("splits", X=PENGUINS[0], y=PENGUINS[1])


def test_proximity_says_how_rows_of_the_fit_are_given(forest):
    with pytest.raises(ParameterError, match=r"leave Z out, as in proximity\(X, y=y, out_of_bag=True\)"):
        forest.proximity(*PENGUINS, out_of_bag=True)


def test_priors_that_pure_leaves_do_not_show():
    rng = np.random.default_rng(0)
    X, y = {"x": rng.random(400)}, rng.random(400) < 0.1
    kept = Sampling(classes="balanced", priors="kept")
    with pytest.warns(DataWarning, match=r"priors='kept'.*one class alone.*min_samples_leaf"):
        bough.RandomForestClassifier(n_estimators=3, sampling=kept).fit(X, y)
    bough.RandomForestClassifier(n_estimators=3, sampling=kept, min_samples_leaf=5).fit(X, y)  # and no warning


@pytest.mark.parametrize("estimator", [bough.RandomForestClassifier, bough.BaggedTreesClassifier])
def test_balanced_bags_of_very_few_rows(estimator):
    X, y = {"x": np.arange(200.0)}, np.array(["no"] * 196 + ["yes"] * 4)
    with pytest.warns(DataWarning, match="draws 4 rows of each class for a tree, as the rarest, yes, has 4"):
        estimator(n_estimators=2, sampling="balanced").fit(X, y)
