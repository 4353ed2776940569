"""The tables of tests that the texts print: watermelons (1, 2, 3, 12), chi-squared (11), twoing (13), surrogate (6)."""

import numpy as np
import pytest

import bough
from bough.errors import DataError, ParameterError

COLUMNS = ["color", "root", "sound", "texture", "umbilicus", "surface"]


def of(table, name):
    return dict(zip(table["column"], table[name], strict=True))


def in_order(table, name, columns=COLUMNS):
    figures = of(table, name)
    return [figures[column] for column in columns]


@pytest.fixture
def melons():
    return bough.datasets.load("watermelon").xy()


def test_gains_ratios_and_gini_of_the_watermelons(melons):
    table = bough.candidates(*melons)
    assert in_order(table, "gain") == pytest.approx([0.108, 0.143, 0.141, 0.381, 0.289, 0.006], abs=5e-4)
    assert in_order(table, "gain_ratio") == pytest.approx([0.068, 0.102, 0.106, 0.263, 0.187, 0.007], abs=5e-4)
    assert in_order(table, "gini_after") == pytest.approx([0.4275, 0.4223, 0.4235, 0.2771, 0.3445, 0.4941], abs=5e-5)
    assert "twoing" not in of(table, "best_by")["color"]  # which has three branches
    intrinsic = of(table, "intrinsic_value")
    assert (intrinsic["color"], intrinsic["surface"]) == pytest.approx((1.580, 0.874), abs=5e-4)


def test_an_identifier_gains_most_and_has_the_smaller_ratio(melons):
    X, y = melons
    table = bough.candidates({**{name: X[name] for name in COLUMNS}, "id": [f"row {i}" for i in range(17)]}, y)
    assert of(table, "gain")["id"] == pytest.approx(0.9975, abs=5e-5)
    assert of(table, "intrinsic_value")["id"] == pytest.approx(4.087, abs=5e-4)
    assert of(table, "gain_ratio")["id"] == pytest.approx(0.2440, abs=5e-5)


def test_gains_inside_a_node(melons):
    X, y = melons
    model = bough.ID3Classifier().fit(X, y)
    clear = next(node for node in model.tree_.root.children if node.rows == 9)
    table = bough.candidates(X, y, model=model, node=clear.path)
    inside = ["color", "root", "sound", "umbilicus", "surface"]
    assert in_order(table, "gain", inside) == pytest.approx([0.043, 0.458, 0.331, 0.458, 0.458], abs=5e-4)
    assert "texture" not in of(table, "gain")


def test_thresholds_of_the_numbers():
    table = bough.candidates(*bough.datasets.load("watermelon", version="3.0").xy(), criterion="gain")
    assert table["column"][0] == "texture"
    assert of(table, "threshold")["density"] == pytest.approx(0.3815)
    assert of(table, "threshold")["sugar"] == pytest.approx(0.126)
    assert of(table, "gain")["density"] == pytest.approx(0.262, abs=5e-4)
    assert of(table, "gain")["sugar"] == pytest.approx(0.349, abs=5e-4)


def test_gains_count_the_share_of_known_values():
    table = bough.candidates(*bough.datasets.load("watermelon", version="2.0a").xy())
    assert in_order(table, "gain") == pytest.approx([0.252, 0.171, 0.145, 0.424, 0.289, 0.006], abs=5e-4)


def test_chi_squared_of_both_branches():
    X = {"x": ["left"] * 30 + ["right"] * 70}
    y = [0] * 20 + [1] * 10 + [0] * 70
    table = bough.candidates(X, y)
    assert table["chi_squared"][0] == pytest.approx(25.926, abs=5e-4)
    assert table["p_value"][0] < 0.01


def test_all_thresholds_and_the_best_by_each_criterion():
    X = {"x": np.repeat([1, 2, 3, 4], [28, 24, 24, 24])}
    y = np.repeat(list("abcd"), [28, 24, 24, 24])
    table = bough.candidates(X, y, cuts="all")
    assert list(table["threshold"]) == [1.5, 2.5, 3.5]
    assert list(table["gini"]) == pytest.approx([0.2688, 0.2503, 0.2435], abs=5e-5)
    assert list(table["twoing"]) == pytest.approx([0.2016, 0.2496, 0.1824], abs=5e-5)
    assert "gini" in table["best_by"][0]
    assert "twoing" in table["best_by"][1]
    assert list(bough.candidates(X, y, criterion="twoing")["threshold"]) == [2.5]


def test_association_with_the_test_of_the_largest_gain():
    table = bough.candidates(*bough.datasets.load("ten_points").xy(), cuts="all")
    figures = zip(table["column"], table["threshold"], table["association"], strict=True)
    shares = {(column, threshold): share for column, threshold, share in figures}
    assert shares["x1", 5.5] == 1.0
    assert shares["x3", 3.5] == pytest.approx(0.8)
    assert shares["x2", 3.5] == pytest.approx(0.6)


def test_weights_count_as_rows(melons):
    X, y = melons
    once = bough.candidates(X, y)
    thrice = bough.candidates(X, y, np.full(17, 3.0))
    assert list(thrice["gain"]) == pytest.approx(list(once["gain"]))
    assert list(thrice["chi_squared"]) == pytest.approx([3 * value for value in once["chi_squared"]])


def test_what_makes_no_sense_is_refused(melons):
    X, y = melons
    with pytest.raises(ParameterError, match="criterion must be one of"):
        bough.candidates(X, y, criterion="beauty")
    with pytest.raises(ParameterError, match="model="):
        bough.candidates(X, y, node=1)
    with pytest.raises(DataError, match="17 rows"):
        bough.candidates(X, y[:5])
