"""Nodes that choose how much their test may be."""

import pickle

import numpy as np
import pytest

import bough
from bough import OmnivariateTreeClassifier, TreeClassifier, TreeRegressor
from bough.recipe import Curved, Discriminant, Exhaustive, LinearCombination, Omnivariate, Perturb, Validation


def grown(search, X, y, **parameters):
    return TreeClassifier(search=search, pruning=None, stopping=None, random_state=0, **parameters).fit(X, y)


def test_of_equal_candidates_the_first_is_taken():
    X, y = bough.datasets.load("diagonal", n=200, random_state=0).xy()
    for part in (Exhaustive(), Discriminant()):
        clf = grown(Omnivariate(candidates=[part, part]), X, y)
        kinds = {node.choice.kind for node in clf.tree_ if not node.is_leaf}
        assert kinds == {f"{bough.recipe.part.snake_case(type(part).__name__)} 1"}
        assert all(set(node.choice.p_values.values()) <= {1.0} for node in clf.tree_ if not node.is_leaf)


@pytest.mark.parametrize("part", [Discriminant(), LinearCombination()], ids=repr)
def test_a_single_candidate_grows_the_tree_of_its_search(part, mixed):
    X, y = mixed()
    mine, its = (grown(one, X, y, missing="majority_branch") for one in (Omnivariate(candidates=[part]), part))
    assert mine.tree_ == its.tree_


def test_a_sum_is_taken_where_it_errs_less_and_a_column_where_nothing_more_is_needed():
    X, y = bough.datasets.load("diagonal", n=500, random_state=0).xy()
    root = OmnivariateTreeClassifier(random_state=0).fit(X, y).tree_.root
    assert root.choice.kind == "linear"
    assert root.choice.errors["linear"] < root.choice.errors["axis"]
    assert root.choice.p_values["linear"] < 0.05
    steps = (np.asarray(X)[:, 0] > 0.5).astype(int)
    assert OmnivariateTreeClassifier(random_state=0).fit(X, steps).tree_.root.choice.kind == "axis"


def test_a_curve_is_taken_where_it_errs_less():
    X = np.random.default_rng(0).uniform(-1, 1, (400, 2))
    inside = (X**2).sum(axis=1) < 0.6
    for curved in (Curved("sphere"), "curved"):
        choice = grown(Omnivariate(candidates=["axis", "linear", curved]), X, inside).tree_.root.choice
        assert choice.kind == "curved"
        assert choice.errors["curved"] < min(choice.errors["axis"], choice.errors["linear"])


def test_choices_are_drawn_and_counted_by_depth_and_outlive_pruning_and_pickling(mixed):
    X, y = bough.datasets.load("diagonal", n=500, random_state=0).xy()
    clf = OmnivariateTreeClassifier(pruning=None, random_state=0).fit(X, y)
    assert "linear chosen; errors: axis" in clf.tree_.draw()
    table = clf.kinds_by_depth()
    assert int(table["axis"].sum() + table["linear"].sum()) == sum(not node.is_leaf for node in clf.tree_)
    again = pickle.loads(pickle.dumps(clf))
    assert again.tree_.root.choice == clf.tree_.root.choice
    wide = grown(Omnivariate(), *mixed())
    inner = [node for node in wide.tree_ if not node.is_leaf]
    cut = wide.tree_.cut([inner[-1].id])
    assert all(node.choice == wide.tree_.node(node.path).choice for node in cut if not node.is_leaf)


@pytest.mark.parametrize("validation", [None, 0.3])
def test_any_number_of_threads_chooses_alike(validation, mixed):
    X, y = mixed(400)
    search = Omnivariate(validation=validation)
    trees = [grown(search, X, y, n_jobs=jobs).tree_ for jobs in (1, 2, 7)]
    for tree in trees[1:]:
        assert tree.to_content() == trees[0].to_content()
        assert [node.choice for node in tree] == [node.choice for node in trees[0]]


def test_rows_kept_back_judge_and_are_not_learnt_from():
    X, y = bough.datasets.load("diagonal", n=600, random_state=0).xy()
    held = np.zeros(600, dtype=bool)
    held[::3] = True
    clf = grown(Omnivariate(validation=held), X, y)
    assert clf.tree_.root.rows == 400
    assert clf.tree_.root.choice.kind == "linear"
    with pytest.raises(bough.errors.ParameterError, match="kept back"):
        TreeClassifier(search=Omnivariate(validation=0.3), stopping=[Validation()]).fit(X, y)


def test_numbers_are_chosen_for_too():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    reg = TreeRegressor(search=Omnivariate(), pruning=None, stopping="max_depth", random_state=0)
    reg.fit(X, X[:, 0] + X[:, 1] > 0)
    assert reg.tree_.root.choice.kind == "linear"


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (Omnivariate(candidates=[]), "list of searches"),
        (Omnivariate(candidates=["axis", "oval"]), "candidates"),
        (Omnivariate(candidates=[Exhaustive(threshold="weighted")]), "share"),
        (Omnivariate(candidates=[Exhaustive(feature_costs=[1, 2])]), "costs"),
        (Omnivariate(candidates=["axis", Perturb(refine="alternate")]), "refines the tree"),
        (Omnivariate(alpha=2.0), "alpha"),
    ],
    ids=repr,
)
def test_what_candidates_cannot_have_is_refused(search, said):
    X, y = bough.datasets.load("diagonal", n=60, random_state=0).xy()
    with pytest.raises(bough.errors.ParameterError, match=said):
        grown(search, X, y)


def test_a_loaded_tree_answers_alike_and_has_no_choices(tmp_path, mixed):
    X, y = mixed()
    clf = OmnivariateTreeClassifier(random_state=0).fit(X, y)
    clf.save(tmp_path / "model.json")
    again = bough.load(tmp_path / "model.json")
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert again.tree_.root.choice is None
