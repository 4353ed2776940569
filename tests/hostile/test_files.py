"""Faults 60 and 62 to 65: model files that lie, are cut off or come from elsewhere; what loading does; copies.

Each bad file is a ModelFormatError that names the place, quickly. Fault 61, random mutants, has a file of its own.
"""

import copy
import gzip
import io
import json
import pickle
import sys
import time

import joblib
import numpy as np
import pytest
from sklearn.base import clone

import bough
from bough.errors import ModelFormatError
from bough.model.files import Limits, load_model, save_model


@pytest.fixture
def content(make_small, tmp_path):
    save_model(tmp_path / "whole", {"params": {}}, make_small(costs=np.ones((3, 3))))
    return json.loads((tmp_path / "whole").read_text())


@pytest.fixture
def refused(tmp_path):
    def check(data):
        path = tmp_path / "edited"
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode())
        start = time.process_time()
        with pytest.raises(ModelFormatError) as caught:
            load_model(path)
        assert time.process_time() - start < 10  # seconds where quadratic work would take hours
        assert len(str(caught.value)) < 500
        return caught.value

    return check


def put(content, path, value):
    """A copy of the content with one place changed."""
    edited = copy.deepcopy(content)
    *way, last = path
    target = edited
    for step in way:
        target = target[step]
    target[last] = value
    return edited


EDITS = [
    # structure: out of range, cycles, two parents, unreachable nodes
    (("tree", "parent", 3), 12, "$.tree.parent[3]"),
    (("tree", "parent", 3), 3, "$.tree.parent[3]"),
    (("tree", "parent", 3), -2, "$.tree.parent[3]"),
    (("tree", "parent", 3), -1, "$.tree.parent[3]"),
    (("tree", "parent", 0), 0, "$.tree.parent[0]"),
    (("tree", "parent", 10), 1, "$.tree.parent[10]"),
    (("tree", "parent", 3), 2**40, "$.tree.parent[3]"),
    (("tree", "parent"), [], "$.tree.parent"),
    (("tree", "parent"), [-1] * 3, "$.tree.parent[1]"),
    (("tree", "parent", 2), True, "$.tree.parent[2]"),
    (("tree", "parent", 2), 0.0, "$.tree.parent[2]"),
    (("tree", "parent", 2), "0", "$.tree.parent[2]"),
    (("tree", "parent", 2), None, "$.tree.parent[2]"),
    (("tree", "parent"), {"0": -1}, "$.tree.parent"),
    (("tree", "majority", 0), 2, "$.tree.majority[0]"),
    (("tree", "majority", 1), 0, "$.tree.majority[1]"),
    # splits
    (("tree", "split_column", 0), 5, "$.tree.split_column[0]"),
    (("tree", "split_column", 0), -1, "$.tree.split_column[0]"),
    (("tree", "split_column", 0), 2**31, "$.tree.split_column[0]"),
    (("tree", "split_column", 0), 1, "$.tree.split_kind[0]"),
    (("tree", "split_begin", 1), 99, "$.tree.split_begin[2]"),
    (("tree", "split_begin", 1), -1, "$.tree.split_begin[1]"),
    (("tree", "split_begin", 12), 10**15, "$.tree.split_begin[12]"),
    (("tree", "split_role", 0), 2, "$.tree.split_role[0]"),
    (("tree", "split_role", 1), 0, "$.tree.split_role[1]"),
    (("tree", "split_role", 1), 3, "$.tree.split_role[1]"),
    (("tree", "split_role", 1), 256, "$.tree.split_role[1]"),
    (("tree", "split_kind", 0), 1, "$.tree.split_threshold[0]"),
    (("tree", "split_low", 0), 2, "$.tree.split_low[0]"),
    (("tree", "split_side", 0), 7, "$.tree.split_side[0]"),
    (("tree", "split_value_type", 0), 3, "$.tree.split_value_type[0]"),
    (("tree", "split_value_type", 0), 1, "$.tree.split_threshold[0]"),
    (("tree", "split_found", 0), 99, "$.tree.split_found[0]"),
    (("tree", "split_threshold", 0), "nan", "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 0), None, "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 0), True, "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 0), 10**400, "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 0), [[]], "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 1), 3, "$.tree.split_threshold[1]"),
    (("tree", "split_threshold", 4), 3, "$.tree.split_threshold[4]"),
    (("tree", "split_threshold"), [], "$.tree.split_threshold"),
    (("tree", "split_score"), [], "$.tree.split_score"),
    (("tree", "split_score", 0), 10**400, "$.tree.split_score[0]"),
    (("tree", "set_code", 1), 4, "$.tree.set_code[1]"),
    (("tree", "set_code", 1), 0, "$.tree.set_code[1]"),
    (("tree", "set_branch", 0), 9, "$.tree.set_branch[0]"),
    (("tree", "set_begin", 1), 100, "$.tree.set_begin[2]"),
    (("tree", "set_begin"), [], "$.tree.set_begin"),
    # answers
    (("tree", "label", 0), 3, "$.tree.label[0]"),
    (("tree", "count_class", 0), 3, "$.tree.count_class[0]"),
    (("tree", "count_weight", 0), -1, "$.tree.count_weight[0]"),
    (("tree", "count_begin", 1), 100, "$.tree.count_begin[2]"),
    (("tree", "class_scale"), [1.0] * 1000, "$.tree.growth_scale"),
    (("tree", "growth_scale", 0), -1, "$.tree.growth_scale[0]"),
    (("tree", "class_scale"), [0.0] * 3, "$.tree.count_begin[0]"),
    (("tree", "class_scale"), [], "$.tree.count_begin"),
    (("tree", "value"), [0.0], "$.tree.value"),
    (("tree", "rows", 0), -5, "$.tree.rows[0]"),
    (("tree", "rows", 0), 2**63, "$.tree.rows[0]"),
    (("tree", "weight"), [1.0], "$.tree.weight"),
    (("tree", "weight", 0), "1", "$.tree.weight[0]"),
    (("tree", "routing", "fallback"), "error", "$.tree.routing.fallback"),
    (("tree", "routing", "unseen"), "dance", "$.tree.routing.unseen"),
    (("tree", "routing", "unseen"), [], "$.tree.routing.unseen"),
    (("tree", "routing", "surrogates"), 1, "$.tree.routing.surrogates"),
    # the rest of the file
    (("bough", "version"), [2, 0], "$.bough.version"),
    (("bough", "version"), [1, 99], "$.bough.version"),
    (("bough", "version"), [1, -1], "$.bough.version"),
    (("bough", "version"), [True, 0], "$.bough.version"),
    (("bough", "version"), "1.0", "$.bough.version"),
    (("bough", "file"), "forest", "$.bough.file"),
    (("bough", "library"), 1, "$.bough.library"),
    (("bough",), None, "$.bough.version"),
    (("header",), [], "$.header"),
    (("target",), 5, "$.target"),
    (("target",), "\udc80", "$.target"),
    (
        (
            "answer",
            "classes",
        ),
        None,
        "$.answer.classes",
    ),
    (("answer", "classes", "labels"), ["no", "no", "yes"], "$.answer.classes.labels"),
    (("answer", "classes", "labels"), ["no", "yes"], "$.answer.costs"),
    (("answer", "classes", "labels", 0), 5, "$.answer.classes.labels[0]"),
    (("answer", "classes", "labels", 0), {"type": "os.system", "text": "true"}, "$.answer.classes.labels[0]"),
    (("answer", "classes", "type"), "builtins.eval", "$.answer.classes.type"),
    (("answer", "classes", "type"), "datetime64[ns]", "$.answer.classes.type"),
    (("answer", "costs", 0), [0, 1], "$.answer.costs[0]"),
    (("answer", "costs", 0, 1), -1, "$.answer.costs[0]"),
    (
        (
            "answer",
            "costs",
        ),
        [[0]],
        "$.answer.costs",
    ),
    (("inputs", "schema", "columns", 0, "name"), 5, "$.inputs.schema.columns[0].name"),
    (("inputs", "schema", "columns", 0, "name"), "job", "$.inputs.schema.columns[1].name"),
    (("inputs", "schema", "columns", 0, "name"), "\ud800", "$.inputs.schema.columns[0].name"),
    (("inputs", "schema", "columns", 0, "dtype"), "complex", "$.inputs.schema.columns[0].dtype"),
    (("inputs", "schema", "columns", 1, "levels"), ["A"], "$.inputs.schema.columns[1].unused[0]"),
    (("inputs", "schema", "columns", 1, "levels"), ["A", "A", "B", "C"], "$.inputs.schema.columns[1].levels"),
    (("inputs", "schema", "columns"), [], "$.inputs.schema.columns"),
    (
        (
            "inputs",
            "schema",
        ),
        0,
        "$.inputs.schema",
    ),
    (("extra",), 0, "$"),
    (("tree", "extra"), 0, "$.tree"),
]


@pytest.mark.parametrize(("path", "value", "place"), EDITS)
def test_60_an_edit_is_refused_at_its_place(content, refused, path, value, place):
    assert refused(put(content, path, value)).place == place


# Splits of the tree of every kind: 0 intervals, 1 a competing conjunction, 2 conjunction, 3 threshold, 4 and 5 levels,
# 6 intervals of levels, 7 a surrogate, 8 no edges.
KIND_EDITS = [
    (("tree", "split_kind", 0), 4, "$.tree.split_threshold[0]"),
    (("tree", "split_kind", 0), 0, "$.tree.split_threshold[0]"),
    (("tree", "split_kind", 3), 2, "$.tree.split_threshold[3]"),
    (("tree", "split_threshold", 0), 1.5, "$.tree.split_threshold[0]"),
    (("tree", "split_threshold", 2), 0, "$.tree.split_threshold[2]"),
    (("tree", "split_missing", 0), 4, "$.tree.split_missing[0]"),
    (("tree", "split_missing", 0), -2, "$.tree.split_missing[0]"),
    (("tree", "split_missing", 0), 2**31, "$.tree.split_missing[0]"),
    (("tree", "split_missing", 0), None, "$.tree.split_missing[0]"),
    (("tree", "split_missing", 0), 1, "$.tree.edge_begin[1]"),
    (("tree", "split_missing", 3), 1, "$.tree.split_kind[3]"),
    (("tree", "split_missing", 7), 1, "$.tree.split_missing[7]"),
    (("tree", "split_missing"), [], "$.tree.edge_begin[1]"),
    (("tree", "split_missing"), [3], "$.tree.split_missing"),
    (("tree", "split_missing"), None, "$.tree.split_missing"),
    (("tree", "edge_begin"), [], "$.tree.edge_begin"),
    (("tree", "edge_begin", 1), 10**15, "$.tree.edge_begin[2]"),
    (("tree", "edge_begin", 4), 6, "$.tree.edge_begin[4]"),
    (("tree", "edge_type", 0), 3, "$.tree.edge_type[0]"),
    (("tree", "edge_type", 0), 1, "$.tree.edge_value[0]"),
    (("tree", "edge_type"), [], "$.tree.edge_value"),
    (("tree", "edge_value"), [], "$.tree.edge_value"),
    (("tree", "edge_value"), {}, "$.tree.edge_value"),
    (("tree", "edge_value", 0), "nan", "$.tree.edge_value[0]"),
    (("tree", "edge_value", 0), None, "$.tree.edge_value[0]"),
    (("tree", "edge_value", 0), True, "$.tree.edge_value[0]"),
    (("tree", "edge_value", 0), 10**400, "$.tree.edge_value[0]"),
    (("tree", "edge_value", 0), 65, "$.tree.edge_value[1]"),
    (("tree", "edge_value", 0), "inf", "$.tree.edge_value[1]"),
    (("tree", "edge_value", 3), 3, "$.tree.edge_value[3]"),
    (("tree", "edge_value", 2), -1, "$.tree.edge_value[2]"),
    (("tree", "interval_branch"), [], "$.tree.interval_branch"),
    (("tree", "interval_branch", 0), 4, "$.tree.interval_branch[0]"),
    (("tree", "interval_branch", 0), -1, "$.tree.interval_branch[0]"),
    (("tree", "interval_branch", 0), 1, "$.tree.edge_begin[1]"),
    (("tree", "interval_branch", 8), 1, "$.tree.edge_begin[4]"),
    (("tree", "term_begin"), [], "$.tree.term_begin"),
    (("tree", "term_begin", 1), 0, "$.tree.term_begin[1]"),
    (("tree", "term_begin", 1), 99, "$.tree.term_begin[2]"),
    (("tree", "term_column", 0), 2, "$.tree.split_column[1]"),
    (("tree", "term_column", 1), -1, "$.tree.term_column[1]"),
    (("tree", "term_column", 1), 4, "$.tree.term_column[1]"),
    (("tree", "term_column", 1), 0, "$.tree.term_column[1]"),
    (("tree", "term_column"), [], "$.tree.term_column"),
    (("tree", "term_code", 1), 2, "$.tree.term_code[1]"),
    (("tree", "term_code", 1), -1, "$.tree.term_code[1]"),
    (("tree", "term_negated", 1), 2, "$.tree.term_negated[1]"),
    (("tree", "term_negated"), [], "$.tree.term_negated"),
    (("tree", "split_low", 2), 2, "$.tree.split_low[2]"),
    (("tree", "split_side", 2), 1, "$.tree.split_side[2]"),
]


@pytest.mark.parametrize(("path", "value", "place"), KIND_EDITS)
def test_60_an_edit_of_any_kind_of_test_is_refused_at_its_place(make_kinds, tmp_path, refused, path, value, place):
    save_model(tmp_path / "whole", {}, make_kinds())
    content = json.loads((tmp_path / "whole").read_text())
    assert refused(put(content, path, value)).place == place


@pytest.mark.parametrize("name", ["header", "target", "kind", "criterion", "inputs", "answer", "tree"])
def test_60_a_key_that_is_missing(content, refused, name):
    del content[name]
    error = refused(content)
    assert error.place == "$"
    assert name in str(error)


def test_60_every_list_of_the_tree_is_needed_and_cannot_be_shortened_or_nested(content, refused):
    for name in content["tree"]:
        edited = copy.deepcopy(content)
        del edited["tree"][name]
        assert refused(edited).place == "$.tree"
        if name != "routing" and content["tree"][name]:
            refused(put(content, ("tree", name), content["tree"][name][:-1]))
            assert refused(put(content, ("tree", name, 0), [0])).place == f"$.tree.{name}[0]"


def test_63_a_newer_version_is_refused_with_a_sentence_that_helps(content, refused):
    newer = put(content, ("bough",), {"file": "model", "version": [7, 3], "library": "9.1", "more": []})
    newer["new"] = {}
    message = str(refused(newer))
    assert "format 7.3" in message
    assert "9.1" in message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"bough":',
        b'{"bough":}',
        b'{"bough":1}',
        b'{"bough":1}x',
        b"\xef\xbb\xbf" + b'{"bough":1}',
        '{"bough":1}'.encode("utf-16"),
        b'{"bough":"\xff"}',
        b'{"bough":1,"bough":2}',
        b'{"bough":NaN}',
        b'{"bough":Infinity}',
        b'{"bough":-Infinity}',
        b'{"bough":1e999}',
        b'{"bough":' + b"9" * 100_000 + b"}",
        b'{"bough":' + b"[" * 10_000_000,
        b'{"bough":' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"bough":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"bough":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
        b"\x80\x04\x95",
        b"null",
        b" " * 1_000_000,
        b'{"bough":' + b" " * 1_000_000,
    ],
)
def test_62_what_is_no_model_file(refused, data):
    refused(data)


def test_62_other_peoples_files_are_refused_by_their_first_bytes(refused, tmp_path):
    assert "not a model file" in str(refused(gzip.compress(b"{" + b" " * 100_000_000)))
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b"[" * 4096)
        file.truncate(2**40)  # a terabyte that takes no place
    with pytest.raises(ModelFormatError, match="not a model file"):
        load_model(path)


def test_62_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b'{"bough":')
        file.truncate(2**31)
    with pytest.raises(ModelFormatError, match="more than 1000000 bytes"):
        load_model(path, limits=Limits(max_bytes=1_000_000))


def test_62_every_cut_off_file_is_refused(content, refused):
    data = json.dumps(content).replace(" ", "").encode()
    for length in range(0, len(data), 97):
        refused(data[:length])


def test_62_duplicate_keys_are_found_quickly(refused):
    keys = b",".join(b'"k%d":0' % k for k in range(100_000))
    assert "twice" in str(refused(b'{"bough":{' + keys + b',"k99999":1}}'))


def test_64_reading_imports_runs_and_opens_nothing_else(small, tmp_path):
    """An audit hook cannot be removed: it looks away when the test is over."""
    path = tmp_path / "m"
    save_model(path, {}, small)
    load_model(path)
    watching, seen = True, []

    def hook(event, args):
        if watching and event in (
            "import",
            "exec",
            "compile",
            "open",
            "os.system",
            "subprocess.Popen",
            "pickle.find_class",
        ):
            seen.append((event, args))

    sys.addaudithook(hook)
    load_model(path)
    watching = False
    assert [event for event, _ in seen] == ["open"]
    assert str(seen[0][1][0]) == str(path)


# 63: files of past releases are read in tests/model/test_golden.py

# 65: copies


def through_joblib(model):
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    return joblib.load(buffer)


def through_cloudpickle(model):
    cloudpickle = pytest.importorskip("cloudpickle")
    return cloudpickle.loads(cloudpickle.dumps(model))


COPIES = [lambda model: pickle.loads(pickle.dumps(model)), through_joblib, through_cloudpickle, copy.deepcopy]


@pytest.fixture
def mixed():
    """Numbers, levels, dates and holes, and both kinds of target."""
    rng = np.random.default_rng(65)
    n = 400
    X = {
        "size": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "colour": rng.choice(["red", "green", "blue", None], n).tolist(),
        "day": np.datetime64("2026-01-01") + rng.integers(0, 365, n),
    }
    score = np.nan_to_num(X["size"]) + np.array([c == "red" for c in X["colour"]]) + 0.3 * rng.normal(size=n)
    return X, score


@pytest.mark.parametrize("make_copy", COPIES)
def test_65_copies_answer_with_the_same_bits(mixed, estimator, make_copy):
    X, y = mixed
    y = np.where(y > 0, "high", "low") if hasattr(estimator, "predict_proba") else y
    model = estimator.set_params(pruning="cross_validated").fit(X, y)
    again = make_copy(model)
    answers = ["predict", "apply"] + ["predict_proba"] * hasattr(model, "predict_proba")
    for name in answers:
        assert getattr(again, name)(X).tobytes() == getattr(model, name)(X).tobytes()
    assert again.get_params() == model.get_params()
    assert again.tree_ == model.tree_


def test_65_a_file_and_a_clone_fitted_again_answer_with_the_same_bits(mixed, estimator, tmp_path):
    X, y = mixed
    y = np.where(y > 0, "high", "low") if hasattr(estimator, "predict_proba") else y
    model = estimator.fit(X, y)
    model.save(tmp_path / "model")
    for again in (bough.load(tmp_path / "model"), clone(model).fit(X, y)):
        assert again.predict(X).tobytes() == model.predict(X).tobytes()
        assert again.tree_ == model.tree_
