"""The kernel's tree as Python sees it: views, arrays in and out, pickling, and what is refused."""

import gc
import pickle

import numpy as np
import pytest

from bough import _core

ROUTING = (True, 1, 0, 0)


def stump() -> _core.Tree:
    builder = _core.TreeBuilder([1.0, 2.0], ROUTING)
    builder.add_node(-1, 0, label=0, counts=[(0, 3.0), (1, 2.0)], rows=5, weight=5.0, majority=0)
    builder.add_threshold(0, 0.5, score=0.1)
    builder.add_levels(1, [0, 1, 5], [0, 1, 0], role=2, score=0.9, adjusted=0.5)
    builder.add_node(0, 0, label=0, counts=[(0, 3.0)])
    builder.add_node(0, 1, label=1, counts=[(1, 2.0)])
    return builder.freeze()


def same(a: _core.Tree, b: _core.Tree) -> bool:
    x, y = a.to_arrays(), b.to_arrays()
    return a.routing == b.routing and all(np.array_equal(x[k], y[k]) for k in x)


def test_views_are_read_only_and_outlive_the_tree():
    tree = stump()
    parent = tree.parent
    with pytest.raises(ValueError, match="read-only"):
        parent[0] = 3
    expected = parent.tolist()
    del tree
    gc.collect()
    assert parent.tolist() == expected == [-1, 0, 0]


def test_arrays_make_the_same_tree():
    tree = stump()
    arrays = tree.to_arrays()
    assert same(_core.Tree.from_arrays(arrays, tree.routing), tree)
    whole = arrays | {name: getattr(tree, name) for name in ("branch", "end", "child_begin", "children")}
    assert same(_core.Tree.from_arrays(whole, tree.routing), tree)


def test_strided_arrays_are_read_as_they_are():
    arrays = stump().to_arrays()
    arrays["rows"] = np.repeat(arrays["rows"], 2)[::2]
    assert same(_core.Tree.from_arrays(arrays, ROUTING), stump())


def test_a_pickle_gives_the_same_tree_and_the_same_bytes():
    tree = stump()
    data = pickle.dumps(tree)
    again = pickle.loads(data)
    assert same(tree, again)
    assert pickle.dumps(again) == data


@pytest.mark.parametrize(
    ("name", "values", "place"),
    [
        ("parent", np.array([-1, 0, 5], "i4"), r"parent\[2\]"),
        ("end", np.array([3, 2, 2], "i4"), r"end\[2\]"),
        ("rows", np.array([5, 3], "i8"), "rows"),
        ("nonsense", np.array([5, 3], "i8"), "arrays"),
    ],
)
def test_bad_arrays_are_refused_with_their_place(name, values, place):
    arrays = stump().to_arrays() | {name: values}
    with pytest.raises(_core.InvalidInput, match=f"^{place}: "):
        _core.Tree.from_arrays(arrays, ROUTING)


def test_missing_arrays_types_and_routing():
    arrays = stump().to_arrays()
    with pytest.raises(_core.InvalidInput, match=r"^weight: is missing"):
        _core.Tree.from_arrays({k: v for k, v in arrays.items() if k != "weight"}, ROUTING)
    with pytest.raises(TypeError, match="parent: expected a one-dimensional numpy array of int32"):
        _core.Tree.from_arrays(arrays | {"parent": arrays["parent"].astype("i8")}, ROUTING)
    with pytest.raises(_core.InvalidInput, match=r"^routing\.fallback: "):
        _core.Tree.from_arrays(arrays, (True, 3, 0, 0))
    with pytest.raises(_core.InvalidInput, match=r"^routing\.unseen: "):
        _core.Tree.from_arrays(arrays, (True, 1, 0, 77))
    with pytest.raises(_core.InvalidInput, match=r"^routing\.absent: expected missing, majority or stop"):
        _core.Tree.from_arrays(arrays, (True, 4, 4, 0))


def test_the_schema_is_checked_apart():
    tree = stump()
    tree.check_columns([0, 2], [0, 6])
    with pytest.raises(_core.InvalidInput, match=r"^set_code\[2\]: "):
        tree.check_columns([0, 2], [0, 5])
    with pytest.raises(_core.InvalidInput, match=r"^split_column\[1\]: "):
        tree.check_columns([0], [0])


@pytest.mark.parametrize("threshold", [0.5, -0.0, float("inf"), 2**53 + 1, -(2**63), 2**64 - 1])
def test_thresholds_keep_their_type_and_value(threshold):
    builder = _core.TreeBuilder()
    builder.add_node(-1, 0, value=0.0)
    builder.add_threshold(0, threshold)
    builder.add_node(0, 0, value=0.0)
    builder.add_node(0, 1, value=0.0)
    tree = builder.freeze()
    kind = ["f8", "i8", "u8"][tree.split_value_type[0]]
    assert tree.split_payload.view(kind)[0] == threshold
    assert (kind == "f8") == isinstance(threshold, float)


def test_the_builder_says_what_it_expects():
    builder = _core.TreeBuilder()
    with pytest.raises(_core.InvalidInput, match="a label and counts"):
        builder.add_node(-1, 0)
    builder.add_node(-1, 0, value=0.0)
    with pytest.raises(_core.InvalidInput, match="64 bits"):
        builder.add_threshold(0, 2**64)
    with pytest.raises(TypeError, match="a float or an int"):
        builder.add_threshold(0, "1")
    with pytest.raises(_core.InvalidInput, match="side"):
        builder.add_threshold(0, 1.0, side=2)


def test_cutting_returns_a_new_tree_and_its_origin():
    tree = stump()
    cut, origin = tree.cut([0])
    assert origin.tolist() == [0]
    assert len(cut) == 1
    assert len(tree) == 3
    assert cut.majority.tolist() == [-1]
