"""Model files: what is written is what is read, and an interrupted write leaves the old file."""

import json
import os
import re
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from bough import _core
from bough.errors import DataError, ModelFormatError
from bough.model import Tree
from bough.model.files import Limits, load_model, save_model
from bough.model.format import VERSION
from bough.table import Column, OtherLabel, Schema

FORMAT = Path(__file__).parents[2] / "docs" / "format"
HEADER = {"estimator": "none", "params": {"a": [1, None, "ü"]}}


def names(folder):
    return [path.name for path in folder.iterdir()]


def again(tree, folder, header=HEADER):
    path = folder / "model.json"
    save_model(path, header, tree)
    return load_model(path)


def test_a_round_trip_gives_an_equal_tree(small, tmp_path):
    header, tree = again(small, tmp_path)
    assert tree == small
    assert header == HEADER
    assert names(tmp_path) == ["model.json"]


def test_writing_twice_gives_the_same_bytes(small, tmp_path):
    save_model(tmp_path / "a", HEADER, small)
    save_model(tmp_path / "b", *load_model(tmp_path / "a"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_kind_of_test_is_kept(make_kinds, tmp_path):
    for routing in ((True, 1, 0, 0), (False, 4, 2, 3)):
        tree = make_kinds(routing)
        loaded = again(tree, tmp_path)[1]
        assert loaded == tree
        assert loaded.kernel.split_missing.tolist() == [3, 2, 1, 2, 2, 1, -1, -1, 1]


def test_sums_of_columns_and_models_of_leaves_are_kept(small, tmp_path):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.5)
    builder.set_model(0.1 + 0.2, [(0, -1, 0.0, 1.5, 0.0, 0)])
    builder.add_threshold(0, -0.0, found=16)
    builder.ask_sum([(0, -1, 1 / 3, 0.5, 2.0, -(2**62)), (1, 0, -1e300, 0.25, 5e-324, 0)], whole=True)
    builder.add_node(0, 0, value=1.0)
    builder.add_node(0, 1, value=2.0)
    columns = (Column("x", "numeric", "int64"), Column("level", "nominal", "levels", ("a", "b")))
    tree = Tree.by_hand(builder.freeze(), Schema(columns))
    kept = again(tree, tmp_path)[1].kernel.to_arrays()
    assert all((kept[name] == array).all() for name, array in tree.kernel.to_arrays().items())
    content = json.loads((tmp_path / "model.json").read_text())
    jsonschema.validate(content, json.loads((FORMAT / "model-1.schema.json").read_text()))
    page = (FORMAT / "model-1.md").read_text()
    assert all(re.search(rf"`[^`]*\b{name}\b", page) for name in content["tree"])
    assert content["bough"]["version"] == list(VERSION)
    del content["tree"]["lin_fill"]
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(ModelFormatError, match="'lin_fill' is missing"):
        load_model(tmp_path / "model.json")
    save_model(tmp_path / "model.json", HEADER, small)
    assert json.loads((tmp_path / "model.json").read_text())["bough"]["version"] == list(VERSION)


@pytest.mark.parametrize("edges", [[-0.5, 0, 2**53 + 1, 1e300], [-(2**63), 2**63 - 1, 2**63, 2**64 - 1, float("inf")]])
def test_edges_keep_type_and_value(edges, tmp_path):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_intervals(0, edges, list(range(len(edges) + 1)), side=1)
    for branch in range(len(edges) + 1):
        builder.add_node(0, branch, value=0.0)
    tree = Tree.by_hand(builder.freeze(), Schema((Column("x", "numeric", "float64"),)))
    assert again(tree, tmp_path)[1] == tree


def test_the_file_is_ascii_and_follows_the_published_schema(small, make_kinds, make_chain, tmp_path):
    schema = json.loads((FORMAT / "model-1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for tree in (small, make_kinds(), make_chain(3)):
        save_model(tmp_path / "m", HEADER, tree)
        data = (tmp_path / "m").read_bytes()
        assert data.isascii()
        assert data.startswith(b'{"bough":')
        jsonschema.validate(json.loads(data), schema)


def one_split(threshold, column=None, **more):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.1 + 0.2)
    builder.add_threshold(0, threshold, **more)
    builder.add_node(0, 0, value=1e-310)
    builder.add_node(0, 1, value=-0.0)
    return Tree.by_hand(builder.freeze(), Schema((column or Column("x", "numeric", "float64"),)))


@pytest.mark.parametrize(
    "threshold",
    [
        0.1,
        -0.0,
        5e-324,
        1.7e308,
        float("inf"),
        float("-inf"),
        0,
        2**53 + 1,
        -(2**63),
        2**63,
        2**64 - 1,
        np.nextafter(1, 2),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_thresholds_keep_type_value_and_side(threshold, side, tmp_path):
    tree = one_split(threshold if isinstance(threshold, int) else float(threshold), side=side, low=1)
    assert again(tree, tmp_path)[1] == tree


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["a", "b\n\u2028'\"</script>"]),
        np.array(["", "nan"], dtype=object),
        np.array([1, "1"], dtype=object),
        np.array([False, True]),
        np.array([-1, 1], "i1"),
        np.array([2**63, 2**64 - 1], "u8"),
        np.array([0.5, 1.5], "f4"),
        np.array([b"x", b"y"]),
        np.array([date(2020, 1, 1), date(2020, 1, 2)], dtype=object),
        np.array([OtherLabel("Interval", "(0, 1]"), OtherLabel("Interval", "(1, 2]")], dtype=object),
    ],
)
def test_classes_keep_their_type(classes, tmp_path):
    builder = _core.TreeBuilder([1.0, 1.0])
    builder.add_node(-1, 0, label=1, counts=[(1, 1.0)])
    tree = Tree.by_hand(builder.freeze(), Schema((Column("x", "numeric", "float64"),)), classes)
    loaded = again(tree, tmp_path)[1]
    assert loaded.classes.dtype.kind == classes.dtype.kind
    assert loaded == tree


def test_a_class_that_cannot_be_written_is_refused_on_saving(tmp_path):
    builder = _core.TreeBuilder([1.0, 1.0])
    builder.add_node(-1, 0, label=1, counts=[(1, 1.0)])
    kernel = builder.freeze()
    schema = Schema((Column("x", "numeric", "float64"),))
    for classes in (np.array(["2020-01-01", "2020-01-02"], "M8[D]"), np.array([{1}, {2}], dtype=object)):
        with pytest.raises((DataError, TypeError)):
            save_model(tmp_path / "m", {}, Tree.by_hand(kernel, schema, classes))
    with pytest.raises(DataError, match="half a character"):
        save_model(tmp_path / "m", {}, Tree.by_hand(kernel, schema, np.array(["a", "b"]), target="\udcff"))
    for header in ({"x": float("nan")}, {"x": object()}):
        with pytest.raises(DataError, match="cannot be written"):
            save_model(tmp_path / "m", header, Tree.by_hand(kernel, schema, np.array(["a", "b"])))
    assert names(tmp_path) == []


def test_names_and_levels_of_any_kind(tmp_path):
    levels = ("", "nan", "1", 1, True, 2.5, 'quote"', "new\nline", "😀", "x" * 1_000_000, date(2020, 1, 1), b"\0")
    schema = Schema((Column("naïve\t\x00", "nominal", "levels", levels, unused=(3,)), Column("x", "numeric", "null")))
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_levels(0, list(range(len(levels))), [k % 2 for k in range(len(levels))])
    builder.add_node(0, 0, value=0.0)
    builder.add_node(0, 1, value=0.0)
    tree = Tree.by_hand(builder.freeze(), schema, target="🌳")
    assert again(tree, tmp_path)[1] == tree


def test_costs_and_routing(make_small, tmp_path):
    costs = np.array([[0, 1, 2.5], [10, 0, 1], [1, 1, 0]])
    for routing in ((True, 1, 0, 0), (False, 2, 2, 3), (True, 2, 1, 1), (False, 4, 0, 3)):
        tree = make_small(routing, costs=costs)
        assert again(tree, tmp_path)[1] == tree


def test_a_chain_of_100_000(chain, tmp_path):
    assert again(chain, tmp_path)[1] == chain


def test_limits_can_be_set(make_chain, tmp_path):
    path = tmp_path / "m"
    save_model(path, {"a": "x" * 50}, make_chain(10))
    size = path.stat().st_size
    load_model(path, limits=Limits(max_bytes=size, max_nodes=21, max_depth=10, max_text=50))
    for limits, problem in (
        (Limits(max_bytes=size - 1), "bytes"),
        (Limits(max_nodes=20), "nodes"),
        (Limits(max_depth=9), "deep"),
        (Limits(max_text=49), "characters"),
    ):
        with pytest.raises(ModelFormatError, match=problem):
            load_model(path, limits=limits)


def test_a_symbolic_link_stays_one(small, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "m")
    save_model(tmp_path / "link", HEADER, small)
    assert (tmp_path / "link").is_symlink()
    assert load_model(tmp_path / "real" / "m")[1] == small


def test_permissions_follow_the_umask(small, tmp_path):
    before = os.umask(0o027)
    try:
        save_model(tmp_path / "m", HEADER, small)
    finally:
        os.umask(before)
    assert (tmp_path / "m").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_no_other(small, tmp_path, monkeypatch, call):
    path = tmp_path / "m"
    save_model(path, HEADER, small)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (Path, "replace")), full)
    with pytest.raises(OSError, match="No space left"):
        save_model(path, {"other": 1}, small)
    assert path.read_bytes() == before
    assert names(tmp_path) == ["m"]


def test_a_killed_write_leaves_the_old_file(small, tmp_path):
    path = tmp_path / "m"
    save_model(path, HEADER, small)
    before = path.read_bytes()
    program = (
        "import os, signal, sys\n"
        "from bough.model.files import load_model, save_model\n"
        "header, tree = load_model(sys.argv[1])\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "save_model(sys.argv[1], {'new': 1}, tree)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode == -9
    assert path.read_bytes() == before
    assert load_model(path)[1] == small


def test_many_writers_at_once_leave_one_whole_file(small, tmp_path):
    path = tmp_path / "m"
    writers = [threading.Thread(target=save_model, args=(path, {"n": k}, small)) for k in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert load_model(path)[1] == small
    assert names(tmp_path) == ["m"]


def test_the_page_names_every_field(small, tmp_path):
    page = (FORMAT / "model-1.md").read_text()
    save_model(tmp_path / "m", HEADER, small)
    content = json.loads((tmp_path / "m").read_text())
    for name in [*content, *content["tree"], *content["tree"]["routing"]]:
        assert re.search(rf"`[^`]*\b{name}\b", page), f"docs/format/model-1.md does not mention {name}"


@pytest.mark.parametrize("name", ["nowhere/model.json", "folder"])
def test_a_file_that_cannot_be_written_is_called_by_the_users_name(small, tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"model\.json|folder") as caught:
        save_model(tmp_path / name, {}, small)
    assert caught.value.filename == str(tmp_path / name)
    assert "tmp'" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
