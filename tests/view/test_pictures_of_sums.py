"""Pictures of trees of sums: terms stay whole, what is left out is counted, and a pointer finds all of it."""

import re
import xml.dom.minidom

import pytest

import bough
from bough.view.labels import wrap_listed
from bough.view.picture import Style, picture
from bough.view.scene import Tip, Words


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


def texts(scene):
    return [shape.text for shape in scene.shapes if isinstance(shape, Words)]


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize("kind", [bough.LDATreeClassifier, bough.FACTClassifier, bough.SphereTreeClassifier])
def test_boxes_and_branches_show_whole_terms_and_count_the_others(penguins, kind, orientation):
    clf = kind().fit(*penguins)
    scene = picture(clf, style=Style(orientation=orientation))
    test = clf.tree_.root.split.test
    told = [test.listed(), *(test.listed(branch) for branch in range(test.n_branches))]
    lines = texts(scene)
    joined = " ".join(lines)
    for listed in filter(None, told):
        shown = [item for item in listed.items if item in joined]
        assert shown == list(listed.items[: len(shown)])
        assert shown
        left = len(listed.items) - len(shown)
        assert not left or f"+{left} {listed.noun}s" in joined
    assert not [line for line in lines if "…" in line and "leaves" not in line]


def test_a_pointer_finds_the_whole_condition(penguins):
    clf = bough.LDATreeClassifier().fit(*penguins)
    test = clf.tree_.root.split.test
    svg = bough.draw(clf, "svg")
    titles = [title.firstChild.data for title in xml.dom.minidom.parseString(svg).getElementsByTagName("title")][1:]
    assert titles[0] == test.feature.words(exact=True, quoted=False)
    assert titles[1:] == [test.words(0, quoted=False), test.words(1, quoted=False)]
    machine = bough.FACTClassifier().fit(*penguins)
    titles = re.findall("<title>(.*?)</title>", bough.draw(machine, "svg"))[1:]
    assert titles == [
        machine.tree_.root.split.test.feature.words(exact=True, quoted=False),
        *(machine.tree_.root.split.test.words(branch, quoted=False) for branch in range(3)),
    ]


def test_trees_without_sums_have_no_such_places(penguins):
    clf = bough.CARTClassifier().fit(*penguins)
    assert not [shape for shape in picture(clf).shapes if isinstance(shape, Tip)]
    assert "pointer-events" not in bough.draw(clf, "svg")


def test_long_names_are_cut_only_beyond_two_lines():
    from bough.model.features import Listed

    assert wrap_listed(Listed("", ("0.1 " + "x" * 50,), "term"), 30, 3) == ["0.1 " + "x" * 50]
    (cut,) = wrap_listed(Listed("", ("0.1 " + "x" * 90,), "term"), 30, 3)
    assert len(cut) == 60
    assert "…" in cut
