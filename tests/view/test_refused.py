"""A model that refuses missing values has no branch for them, in any drawing."""

import pickle

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.recipe import Refuse
from bough.view import missing_mark

FRUIT = bough.datasets.load_fruit()
MODELS = {
    "ID3": lambda: bough.ID3Classifier(),
    "refuse": lambda: bough.TreeClassifier(missing="refuse", pruning=None),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    return MODELS[request.param]().fit(FRUIT.data, FRUIT.target)


def test_predict_refuses_what_drawings_say_is_refused(model):
    row = {name: [None] for name in FRUIT.data}
    with pytest.raises(DataError, match="missing value"):
        model.predict(row)
    assert "a missing value is refused" in model.tree_.draw()
    assert {node.missing for node in model.tree_ if not node.is_leaf} == {"is refused"}


@pytest.mark.parametrize("of", ["fit", "pickle", "file", "cut", "binary"])
def test_no_drawing_sends_missing_values_anywhere(model, of, tmp_path):
    tree = model.tree_
    if of == "pickle":
        tree = pickle.loads(pickle.dumps(tree))
    elif of == "file":
        model.save(tmp_path / "model.json")
        tree = bough.load(tmp_path / "model.json").tree_
    elif of == "cut":
        tree = tree.cut([tree.n_nodes - 1])
    elif of == "binary":
        tree = tree.to_binary()
    inner = [node for node in tree if not node.is_leaf]
    assert {missing_mark(node, branch) for node in inner for branch in range(len(node.children))} == {""}
    assert all(node.missing_branch is None for node in inner)
    for text in (tree.draw(), *(bough.draw(tree, to=form) for form in ("dot", "mermaid", "svg"))):
        assert "or missing" not in text
        assert "missing values go here" not in text
        assert "refused" in text
    assert "else node" not in tree.listing()
    assert tree.listing().count("else refused") == len(inner)


def test_refused_where_asked_is_told_from_refused_anywhere():
    model = bough.TreeClassifier(missing=Refuse(where="asked"), pruning=None).fit(FRUIT.data, FRUIT.target)
    assert "a missing value is refused where a test asks for it" in model.tree_.draw()
    for form in ("dot", "mermaid", "svg"):
        assert "missing values are refused where a test asks" in bough.draw(model, to=form)
    text = model.tree_.listing(exact=True)
    assert text.count("else refused here") == sum(not node.is_leaf for node in model.tree_)
    again = bough.tree_from(text)
    assert again.inputs.only_asked
    assert again.listing(exact=True) == text
    assert not bough.tree_from(text.replace("refused here", "refused")).inputs.only_asked
    with pytest.raises(ParameterError, match=r"^line \d.* says 'refused' otherwise than one before it"):
        bough.tree_from(text.replace("refused here", "refused", 1))


def test_a_name_for_refusing_where_asked_is_answered_with_the_part():
    for name in ("refuse_asked", "refuse_ask"):
        with pytest.raises(ParameterError, match=r'Did you mean Refuse\(where="asked"\)\?'):
            bough.TreeClassifier(missing=name).fit(FRUIT.data, FRUIT.target)
    with pytest.raises(ParameterError, match=r"Did you mean 'surrogates'\?"):
        bough.TreeClassifier(missing="surogates").fit(FRUIT.data, FRUIT.target)


def test_two_models_differ_in_what_they_do_with_missing_values(model):
    other = bough.TreeClassifier(missing="majority_branch", pruning=None).fit(FRUIT.data, FRUIT.target)
    strict = bough.TreeClassifier(missing="refuse", pruning=None).fit(FRUIT.data, FRUIT.target)
    assert np.array_equal(strict.predict(FRUIT.data), other.predict(FRUIT.data))
    assert {change.change for change in bough.diff(strict, other).changes} == {"missing"}
