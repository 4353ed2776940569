"""The page in a real browser: what people do with mouse, keyboard and screen reader."""

import re
from pathlib import Path

import numpy as np
import pytest

import bough


@pytest.fixture(scope="module")
def penguins():
    X, y = bough.datasets.load("penguins").xy()
    return bough.CARTClassifier(min_samples_leaf=3, min_samples_split=6, pruning=0.002).fit(X, y), X, y


def shown(page):
    return page.evaluate("Array.from(bough.view.layout.nodes)")


def active(page):
    return page.evaluate("bough.active")


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def place_of(page, node, below=False):
    """Where a node is on the screen."""
    return page.evaluate(
        """([node, below]) => {
            const { view } = bough, { x, y, h } = view.layout, box = view.canvas.getBoundingClientRect();
            const [px, py] = view.scene.toScreen(x[node], y[node] + (below ? h : h / 2));
            return [px + box.left, py + box.top];
        }""",
        [node, below],
    )


def test_nodes_are_folded_and_unfolded_by_mouse_keyboard_and_buttons(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    everything = list(range(clf.tree_.n_nodes))
    end = int(clf.tree_.arrays.end[1])
    without = [node for node in everything if not 1 < node < end]
    assert shown(page) == everything
    page.mouse.move(*place_of(page, 1))
    page.mouse.click(*place_of(page, 1, below=True))
    assert shown(page) == without
    page.mouse.click(*place_of(page, 1, below=True))
    assert shown(page) == everything
    page.mouse.dblclick(*place_of(page, 1))
    assert shown(page) == without
    page.get_by_role("button", name="Unfold all").click()
    assert shown(page) == everything
    page.get_by_role("button", name="Fold", exact=True).first.click()
    assert len(shown(page)) < len(everything)
    page.get_by_role("treeitem", selected=True).focus()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    assert shown(page) == [0]
    assert page.get_by_role("treeitem", selected=True).get_attribute("aria-expanded") == "false"
    page.keyboard.press("*")
    assert shown(page) == everything


def test_the_keyboard_walks_the_tree_as_the_pattern_of_trees_says(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    tree = clf.tree_
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break
    assert focused(page).startswith("all rows: ")
    assert page.get_by_role("tree").get_attribute("aria-orientation") == "horizontal"
    page.keyboard.press("ArrowDown")  # with the root on top, down leads to the first branch
    assert active(page) == 1
    assert focused(page).startswith(tree.nodes[1].condition)
    page.keyboard.press("ArrowRight")
    assert active(page) == 2
    page.keyboard.press("End")
    assert active(page) == tree.n_nodes - 1
    above = tree.nodes[tree.n_nodes - 1]
    while above.parent is not None:  # up leads up, and folds nothing
        above = above.parent
        page.keyboard.press("ArrowUp")
        assert active(page) == above.id
        assert len(shown(page)) == tree.n_nodes
    page.keyboard.press("ArrowLeft")
    assert active(page) == 0
    page.keyboard.press("Space")
    assert shown(page) == [0]
    page.keyboard.press("ArrowDown")  # a closed node is opened first
    assert len(shown(page)) == tree.n_nodes
    assert active(page) == 0
    # At left, the keys are those of a list.
    page.get_by_label("at left").check()
    page.get_by_role("treeitem", selected=True).focus()
    for node in range(1, 5):
        page.keyboard.press("ArrowDown")
        assert active(page) == node
        item = page.locator(f"#node-{node}")
        assert item.get_attribute("aria-level") == str(tree.nodes[node].depth + 1)
        assert item.get_attribute("aria-posinset") == str(tree.nodes[node].branch + 1)
        assert item.get_attribute("aria-setsize") == str(len(tree.nodes[node].parent.children))
    assert page.locator("#panel-node h3").inner_text().startswith(str(tree.nodes[4].answer))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")  # left closes what is open
    assert shown(page) == [0]


def test_a_column_is_found(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    asks = [node.id for node in clf.tree_ if node.split is not None and node.split.column == "island"]
    page.get_by_label("Find").fill("ISL")
    assert page.locator("output").inner_text() == f"{len(asks)} nodes"
    for node in [*asks, asks[0]]:
        page.keyboard.press("Enter")
        assert active(page) == node
    page.keyboard.press("Shift+Enter")
    assert active(page) == asks[-1]
    page.get_by_label("Find").fill("no such column")
    assert page.locator("output").inner_text() == "0 nodes"
    assert page.get_by_role("button", name="Next match").is_disabled()


def test_a_folded_match_is_uncovered(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    page.get_by_role("treeitem", selected=True).focus()
    page.keyboard.press("Space")
    assert shown(page) == [0]
    page.get_by_label("Find").fill("island")
    page.keyboard.press("Enter")
    assert active(page) in shown(page)


def test_the_card_tells_what_a_node_is_and_asks(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    root = clf.tree_.root
    card = page.locator("#panel-node").inner_text()
    for count in root.counts.values():
        assert f"{count:g}" in card
    for other in root.competitors:
        assert other.describe(other.low or 0, exact=False) in card
    for other in root.surrogates:
        assert other.describe(0, exact=False) in card
    assert f"goes with {root.split.describe(root.missing_branch)}" in card
    assert "342 given rows, missing in 2" in card
    page.mouse.move(*place_of(page, 2))
    page.wait_for_selector(".hover:not([hidden])")
    assert clf.tree_.nodes[2].condition in page.locator(".hover").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".hover").is_hidden()


def test_a_click_on_a_leaf_gives_its_rule(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    leaf = next(node for node in clf.tree_ if node.is_leaf and node.depth == 4)
    page.mouse.click(*place_of(page, leaf.id))
    assert active(page) == leaf.id
    rule = page.locator("#panel-node .rule")
    assert str(leaf.answer) in rule.locator("h4").inner_text()
    assert [text.split(" or missing")[0] for text in rule.locator("li").all_inner_texts()] == [
        "flipper_length_mm <= 206.5",
        "42.35 < bill_length_mm <= 43.35",
        "bill_depth_mm <= 17.45",
    ]


def test_leaves_are_sorted_by_support_rate_and_lift(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    page.get_by_role("tab", name="Leaves").click()
    leaves = [node for node in clf.tree_ if node.is_leaf]
    rows = lambda: [int(text) for text in page.locator("#panel-leaves tbody td:nth-child(2)").all_inner_texts()]  # noqa: E731
    assert rows() == sorted((leaf.rows for leaf in leaves), reverse=True)
    page.get_by_role("button", name="Rows").click()
    assert rows() == sorted(leaf.rows for leaf in leaves)
    page.get_by_label("Rate and lift of").select_option("Gentoo")
    page.get_by_role("button", name="Lift").click()
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Lift")
    lifts = [float(text) for text in page.locator("#panel-leaves tbody td:nth-child(4)").all_inner_texts()]
    gentoo = clf.tree_.class_labels.index("Gentoo")
    probabilities = clf.tree_.probabilities(np.arange(clf.tree_.n_nodes))[:, gentoo]
    expected = sorted((probabilities[leaf.id] / probabilities[0] for leaf in leaves), reverse=True)
    np.testing.assert_allclose(lifts, expected, atol=0.006)
    page.locator("#panel-leaves tbody button").first.click()
    assert clf.tree_.nodes[active(page)].is_leaf


def enter(page, clf, row):
    """Fill the case in as a user would; what is missing stays unknown."""
    page.get_by_role("tab", name="Case").click()
    page.get_by_role("button", name="Forget all").click()
    for name, value in row.items():
        field = page.locator(".field", has=page.get_by_text(name, exact=True)).locator("input, select")
        if not field.count() or value is None or value != value:
            continue
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=str(value))
        else:
            field.fill(repr(float(value)))


def test_a_case_takes_the_way_of_the_model(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    rng = np.random.default_rng(1)
    for number in rng.choice(len(X), 6, replace=False).tolist():
        row = (
            X.iloc[[number]].copy()
            if hasattr(X, "iloc")
            else {name: column[number : number + 1] for name, column in X.items()}
        )
        values = {name: row[name].iloc[0] if hasattr(row, "iloc") else row[name][0] for name in row}
        for name in values:
            if rng.random() < 0.4:
                values[name] = None
        enter(page, clf, values)
        case = {name: [value] for name, value in values.items()}
        expected = clf.decision_path(case).indices.tolist()
        assert page.evaluate("bough.cases.now.steps.map(step => step.node)") == expected
        assert page.locator(".answer").inner_text().startswith(str(clf.predict(case)[0]))
        assert page.evaluate("Array.from(bough.view.scene.lit.path.keys())") == expected


def test_the_smallest_change_alters_the_decision(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    case = {
        "flipper_length_mm": 190.0,
        "bill_length_mm": 40.0,
        "bill_depth_mm": 18.0,
        "island": "Dream",
        "body_mass_g": 3500.0,
    }
    enter(page, clf, case)
    assert page.locator(".answer").inner_text().startswith("Adelie")
    # What was found while the case was being entered may stand there for a moment.
    page.locator(".change li", has_text="bill_length_mm").wait_for()
    assert page.locator(".change li").all_inner_texts() == ["bill_length_mm: 40 → 43.36"]
    page.get_by_role("button", name="Make this change").click()
    assert page.locator(".answer").inner_text().startswith("Chinstrap")
    # Towards a class, with a column that may not change.
    enter(page, clf, case)
    page.get_by_role("button", name="Keep bill_length_mm as it is").click()
    page.get_by_label("Smallest change towards").select_option("Gentoo")
    page.locator(".change", has_text="Gentoo").wait_for()
    assert "bill_length_mm" not in page.locator(".change").inner_text()
    page.get_by_role("button", name="Make this change").click()
    assert page.locator(".answer").inner_text().startswith("Gentoo")


def test_what_is_typed_wrongly_is_said(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    page.get_by_role("tab", name="Case").click()
    field = page.get_by_label("bill_length_mm", exact=True)
    field.fill("forty")
    assert field.get_attribute("aria-invalid") == "true"
    assert "like" in page.locator(".error:not(:empty)").inner_text()
    field.fill("40")
    assert page.locator(".error:not(:empty)").count() == 0


@pytest.fixture(scope="module")
def three_ranges():
    """A tree of one number: low, mid, high, with long edges."""
    edges = [-3, 0.3131234567, 0.3139968113, 1.0781357, 1.0790266, 4]
    x = np.concatenate([np.linspace(*edges[k : k + 2], 40) for k in (0, 2, 4)])
    return bough.CARTClassifier(pruning=None).fit({"x": x}, np.repeat(["low", "mid", "high"], 40))


@pytest.mark.parametrize(
    ("value", "goal", "told"),
    [
        ("5", "mid", "at most 1.0785"),
        ("-5", "mid", "more than 0.31356"),
        ("5", "low", "at most 0.31356"),
        ("-5", "high", "more than 1.0785"),
    ],
)
def test_a_change_names_the_bounds_that_the_value_must_keep(show, three_ranges, value, goal, told):
    page = show(three_ranges)
    page.get_by_role("tab", name="Case").click()
    page.get_by_label("x", exact=True).fill(value)
    page.get_by_label("Smallest change towards").select_option(goal)
    page.locator(".change", has_text=f"the answer is {goal}").wait_for()
    said = page.locator(".change li strong").inner_text()
    assert said.startswith(told)
    assert (" and " in said) == (goal == "mid")
    page.get_by_role("button", name="Make this change").click()
    assert page.locator(".answer").inner_text().startswith(goal)


def test_a_field_is_no_longer_wrong_after_the_change_was_made(show, three_ranges):
    page = show(three_ranges)
    page.get_by_role("tab", name="Case").click()
    field = page.get_by_label("x", exact=True)
    field.fill("long")
    assert field.get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="Make this change").click()
    assert field.input_value() != "long"
    assert field.get_attribute("aria-invalid") == "false"
    assert page.locator(".error:not(:empty)").count() == 0


def test_colours_turning_zoom_and_pan(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    for by in ("purity", "column", "class"):
        page.get_by_label("Colour by").select_option(by)
        assert page.locator(".legend .dot").count() >= 3
    before = page.evaluate("({...bough.view.scene.camera})")
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate("bough.view.scene.camera.k") > before["k"]
    x, y_ = place_of(page, 0)
    page.mouse.move(x, y_ + 300)
    page.mouse.down()
    page.mouse.move(x + 120, y_ + 340, steps=4)
    page.mouse.up()
    assert place_of(page, 0) == pytest.approx([x + 120, y_ + 40])
    page.mouse.wheel(0, -200)
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("at left").check()
    root, child = place_of(page, 0), place_of(page, 1)
    assert root[0] < child[0]


def test_a_colour_means_one_thing(show, penguins):
    clf, X, y = penguins
    page = show(clf, X, y)
    bars = "Array.from(bough.view.layout.nodes, (node) => bough.view.paint.parts(node)).flat()"
    classes = page.evaluate("bough.model.classes.color")
    assert {color for color, _ in page.evaluate(bars)} == set(classes)
    for by in ("purity", "column"):
        page.get_by_label("Colour by").select_option(by)
        assert {color for color, _ in page.evaluate(bars)} == {None}
        assert page.evaluate("bough.view.paint.parts(0)")[0][1] == pytest.approx(clf.tree_.probabilities([0]).max())
        assert "bars: probability of the answer" in page.locator(".foot .legend").inner_text()


def test_bars_and_cards_say_probabilities_and_rows_apart_where_they_differ(show, penguins):
    clf, X, y = penguins
    page = show(clf)
    assert page.locator(".shares caption").inner_text() == "Rows by class"
    assert "not shares of rows" not in page.locator(".foot .legend").inner_text()
    equal = bough.CARTClassifier(priors="equal").fit(X, y)
    page = show(equal)
    assert page.locator(".shares caption").inner_text() == (
        "Rows by class, and the probability with priors or class weights"
    )
    assert page.locator(".shares thead").inner_text().split() == ["Class", "Rows", "Probability"]
    told = [row.replace(" %", "%").split() for row in page.locator(".shares tbody tr").all_inner_texts()]
    rows = {str(label): f"{count:g}" for label, count in equal.tree_.root.counts.items()}
    assert {name: (count, share) for name, count, share in told} == {name: (rows[name], "33%") for name in rows}
    assert "bars: probabilities, not shares of rows" in page.locator(".foot .legend").inner_text()
    for node in range(equal.tree_.n_nodes):
        shares = page.evaluate("node => bough.view.paint.parts(node).map(([, share]) => share)", node)
        known = equal.tree_.probabilities([node])[0]
        np.testing.assert_allclose(shares, known[known > 0])
    leaf = next(node for node in equal.tree_ if node.is_leaf)
    assert page.evaluate("node => bough.view.scene.secondLine(node, true)", leaf.id).endswith(f" · {leaf.rows} rows")


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_leaves_keep_to_their_panel(show, width):
    rng = np.random.default_rng(2)
    kinds = np.array([f"{name}-leaf-spot-of-{name}" for name in ("alternaria", "phyllosticta", "rhizoctonia")], object)
    X = {
        f"column_of_a_long_name_{k}": rng.choice(np.array(["black", "dk-brown", "lt-norm"], object), 300)
        for k in range(5)
    }
    for model, y in (
        (bough.CARTClassifier(pruning=None), rng.choice(kinds, 300)),
        (bough.CARTRegressor(pruning=None), 1e6 * rng.normal(size=300)),
    ):
        page = show(model.fit(X, y), viewport={"width": width, "height": 800})
        page.get_by_role("tab", name="Leaves").click()
        scroll = page.locator("#panel-leaves .scroll")
        assert scroll.evaluate("box => box.scrollWidth - box.clientWidth") == 0
        inside = "(cells, edge) => cells.every((cell) => cell.scrollWidth <= cell.clientWidth + 1)"
        assert page.locator("#panel-leaves td.number, #panel-leaves .rule-cell, #panel-leaves th").evaluate_all(inside)


@pytest.mark.parametrize("viewport", [(1280, 800), (390, 844)])
def test_nothing_lies_over_the_tree(show, penguins, viewport):
    page = show(penguins[0], viewport=dict(zip(("width", "height"), viewport, strict=True)))
    for by in ("class", "column"):
        page.get_by_label("Colour by").select_option(by)
        stage = page.locator(".stage").bounding_box()
        for part in (".foot .legend", ".zoom"):
            assert page.locator(part).bounding_box()["y"] >= stage["y"] + stage["height"]
    page.get_by_role("button", name="Show all").click()
    x, y, width, height = page.evaluate(
        """() => {
            const { view } = bough, { width, height } = view.layout;
            return [...view.scene.toScreen(0, 0), ...view.scene.toScreen(width, height)];
        }"""
    )
    stage = page.locator(".stage").bounding_box()
    assert x >= 0 and y >= 0 and width <= stage["width"] and height <= stage["height"]  # noqa: PT018


def test_a_histogram_ends_at_short_numbers(show):
    x = np.linspace(-3.50611266123, 1234567.891, 50)
    page = show(bough.CARTClassifier().fit({"x": x}, x > 6e5), {"x": x})
    assert page.locator(".lies text").all_text_contents() == ["-3.506", "1234568"]
    end = max(page.locator(".lies .cut").evaluate_all("lines => lines.map((line) => Number(line.getAttribute('y2')))"))
    box = page.locator(".lies text").first.evaluate("text => text.getBBox().y")
    assert end <= box


def test_missing_answers_of_every_policy_are_told(show):
    X = {"x": [1.0, 2, 3, 4, None, 6, 7, 8, 9, 10] * 3, "c": ["a", "a", "b", "b", "b", "c", "c", "c", None, "a"] * 3}
    y = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0] * 3
    told = {}
    for name, model in {
        "parts": bough.C45Classifier(pruning=None),
        "majority": bough.CARTClassifier(missing="majority_branch", min_samples_leaf=2, pruning=None),
        "stops": bough.CARTClassifier(missing="stop", min_samples_leaf=2, pruning=None),
        "refuses": bough.ID3Classifier(),
    }.items():
        known = [k for k in range(30) if X["x"][k] is not None and X["c"][k] is not None]
        data = X if name != "refuses" else {key: [values[k] for k in known] for key, values in X.items()}
        page = show(model.fit(data, y if name != "refuses" else [y[k] for k in known]))
        page.get_by_role("tab", name="Case").click()
        told[name] = page.locator("#panel-case").inner_text()
    assert "all branches in parts" in told["parts"]
    assert "goes with most rows" in told["majority"]
    assert "stops" in told["stops"]
    assert "refuses missing values" in told["refuses"]


def test_numbers_that_were_binned_are_asked_as_numbers(show):
    X, y = bough.datasets.load("penguins").xy()
    keep = [
        k
        for k in range(len(y))
        if all(X[name].iloc[k] == X[name].iloc[k] and X[name].iloc[k] is not None for name in X)
    ]
    X, y = X.iloc[keep], y.iloc[keep] if hasattr(y, "iloc") else np.asarray(y)[keep]
    clf = bough.ID3Classifier(max_depth=3).fit(X, y)
    page = show(clf)
    for number in (0, 100, 300):
        row = X.iloc[[number]]
        enter(page, clf, {name: row[name].iloc[0] for name in X})
        assert page.locator(".answer").inner_text().startswith(str(clf.predict(row)[0]))
    page.locator(".field input").first.fill("inf")  # what refuses missing values refuses infinite ones too
    assert "refuses infinite values" in page.locator(".refused").inner_text()


def test_a_page_obeys_its_own_strict_policy(show, penguins):
    page = show(penguins[0])
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    # Whatever would come to stand in the page, it does not run and it loads nothing. The browser says so.
    text = (
        penguins[0]
        .to_html()
        .replace("<noscript>", "<script>window.hurt = 1</script><img src=https://example.invalid/x><noscript>", 1)
    )
    assert "window.hurt" in text
    context = page.context.browser.new_context()
    try:
        other = context.new_page()
        loaded = []
        other.on("requestfinished", lambda request: loaded.append(request.url))
        path = Path(page.url.removeprefix("file://")).with_name("altered.html")
        path.write_text(text, encoding="utf-8")
        other.goto(path.as_uri())
        other.wait_for_selector("html[data-ready=true]")
        assert other.evaluate("window.hurt") is None
        assert loaded == [path.as_uri()]
    finally:
        context.close()


def test_a_notebook_shows_the_page_in_a_frame(show, penguins):
    clf, _, _ = penguins
    for shown in (clf._repr_mimebundle_()["text/html"], clf._repr_html_()):
        assert shown.endswith(clf.tree_._repr_html_()[-200:])
        assert "Fitted" in shown  # the box of scikit-learn, with the parameters
    assert "iframe" not in bough.CARTClassifier()._repr_html_()
    page = show(None, text=f"<!doctype html><title>notebook</title>{clf.tree_._repr_html_()}")
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready=true]").wait_for()
    assert re.search(r"15 nodes", frame.locator("header").inner_text())
    frame.get_by_role("tab", name="Case").click()
    assert frame.locator(".answer").inner_text()


def test_a_notebook_shows_the_upper_part_of_a_large_tree(show):
    rng = np.random.default_rng(0)
    reg = bough.CARTRegressor(min_samples_split=2, min_samples_leaf=1, pruning=None).fit(
        {"x": rng.normal(size=3000)}, rng.normal(size=3000)
    )
    text = reg.tree_._repr_html_()
    assert len(text) < 600_000
    page = show(None, text=f"<!doctype html><title>notebook</title>{text}")
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready=true]").wait_for()
    assert "upper part" in frame.locator("header").inner_text()
    assert frame.get_by_role("tab", name="Case").count() == 0


SIGHT = """() => {
    const { view } = bough, { layout, scene } = view, { width, height } = scene.size;
    const [left, top] = scene.toScreen(0, 0);
    const [right, bottom] = scene.toScreen(layout.width, layout.height);
    return { inside: left >= 0 && top >= 0 && right <= width && bottom <= height, zoom: scene.camera.k, width,
             across: (right - left) / width, folded: bough.folds.folded.reduce((sum, one) => sum + one, 0) };
}"""


@pytest.fixture(scope="module")
def bushy():
    rng = np.random.default_rng(0)
    X = {"x": rng.normal(size=900), "z": rng.normal(size=900), "c": rng.choice(list("abcdefgh"), 900)}
    y = np.where((X["x"] * X["z"] > 0) ^ np.isin(X["c"], ["a", "c"]) ^ (rng.random(900) < 0.2), "yes", "no")
    return bough.CARTClassifier(pruning=None, min_samples_leaf=3, min_samples_split=6).fit(X, y)


def settled(page, least, most):
    """What is in sight once the window is so wide; a page's own policy forbids to wait in it."""
    for _ in range(200):
        sight = page.evaluate(SIGHT)
        if least < sight["width"] < most:
            return sight
        page.wait_for_timeout(50)
    raise AssertionError(f"the tree has {sight['width']} pixels")


def test_a_page_opens_with_all_that_is_open_in_sight_and_follows_the_window(show, bushy):
    page = show(bushy, viewport={"width": 1400, "height": 800})
    wide = page.evaluate(SIGHT)
    assert wide["inside"]
    assert wide["zoom"] >= 0.68  # it can be read
    assert wide["folded"]
    page.set_viewport_size({"width": 900, "height": 700})
    narrow = settled(page, 300, 700)
    assert narrow["inside"]
    assert narrow["zoom"] >= 0.68
    assert narrow["folded"]
    page.mouse.move(200, 400)
    page.mouse.down()
    page.mouse.move(260, 430, steps=3)
    page.mouse.up()
    camera = page.evaluate("({...bough.view.scene.camera})")
    page.set_viewport_size({"width": 1400, "height": 800})
    settled(page, 900, 1400)
    assert page.evaluate("({...bough.view.scene.camera})") == camera  # it was moved: it stays
    page.get_by_role("button", name="Show all").click()
    page.set_viewport_size({"width": 900, "height": 700})
    assert settled(page, 300, 700)["inside"]


def test_what_the_user_unfolded_stays_when_the_window_changes(show, bushy):
    page = show(bushy, viewport={"width": 1400, "height": 800})
    page.get_by_role("button", name="Unfold all").click()
    page.set_viewport_size({"width": 900, "height": 700})
    assert settled(page, 300, 700)["folded"] == 0
    assert shown(page) == list(range(bushy.tree_.n_nodes))


def test_a_frame_that_is_hidden_at_first_shows_the_whole_tree_once_it_is_seen(show, bushy):
    text = bushy.tree_._repr_html_()
    page = show(None, text=f"<!doctype html><title>notebook</title><div id=cell style='display: none'>{text}</div>")
    page.evaluate("document.getElementById('cell').style.display = 'block'")
    page.frame_locator("iframe").locator("html[data-ready=true]").wait_for()
    frame = page.frames[-1]
    seen = settled(frame, 600, 1400)
    assert seen["inside"]
    assert seen["zoom"] >= 0.68
    page.evaluate("document.querySelector('iframe').style.width = '800px'")
    assert settled(frame, 300, 500)["inside"]
