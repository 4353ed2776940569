"""Names that try to be markup, code, or very long do no harm."""

import numpy as np
import pytest

import bough
from bough.view.page.bundle import bundle
from bough.view.page.write import as_script_data

HOSTILE = [
    "</script><script>window.hurt = 1</script>",
    "<img src=x onerror='window.hurt = 2'>",
    "<!--<script>",
    "quotes \" ' ` ${window.hurt = 3} \\",
    "emoji 🌳👩‍🚀 ‮ right to left",
    "line\nbreak \u2028\u2029 \x00 null",
    "&lt;b&gt; ]]> %00",
    "__proto__",
    "lone \ud800",
]


@pytest.fixture(scope="module")
def model():
    long = "</script>" * 120_000  # more than a megabyte
    rng = np.random.default_rng(0)
    n = 600
    names = [*HOSTILE, long]
    X = {name: rng.integers(0, 40, n).tolist() for name in names[:5]}
    X |= {name: [names[k] for k in rng.integers(0, len(names), n)] for name in names[5:]}
    score = [
        sum(value > 20 if isinstance(value, int) else value in names[:4] for value in row)
        for row in zip(*X.values(), strict=True)
    ]
    y = [names[(number + wrong) % len(names)] for number, wrong in zip(score, rng.integers(0, 2, n), strict=True)]
    return bough.CARTClassifier(pruning=None, min_samples_leaf=3).fit(X, np.array(y, dtype=object)), X, y


def test_hostile_names_do_no_harm(model, show, tmp_path):
    clf, X, y = model
    page = show(clf, X, y)
    assert (tmp_path / "page0.html").stat().st_size < 3_000_000
    for tab in ("Case", "Leaves", "Node"):
        page.get_by_role("tab", name=tab).click()
    page.get_by_role("treeitem", selected=True).focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        page.mouse.move(300, 300)
    page.get_by_label("Find").fill("script")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Case").click()
    page.wait_for_selector(".change *")
    assert page.evaluate("window.hurt") is None
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img").count() == 0
    assert page.evaluate("({}).hurt") is None
    assert page.locator(".answer").inner_text().strip()


def test_a_frame_of_hostile_names_does_no_harm(model, show):
    clf, _, _ = model
    clf.tree_.target = '"><script>window.hurt = 1</script>'
    page = show(None, text=f"<!doctype html><title>notebook</title>{clf._repr_html_()}")
    page.frame_locator("iframe").locator("html[data-ready=true]").wait_for()
    assert page.evaluate("window.hurt") is None


def test_data_in_a_script_are_plain_ascii_without_markup():
    text = as_script_data({name: [name] for name in HOSTILE})
    assert text.isascii()
    assert not set("<>&") & set(text)


def test_modules_keep_to_text():
    script = bundle()
    for forbidden in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "</script",
    ):
        assert forbidden not in script
    for outside in ("http://", "https://", "fetch(", "XMLHttpRequest", "import("):
        assert script.replace("http://www.w3.org/2000/svg", "").count(outside) == 0
