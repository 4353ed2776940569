"""A sum of terms as a feature: its value, its words, and what tests of it can and cannot say."""

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from bough.explain.path import merged
from bough.model.asked import Asked
from bough.model.features import Linear, LinearTerm, columns_asked, without_cells
from bough.model.features.feature import Factor, Product, Sum
from bough.model.tests import read_test
from bough.model.tests.conditions import Between
from bough.model.tests.intervals import Intervals
from bough.model.tests.threshold import Threshold
from bough.table import Column

SCHEMA = (
    Column("plas", "numeric", "float64"),
    Column("mass", "numeric", "float64"),
    Column("age", "numeric", "int64"),
    Column("job", "nominal", "levels", ("A", "B", "C")),
    Column("size", "ordered", "levels", ("S", "M", "L")),
    Column("born", "numeric", "date"),
    Column("count", "numeric", "uint64"),
)
TERMS = (
    LinearTerm(0, -1, 0.62, 120.0, 30.0),
    LinearTerm(1, -1, 0.31, 32.0, 8.0),
    LinearTerm(2, -1, -0.2, 33.0, 11.0),
)


def row(**cells):
    return [cells.get(column.name) for column in SCHEMA]


def test_the_value_is_the_sum_in_the_order_of_the_terms():
    rng = np.random.default_rng(0)
    for _ in range(200):
        terms = [LinearTerm(c, -1, float(rng.normal()), 0.0) for c in (0, 1)]
        cells = row(plas=float(rng.normal() * 1e3), mass=float(rng.normal()))
        assert Linear(terms, SCHEMA).value(cells) == 0.0 + terms[0].weight * cells[0] + terms[1].weight * cells[1]


def test_levels_count_by_their_codes_or_as_indicators():
    feature = Linear([LinearTerm(3, 1, 2.0, 0.25), LinearTerm(4, -1, 0.5, 1.0)], SCHEMA)
    assert feature.value(row(job=1, size=2)) == 3.0
    assert feature.value(row(job=0, size=0)) == 0.0
    assert feature.value(row(size=2)) == 1.5  # the fill of the indicator


def test_a_missing_term_counts_its_fill_and_all_missing_is_missing():
    feature = Linear(TERMS, SCHEMA)
    assert feature.value(row(plas=100.0, age=50)) == pytest.approx(62 + 0.31 * 32 - 10)
    assert feature.value(row()) == "missing"
    assert Linear(TERMS, SCHEMA, whole=True).value(row(plas=100.0, age=50)) == "missing"


def test_a_level_never_seen_is_missing_only_where_the_tree_says_so():
    terms = [LinearTerm(3, 1, 2.0, 0.25), LinearTerm(0, -1, 1.0, 0.0)]
    assert Linear(terms, SCHEMA).value(row(job=-2, plas=1.0)) == 1.5
    assert Linear(terms, SCHEMA, unseen_is_missing=False).value(row(job=-2, plas=1.0)) == "unseen"
    numbers = [LinearTerm(0, -1, 1.0, 0.0), LinearTerm(1, -1, 1.0, 0.0)]
    assert Linear(numbers, SCHEMA).value(row(plas=-2.0, mass=1.0)) == -1.0  # of a number, -2 is a value


def test_infinite_values_of_both_signs_are_no_number():
    terms = [LinearTerm(0, -1, 1.0, 0.0), LinearTerm(1, -1, 1.0, 0.0)]
    assert Linear(terms, SCHEMA).value(row(plas=math.inf, mass=-math.inf)) == "missing"
    assert Linear(terms, SCHEMA).value(row(plas=math.inf, mass=1.0)) == math.inf


def test_integers_lose_no_digit_that_the_difference_to_the_origin_has():
    near = 2**60
    for column, cell, origin in ((2, near + 3, near), (6, 2**64 - 1, 2**63 - 1), (5, 18322, 18321)):
        feature = Linear([LinearTerm(column, -1, 1.0, 0.0, 1.0, origin), LinearTerm(0, -1, 1.0, 0.0)], SCHEMA)
        cells = row(plas=0.0)
        cells[column] = cell
        assert Fraction(feature.value(cells)) == Fraction(float(Fraction(cell) - origin))


def test_words_are_short_and_the_weightiest_term_comes_first():
    assert Linear(TERMS, SCHEMA).words() == "0.62 plas + 0.31 mass - 0.2 age"
    heavy_age = [*TERMS[:2], TERMS[2]._replace(scale=1000.0)]
    assert Linear(heavy_age, SCHEMA).words() == "-0.2 age + 0.62 plas + 0.31 mass"
    assert Linear(heavy_age, SCHEMA).columns == (2, 0, 1)
    more = [*TERMS, LinearTerm(3, 1, 0.1234567, 0.3, 0.4), LinearTerm(4, -1, 0.01, 1.0, 0.1)]
    assert Linear(more, SCHEMA).words() == "0.62 plas + 0.31 mass - 0.2 age + 0.1235 [job = B] ... (+1)"
    dated = [LinearTerm(5, -1, 2.0, 0.0, 1.0, 18322), TERMS[0]]
    assert Linear(dated, SCHEMA).words() == "0.62 plas + 2 (born - 2020-03-01)"


def test_exact_words_have_all_terms_and_digits_in_the_order_of_the_sum():
    weights = (0.1 + 0.2, -1 / 3, 1e-17)
    terms = [LinearTerm(c, -1, w, 0.0, 10.0**c) for c, w in enumerate(weights)]
    test = Threshold(Linear(terms, SCHEMA), (2 / 3,), (0, 1))
    text = test.words(0)
    assert text == "0.30000000000000004 plas - 0.3333333333333333 mass + 1e-17 age <= 0.6666666666666666"
    plas, mass, age = 3.7, 1.1, 9
    read = text.replace(" plas", "*plas").replace(" mass", "*mass").replace(" age", "*age")
    assert eval(read, {"plas": plas, "mass": mass, "age": age}) == (test.branch([plas, mass, age]) == 0)


def test_a_threshold_of_a_sum():
    test = Threshold(Linear(TERMS, SCHEMA), (118.4,), (1, 0), "lt", missing_branch=2)
    assert [test.words(branch, exact=False) for branch in range(3)] == [
        "0.62 plas + 0.31 mass - 0.2 age >= 118.4",
        "0.62 plas + 0.31 mass - 0.2 age < 118.4",
        "plas, mass and age are missing",
    ]
    assert [test.words(branch, short=True) for branch in range(3)] == [">= 118.4", "< 118.4", "missing"]
    assert (test.title(), test.threshold, test.side, test.low) == ("0.62 plas + 0.31 mass - 0.2 age", 118.4, "lt", 1)
    assert (test.branch(row(plas=1e3)), test.branch(row(plas=1.0)), test.branch(row())) == (0, 1, "missing")
    assert test.conditions(1) == (Between(test.feature, None, 118.4, "lt"),)


def test_intervals_of_a_sum():
    test = Intervals(Linear(TERMS[:2], SCHEMA), (10.0, 20.0), (0, 1, 0))
    assert test.words(1) == "10.0 < 0.62 plas + 0.31 mass <= 20.0"
    assert test.mapped(lambda branch: 0, 1).words(0) == "0.62 plas + 0.31 mass is known"


def test_a_sum_has_no_cells():
    test = Threshold(Linear(TERMS, SCHEMA), (118.4,), (0, 1))
    assert not test.has_cells
    assert (test.cells(0, {}), test.bound(0), test.cuts) == (None, None, {})


def test_a_path_tells_the_condition_of_a_sum_as_it_is(make_small):
    asked = Asked(make_small())
    asked.columns = SCHEMA
    asked._bins = [None] * len(SCHEMA)
    plane = Threshold(Linear(TERMS, SCHEMA), (118.4,), (0, 1))
    told = merged(asked, [(plane, 0)])
    assert [(each.columns, each.text) for each in told] == [
        (("plas", "mass", "age"), "0.62 plas + 0.31 mass - 0.2 age <= 118.4")
    ]


def test_the_expression_is_the_same_as_plain_data():
    assert Linear(TERMS[:2], SCHEMA).expression() == Sum(
        (Product(0.62, (Factor(0),), 120.0), Product(0.31, (Factor(1),), 32.0))
    )


@pytest.fixture
def with_sums(make_small):
    """The arrays of a small tree in which the first split asks a sum."""
    arrays = make_small().arrays
    lists = zip(LinearTerm._fields, zip(*TERMS, strict=True), strict=True)
    feature = np.full(len(arrays.split_kind), -1, dtype=np.int32)
    feature[0] = 0
    more = {"split_feature": feature, "lin_begin": np.array([0, 3]), "lin_whole": np.zeros(0, np.uint8)}
    more |= {f"lin_{name}": np.array(values) for name, values in lists}
    return SimpleNamespace(**{name: getattr(arrays, name) for name in vars(arrays)} | more)


def test_a_sum_is_read_from_the_arrays(with_sums):
    test = read_test(with_sums, 0, SCHEMA)
    assert test.feature.terms == TERMS
    assert test.words(0, exact=False).startswith("0.62 plas + 0.31 mass - 0.2 age <= ")
    assert without_cells(with_sums, np.ones(len(with_sums.split_kind), dtype=bool)).tolist() == [0]


def test_columns_share_in_a_sum_by_weight_times_scale(with_sums):
    columns, splits, shares = columns_asked(with_sums, np.array([0]))
    assert (columns.tolist(), splits.tolist()) == ([0, 1, 2], [0, 0, 0])
    sizes = np.array([0.62 * 30, 0.31 * 8, 0.2 * 11])
    np.testing.assert_allclose(shares, sizes / sizes.sum())


PRODUCT = LinearTerm(0, -1, 0.01, 12.0, 9.0, 0, 2, -1, 0, 120.0, 33.5)
SQUARE = LinearTerm(0, -1, 0.25, 900.0, 800.0, other=0, centre=120.0, other_centre=120.0)


def test_a_product_counts_its_fill_where_a_factor_is_missing():
    feature = Linear([TERMS[0], PRODUCT], SCHEMA)
    assert feature.value(row(plas=100.0, age=40)) == 0.0 + 0.62 * 100.0 + 0.01 * ((100.0 - 120.0) * (40 - 33.5))
    assert feature.value(row(plas=100.0)) == 0.62 * 100.0 + 0.01 * 12.0
    assert feature.value(row(age=40)) == "missing"  # neither term is known
    assert Linear([TERMS[0], PRODUCT], SCHEMA, whole=True).value(row(plas=100.0)) == "missing"
    assert feature.columns == (0, 2)
    levels = Linear([LinearTerm(3, 1, 2.0, 0.25, other=4)], SCHEMA, unseen_is_missing=False)
    assert levels.value(row(job=1, size=2)) == 4.0
    assert levels.value(row(size=-2)) == "unseen"


def test_words_of_products_and_of_distances():
    feature = Linear([TERMS[0], PRODUCT], SCHEMA)
    assert feature.words() == "0.62 plas + 0.01 (plas - 120) * (age - 33.5)"
    assert Linear([PRODUCT._replace(centre=0.0, other_centre=-1.25)], SCHEMA).words() == "0.01 plas * (age + 1.25)"
    other = SQUARE._replace(column=1, other=1, centre=1 / 3, other_centre=1 / 3, scale=1.0)
    test = Threshold(Linear([SQUARE, other], SCHEMA), (1.69,), (0, 1))
    assert test.words(0, exact=False) == "distance to (plas 120, mass 0.3333) <= 1.3"
    assert test.words(0) == "0.25 (plas - 120.0)^2 + 0.25 (mass - 0.3333333333333333)^2 <= 1.69"
    assert Linear([SQUARE, other._replace(weight=-1.0)], SCHEMA).words().startswith("0.25 (plas - 120)^2 - 1 (mass")
    born = SQUARE._replace(column=5, other=5, centre=18322.25, other_centre=18322.25)
    assert Linear([born, SQUARE], SCHEMA).words() == "distance to (born 2020-03-01, plas 120)"


def test_the_expression_of_a_product_has_two_factors():
    (product,) = Linear([PRODUCT], SCHEMA).expression().products
    assert product == Product(0.01, (Factor(0, -1, 0, 120.0), Factor(2, -1, 0, 33.5)), 12.0)
