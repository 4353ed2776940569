"""Estimators in files of older formats: they load, answer as they did, and a fit with their parameters grows as it did.

The files were written by the library as it was under that format, and are never written again.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

import bough
from bough import CARTClassifier, TreeClassifier, TreeRegressor
from bough.errors import DataWarning, ModelFormatError
from bough.recipe import ErrorThreshold, GlobalCriterion, Surrogates

FOLDER = Path(__file__).parent / "old_files" / "1.0"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
TABLE = json.loads((FOLDER / "table.json").read_text())
EVERY = pytest.mark.parametrize("name", EXPECTED["answers"])


def training():
    numbers = {name: np.array(TABLE[name], dtype=np.float64) for name in ("size", "weight")}
    return {**numbers, "color": np.array(TABLE["color"], dtype=object)}


@EVERY
def test_an_old_file_answers_as_it_did(name):
    model, expected = bough.load(FOLDER / f"{name}.json"), EXPECTED["answers"][name]
    assert model.predict(EXPECTED["rows"]).tolist() == expected["predict"]
    assert model.tree_.draw(ascii=True, surrogates=True) == expected["drawn"]
    if "predict_proba" in expected:
        assert model.predict_proba(EXPECTED["rows"]).tolist() == expected["predict_proba"]


@EVERY
@pytest.mark.filterwarnings("ignore")
def test_its_parameters_still_mean_what_they_meant(name):
    model = clone(bough.load(FOLDER / f"{name}.json"))
    model.fit(training(), TABLE["value"] if is_regressor(model) else TABLE["answer"])
    assert model.tree_.draw(ascii=True, surrogates=True) == EXPECTED["answers"][name]["drawn"]


@EVERY
def test_it_is_written_under_the_new_names(name, tmp_path):
    model = bough.load(FOLDER / f"{name}.json")
    model.save(tmp_path / "model.json")
    again = bough.load(tmp_path / "model.json")
    assert repr(again) == repr(model)
    assert again.predict(EXPECTED["rows"]).tolist() == EXPECTED["answers"][name]["predict"]


def test_what_an_old_file_left_at_its_default_is_the_default_of_then():
    model = bough.load(FOLDER / "cart.json")
    own = CARTClassifier(min_samples_leaf=7, min_samples_split=20, missing=Surrogates(5), pruning=0.01)
    assert repr(model) == repr(own)  # the defaults of then, which are no longer the defaults
    assert repr(bough.load(FOLDER / "c45.json")) == "C45Classifier()"


def test_old_and_new_names_do_not_mix(tmp_path):
    data = json.loads((FOLDER / "cart.json").read_text())
    data["header"]["params"]["search"] = "exhaustive"
    (tmp_path / "mixed.json").write_text(json.dumps(data))
    with pytest.raises(ModelFormatError, match="has no parameter"):
        bough.load(tmp_path / "mixed.json")


def test_a_wrong_value_of_an_old_parameter_is_refused(tmp_path):
    data = json.loads((FOLDER / "cart.json").read_text())
    data["header"]["params"]["ties"] = "nonsense"
    (tmp_path / "wrong.json").write_text(json.dumps(data))
    with pytest.raises(ModelFormatError, match=r"Exhaustive.ties must be one of .* got 'nonsense'"):
        bough.load(tmp_path / "wrong.json")


def parity():
    return {"a": np.repeat([0, 0, 1, 1], 5), "b": np.repeat([0, 1, 0, 1], 5)}, np.repeat([0, 1, 1, 0], 5)


def as_written_by(model, version, path):
    """The file that the library wrote under an older format, which left the search at its name."""
    model.save(path)
    data = json.loads(path.read_text())
    data["bough"]["version"] = version
    assert data["header"]["params"]["search"] == "exhaustive"
    if version == [1, 1]:
        del data["provenance"]
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize("version", [[1, 1], [1, 2]])
@pytest.mark.parametrize(
    "model",
    [
        TreeClassifier(stopping=None, pruning=None),
        TreeRegressor(criterion="worst_error", stopping=[ErrorThreshold(0.1)], pruning=None),
    ],
)
def test_a_file_from_before_full_growth_stops_where_nothing_is_gained(model, version, tmp_path):
    X, y = parity()
    model.fit(X, y)
    assert model.get_n_leaves() == 4
    old = bough.load(as_written_by(model, version, tmp_path / "old.json"))
    assert clone(old).fit(X, y).get_n_leaves() == 1
    model.save(tmp_path / "new.json")
    assert clone(bough.load(tmp_path / "new.json")).fit(X, y).get_n_leaves() == 4


def test_a_file_from_before_whole_trees_were_compared_warns(tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    model = TreeClassifier(stopping=["min_rows", "global_criterion"], pruning=None).fit(X, y)
    path = as_written_by(model, [1, 2], tmp_path / "old.json")
    with pytest.warns(DataWarning, match="GlobalCriterion judged one split at a time"):
        old = bough.load(path)
    assert old.stopping[1] == GlobalCriterion(0.1, size="leaves")  # its default of then
    assert old.predict(X).tolist() == model.predict(X).tolist()
