"""A tree sees the order of numbers, not their size; and errors follow the scale of the target."""

import numpy as np
import pandas as pd
import pytest

RISING = {
    "exp": np.exp,
    "cube": lambda x: x**3,
    "affine": lambda x: 1e6 * x + 1e9,
    "tiny": lambda x: x * 1e-300,
    "rank": lambda x: pd.Series(x).rank().to_numpy(),
    "float32": lambda x: (x * 4).round().astype(np.float32),
}


@pytest.mark.parametrize("transform", sorted(set(RISING) - {"float32"}))
@pytest.mark.parametrize("policy", [{"missing": "surrogates"}, {"missing": "stop"}], ids=str)
def test_rising_transforms_of_a_column(criterion, transform, policy, grown, mixed, partition, assert_same_answers):
    X, y = mixed(6, criterion, n=80)
    other = X.assign(x0=RISING[transform](X["x0"].to_numpy()), x1=RISING[transform](X["x1"].to_numpy()))
    fits = [grown(criterion, **policy).fit(table, y) for table in (X, other)]
    assert partition(fits[0], X) == partition(fits[1], other)
    np.testing.assert_array_equal(fits[0].tree_.kernel.parent, fits[1].tree_.kernel.parent)
    np.testing.assert_allclose(fits[0].tree_.kernel.split_score, fits[1].tree_.kernel.split_score, rtol=1e-12)
    assert_same_answers(fits[0], X, fits[1], other)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_falling_transforms_mirror_the_tree(criterion, grown, partition):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=200)
    if not criterion.endswith("error"):
        y = np.digitize(y, [-0.5, 0.5])
    weights = rng.uniform(0.5, 2, 200)
    parameters = {"min_samples_leaf": 10, "min_samples_split": 20}
    one, other = (grown(criterion, **parameters).fit(table, y, weights) for table in (X, -X))
    assert partition(one, X) == partition(other, -X)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, np.uint16, "datetime64[s]"])
def test_the_type_of_a_column_does_not_matter(dtype, grown, partition):
    rng = np.random.default_rng(2)
    X = rng.integers(0, 100, (120, 2))
    y = rng.integers(0, 2, 120) + (X[:, 0] > 50)
    wide = pd.DataFrame(X.astype(np.float64), columns=["a", "b"])
    one = grown("gini").fit(wide, y)
    narrow = pd.DataFrame({name: X[:, k].astype(dtype) for k, name in enumerate("ab")})
    other = grown("gini").fit(narrow, y)
    assert partition(one, wide) == partition(other, narrow)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "worst_error"])
@pytest.mark.parametrize(
    ("factor", "offset"), [(2.0, 0.0), (1024.0, 0.0), (1e-9, 0.0), (3.0, 100.0), (1.0, -1e6), (1e100, 0.0)]
)
def test_scale_and_offset_of_the_target(criterion, factor, offset, grown, mixed, partition):
    X, y = mixed(4, criterion, n=100)
    one = grown(criterion, pruning=0.01).fit(X, y)
    other = grown(criterion, pruning=0.01).fit(X, y * factor + offset)
    assert partition(one, X) == partition(other, X)
    np.testing.assert_array_equal(one.tree_.kernel.parent, other.tree_.kernel.parent)
    np.testing.assert_allclose(
        other.predict(X), one.predict(X) * factor + offset, rtol=1e-12, atol=1e-9 * factor, strict=True
    )
    np.testing.assert_allclose(other.importance(), one.importance(), rtol=1e-6)
    np.testing.assert_allclose(other.pruning_path_["cp"], one.pruning_path_["cp"], rtol=1e-6)


@pytest.mark.parametrize("criterion", ["squared_error", "worst_error"])
def test_a_negated_target(criterion, grown, mixed, partition):
    X, y = mixed(4, criterion, n=100)
    one, other = (grown(criterion).fit(X, target) for target in (y, -y))
    np.testing.assert_allclose(one.predict(X), -other.predict(X), rtol=1e-12, atol=1e-12)
