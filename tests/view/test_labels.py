"""The words of drawings: conditions without the name of their column, routes of missing values, long texts."""

import numpy as np
import pytest

import bough
from bough.view.labels import branch_label, missing_mark, node_answer, shorten, split_title, wrap
from bough.view.palette import CLASSES, REST, class_colors, grey_of, value_color


def grown(estimator, X, y):
    return estimator.fit(X, y).tree_


def test_sets_of_levels_are_folded_with_a_count():
    levels = [f"level {k:02d}" for k in range(60)]
    tree = grown(bough.CARTClassifier(), {"c": levels * 4}, [k < 30 for k in range(60)] * 4)
    labels = {branch_label(tree.root, k, max_levels=2) for k in (0, 1)}
    assert labels == {"level 00, level 01, … 28 more", "level 30, level 31, … 28 more"}


def test_intervals_are_in_brackets():
    x = np.repeat(np.arange(30.0), 4)
    tree = grown(bough.CHAIDClassifier(), {"x": x}, (x // 10).astype(int))
    texts = [branch_label(tree.root, k) for k in range(len(tree.root.children))]
    assert texts[0].startswith("<=")
    assert texts[-1].startswith(">")
    assert all(text[0] + text[-1] in {"(]", "[)"} for text in texts[1:-1])


def test_missing_values_are_marked_where_they_go():
    x = [None, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] * 6
    y = [0, 0, 0, 0, 1, 1, 1, 1] * 6
    tree = grown(bough.C45Classifier(), {"x": x}, y)
    assert [missing_mark(tree.root, k) for k in (0, 1)] == ["parts", "parts"]
    tree = grown(bough.CARTClassifier(), {"x": x, "z": y}, y)
    marks = {missing_mark(tree.root, k) for k in (0, 1)}
    assert marks in ({"", "all"}, {"", "rest"})


def test_a_leaf_asks_nothing():
    tree = grown(bough.CARTClassifier(), {"x": [1, 2]}, ["a", "b"])
    assert split_title(tree.root) == ""
    assert node_answer(tree.root) == "a"
    with pytest.raises(IndexError):
        branch_label(tree.root, 0)


def test_texts_are_cut_to_size():
    assert len(shorten("x" * 1_000_000, 20)) == 20
    assert all(len(line) <= 10 for line in wrap("word " * 100_000 + "x" * 50, 10, 3))
    assert len(wrap("word " * 100_000, 10, 3)) == 3
    assert wrap("short", 10, 3) == ["short"]


def test_neighbouring_colours_differ_in_grey():
    greys = np.array([grey_of(color) for color in CLASSES])
    assert (np.abs(np.diff(greys[:4])) > 0.2).all()
    assert (np.diff(np.sort(greys)) > 0.02).all()
    values = [grey_of(value_color(share)) for share in np.linspace(0, 1, 30)]
    assert (np.diff(values) < 0).all()


def test_the_most_frequent_of_many_classes_have_colours():
    y = [k for k in range(19) for _ in range(k + 1)]
    colors = class_colors(grown(bough.CARTClassifier(), {"x": list(range(len(y)))}, y))
    assert colors.named == tuple(range(18, 10, -1))
    assert colors.colors[18] == CLASSES[0]
    assert {colors.colors[k] for k in colors.rest} == {REST}


# What light of the three primaries becomes without one kind of cone, in linear RGB (Machado, Oliveira, Fernandes 2009).
BLINDNESS = {
    "none": np.eye(3),
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]


@pytest.mark.parametrize("kind", BLINDNESS)
def test_all_colours_differ_for_any_colour_vision(kind):
    share = np.array([[int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)] for color in CLASSES])
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(light @ np.array(BLINDNESS[kind]).T, 0, 1)
    f = np.cbrt(seen @ np.array(XYZ).T / [0.95047, 1, 1.08883])  # CIELAB; all colours are light enough for the root
    lab = np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2) + 1e3 * np.eye(len(lab))
    assert apart.min() > 15
