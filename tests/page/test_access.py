"""No serious fault of accessibility, in light and dark, wide and narrow, whatever panel is open."""

import importlib.util
from pathlib import Path

import pytest

import bough


@pytest.fixture(scope="module")
def axe():
    """The script that finds faults; it is there for tests only."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("needs axe: pip install 'bough[browser]'")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def models():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier(min_samples_leaf=3, min_samples_split=6, pruning=0.002).fit(X, y)
    reg = bough.CARTRegressor().fit(X, X["body_mass_g"].fillna(4000))
    return {"classes": (clf, X, y), "values": (reg, X, None)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("model", "width"), [("classes", 1280), ("classes", 390), ("values", 1280)])
def test_axe_finds_no_serious_fault(show, axe, models, model, scheme, width):
    page = show(*models[model], color_scheme=scheme, viewport={"width": width, "height": 800})
    faults = {}
    for tab in ("Node", "Case", "Leaves"):
        page.get_by_role("tab", name=tab).click()
        if tab == "Case":
            page.wait_for_selector(".change *")
            page.get_by_label("bill_length_mm", exact=True).fill("?")
        if tab == "Node":
            page.get_by_label("Find").fill("bill")
            page.mouse.move(400, 400)
        page.evaluate(axe)
        result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        for fault in result["violations"]:
            if fault["impact"] in ("serious", "critical"):
                faults[tab, fault["id"]] = [node["html"][:200] for node in fault["nodes"]]
    assert not faults


def test_everything_is_reached_by_tab_and_nothing_traps(show, models):
    page = show(*models["classes"])
    roles = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        roles.add(page.evaluate("document.activeElement.getAttribute('role') || document.activeElement.tagName"))
    assert {"INPUT", "SELECT", "BUTTON", "treeitem", "tab", "tabpanel"} <= roles
