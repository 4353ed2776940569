"""The page on paper: one sheet that can be read, with all colours, then the leaves with their whole rules."""

import re

import numpy as np
import pytest

import bough

SHEET = """() => {
    const canvas = document.querySelector(".paper canvas"), box = canvas.getBoundingClientRect();
    const corner = [...canvas.getContext("2d").getImageData(1, 1, 1, 1).data].slice(0, 3);
    return { width: box.width, height: box.height, dots: canvas.width / box.width, corner };
}"""


@pytest.fixture(scope="module")
def bushy():
    rng = np.random.default_rng(0)
    X = {"job": rng.choice([f"a long name of a job {k:02d}" for k in range(30)], 3000), "age": rng.normal(size=3000)}
    y = np.where((X["age"] > 0.3) ^ np.isin(X["job"], np.unique(X["job"])[:11]) ^ (rng.random(3000) < 0.1), "no", "yes")
    return bough.CARTClassifier(pruning=None, min_samples_leaf=2, min_samples_split=4).fit(X, y)


def to_paper(page):
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tree_and_its_rules_are_printed_in_light_colours(show, scheme):
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier().fit(X, y)
    page = show(clf, X, y, color_scheme=scheme)
    to_paper(page)
    sheet = page.evaluate(SHEET)
    assert sheet["width"] <= 680
    assert sheet["dots"] > 2  # as sharp as print
    assert sheet["corner"] == [255, 255, 255]
    assert not page.locator(".view").is_visible()
    assert not page.locator(".toolbar").is_visible()
    leaves = [node.id for node in clf.tree_ if node.is_leaf]
    rules = page.locator(".paper .rule-cell").all_inner_texts()
    assert len(rules) == len(leaves)
    assert "flipper_length_mm > 206.5 and island = Biscoe" in rules
    assert page.locator(".paper figcaption").count() == 0  # nothing is folded
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen", color_scheme=scheme)
    assert page.locator(".paper").count() == 0
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
    assert page.pdf().startswith(b"%PDF")
    assert page.locator(".paper").count() == 0


def test_what_is_too_large_for_a_sheet_is_folded_on_paper_only(show, bushy):
    page = show(bushy)
    page.get_by_role("button", name="Unfold all").click()
    before = page.evaluate("bough.view.layout.nodes.length")
    to_paper(page)
    sheet = page.evaluate(SHEET)
    assert sheet["width"] <= 680
    assert sheet["height"] <= 820
    counts = re.match(r"(\d+) of ([\d,]+) nodes", page.locator(".paper figcaption").inner_text())
    shown, total = (int(count.replace(",", "")) for count in counts.groups())
    assert 5 < shown < total == bushy.tree_.n_nodes
    assert page.evaluate("bough.view.layout.nodes.length") == before
    assert page.locator(".paper .rule-cell").count() == min(bushy.get_n_leaves(), 100)
    assert all("…" not in rule for rule in page.locator(".paper .rule-cell").all_inner_texts())


def test_a_single_leaf_and_an_entered_case_are_printed(show):
    page = show(bough.CARTClassifier().fit({"x": [1, 2, 3]}, ["a", "a", "b"]))
    to_paper(page)
    assert page.locator(".paper .rule-cell").all_inner_texts() == ["always"]
    X, y = bough.datasets.load("penguins").xy()
    page = show(bough.CARTClassifier().fit(X, y))
    page.get_by_role("tab", name="Case").click()
    to_paper(page)
    assert page.locator("#panel-case .answer").is_visible()
    assert page.locator("#panel-case .steps").is_visible()
    assert not page.locator("#panel-node").is_visible()
