"""Pictures as text: what is folded tells what it holds, names of any kind do no harm, no depth is too large."""

import re
import xml.dom.minidom

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError
from bough.model.folding import fold, shows_rarest
from bough.view.holdings import Holdings
from bough.view.labels import branch_lines
from bough.view.picture import Style, picture
from bough.view.scene import Words

HOSTILE = [
    '</script><script>alert("x")</script>',
    "quotes \" ' ` and \\N \\n",
    "two\nlines\r\nand\ttabs",
    "emoji 😀 中文 עברית é",
    "$x^2$ & {braces} [brackets] |pipes| <b> #59;",
    "\x00\x1b[31m\ud800",
    "y" * 1_000_000,
    "",
]


@pytest.fixture
def hostile(tree_of_names):
    return tree_of_names("col\n</svg>\"'$_]]", HOSTILE, target="</title>\n$")


@pytest.fixture
def bushy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1, pruning=None)
    return clf.fit(X, X[:, 0] * X[:, 1] > 0.1 * X[:, 2]).tree_


@pytest.mark.parametrize("limits", [{}, {"max_depth": 2}, {"max_leaves": 7}, {"min_share": 0.1}, {"max_branches": 3}])
def test_parts_hold_the_whole_tree(bushy, limits):
    fruit = bough.datasets.load_fruit()
    for tree in (bushy, bough.ID3Classifier().fit(fruit.data, fruit.target).tree_):
        parts = fold(tree, **limits)
        holdings = Holdings(tree)
        ends = [part for part in parts if part.kind != "inner"]
        assert sum(part.n_leaves for part in ends) == tree.n_leaves
        assert sum(holdings.rows(part) for part in ends) == tree.root.rows
        shares = [holdings.shares(part) * holdings.weight(part) for part in (*ends, parts[0])]
        assert np.allclose(sum(shares[:-1]), shares[-1])
        assert all(part.parent < number for number, part in enumerate(parts))


def test_limits_are_kept(bushy):
    assert max(part.depth for part in fold(bushy, max_depth=2)) == 2
    assert sum(part.kind != "inner" for part in fold(bushy, max_leaves=7)) == 7
    inner = [part for part in fold(bushy, min_share=0.1) if part.kind == "inner"]
    assert min(bushy.nodes[part.nodes[0]].rows for part in inner) >= 60
    assert [part.kind for part in fold(bushy, max_depth=0)] == ["folded"]


def test_many_branches_share_a_place():
    levels = [f"L{k:02d}" for k in range(60)]
    table = {"c": [level for k, level in enumerate(levels) for _ in range(k + 1)]}
    tree = bough.ID3Classifier().fit(table, [hash(level) % 7 for level in table["c"]]).tree_
    parts = fold(tree, max_branches=5)
    assert [part.kind for part in parts] == ["inner", "leaf", "leaf", "leaf", "leaf", "group"]
    assert len(parts[-1].branches) == 56
    shown = {part.branches[0] for part in parts[1:-1]}
    assert {57, 58, 59} <= shown  # the heaviest, and what is the heaviest of the rarest class
    assert shows_rarest(tree, parts)
    assert "56 others" in bough.draw(tree, "svg", max_branches=5)


@pytest.mark.parametrize("wrong", [{"max_depth": -1}, {"max_leaves": 0}, {"max_branches": 1}, {"min_share": 2}])
def test_limits_that_are_none_are_refused(bushy, wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        bough.draw(bushy, "svg", **wrong)
    for more in ({"orientation": "up"}, {"font_size": 0}, {"page": (0, 1)}):
        with pytest.raises(ParameterError, match=next(iter(more))):
            bough.draw(bushy, "svg", **more)


def test_rows_that_are_given_are_counted(bushy):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 3))
    y = rng.random(50) > 0.5
    holdings = Holdings(bushy, X, y)
    for part in fold(bushy, max_leaves=9):
        path = bushy.decision_path(X)
        through = np.repeat(np.arange(50), np.diff(path[0]))[path[1] == part.nodes[0]]
        assert holdings.rows(part) == len(through)
        assert np.allclose(holdings.shares(part) * len(through), [(~y[through]).sum(), y[through].sum()])
    with pytest.raises(DataError, match="none of the classes"):
        Holdings(bushy, X, ["maybe"] * 50)
    with pytest.raises(DataError, match="50 rows"):
        Holdings(bushy, X, [True])
    with pytest.raises(ParameterError, match="together"):
        Holdings(bushy, X)


def _texts(scene):
    return [shape.text for shape in scene.shapes if isinstance(shape, Words)]


@pytest.mark.parametrize("decisions", [{"priors": {"no": 0.05, "yes": 0.95}}, {"class_weight": "balanced"}])
def test_bars_are_the_probabilities_that_the_leaves_tell(decisions):
    X, y = bough.datasets.load("titanic").xy()
    clf = bough.CARTClassifier(**decisions).fit(X, y)
    holdings = Holdings(clf.tree_)
    for part in fold(clf.tree_):
        assert np.allclose(holdings.shares(part), clf.tree_.probabilities(np.array(part.nodes))[0])
    assert "bars: probabilities, not shares of rows" in _texts(picture(clf))
    assert "bars: shares of the rows given" in _texts(picture(clf, X, y))
    assert not any(text.startswith("bars") for text in _texts(picture(bough.CARTClassifier().fit(X, y))))


def test_a_long_title_is_wrapped_and_folds_nothing(bushy):
    plain = picture(bushy)
    titled = picture(bushy, style=Style(title="Who survived the sinking of the ship and who did not, " * 4))
    assert titled.width <= 7.0 * 72
    assert sum(text.startswith("Who survived") for text in _texts(titled)) >= 1
    assert (
        sum(text.startswith("…") for text in _texts(titled)) <= sum(text.startswith("…") for text in _texts(plain)) + 1
    )


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (bough.C45Classifier(), "missing values go down all branches in parts"),
        (bough.CARTClassifier(missing="stop"), "missing values stop where they are asked for"),
    ],
)
def test_texts_say_where_missing_values_go(estimator, said):
    X, y = bough.datasets.load("titanic").xy()
    estimator.fit(X, y)
    assert said in bough.draw(estimator, "dot")
    assert said in bough.draw(estimator, "mermaid")
    assert said not in bough.draw(bough.CARTClassifier().fit(X, y), "dot")


def test_a_picture_fits_the_page(bushy):
    for page in ((7.0, 9.5), (4.0, 4.0), (10.0, 3.0)):
        scene = picture(bushy, style=Style(page=page))
        assert scene.width <= page[0] * 72
        assert scene.height <= page[1] * 72


def test_all_is_shown_on_demand(bushy):
    scene = picture(bushy, style=Style(max_leaves=None))
    assert not any(shape.text.startswith("…") for shape in scene.shapes if isinstance(shape, Words))


def test_long_sets_keep_their_count():
    jobs = [f"a rather long name of a level, number {k:02d}" for k in range(40)]
    tree = bough.CARTClassifier().fit({"job": jobs * 4}, [k < 20 for k in range(40)] * 4).tree_
    for lines in (1, 2, 3):
        shown = branch_lines(tree.root, 0, max_levels=4, width=18, lines=lines)
        assert len(shown) <= lines
        assert lines == 1 or shown[-1].endswith("… 19 more")


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_svg_is_xml_whatever_the_names(hostile, orientation):
    text = bough.draw(hostile, "svg", orientation=orientation, title="<&\x00>")
    document = xml.dom.minidom.parseString(text.encode())
    assert not document.getElementsByTagName("script")
    assert len(text) < 50_000


def test_svg_is_written_to_a_file(bushy, tmp_path):
    text = bough.draw(bushy, "svg", path=tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == text


def test_dot_strings_end_where_they_should(hostile):
    text = bough.draw(hostile, "dot", max_levels=None)
    string = r'"(?:[^"\\\n]|\\.)*"'
    for line in text.splitlines()[2:-1]:
        assert re.fullmatch(rf"  n\d+( -> n\d+)? \[label={string}(, \w+=({string}|[\d.]+))*\];", line), line
    text.encode()


def test_mermaid_strings_end_where_they_should(hostile):
    text = bough.draw(hostile, "mermaid", max_levels=None)
    string = r'"(?:[\w .,\-]|#\d+;|<br>|\ufffd)*"'
    for line in text.splitlines()[1:]:
        assert re.fullmatch(rf"  n\d+(\[+|\(\[){string}(\]+|\]\))|  n\d+ -->\|{string}\| n\d+", line), line
    text.encode()


def test_a_chain_of_a_hundred_thousand_tests_is_folded(chain, make_chain):
    assert "99,9" in bough.draw(chain, "svg")
    deep = make_chain(3000)
    assert bough.draw(deep, "dot").count("\n") == 2 * deep.n_nodes + 2
    assert bough.draw(chain, "mermaid", max_leaves=10).count("-->") == 18


def test_every_kind_of_test_is_drawn(make_kinds, make_small):
    for routing in ((True, 1, 0, 0), (False, 2, 0, 0), (False, 4, 0, 0)):
        text = bough.draw(make_kinds(routing), "svg")
        assert "(18.5, 65]" in text
        assert "missing" in text
    assert "stop where they are asked for" in bough.draw(make_small((False, 2, 0, 0)), "svg")
    assert "all branches in parts" in bough.draw(make_small((False, 4, 0, 0)), "svg")
    assert "that no surrogate decides go here" in bough.draw(make_small((True, 1, 0, 0)), "svg")


def test_a_single_leaf_is_drawn():
    clf = bough.CARTClassifier().fit({"x": [1, 2]}, ["a", "b"])
    assert ">a<" in bough.draw(clf, "svg")
    assert ">1.5<" in bough.draw(bough.CARTRegressor().fit({"x": [1, 2]}, [1.0, 2.0]), "svg")
