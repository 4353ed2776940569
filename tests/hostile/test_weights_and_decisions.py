"""Faults 31 to 36: weights that are zero, negative, enormous or no numbers; priors and costs that cannot be."""

import numpy as np
import pytest

from bough.errors import DataError, ParameterError
from bough.recipe import Reading

pd = pytest.importorskip("pandas")

AS_GIVEN = {"count_by": "rows", "reading": Reading(fractional_weights="as_given")}

CLASSES = ["gini", "entropy", "misclassification", "twoing"]
ERRORS = ["squared_error", "absolute_error", "worst_error"]


@pytest.fixture
def table():
    """Numbers, an ordered and a nominal column, all with gaps, and a target for each task."""
    rng = np.random.default_rng(5)
    n = 240
    X = pd.DataFrame(rng.normal(size=(n, 3)).round(1), columns=["a", "b", "c"])
    X["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    X["town"] = rng.choice(list("uvwxyz"), n)
    X = X.mask(rng.random(X.shape) < 0.05)
    number = X["a"].fillna(0) + X["town"].isin(["u", "x"]) * X["b"].fillna(0) + rng.normal(size=n).round(2)
    return X, number.to_numpy(), np.digitize(number, [-0.5, 0.5]), rng


def fit(grown, criterion, table, weights, rows=slice(None), **parameters):
    X, number, label, _ = table
    y = number if criterion in ERRORS else label
    model = grown(criterion=criterion, **parameters)
    return model.fit(X.iloc[rows], y[rows], sample_weight=weights)


@pytest.fixture
def by_criterion(classifier, regressor):
    """A function of a criterion and parameters: the estimator that knows it."""
    return lambda criterion, **parameters: (regressor if criterion in ERRORS else classifier)(
        criterion=criterion, **parameters
    )


@pytest.mark.parametrize("criterion", CLASSES + ERRORS)
@pytest.mark.parametrize("pruning", [None, 0.01])
def test_31_rows_of_weight_zero_are_as_good_as_removed(by_criterion, same_bits, table, criterion, pruning):
    X, _, _, rng = table
    kept = rng.random(len(X)) < 0.6
    weights = np.where(kept, rng.integers(1, 4, len(X)), 0).astype(float)
    one = fit(by_criterion, criterion, table, weights, pruning=pruning)
    other = fit(by_criterion, criterion, table, weights[kept], rows=kept, pruning=pruning)
    assert one.get_n_leaves() > 1
    same_bits(one, other)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_31_classes_levels_and_types_of_removed_rows_are_gone_too(classifier):
    X = {
        "town": np.array(["a", "b", "a", "b", "nowhere"], dtype=object),
        "x": np.array([1, 2, 3, 4, "five"], dtype=object),
    }
    fitted = classifier().fit(X, ["no", "yes", "no", "yes", "never"], sample_weight=[1, 1, 1, 1, 0])
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.schema_.columns[0].levels == ("a", "b")
    assert fitted.schema_.columns[1].kind == "numeric"


def test_31_thresholds_do_not_know_removed_rows(grown, thresholds):
    fitted = grown().fit([[0.0], [1.0], [4.0], [9.0]], [0, 0, 1, 1], sample_weight=[1, 0, 0, 1])
    assert thresholds(fitted) == [4.5]
    assert fitted.tree_.kernel.rows[0] == 2


def test_32_all_weights_zero(estimator):
    with pytest.raises(DataError, match="every sample_weight is zero: no row is left to learn from"):
        estimator.fit([[1.0], [2.0]], [0, 1], sample_weight=[0.0, 0.0])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0, 1.0], r"finite and not negative; row 1 has -1\.0"),
        ([1.0, 1.0, np.nan], "finite and not negative; row 2 has nan"),
        ([1.0, np.inf, 1.0], "finite and not negative; row 1 has inf"),
        ([1.0, 1.0], r"shape \(2,\), but X has 3 rows: expected \(3,\)"),
        (np.ones((3, 2)), r"shape \(3, 2\), but X has 3 rows"),
        (["a", "b", "c"], "sample_weight must hold a number for each row"),
        ([1.0, None, 1.0], "row 1 has nan"),
        (np.array([1.0, "b", 1.0], dtype=object), "sample_weight must hold a number for each row"),
        (np.ones(3) * 1j, "sample_weight must hold a number for each row"),
        (pd.Series([1, None, 2], dtype="Int64"), "row 1 has nan"),
        ([1e308, 1e308, 1e308], r"sums to inf, too much.*largest entry is 1e\+308.*Divide"),
    ],
)
def test_33_weights_that_are_none(estimator, weights, message):
    with pytest.raises(DataError, match=message):
        estimator.fit([[1.0], [2.0], [3.0]], [0, 1, 0], sample_weight=weights)


@pytest.mark.parametrize("criterion", CLASSES + ERRORS)
@pytest.mark.parametrize("power", [-1000, -500, -200, 200, 500, 1000])
def test_34_the_unit_of_weights_does_not_matter(by_criterion, table, criterion, power):
    """Powers of two change no digit: the same tree, and all its numbers in the new unit."""
    rng = np.random.default_rng(6)
    weights = rng.integers(1, 5, len(table[0])).astype(float)
    one = fit(by_criterion, criterion, table, weights, **AS_GIVEN).tree_.kernel
    other = fit(by_criterion, criterion, table, np.ldexp(weights, power), **AS_GIVEN).tree_.kernel
    for name in (
        "parent",
        "split_column",
        "split_payload",
        "split_role",
        "set_code",
        "set_branch",
        "label",
        "majority",
    ):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("weight", "risk", "complexity", "count_weight"):
        np.testing.assert_allclose(getattr(other, name), np.ldexp(getattr(one, name), power), rtol=1e-12, err_msg=name)
    for name in ("impurity", "value", "split_score", "split_adjusted"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-12, atol=1e-15, err_msg=name)


@pytest.mark.parametrize("criterion", CLASSES + ERRORS)
@pytest.mark.parametrize("parameters", [{}, {"class_weight": "balanced"}, {"costs": "some"}], ids=str)
@pytest.mark.parametrize("given", [AS_GIVEN, {"count_by": "rows"}], ids=["as_given", "mean_one"])
def test_34_enormous_beside_tiny_weights(by_criterion, table, criterion, parameters, given):
    if criterion in ERRORS and parameters:
        pytest.skip("only for classes")
    if "costs" in parameters:
        parameters = {"costs": [[0, 2, 1], [1, 0, 3], [5, 1, 0]]}
    rng = np.random.default_rng(7)
    weights = np.where(rng.random(len(table[0])) < 0.5, 1e300, 1e-300)
    fitted = fit(by_criterion, criterion, table, weights, **given, **parameters)
    kernel = fitted.tree_.kernel
    assert fitted.get_n_leaves() > 2
    for name in ("weight", "impurity", "risk", "complexity", "count_weight", "value", "split_score", "split_adjusted"):
        assert np.isfinite(getattr(kernel, name)).all(), name
    assert np.isfinite(fitted.feature_importances_).all()
    if criterion in CLASSES:
        np.testing.assert_allclose(fitted.predict_proba(table[0]).sum(axis=1), 1.0)
    else:
        assert np.isfinite(fitted.predict(table[0])).all()


@pytest.mark.parametrize("criterion", ["gini", "twoing"])
def test_34_what_rounding_leaves_of_enormous_weights_is_no_side(classifier, criterion):
    """Beside the light row the sums of the heavy ones leave more than nothing in one class and less in another."""
    x = np.array([0, 0, 1, 2, 2, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12], dtype=float).reshape(-1, 1)
    y = np.array([1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1])
    weights = np.r_[np.full(17, 1e300), 1e-300]
    fitted = classifier(criterion=criterion, **AS_GIVEN).fit(x, y, sample_weight=weights)
    kernel = fitted.tree_.kernel
    assert 0 < kernel.split_score.min() <= kernel.split_score.max() < 1
    leaf = fitted.apply(x)
    assert leaf[-1] == leaf[-2]


def test_34_light_rows_decide_where_they_are_alone(grown):
    """The heavy rows are cut off first; among the others a weight of 1e-300 is as good as 1."""
    x = np.r_[-9.0, -8.0, np.arange(20.0)].reshape(-1, 1)
    y = np.r_[5, 7, np.repeat([0, 1], 10)]
    fitted = grown(**AS_GIVEN).fit(x, y, sample_weight=np.r_[1e300, 1e300, np.full(20, 1e-300)])
    assert len(set(fitted.apply(x[:2]))) == 2
    # Nothing is gained by telling light rows from a heavy one; with one more column they come alone.
    both = np.column_stack([x, np.r_[0.0, 0.0, np.ones(20)]])
    fitted = grown(**AS_GIVEN).fit(both, y, sample_weight=np.r_[1e300, 1e300, np.full(20, 1e-300)])
    kernel = fitted.tree_.kernel
    assert np.isfinite(kernel.impurity).all()


@pytest.mark.parametrize(
    ("values", "criterion"),
    [(1e200, "squared_error"), (1e-200, "squared_error"), (1e160, "worst_error"), (1e-310, "absolute_error")],
)
def test_34_targets_whose_errors_do_not_fit_are_refused(regressor, values, criterion):
    y = np.arange(10) * values
    with pytest.raises(DataError, match=r"y ranges from .* to .*do not fit into double precision\. Multiply y by"):
        regressor(criterion=criterion).fit(np.arange(10.0).reshape(-1, 1), y)


@pytest.mark.parametrize("value", [1e306, -1e306, 1e-320, 0.0, 0.1, 1 / 3])
@pytest.mark.parametrize("criterion", ERRORS)
def test_34_a_constant_target_is_answered_as_it_is(regressor, value, criterion):
    fitted = regressor(criterion=criterion).fit(np.arange(10.0).reshape(-1, 1), np.full(10, value))
    assert fitted.predict([[3.0]]).tolist() == [value]


@pytest.mark.parametrize("criterion", ERRORS)
def test_34_whole_numbers_are_answered_as_they_are(regressor, criterion):
    X, y = np.arange(60.0).reshape(-1, 1), np.sort(np.arange(60) % 7) * 1001 - 3
    fitted = regressor(criterion=criterion).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X), y)


@pytest.mark.parametrize("criterion", CLASSES + ERRORS)
@pytest.mark.parametrize("parameters", [{"pruning": 0.01}, {"min_samples_leaf": 5, "min_samples_split": 12}], ids=str)
def test_35_whole_weights_are_repeated_rows(by_criterion, table, criterion, parameters):
    X, number, label, rng = table
    times = rng.integers(1, 4, len(X))
    rows = np.repeat(np.arange(len(X)), times)
    weighted = fit(by_criterion, criterion, table, times.astype(float), **parameters)
    repeated = fit(by_criterion, criterion, table, None, rows=rows, **parameters)
    one, other = weighted.tree_.kernel, repeated.tree_.kernel
    for name in ("parent", "split_column", "split_kind", "set_code", "set_branch", "label", "majority"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(one.split_payload[one.split_kind == 0], other.split_payload[other.split_kind == 0])
    for name in ("weight", "impurity", "risk", "value"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9, atol=1e-9, err_msg=name)
    y = number if criterion in ERRORS else label
    np.testing.assert_allclose(
        weighted.predict(X).astype(float), repeated.predict(X).astype(float), rtol=1e-9, atol=1e-9
    )
    assert weighted.score(X, y, times) == pytest.approx(repeated.score(X.iloc[rows], y[rows]))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"priors": [0.5]}, r"priors must hold one number for each of the 2 classes; its shape is \(1,\)"),
        ({"priors": [[0.5, 0.5]]}, r"its shape is \(1, 2\)"),
        ({"priors": [0.5, 0.6]}, r"priors must sum to 1; they sum to 1\.1"),
        ({"priors": [-0.5, 1.5]}, r"priors must hold finite numbers that are not negative; got \[-0\.5, 1\.5\]"),
        ({"priors": [np.nan, 1]}, "priors must hold finite numbers"),
        ({"priors": [0, 0]}, "they sum to 0"),
        ({"priors": {"no": 1.0}}, "priors gives nothing for class 'yes'"),
        (
            {"priors": {"no": 0.5, "yes": 0.5, "maybe": 0}},
            "priors names 'maybe', which is not a class",
        ),
        ({"priors": {"no": "half", "yes": 0.5}}, r"priors\['no'\] must be a number; got 'half'"),
        ({"priors": ["a", "b"]}, "priors must hold numbers; got"),
        ({"priors": "even"}, "priors must be 'equal', a mapping or a sequence"),
        ({"costs": [[0, 1]]}, r"costs must be 2 x 2, rows the true class.*its shape is \(1, 2\)"),
        ({"costs": np.zeros((3, 3))}, r"costs must be 2 x 2.*\(3, 3\)"),
        ({"costs": [[0, -1], [1, 0]]}, r"not negative; to decide 'yes' where 'no' is true costs -1\.0"),
        ({"costs": [[0, np.nan], [1, 0]]}, "where 'no' is true costs nan"),
        ({"costs": [[0, np.inf], [1, 0]]}, "where 'no' is true costs inf"),
        ({"costs": [[0, 0], [1, 0]]}, "costs has a row of zeros: no error on class 'no' would cost anything"),
        ({"costs": {("yes", "no"): 0}}, "costs has a row of zeros: no error on class 'yes'"),
        ({"costs": [[1, 1], [1, 0]]}, r"the diagonal of costs must be 0; for class 'no' it is 1\.0"),
        ({"costs": {("no", "never"): 1}}, "costs names 'never', which is not a class"),
        ({"costs": {"no": 1}}, r"costs must map \(true, decided\) to a cost; got the key 'no'"),
        ({"costs": {("no", "yes"): "much"}}, r"costs\[\('no', 'yes'\)\] must be a number; got 'much'"),
        ({"costs": "high"}, "costs must hold numbers; got 'high'"),
        ({"class_weight": {"no": -1}}, "class_weight must hold finite numbers that are not negative"),
        ({"class_weight": {"no": 0, "yes": 0}}, "class_weight leaves no class with a positive weight"),
        ({"class_weight": {"never": 1}}, "class_weight names 'never', which is not a class"),
        ({"class_weight": "even"}, "class_weight must be 'balanced'"),
        ({"class_weight": "balanced", "priors": "equal"}, "give one of them"),
        (
            {"feature_costs": [1, 2]},
            r"one number for each of the 1 columns; its shape is \(2,\)",
        ),
        ({"feature_costs": {"y": 1}}, "feature_costs names the column 'y', which X does not have. Its columns: 'x'"),
        ({"feature_costs": [0]}, "feature_costs must be finite and positive"),
        ({"feature_costs": {"x": "dear"}}, r"feature_costs\['x'\] must be a number; got 'dear'"),
        ({"monotonic_cst": ["up"]}, "monotonic_cst must hold numbers; got"),
        ({"monotonic_cst": [2]}, "monotonic_cst must hold -1, 0 or 1"),
    ],
    ids=str,
)
def test_36_priors_and_costs_that_cannot_be(classifier, parameters, message):
    with pytest.raises(ParameterError, match=message):
        classifier(**parameters).fit({"x": np.arange(12)}, ["no", "yes"] * 6)


def test_36_priors_of_classes_too_far_apart(classifier):
    weights = np.repeat([1e300, 1e-300], 6)
    with pytest.raises(DataError, match=r"the classes weigh from 6e-300 to 6e\+300, too far apart"):
        classifier(priors="equal", **AS_GIVEN).fit({"x": np.arange(12)}, np.repeat([0, 1], 6), sample_weight=weights)
