"""20,000 nodes are shown within two seconds and panned smoothly, without the help of a graphics card."""

import numpy as np
import pytest

import bough

SHOWN_WITHIN = 2000  # milliseconds
SMOOTH = 33  # median milliseconds between two frames
ATTEMPTS = 3  # other tests share the machine

PAN = """async ([zoom, milliseconds]) => {
    const { view } = bough, { camera } = view.scene;
    if (zoom) {
        const [sx, sy] = view.scene.scales(zoom), { nodes } = view.layout.levels[14];
        const node = nodes[nodes.length >> 1];
        Object.assign(camera, { k: zoom, x: 450 - view.layout.x[node] * sx, y: 350 - view.layout.y[node] * sy });
    }
    const { x, y } = camera, box = view.canvas.getBoundingClientRect();
    const send = (name, now) => {
        const [dx, dy] = [450 + 300 * Math.sin(now / 350), 350 + 80 * Math.sin(now / 500)];
        const about = { pointerId: 1, bubbles: true, clientX: box.left + dx, clientY: box.top + dy };
        view.canvas.dispatchEvent(new PointerEvent(name, about));
    };
    view.canvas.setPointerCapture = () => {};
    const times = [];
    let shown = Infinity;
    await new Promise((done) => {
        const begin = performance.now();
        let last = null;
        send("pointerdown", begin);
        const tick = (now) => {
            if (last !== null) times.push(now - last);
            last = now;
            send("pointermove", now);
            if (times.length > 2) shown = Math.min(shown, view.shown);
            if (now - begin < milliseconds) requestAnimationFrame(tick);
            else done();
        };
        requestAnimationFrame(tick);
    });
    send("pointercancel", performance.now());
    times.sort((a, b) => a - b);
    return { median: times[times.length >> 1], moved: Math.hypot(camera.x - x, camera.y - y), shown };
}"""


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(0)
    n = 40_000
    X = {f"x{i}": rng.normal(size=n).round(3) for i in range(6)}
    X |= {"job": rng.choice(list("ABCDEFGHIJ"), n), "size": rng.integers(0, 50, n)}
    X["x1"][rng.random(n) < 0.05] = np.nan
    how = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None, "max_leaf_nodes": 10_000}
    clf = bough.CARTClassifier(**how).fit(X, rng.integers(0, 3, n))
    assert clf.tree_.n_nodes >= 19_999
    return clf


def test_20000_nodes_are_shown_in_two_seconds_and_panned_smoothly(large, show, record_property):
    for _ in range(ATTEMPTS):
        page = show(large, fragment="#all", reduced_motion="reduce")
        ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
        assert page.evaluate("bough.view.layout.nodes.length") == large.tree_.n_nodes
        if ready < SHOWN_WITHIN:
            break
    assert ready < SHOWN_WITHIN
    assert page.evaluate("bough.view.shown") > 3000
    medians = {}
    for zoom, milliseconds in ((None, 3000), (0.02, 700), (0.2, 700), (0.6, 700)):
        for _ in range(ATTEMPTS):
            found = page.evaluate(PAN, [zoom, milliseconds])
            if found["median"] < SMOOTH:
                break
        assert found["median"] < SMOOTH, zoom
        assert found["moved"] > 0
        assert found["shown"] > 0, zoom
        medians[zoom or "all"] = round(found["median"], 1)
    record_property("summary", f"page of 20,000 nodes: shown after {ready:.0f} ms, median frame {medians} ms")


def test_a_page_of_20000_nodes_stays_small(large):
    assert len(large.tree_.to_html()) < 3_700_000


def test_a_large_tree_opens_folded_and_unfolds(large, show):
    page = show(large)
    assert len(page.evaluate("Array.from(bough.view.layout.nodes)")) <= 60
    took = page.evaluate(
        """() => {
            const begin = performance.now();
            bough.unfold(() => bough.folds.folded.fill(0));
            bough.view.draw();
            return performance.now() - begin;
        }"""
    )
    assert took < 2000
    page.get_by_role("tab", name="Case").click()
    page.get_by_label("x4", exact=True).fill("0.25")
    expected = large.decision_path(
        {name: [0.25 if name == "x4" else None] for name in large.schema_.names}
    ).indices.tolist()
    assert page.evaluate("bough.cases.now.steps.map(step => step.node)") == expected
    page.wait_for_selector(".change li")
    page.get_by_role("tab", name="Leaves").click()
    page.get_by_role("button", name="Next", exact=True).click()
    assert "51 to 100" in page.locator("#panel-leaves caption").inner_text()


def test_a_very_deep_tree_does_no_harm(show, make_chain):
    page = show(make_chain(20_000))
    page.get_by_role("treeitem", selected=True).focus()
    page.keyboard.press("End")
    page.get_by_role("tab", name="Case").click()
    page.get_by_label("x", exact=True).fill("3.5")
    assert page.locator(".answer").inner_text() == "4"
