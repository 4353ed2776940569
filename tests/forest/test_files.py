"""Forests in files: the same forest from text and from arrays, which are read where they lie and checked before."""

import copy
import json
import pickle
import struct
import zlib

import numpy as np
import pytest

import bough
from bough import _core
from bough.errors import DataError, ModelFormatError
from bough.model import files
from bough.model.files import Limits, load_model, save_model


def arrays_of(forest):
    return {name: (array.dtype, array.tobytes()) for name, array in forest.kernel.arrays().items()}


@pytest.fixture(scope="module")
def classifier():
    X, y = bough.datasets.load("penguins").xy()
    return bough.RandomForestClassifier(n_estimators=9, random_state=3).fit(X, y), X


@pytest.fixture(scope="module")
def regressor():
    """Doubles that are closer than floats are, so that a column has a table of thresholds."""
    rng = np.random.default_rng(0)
    X = np.column_stack([1 + rng.integers(0, 40, 200) * 2.0**-40, rng.normal(size=200)])
    return bough.ExtraTreesRegressor(n_estimators=5).fit(X, X @ [2.0**38, 1.0]), X


@pytest.fixture(scope="module")
def wide():
    X = np.random.default_rng(1).normal(size=(30, 256))
    return bough.RandomForestClassifier(n_estimators=3, vote="majority").fit(X, X[:, 0] > 0), X


@pytest.fixture(params=["classifier", "regressor", "wide"])
def fitted(request):
    return request.getfixturevalue(request.param)


def test_the_same_forest_and_estimator_from_text_and_from_arrays(fitted, tmp_path):
    estimator, X = fitted
    for name in ("forest.json", "forest.bough"):
        estimator.save(tmp_path / name)
        read = bough.load(tmp_path / name)
        assert type(read) is type(estimator)
        assert read.get_params() == estimator.get_params()
        assert arrays_of(read.forest_) == arrays_of(estimator.forest_)
        np.testing.assert_array_equal(read.predict(X), estimator.predict(X))
        read.save(tmp_path / "again.bough")
        assert (tmp_path / "again.bough").read_bytes() == saved_with_arrays(estimator, tmp_path)
    assert repr(type(estimator).load(tmp_path / "forest.bough").forest_) == repr(estimator.forest_)


def saved_with_arrays(estimator, folder):
    estimator.save(folder / "whole.bough")
    return (folder / "whole.bough").read_bytes()


def test_the_layout_is_that_of_the_page(classifier, tmp_path):
    data = saved_with_arrays(classifier[0], tmp_path)
    assert data[:8] == b"\x89bough\r\n"
    (length,) = struct.unpack("<Q", data[8:16])
    text = json.loads(data[16 : 16 + length])
    kernel = classifier[0].forest_.kernel
    base = end = 16 + length + -(16 + length) % 64
    for name, array in kernel.arrays().items():
        about = text["forest"][name]
        begin = base + about["offset"]
        assert begin == end + -end % 64
        read = np.frombuffer(data, about["array"], about["length"], begin)
        np.testing.assert_array_equal(read, array)
        assert about["crc32"] == zlib.crc32(read.tobytes())
        end = begin + read.nbytes
    assert end == len(data)
    assert text["forest"]["node"]["length"] == 2 * kernel.nodes  # 8 bytes a node


def test_a_mapped_forest_outlives_its_file_and_can_be_copied_and_grown_on(classifier, tmp_path):
    estimator, X = classifier
    y = bough.datasets.load("penguins").xy()[1]
    path = tmp_path / "forest.bough"
    estimator.save(path)
    read = bough.load(path)
    read.save(path)  # in the place of the file that is mapped
    path.unlink()
    expected = estimator.predict_proba(X)
    for one in (read, pickle.loads(pickle.dumps(read)), copy.deepcopy(read)):
        np.testing.assert_array_equal(one.predict_proba(X), expected)
    more = bough.RandomForestClassifier(n_estimators=14, random_state=3).fit(X, y)
    read.set_params(n_estimators=14, warm_start=True).fit(X, y)
    assert arrays_of(read.forest_) == arrays_of(more.forest_)


def test_a_forest_too_large_for_text_is_told_the_name_to_take(classifier, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_MOST_NUMBERS", 100)
    with pytest.raises(DataError, match=r"a name that ends in '\.bough', such as 'forest\.bough'"):
        classifier[0].save(tmp_path / "forest.json")
    classifier[0].save(tmp_path / "forest.bough")
    assert not (tmp_path / "forest.json").exists()


def test_other_models_are_text_under_any_name(tmp_path):
    X, y = bough.datasets.load("penguins").xy()
    bough.CARTClassifier().fit(X, y).save(tmp_path / "tree.bough")
    assert (tmp_path / "tree.bough").read_bytes().startswith(b'{"bough":')
    assert bough.load(tmp_path / "tree.bough").get_n_leaves() == 8


def swapped(data, before, after):
    """The file with words of the same length in place of others."""
    assert len(before) == len(after)
    assert before in data
    return data.replace(before, after, 1)


@pytest.mark.parametrize(
    ("damage", "place", "problem"),
    [
        (lambda d: d[:12], "$", "cut off"),
        (lambda d: d[:-1], "$.forest.gain.length", "more than the file has"),
        (lambda d: d + b"\0", "$", "expected the file to end with the arrays"),
        (lambda d: d[:8] + b"\xff" * 8 + d[16:], "$", "cut off"),
        (lambda d: swapped(d, b'"array":"uint32"', b'"array":"uint64"'), "$.forest.node", "."),
        (lambda d: swapped(d, b'"array":"uint32"', b'"array":"object"'), "$.forest.node.array", "uint32, uint64"),
        (lambda d: swapped(d, b'"offset":0', b'"offset":1'), "$.forest.begin.offset", "expected 0, found 1"),
        (lambda d: swapped(d, b'"crc32":', b'"crc33":'), "$.forest.begin", "crc32"),
        (lambda d: d[:-9] + bytes([d[-9] ^ 1]) + d[-8:], "$.forest.gain", "checksum"),
    ],
)
def test_damage_is_refused_with_its_place(classifier, tmp_path, damage, place, problem):
    path = tmp_path / "bad"
    path.write_bytes(damage(saved_with_arrays(classifier[0], tmp_path)))
    with pytest.raises(ModelFormatError, match=problem) as caught:
        bough.load(path)
    assert caught.value.place.startswith(place)


def test_limits_hold_for_arrays(classifier, tmp_path):
    path = tmp_path / "forest.bough"
    classifier[0].save(path)
    nodes = classifier[0].forest_.kernel.nodes
    load_model(path, limits=Limits(max_nodes=nodes))
    with pytest.raises(ModelFormatError, match="nodes"):
        load_model(path, limits=Limits(max_nodes=nodes - 1))
    with pytest.raises(ModelFormatError, match="bytes"):
        load_model(path, limits=Limits(max_bytes=100))


def test_arrays_that_are_no_forest_are_refused(classifier, tmp_path):
    """What bytes cannot show: each promise of the page, broken in the kernel's arrays."""
    forest = classifier[0].forest_
    arrays = {name: array.copy() for name, array in forest.kernel.arrays().items()}
    leaf = int(np.flatnonzero(forest.kernel.tree(0)["child"] < 0)[0])
    broken = {
        "begin[1]": ("begin", 1, 0),
        "node[0]": ("node", 1, 0),
        f"node[{leaf}]": ("node", 2 * leaf, 2**31),
        "weight[0]": ("weight", 0, 0),
        "gain[2]": ("gain", 2, np.nan),
    }
    for place, (name, at, value) in broken.items():
        wrong = {**arrays, name: arrays[name].copy()}
        wrong[name][at] = value
        with pytest.raises(_core.InvalidInput, match=place.replace("[", r"\[").replace("]", r"\]")):
            _core.Forest.from_arrays(wrong, 3, False)


def test_a_model_alone_is_saved_and_loaded(classifier, tmp_path):
    forest = classifier[0].forest_
    save_model(tmp_path / "f.bough", {"a": 1}, forest)
    header, read = load_model(tmp_path / "f.bough")
    assert header == {"a": 1}
    assert arrays_of(read) == arrays_of(forest)
