"""A model of several trees: their mean predicts, is saved, exported, verified and printed.

It is made here, of what any kind of model may use, and nothing else in the library knows of it.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import bough
from bough.errors import DataError, ExportError
from bough.model import Tree, kinds
from bough.model.files import load_model, save_model
from bough.model.kinds import Model, add_kind
from bough.model.program.join import mean_of
from bough.model.strict import expect_keys

TARGETS = ["json", "python", "javascript", "c", "sql", "pmml", "excel"]


@dataclass(frozen=True)
class MeanOfTrees:
    """The mean of what trees answer that were fitted on one table."""

    kind: ClassVar[str] = "mean"

    trees: tuple[Tree, ...]

    @property
    def inputs(self):
        return self.trees[0].inputs

    @property
    def answer(self):
        return self.trees[0].answer

    @property
    def target(self):
        return self.trees[0].target

    def read(self, X, *, every=False, reader="the model"):
        return self.inputs.read(X, reader=reader)

    def _mean(self, told):
        return sum(told) / len(self.trees)

    def predict(self, X, *, n_threads=1):
        rows = self.read(X)
        if self.answer.classes is None:
            return self._mean(tree.predict(rows, n_threads=n_threads) for tree in self.trees)
        shares = self._mean(tree.shares(rows, n_threads=n_threads) for tree in self.trees)
        return self.answer.classes[self.answer.decide(shares)]

    def predict_proba(self, X, *, n_threads=1):
        rows = self.read(X)
        return self._mean(tree.predict_proba(rows, n_threads=n_threads) for tree in self.trees)

    def program(self):
        return mean_of([tree.program() for tree in self.trees])

    def to_content(self):
        return {"trees": [tree.to_content() for tree in self.trees]}

    @classmethod
    def from_content(cls, content, limits):
        expect_keys(content, {"trees"}, "$")
        return cls(tuple(Tree.from_content(tree, limits) for tree in content["trees"]))

    def __str__(self):
        return "\n\n".join(map(str, self.trees))


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Files know the kind while a test runs."""
    monkeypatch.setattr(kinds, "_KINDS", dict(kinds._KINDS))
    add_kind(MeanOfTrees)


def weights(n):
    """Some that are all above 0, so that each tree knows all levels."""
    return np.random.default_rng(n).integers(1, 9, size=n).astype(float)


@pytest.fixture(scope="module")
def table():
    return bough.datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def classes(table):
    """Surrogates and fractions side by side."""
    X, y = table
    return MeanOfTrees(
        (
            bough.CARTClassifier(max_depth=2).fit(X, y).tree_,
            bough.C45Classifier(pruning=None).fit(X, y).tree_,
            bough.C45Classifier().fit(X, y, sample_weight=weights(len(y))).tree_,
        )
    )


@pytest.fixture(scope="module")
def numbers():
    X, y = bough.datasets.load("friedman1", random_state=0).xy()
    return MeanOfTrees(tuple(bough.CARTRegressor(max_depth=depth).fit(X, y).tree_ for depth in (1, 2, 3)))


@pytest.fixture(params=["classes", "numbers"])
def model(request):
    return request.getfixturevalue(request.param)


def test_it_is_a_model(model):
    assert isinstance(model, Model)


def test_it_predicts_the_mean(classes, numbers, table):
    X, y = table
    shares = classes.predict_proba(X)
    np.testing.assert_allclose(shares, sum(tree.predict_proba(X) for tree in classes.trees) / 3, rtol=1e-15)
    assert (classes.predict(X) == np.unique(np.asarray(y))[shares.argmax(axis=1)]).all()
    assert (classes.predict(X) == np.asarray(y)).mean() > 0.9
    X, _ = bough.datasets.load("friedman1", random_state=0).xy()
    np.testing.assert_allclose(numbers.predict(X), np.mean([tree.predict(X) for tree in numbers.trees], axis=0))


def test_a_file_of_it_is_read_by_its_kind(model, tmp_path):
    save_model(tmp_path / "mean.json", {}, model)
    _, read = load_model(tmp_path / "mean.json")
    assert type(read) is MeanOfTrees
    assert read.trees == model.trees


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_that_knows_fractions_answers_as_it_does(model, target):
    done = bough.export(model, target, max_cases=400)
    assert done.report.engine
    assert done.report.cases > 100
    assert done.report.largest <= 1e-12


def test_onnx_adds_up_numbers_and_says_that_it_knows_no_fractions(model):
    if model.answer.classes is None:
        assert bough.export(model, "onnx", max_cases=300).report.largest <= 1e-9
        return
    with pytest.raises(ExportError, match="cannot send a case down several branches in parts, as this model does"):
        bough.export(model, "onnx")


def test_it_refuses_what_its_trees_refuse(table):
    X, y = table
    trees = [bough.CARTClassifier(max_depth=depth, unseen="error").fit(X, y).tree_ for depth in (1, 2, 3)]
    model = MeanOfTrees(tuple(trees))
    with pytest.raises(DataError, match="Atlantis"):
        model.predict(X.head(1).assign(island="Atlantis"))
    assert bough.export(model, "python", max_cases=300).report.cases > 100


def test_it_is_printed(classes):
    assert str(classes).count("Classification tree for species") == 3


def test_it_is_judged_as_any_model(model):
    classes = model.answer.classes is not None
    X, y = bough.datasets.load("penguins").xy() if classes else bough.datasets.load("friedman1", random_state=0).xy()
    found = bough.validate.judge(model, X, y)
    right = model.predict(X) == np.asarray(y)
    assert found["accuracy" if classes else "mse"].value == pytest.approx(
        right.mean() if classes else ((model.predict(X) - np.asarray(y)) ** 2).mean()
    )
    assert found.leaves == ()
    both = bough.validate.judge({"mean": model, "first": model.trees[0]}, X, y)
    assert both.pairs[0].measure == ("accuracy" if classes else "mse")
