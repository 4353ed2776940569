"""Rules as a picture and as a page: figures agree with what is counted, and any text stays text."""

import html
import json
import re

import numpy as np
import pytest

import bough
from bough.cli.main import main
from bough.errors import ParameterError


@pytest.fixture(scope="module")
def penguins():
    return bough.datasets.load("penguins").xy()


@pytest.fixture(scope="module")
def ripper(penguins):
    return bough.RIPPERClassifier().fit(*penguins)


def widths(part, container=0):
    return [bar.get_width() for bar in part.containers[container]]


def test_bars_are_what_rules_cover_and_take(ripper, penguins):
    X, y = penguins
    parts = bough.plot.rules(ripper, X, y).child_axes
    found = ripper.rules_.statistics(X, y)
    assert widths(parts[0])[:-1] == pytest.approx(found.alone.support)
    assert widths(parts[0], 1) == pytest.approx(found.turn.support)
    assert parts[1].lines[0].get_xdata() == pytest.approx(found.turn.confidence)
    covered = ripper.rules_.covers(X)
    shared = (covered[:, 0] & covered[:, 1]).sum() / covered[:, 0].sum()
    assert parts[2].images[0].get_array().data[0, 1] == pytest.approx(shared)


def test_without_rows_the_training_rows_are_told_and_no_overlaps(ripper):
    parts = bough.draw(ripper, "axes").child_axes
    assert [part.get_xlabel() for part in parts] == ["share of 344 rows", "confidence"]
    counts = ripper.rules_.counts
    assert widths(parts[0]) == pytest.approx(counts.sum(axis=1) / counts.sum())


def test_sets_and_rules_for_numbers_are_drawn(penguins):
    X, y = penguins
    together = bough.plot.rules(bough.CN2Classifier(ordered=False).fit(X, y), X, y, max_rules=4).child_axes
    assert len(together[0].containers[0]) == 5
    assert "… 7 more rules" in [text.get_text() for text in together[0].texts]
    x = np.arange(60.0)
    numbers = bough.RuleRegressor().fit({"x": x}, x // 20)
    assert bough.plot.rules(numbers, {"x": x}, x // 20).child_axes[1].get_xlabel() == "mean of y"


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda X, y: bough.plot.rules(bough.CARTClassifier().fit(X, y)), r"tree\.rules\(\)"),
        (lambda X, y: bough.plot.rules(bough.RIPPERClassifier().fit(X, y), X), "give both X and y"),
        (lambda X, y: bough.plot.rules(bough.parse_rules("IF x > 1 THEN a")), "give X and y to count"),
        (lambda X, y: bough.draw(bough.RIPPERClassifier().fit(X, y), "svg"), "needs a tree"),
    ],
)
def test_what_cannot_be_drawn_says_why(make, match, penguins):
    with pytest.raises(ParameterError, match=match):
        make(*penguins)


def page_data(text):
    return json.loads(re.search(r'id="bough-data">(.*?)</script>', text)[1])


def test_the_page_knows_which_rules_cover_a_row(ripper, penguins):
    X, y = penguins
    data = page_data(ripper.to_html(X=X, y=y))
    covered = ripper.rules_.covers(X)
    assert data["covers"] == [np.flatnonzero(row).tolist() for row in covered]
    assert data["decides"] == ripper.apply(X).tolist()
    assert data["columns"] == list(ripper.rules_.columns_used)
    first = X.iloc[0]
    assert data["rows"][0] == [first["island"], f"{first['bill_length_mm']:g}", f"{first['flipper_length_mm']:g}"]
    assert "missing" in data["rows"][int(np.flatnonzero(X["bill_length_mm"].isna())[0])]


def test_texts_stay_texts_and_nothing_is_loaded():
    hostile = "</script><b onclick=x>&"
    X = {hostile: ["<i>", "b", "<i>", "b"] * 10}
    clf = bough.RIPPERClassifier().fit(X, ["<u>", "no", "<u>", "no"] * 10)
    text = clf.to_html(X=X, y=["<u>", "no", "<u>", "no"] * 10)
    assert text.count("</script>") == 2
    assert "<b onclick" not in text
    assert "<u>" not in text
    assert "default-src 'none'" in text
    assert html.escape("<u>") in text


def test_the_command_line_writes_both(tmp_path):
    model, page, picture = (tmp_path / name for name in ("rules.json", "rules.html", "rules.png"))
    fit = ["fit", "penguins", "--target", "species", "--algorithm", "ripper", "--folds", "0", "--output", model]
    for arguments in (fit, ["show", model, "--html", page, "--png", picture]):
        main([str(one) for one in arguments])
    assert page.read_text().startswith("<!doctype html>")
    assert picture.read_bytes()[:4] == b"\x89PNG"
