"""`bough.draw`: one function for every picture of a tree."""

import subprocess
import sys

import pytest

import bough
from bough.errors import ParameterError

X, Y = bough.datasets.load("penguins").xy()
BEGINS = {
    "text": "Classification tree",
    "svg": "<svg",
    "html": "<!doctype html>",
    "dot": "digraph",
    "mermaid": "flowch",
}


@pytest.fixture(scope="module")
def clf():
    return bough.CARTClassifier().fit(X, Y)


@pytest.mark.parametrize("to", BEGINS)
def test_a_form_is_returned_and_written(clf, to, tmp_path):
    text = bough.draw(clf, to, tmp_path / "tree")
    assert text.startswith(BEGINS[to])
    assert (tmp_path / "tree").read_text(encoding="utf-8") == text
    assert bough.draw(clf.tree_, to).startswith(BEGINS[to])


def test_without_a_form_it_is_the_text_of_the_tree(clf):
    assert bough.draw(clf) == str(clf.tree_)
    assert bough.draw(clf, ascii=True, surrogates=False) == clf.tree_.draw(ascii=True, surrogates=False)


def test_options_reach_the_form(clf):
    assert bough.draw(clf, "html", X=X, y=Y) == clf.to_html(X=X, y=Y)
    assert bough.draw(clf, "mermaid", max_depth=1) != bough.draw(clf, "mermaid")
    assert ">A title<" in bough.draw(clf, "svg", title="A title")


def test_what_a_form_does_not_know_is_refused(clf):
    with pytest.raises(ParameterError, match=r"to must be one of 'text', 'svg', .*; got 'jpg'"):
        bough.draw(clf, "jpg")
    with pytest.raises(ParameterError, match=r"draw\(to='dot'\) has no option 'title'; it has max_depth"):
        bough.draw(clf, "dot", title="A title")
    for to in BEGINS:
        with pytest.raises((ParameterError, ValueError, TypeError), match=r"fit|tree"):
            bough.draw(bough.CARTClassifier(), to)


def test_only_axes_need_matplotlib():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import bough; X, y = bough.datasets.load('penguins').xy(); clf = bough.CARTClassifier().fit(X, y)\n"
        "print(*(len(bough.draw(clf, to)) > 0 for to in ('text', 'svg', 'html', 'dot', 'mermaid')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * 5
