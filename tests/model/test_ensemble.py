"""An ensemble is a model: it combines what trees say, is exported, verified, saved and refuses what does not fit."""

import copy
import json
import pickle
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import bough
from bough.errors import ModelFormatError, ParameterError
from bough.model import Ensemble
from bough.model.files import load_model, save_model
from bough.model.format import from_content, to_content
from bough.model.kinds import Model
from bough.model.strict import Limits

VOTES = ["mean", "majority", "confidence"]


def fitted(estimator, seeds=(1, 2, 3)):
    """Trees on other weights, all above 0, so that each knows all levels."""
    X, y = bough.datasets.load("penguins").xy()
    return [
        estimator.fit(X, y, sample_weight=np.random.default_rng(seed).integers(1, 4, len(y))).tree_ for seed in seeds
    ]


@pytest.fixture(scope="module")
def table():
    return bough.datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def spread():
    """Trees of C4.5, whose rows go down several branches in parts."""
    return fitted(bough.C45Classifier())


@pytest.fixture(scope="module")
def asking():
    """Trees of CART, with surrogates."""
    return fitted(bough.CARTClassifier(max_depth=2))


@pytest.mark.parametrize("vote", VOTES)
@pytest.mark.parametrize("trees", ["spread", "asking"])
def test_probabilities_sum_to_one_and_exports_agree(request, table, trees, vote):
    model = Ensemble(request.getfixturevalue(trees), vote, [3, 1, 1])
    assert isinstance(model, Model)
    np.testing.assert_allclose(model.predict_proba(table[0]).sum(axis=1), 1.0, rtol=1e-12)
    report = bough.export(model, "python", max_cases=200).report
    assert report.cases > 100
    assert report.largest <= 1e-12


def test_votes_are_what_their_names_say(table, asking):
    X, _ = table
    shares = np.array([tree.predict_proba(X) for tree in asking])
    best = np.array([tree.predict(X)[:, None] == np.unique(tree.classes) for tree in asking]).astype(float)
    np.testing.assert_allclose(Ensemble(asking).predict_proba(X), shares.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(Ensemble(asking, "majority").predict_proba(X), best.mean(axis=0), atol=1e-12)
    rows = np.array([tree.arrays.weight[tree.apply(X)] for tree in asking])
    confidence = (rows * shares.max(axis=2) + 1) / (rows + 2)  # of Quinlan 1996
    sums = np.einsum("tn,tnk->nk", confidence, best)
    model = Ensemble(asking, "confidence")
    assert (model.predict(X) == np.unique(asking[0].classes)[sums.argmax(axis=1)]).all()
    rest = (1 - confidence).mean(axis=0)[:, None] / 3
    np.testing.assert_allclose(model.predict_proba(X), sums / 3 + rest, rtol=1e-12)


def test_costs_decide_and_are_not_shown(table):
    X, _ = table
    costs = {("Chinstrap", "Adelie"): 20.0, ("Chinstrap", "Gentoo"): 20.0}
    trees = fitted(bough.CARTClassifier(costs=costs, max_depth=1, min_samples_leaf=300))
    for vote in VOTES:
        model = Ensemble(trees, vote)
        shares = model.votes(X)
        expected = model.classes[(shares @ model.answer.costs).argmin(axis=1)]
        assert (model.predict(X) == expected).all()
    best = np.mean([np.eye(3)[tree.shares(X).argmax(axis=1)] for tree in trees], axis=0)
    np.testing.assert_allclose(Ensemble(trees, "majority").votes(X), best, atol=1e-12)
    model = Ensemble(trees)
    assert (model.predict(X) != model.classes[model.votes(X).argmax(axis=1)]).any()


def test_numbers_are_means():
    X, y = bough.datasets.load("friedman1", random_state=0).xy()
    trees = [bough.CARTRegressor(max_depth=depth).fit(X, y).tree_ for depth in (1, 3)]
    model = Ensemble(trees, weights=[1, 3])
    np.testing.assert_allclose(model.predict(X), (trees[0].predict(X) + 3 * trees[1].predict(X)) / 4)
    with pytest.raises(ParameterError, match="has no probabilities"):
        model.predict_proba(X)


def test_bins_are_each_trees_own():
    X = {"x": np.arange(60.0), "z": np.arange(60.0) % 7}
    y = np.repeat(["a", "b", "c"], 20)
    grown = [bough.ID3Classifier(bins="equal_frequency", n_bins=n).fit(X, y).tree_ for n in (3, 6)]
    model = Ensemble(grown)
    expected = (grown[0].predict_proba(X) + grown[1].predict_proba(X)) / 2
    np.testing.assert_allclose(model.predict_proba(X), expected)
    assert bough.export(model, "python", max_cases=200).report.largest <= 1e-12
    _, read, _ = from_content(to_content({}, model), Limits())
    assert read == model


def test_members_are_trees(table, asking):
    model = Ensemble(asking, "majority", [1, 2, 3])
    assert model[0] is asking[0]
    assert [*model] == asking
    assert model[1:] == Ensemble(asking[1:], "majority", [2, 3])
    assert "Mean of 3 trees for species: classes, weighted" in str(model)
    with pytest.raises(ParameterError, match=r"take one of its trees, model\[0\]"):
        bough.draw(model)


@pytest.mark.parametrize("vote", VOTES)
def test_a_file_holds_all_of_it(tmp_path, spread, vote):
    model = Ensemble(spread, vote, [0.1, 0.7, 0.2])
    save_model(tmp_path / "model.json", {}, model)
    schema = Path(__file__).parents[2] / "docs/format/model-1.schema.json"
    jsonschema.validate(json.loads((tmp_path / "model.json").read_text()), json.loads(schema.read_text()))
    assert load_model(tmp_path / "model.json")[1] == model
    assert pickle.loads(pickle.dumps(model)) == model == copy.deepcopy(model)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda c: c.update(vote="loud"), "$.vote"),
        (lambda c: c.update(weights=[1.0, 0.0, 1.0]), "$.weights"),
        (lambda c: c.update(weights=[1.0]), "$.weights"),
        (lambda c: c.update(trees=[]), "$.trees"),
        (lambda c: c["trees"][1]["tree"]["parent"].__setitem__(1, 7), r"$.trees[1].tree.parent[1]"),
        (lambda c: c["trees"][2]["answer"].pop("costs"), r"$.trees[2].answer"),
        (lambda c: c["trees"][2]["answer"]["classes"]["labels"].reverse(), "$.trees"),
        (lambda c: c["trees"][0].update(more=1), r"$.trees[0]"),
        (lambda c: c["trees"][0].update(bins=[1]), r"$.trees[0].bins"),
    ],
)
def test_a_damaged_file_is_refused_at_its_place(asking, change, place):
    content = copy.deepcopy(to_content({}, Ensemble(asking)))
    change(content)
    with pytest.raises(ModelFormatError) as caught:
        from_content(content, Limits())
    assert caught.value.place == place


def test_the_limit_of_nodes_is_that_of_all_trees(asking):
    content = to_content({}, Ensemble(asking))
    nodes = sum(tree.n_nodes for tree in asking)
    from_content(content, Limits(max_nodes=nodes))
    with pytest.raises(ModelFormatError, match="nodes; at most"):
        from_content(content, Limits(max_nodes=nodes - 1))


def test_trees_that_do_not_belong_together_are_refused(asking):
    X, y = bough.datasets.load("titanic").xy()
    with pytest.raises(ParameterError, match="the same inputs; those of tree 1 differ"):
        Ensemble([asking[0], bough.CARTClassifier().fit(X, y).tree_])
    with pytest.raises(ParameterError, match="needs one tree"):
        Ensemble([])
    with pytest.raises(ParameterError, match="3 numbers above 0"):
        Ensemble(asking, weights=[1, 2])
