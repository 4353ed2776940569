"""The picture of a tree with matplotlib: nothing overlaps or is cut, by the extents that the renderer gives."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text

import bough
from bough.view.metrics import text_width


def texts_of(ax):
    """The texts of a drawing and their extents in pixels, by the renderer."""
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    texts = [text for text in ax.findobj(Text) if text.get_visible() and text.get_text()]
    return texts, [text.get_window_extent(renderer) for text in texts]


def assert_readable(ax):
    """No text overlaps another one or leaves the figure."""
    texts, boxes = texts_of(ax)
    width, height = ax.figure.canvas.get_width_height()
    x0, y0, x1, y1 = (np.array([getattr(box, name) for box in boxes]) for name in ("x0", "y0", "x1", "y1"))
    assert (x0 >= -0.5).all()
    assert (y0 >= -0.5).all()
    assert (x1 <= width + 0.5).all()
    assert (y1 <= height + 0.5).all()
    room = 0.5  # pixels by which anti-aliased edges may touch
    overlap = (
        (x0[:, None] < x1[None] - room)
        & (x1[:, None] > x0[None] + room)
        & (y0[:, None] < y1[None] - room)
        & (y1[:, None] > y0[None] + room)
    )
    np.fill_diagonal(overlap, False)
    pairs = [(texts[i].get_text(), texts[j].get_text()) for i, j in zip(*np.nonzero(overlap), strict=True)]
    assert not pairs


@pytest.mark.parametrize("dpi", [60, 100, 150, 300])
def test_texts_are_no_wider_on_any_screen_than_their_boxes_allow(dpi):
    X, y = bough.datasets.load("penguins").xy()
    ax = bough.draw(bough.CARTClassifier().fit(X, y), "axes")
    ax.figure.set_dpi(dpi)
    for text, box in zip(*texts_of(ax), strict=True):
        wide = text_width(text.get_text(), text.get_fontsize(), bold=text.get_fontweight() == "bold")
        assert box.width * 72 / dpi <= 1.005 * wide + 72 / dpi


HOSTILE = [
    "</script>",
    "$x_1^",
    "$\\frac{a$",
    "two\nlines",
    "😀 中文",
    "W" * 59,
    "y" * 100_000,
    "{}%s\\",
    "\x00\x1b",
    " ",
]


@pytest.mark.parametrize("orientation", ["down", "right", "auto"])
@pytest.mark.parametrize("n_branches", [2, 5, 9])
def test_hostile_names_are_readable(orientation, n_branches, tree_of_names):
    tree = tree_of_names(HOSTILE[0], HOSTILE[:n_branches])
    assert_readable(bough.draw(tree, "axes", orientation=orientation, title="$a$ & <b>"))


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_random_trees_are_readable(orientation):
    rng = np.random.default_rng(len(orientation))
    names = np.array([f"{'long ' * int(k % 4)}level {k}" for k in range(40)])
    table = {"number": rng.normal(size=800), "a nominal column": names[rng.integers(0, 40, 800)]}
    table["z"] = np.where(rng.random(800) < 0.2, np.nan, rng.normal(size=800))
    y = (np.nan_to_num(table["z"]) + table["number"] * rng.normal(size=800) * 2).round().clip(-2, 2)
    for estimator in (bough.CARTClassifier(pruning=0.002), bough.C45Classifier(), bough.CARTRegressor(pruning=0.005)):
        tree = estimator.fit(table, y if "Regressor" in type(estimator).__name__ else y.astype(int).astype(str)).tree_
        assert_readable(bough.draw(tree, "axes", orientation=orientation, max_leaves=25))
        assert_readable(bough.draw(tree, "axes", orientation=orientation))


def test_text_is_inside_its_card():
    X, y = bough.datasets.load("penguins").xy()
    ax = bough.draw(bough.CARTClassifier(pruning=0.01).fit(X, y), "axes")
    texts, boxes = texts_of(ax)
    renderer = ax.figure.canvas.get_renderer()
    cards = [p.get_window_extent(renderer) for p in ax.patches if type(p).__name__ == "FancyBboxPatch"]
    answers = [
        box for text, box in zip(texts, boxes, strict=True) if text.get_fontweight() == "bold" and box.width > 12
    ]
    assert len(cards) == 7
    assert len(answers) >= 7
    for box in answers:
        assert any(c.x0 <= box.x0 and box.x1 <= c.x1 and c.y0 <= box.y0 and box.y1 <= c.y1 for c in cards)


def test_it_is_drawn_into_given_axes_to_their_size():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier().fit(X, y)
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), dpi=80)
    assert bough.draw(clf, "axes", ax=left) is left
    assert bough.draw(clf, "axes", ax=right, orientation="right") is right
    assert_readable(left)
    assert len(plt.get_fignums()) == 1
    assert figure.axes == [left, right]


def test_what_does_not_fit_given_axes_is_folded():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier(pruning=None, min_samples_leaf=1, min_samples_split=2).fit(X, y)
    ax = bough.draw(clf, "axes", ax=plt.figure(figsize=(4, 3)).add_axes((0, 0, 1, 1)))
    assert min(text.get_fontsize() for text in texts_of(ax)[0]) > 5


def test_settings_of_the_user_change_neither_fonts_nor_places():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier().fit(X, y)
    plt.rcParams.update({"font.size": 30, "font.family": "serif", "text.color": "red", "axes.grid": True})
    ax = bough.draw(clf, "axes")
    assert_readable(ax)
    assert {text.get_fontfamily()[0] for text in texts_of(ax)[0]} == {"DejaVu Sans"}


def test_densities_of_given_rows_are_drawn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = X[:, 0] + rng.normal(size=300)
    ax = bough.draw(bough.CARTRegressor().fit(X, y), "axes", X=X, y=y)
    assert sum(type(patch).__name__ == "Polygon" for patch in ax.patches) >= 3
    assert any("density" in text.get_text() for text in texts_of(ax)[0])


def test_a_chain_of_a_hundred_thousand_tests_is_drawn(chain):
    assert_readable(bough.draw(chain, "axes"))


def test_the_package_is_imported_without_matplotlib():
    code = "import bough, sys; bough.plot, bough.view; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    tree = bough.CARTClassifier().fit({"x": [1, 2]}, ["a", "b"]).tree_
    with pytest.raises(ImportError, match=r'pip install "bough\[plot\]"'):
        bough.draw(tree, "axes")


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_axes_are_returned_and_written_in_the_form_of_the_name(form, tmp_path):
    clf = bough.CARTClassifier().fit(*bough.datasets.load("penguins").xy())
    ax = bough.draw(clf, "axes", tmp_path / f"tree.{form}", title="Penguins")
    assert "Penguins" in [text.get_text() for text in ax.texts] + [ax.get_title()]
    assert (tmp_path / f"tree.{form}").read_bytes()[1:4] in (b"PNG", b"PDF")
    with pytest.raises(bough.errors.ParameterError, match=r"tree.doc"):
        bough.draw(clf, "axes", tmp_path / "tree.doc")
