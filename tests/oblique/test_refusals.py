"""What searches for several columns refuse: arguments that would say nothing, and searches that do not go together."""

import numpy as np
import pandas as pd
import pytest

from bough import SphereTreeClassifier, TreeClassifier, TreeRegressor
from bough.errors import ParameterError
from bough.recipe import Curved, Discriminant, Gradient, Machine, Omnivariate, Perturb, Quest

X = np.random.default_rng(0).normal(size=(60, 3))
CLASS = (X[:, 0] + X[:, 1] > 0).astype(int)


@pytest.mark.parametrize(
    ("search", "says"),
    [
        (Discriminant(max_terms=3), r"Discriminant\.max_terms=3 says nothing here: it needs .*sparse='forward'"),
        (Perturb(sparse="backward", max_terms=3), r"Perturb\.max_terms=3 says nothing"),
        (Discriminant(target="mean"), r"target='mean' says nothing here: it needs numbers to predict"),
        (Curved(perturb=False, search_rows=100), r"search_rows=100 says nothing here: it needs curves that are moved"),
        (Omnivariate(["axis", Discriminant(refine="alternate")]), r"refines the tree.*set lookahead=1 and refine=None"),
        (Omnivariate(["axis", Perturb(lookahead=2)]), r"looks ahead"),
        (Omnivariate(validation=0.0), r"Omnivariate\.validation must be .* a share between 0 and 1"),
        (Omnivariate(validation=[True] * 9), r"Omnivariate\.validation names rows that X does not have"),
    ],
    ids=repr,
)
def test_what_would_be_ignored_is_refused(search, says):
    with pytest.raises(ParameterError, match=says):
        TreeClassifier(search=search).fit(X, CLASS)


def test_groups_of_classes_are_not_asked_of_numbers():
    with pytest.raises(ParameterError, match=r"grouping='all' says nothing here: it needs classes to group"):
        TreeRegressor(search=Discriminant(grouping="all")).fit(X, X[:, 0])


@pytest.mark.parametrize("search", [Quest(), Quest(linear=True), Machine(), Gradient()], ids=repr)
def test_what_is_for_classes_predicts_no_numbers_as_a_candidate_either(search):
    with pytest.raises(ParameterError, match="is for classes, and TreeRegressor predicts numbers"):
        TreeRegressor(search=Omnivariate(["axis", search])).fit(X, X[:, 0])


def test_a_candidate_must_go_with_the_recipe_as_it_would_alone():
    with pytest.raises(ParameterError, match="twoing"):
        TreeClassifier(search=Omnivariate(["axis", Machine()]), criterion="twoing").fit(X, CLASS)
    with pytest.raises(ParameterError, match="two branches"):
        TreeClassifier(search=Omnivariate(["axis", Quest()]), branching="per_level").fit(X, CLASS)


def test_curves_do_not_count_levels():
    towns = {f"town{j}": pd.Categorical([f"t{(7 * i + j) % 40}" for i in range(60)]) for j in range(70)}
    table = pd.DataFrame({**towns, "x": X[:, 0], "y": X[:, 1]})
    assert SphereTreeClassifier(max_depth=1, pruning=None).fit(table, CLASS).get_n_leaves() == 2


@pytest.mark.parametrize("power", [-1000, -600, 500, 1000])
@pytest.mark.parametrize("search", [Discriminant(), Perturb(restarts=2)], ids=repr)
def test_very_large_and_very_small_numbers_are_summed_as_any(search, power):
    # Their squares are no numbers.
    given = {"search": search, "pruning": None, "stopping": None}
    clf = TreeClassifier(**given).fit(X, CLASS)
    scaled = TreeClassifier(**given).fit(X * 2.0**power, CLASS)
    assert len(scaled.tree_.root.split.columns) > 1
    assert (clf.apply(X) == scaled.apply(X * 2.0**power)).all()
