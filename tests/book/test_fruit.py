"""Fruit told apart by properties (Duda, Hart, Stork 2001, section 8.2): the tree, its binary form and a cut by hand."""

import numpy as np
import pytest

from bough import _core
from bough.datasets import load_fruit
from bough.model import Tree
from bough.table import Column, Schema

LEVELS = {
    "color": ("green", "yellow", "red"),
    "size": ("big", "medium", "small"),
    "shape": ("round", "thin"),
    "taste": ("sweet", "sour"),
}
CLASSES = ["Apple", "Banana", "Cherry", "Grape", "Grapefruit", "Lemon", "Watermelon"]
TREE = {
    "color": {
        "green": {"size": {"big": "Watermelon", "medium": "Apple", "small": "Grape"}},
        "yellow": {"shape": {"round": {"size": {"big": "Grapefruit", "small": "Lemon"}}, "thin": "Banana"}},
        "red": {"size": {"medium": "Apple", "small": {"taste": {"sweet": "Cherry", "sour": "Grape"}}}},
    }
}


@pytest.fixture
def fruit():
    """The tree of the text, node by node."""
    builder = _core.TreeBuilder([1.0] * len(CLASSES), (False, 2, 0, 0))
    columns = list(LEVELS)
    number = 0
    todo = [(-1, 0, TREE)]
    while todo:
        parent, branch, below = todo.pop()
        names = list(leaves(below))
        counts = [(k, float(names.count(name))) for k, name in enumerate(CLASSES) if name in names]
        label = max(counts, key=lambda count: count[1])[0]
        builder.add_node(parent, branch, label=label, counts=counts, rows=len(names), weight=float(len(names)))
        if isinstance(below, dict):
            ((column, ways),) = below.items()
            codes = [LEVELS[column].index(level) for level in ways]
            order = sorted(range(len(codes)), key=codes.__getitem__)
            builder.add_levels(columns.index(column), [codes[k] for k in order], order)
            todo.extend((number, k, way) for k, way in reversed(list(enumerate(ways.values()))))
        number += 1
    schema = Schema(tuple(Column(name, "nominal", "levels", levels) for name, levels in LEVELS.items()))
    return Tree(builder.freeze(), schema, np.array(CLASSES), target="fruit")


def leaves(below):
    if not isinstance(below, dict):
        yield below
        return
    for ways in below.values():
        for way in ways.values():
            yield from leaves(way)


def test_the_tree_is_the_one_of_the_text(fruit, nested):
    assert nested(fruit.root) == TREE
    data = load_fruit()
    assert fruit.labels(fruit.apply(data.data)).tolist() == list(data.target)


def test_a_sweet_yellow_thin_medium_fruit_is_a_banana_for_two_reasons(fruit):
    one = {"color": ["yellow"], "size": ["medium"], "shape": ["thin"], "taste": ["sweet"]}
    (node,) = fruit.apply(one).tolist()
    assert fruit.node(node).answer == "Banana"
    way = []
    at = fruit.node(node)
    while at.parent is not None:
        way.append(at.condition)
        at = at.parent
    assert way[::-1] == ["color in {yellow}", "shape in {thin}"]


def test_an_apple_is_of_medium_size_and_not_yellow(fruit):
    apples = [node for node in fruit if node.is_leaf and node.answer == "Apple"]
    assert [(node.parent.condition, node.condition) for node in apples] == [
        ("color in {green}", "size in {medium}"),
        ("color in {red}", "size in {medium}"),
    ]
    data = load_fruit()
    for color, size, name in zip(data.data["color"], data.data["size"], data.target, strict=True):
        assert (name == "Apple") == (size == "medium" and color != "yellow")


def test_the_binary_tree_asks_for_green_then_for_yellow(fruit):
    binary = fruit.to_binary()
    assert all(len(node.children) in (0, 2) for node in binary)
    green = binary.root.split
    yellow = binary.root.children[1].split
    assert green.levels == (("green",), ("yellow", "red"))
    assert yellow.levels == (("yellow",), ("red",))
    assert [node.split.levels[0] for node in binary if node.split and node.split.column == "size"] == [
        ("big",),
        ("medium",),
        ("big",),
        ("medium",),
    ]
    data = load_fruit()
    assert binary.labels(binary.apply(data.data)).tolist() == list(data.target)
    assert binary.n_leaves == fruit.n_leaves


def test_cut_by_hand_at_yellow(fruit):
    smaller, log, _ = fruit.prune_at((1,))
    assert smaller.node((1,)).is_leaf
    assert [entry[:2] for entry in log] == [((1,), "leaf")]
