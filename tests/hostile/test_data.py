"""Faults 1 to 30: tables and targets that are empty, extreme, oddly typed or not those of training."""

import datetime as dt
import decimal
import re
import time
import warnings

import numpy as np
import pytest

from bough.errors import ColumnTypeError, DataError, DataWarning, ParameterError
from bough.recipe import Binary, Exhaustive

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

HALVES = np.repeat([0, 1], 6)


def halves(low, high, dtype=None):
    """A column of two values, the target's halves."""
    return np.array([low] * 6 + [high] * 6, dtype=dtype)


def assert_told_apart(fitted, X, y=HALVES):
    assert fitted.score(X, y) == 1.0
    assert fitted.get_n_leaves() == 2


# 1 to 9: hardly any data


@pytest.mark.parametrize("X", [np.empty((0, 3)), pd.DataFrame({"a": []}), pl.DataFrame({"a": []}), {"a": []}])
def test_01_no_rows(estimator, X):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        estimator.fit(X, [])


@pytest.mark.parametrize("X", [np.empty((3, 0)), pd.DataFrame(index=range(3))])
def test_02_no_columns(estimator, X):
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        estimator.fit(X, [0, 1, 0])


def test_03_one_row_is_one_leaf(estimator):
    fitted = estimator.fit([[1.5]], [7])
    assert fitted.get_n_leaves() == 1
    np.testing.assert_array_equal(fitted.predict([[-3.0], [np.nan]]), [7, 7])


def test_03_one_row_is_sure(classifier):
    np.testing.assert_array_equal(classifier().fit([[1.5]], ["a"]).predict_proba([[0.0]]), [[1.0]])


@pytest.mark.parametrize("pruning", [None, 0.01, "cross_validated"])
def test_04_one_class(classifier, pruning):
    fitted = classifier(pruning=pruning).fit(np.arange(30.0).reshape(-1, 1), ["a"] * 30)
    assert fitted.get_n_leaves() == 1
    assert fitted.classes_.tolist() == ["a"]
    assert fitted.n_classes_ == 1
    assert fitted.predict_proba([[1.0]]).tolist() == [[1.0]]


def test_05_lengths_differ(estimator):
    with pytest.raises(ValueError, match=r"\[2, 3\].*X has 2 rows and y has 3 values"):
        estimator.fit([[1.0], [2.0]], [0, 1, 0])


@pytest.mark.parametrize(
    "y",
    [
        [1.0, np.nan, 2.0],
        [1, None, 2],
        ["a", None, "b"],
        np.array([1, float("nan"), 2], dtype=object),
        np.array(["2020-01-01", "NaT", "2020-01-02"], dtype="M8[D]"),
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series(["a", None, "b"], dtype="category"),
        pd.Series([1.0, None, 2.0], dtype="double[pyarrow]"),
        pl.Series([1, None, 2]),
        pl.Series(["a", None, "b"]),
        pa.array([1, None, 2]),
        pa.chunked_array([["a", None], ["b"]]),
    ],
    ids=lambda y: f"{type(y).__module__.split('.')[0]}-{getattr(y, 'dtype', getattr(y, 'type', ''))}",
)
def test_06_missing_in_y(estimator, y):
    with pytest.raises(ValueError, match=r"Input y contains NaN: row 1 is missing\. Drop"):
        estimator.fit([[1.0], [2.0], [3.0]], y)


def test_06_infinity_in_y(estimator):
    with pytest.raises(ValueError, match=r"Input y contains infinity.*row 2 is inf"):
        estimator.fit([[1.0], [2.0], [3.0]], [0.0, 1.0, np.inf])


def test_07_real_numbers_are_no_classes(classifier):
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*Use CARTRegressor"):
        classifier().fit([[1.0], [2.0]], [0.5, 0.7])


@pytest.mark.parametrize("y", [["a", 1], np.array(["a", 1], dtype=object), np.array([1, "1"], dtype=object)])
def test_07_classes_without_a_common_order(classifier, y):
    with pytest.raises(ValueError, match=r"y mixes strings with values of other types \(int, str\)\. Make all labels"):
        classifier().fit([[1.0], [2.0]], y)


@pytest.mark.parametrize("y", [["a", "b"], ["1.5", "2.5"], np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")])
def test_07_labels_and_dates_are_no_numbers(regressor, y):
    with pytest.raises(ValueError, match=r"y must hold numbers for a regression; found .*use CARTClassifier"):
        regressor().fit([[1.0], [2.0]], y)


@pytest.mark.parametrize("library", [np.column_stack, "pandas", "polars", "pyarrow"])
def test_08_a_column_that_is_all_missing_is_ignored(grown, library):
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}.get(library)
    X = np.column_stack([HALVES, np.full(12, np.nan)]) if make is None else make({"a": HALVES, "b": [None] * 12})
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert fitted.tree_.kernel.split_column.tolist() == [0]


def test_08_nothing_is_known_at_all(grown):
    assert grown().fit(np.full((12, 2), np.nan), HALVES).get_n_leaves() == 1


@pytest.mark.parametrize("constant", [3.0, np.inf, "a", True, None])
def test_09_a_constant_column_is_never_split(grown, constant):
    X = {"constant": [constant] * 12, "x": HALVES}
    fitted = grown(search=Exhaustive(zero_gain=True)).fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert set(fitted.tree_.kernel.split_column.tolist()) == {1}


# 10 to 18: numbers at their limits


@pytest.mark.parametrize("threshold", ["midpoint", "weighted"])
@pytest.mark.parametrize("side", ["le", "lt"])
def test_10_infinities_are_ordered_extremes(grown, thresholds, side, threshold):
    x = np.repeat([-np.inf, -1.0, 2.0, np.inf], 3)
    y = np.repeat([0, 1, 0, 1], 3)
    fitted = grown(search=Exhaustive(threshold, side)).fit(x.reshape(-1, 1), y)
    assert fitted.score(x.reshape(-1, 1), y) == 1.0
    assert not np.isnan(thresholds(fitted)).any()
    cuts = sorted(thresholds(fitted))
    assert [cuts[0], cuts[2]] == ([-np.inf, 2.0] if side == "le" else [-1.0, np.inf])  # values of the data
    far = [[-np.finfo(float).max], [np.finfo(float).max]]
    np.testing.assert_array_equal(fitted.predict(far), [1, 1] if side == "le" else [0, 0])


@pytest.mark.parametrize("threshold", ["midpoint", "weighted"])
@pytest.mark.parametrize("side", ["le", "lt"])
@pytest.mark.parametrize(("low", "high"), [(1.7e308, 1.79e308), (-1.79e308, -1.7e308), (-1.7e308, 1.79e308)])
def test_11_midpoint_does_not_overflow(grown, thresholds, low, high, side, threshold):
    X = {"x": halves(low, high)}
    fitted = grown(search=Exhaustive(threshold, side)).fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert low < thresholds(fitted)[0] < high


def test_12_close_doubles_are_told_apart(grown):
    X = {"x": halves(1.0, 1.0 + 1e-12)}
    assert_told_apart(grown().fit(X, HALVES), X)


@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (2**53, 2**53 + 1, "int64"),
        (2**53, 2**53 + 1, "uint64"),
        (-(2**53) - 1, -(2**53), "int64"),
        (2**63 - 2, 2**63 - 1, "int64"),
        (-(2**63), -(2**63) + 1, "int64"),
        (2**64 - 2, 2**64 - 1, "uint64"),
        (-(2**63), 2**63 - 1, "int64"),
        (0, 2**64 - 1, "uint64"),
    ],
)
@pytest.mark.parametrize("side", ["le", "lt"])
def test_13_whole_numbers_beyond_doubles_are_told_apart(grown, low, high, dtype, side):
    for values in (halves(low, high, dtype), halves(low, high, dtype).tolist(), pl.Series(halves(low, high, dtype))):
        X = {"x": values}
        fitted = grown(search=Exhaustive(side=side)).fit(X, HALVES)
        assert_told_apart(fitted, X)
        assert fitted.predict({"x": np.array([low, high], dtype)}).tolist() == [0, 1]


def test_13_with_missing_values_too(grown):
    X = pd.DataFrame({"x": pd.array([*[2**53] * 6, *[2**53 + 1] * 6, None, None], dtype="Int64")})
    y = [0] * 6 + [1] * 8
    fitted = grown(missing="stop").fit(X, y)
    np.testing.assert_allclose(fitted.predict(X[:12]), y[:12], atol=1e-12)
    assert fitted.get_n_leaves() == 2


@pytest.mark.parametrize(
    "make",
    [
        dict,
        lambda X: pl.DataFrame(X, schema={"x": pl.Int128}),
        lambda X: pa.table(X, pa.schema({"x": pa.decimal128(38)})),
    ],
    ids=["objects", "int128", "decimals"],
)
def test_13_what_doubles_merge_is_reported(grown, make):
    X = make({"x": [2**70] * 6 + [2**70 + 1] * 6})
    with pytest.warns(DataWarning, match=r"Column 'x' holds 2 different numbers, but double precision .* only 1 of"):
        fitted = grown().fit(X, HALVES)
    assert fitted.get_n_leaves() == 1


@pytest.mark.parametrize("threshold", ["midpoint", "weighted"])
@pytest.mark.parametrize("side", ["le", "lt"])
@pytest.mark.parametrize("low", [1.0, -1.0, 0.0, 5e-324, -5e-324, 2.2e-308, 1e300, -1e-310])
def test_14_adjacent_doubles_are_told_apart(grown, thresholds, low, side, threshold):
    high = np.nextafter(low, np.inf)
    X = {"x": halves(low, high)}
    fitted = grown(search=Exhaustive(threshold, side)).fit(X, HALVES)
    assert_told_apart(fitted, X)
    cut = thresholds(fitted)[0]
    assert low <= cut < high if side == "le" else low < cut <= high


def test_14_adjacent_float32(grown, thresholds):
    low, high = np.float32(1), np.nextafter(np.float32(1), np.float32(2))
    X = {"x": halves(low, high, np.float32)}
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert low < thresholds(fitted)[0] < high  # in double precision there is something between


def test_15_minus_zero_is_zero(grown):
    assert grown().fit({"x": halves(-0.0, 0.0)}, HALVES).get_n_leaves() == 1
    fitted = grown().fit({"x": halves(-0.0, 5e-324)}, HALVES)
    assert fitted.predict({"x": [-0.0, 0.0, 5e-324, -5e-324]}).tolist() == [0, 0, 1, 0]


def test_15_denormals_are_numbers(grown):
    X = {"x": halves(5e-324, 1e-323)}
    assert_told_apart(grown().fit(X, HALVES), X)


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", "g", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", ">f8", ">i4", ">u8"]
)
def test_16_numpy_types(grown, dtype):
    X = {"x": halves(0, 1).astype(dtype)}
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert fitted.schema_.columns[0].kind == ("nominal" if dtype == "?" else "numeric")


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_16_decimals_are_numbers(grown, make):
    X = make({"x": [decimal.Decimal("0.10")] * 6 + [decimal.Decimal("0.11")] * 6})
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert fitted.schema_.columns[0].kind == "numeric"
    assert fitted.predict({"x": [0.1, 0.11]}).tolist() == [0, 1]


@pytest.mark.parametrize(
    "dtype",
    ["Int8", "Int64", "UInt64", "Float32", "boolean"]
    + ["int64[pyarrow]", "uint8[pyarrow]", "double[pyarrow]", "bool[pyarrow]"],
)
def test_17_nullable_pandas_types(grown, dtype):
    X = pd.DataFrame({"x": pd.array([None, *[0] * 6, *[1] * 6, None], dtype=dtype)})
    y = [0, *HALVES, 1]
    fitted = grown(missing="stop").fit(X, y)
    ends = fitted.apply(X)
    assert ends[0] == ends[-1] == 0  # what is missing stays, and is no level and no number
    np.testing.assert_array_equal(fitted.predict(X)[1:-1], HALVES)
    assert fitted.schema_.columns[0].kind == ("nominal" if "bool" in dtype else "numeric")


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "category", "str"])
def test_17_nullable_pandas_strings(grown, dtype):
    X = pd.DataFrame({"x": pd.Series([None, *["a"] * 6, *["b"] * 6, None], dtype=dtype)})
    fitted = grown(missing="stop").fit(X, [0, *HALVES, 1])
    assert fitted.apply(X)[[0, -1]].tolist() == [0, 0]
    assert fitted.schema_.columns[0].levels == ("a", "b")


def test_18_layouts_of_memory(grown, same_bits, tmp_path):
    rng = np.random.default_rng(0)
    plain = rng.normal(size=(200, 4))
    plain[rng.random(plain.shape) < 0.1] = np.nan
    y = (np.nan_to_num(plain[:, 0]) + np.nan_to_num(plain[:, 1]) > 0).astype(int)
    mapped = np.memmap(tmp_path / "table", dtype=float, mode="w+", shape=plain.shape)
    mapped[:] = plain
    mapped.flush()
    unaligned = np.frombuffer(b"." + plain.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(plain.shape)
    frozen = plain.copy()
    frozen.flags.writeable = False
    layouts = {
        "column by column": np.asfortranarray(plain),
        "every other row and column": np.repeat(np.repeat(plain, 2, axis=0), 2, axis=1)[::2, ::2],
        "backwards": plain[::-1, ::-1].copy()[::-1, ::-1],
        "read-only": frozen,
        "memory map": np.memmap(tmp_path / "table", dtype=float, mode="r", shape=plain.shape),
        "unaligned": unaligned,
        "other byte order": plain.astype(">f8"),
    }
    reference = grown().fit(plain, y)
    for name, X in layouts.items():
        before = np.array(X)
        fitted = grown().fit(X, y)
        same_bits(reference, fitted)
        np.testing.assert_array_equal(fitted.predict(X), reference.predict(plain), err_msg=name)
        np.testing.assert_array_equal(X, before, err_msg=f"{name} was written to")


def test_18_frames_are_never_written_to(grown):
    frame = pd.DataFrame({"x": [1.0, None, 3.0] * 8, "c": pd.Categorical(list("aba") * 8), "o": [1, "1", None] * 8})
    y, weights = np.arange(24) % 2, np.arange(24.0)
    kept = frame.copy(deep=True), y.copy(), weights.copy()
    grown().fit(frame, y, sample_weight=weights).predict(frame)
    pd.testing.assert_frame_equal(frame, kept[0])
    np.testing.assert_array_equal(y, kept[1])
    np.testing.assert_array_equal(weights, kept[2])


# 19 to 24: columns that are no numbers, and their names


@pytest.mark.parametrize("values", [np.array(["a"] * 6 + ["b"] * 6, dtype=object), np.repeat(["a", "b"], 6)])
def test_19_strings_are_nominal(grown, values):
    X = {"x": values}
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert fitted.schema_.columns[0].kind == "nominal"


def test_20_mixed_objects_are_nominal_by_type_and_value(grown):
    values = [1, "1", True, 2.5, b"1"]
    X = {"x": [*values * 4, None, float("nan")]}
    y = np.array([0, 1, 2, 3, 4] * 4 + [0, 0])
    fitted = grown(missing="stop").fit(X, y)
    assert set(fitted.schema_.columns[0].levels) == set(values)
    assert len(fitted.schema_.columns[0].levels) == 5
    np.testing.assert_array_equal(fitted.predict({"x": values}), [0, 1, 2, 3, 4])
    assert fitted.apply({"x": [None]}).tolist() == [0]


@pytest.mark.parametrize(
    "X",
    [
        {"good": HALVES, "bad": [[1, 2]] * 12},
        pd.DataFrame({"good": HALVES, "bad": [{"a": 1}] * 12}),
        pl.DataFrame({"good": HALVES, "bad": [[1, 2]] * 12}),
        pl.DataFrame({"good": HALVES, "bad": [{"a": 1}] * 12}),
        pa.table({"good": HALVES, "bad": [{"a": 1}] * 12}),
        pa.table({"good": HALVES, "bad": [[1.0]] * 12}),
        {"good": HALVES, "bad": np.zeros(12, dtype=[("a", "f8"), ("b", "i4")])},
        {"good": HALVES, "bad": [object()] * 12},
    ],
)
def test_21_nested_columns_are_refused_with_a_remedy(estimator, X):
    with pytest.raises(TypeError, match=r"Column 'bad' .*(Spread it over several columns|Make a column of|Convert)"):
        estimator.fit(X, HALVES)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (dt.date(2020, 2, 28), dt.date(2020, 3, 1), "2020-02-29"),
        (dt.datetime(2020, 1, 1, 12), dt.datetime(2020, 1, 1, 14), "2020-01-01 13:00:00"),
        (dt.timedelta(hours=1), dt.timedelta(days=2, hours=1), "1d 1h"),
        (np.datetime64("2021-01-01", "ns"), np.datetime64("2021-01-03", "ns"), "2021-01-02"),
    ],
)
def test_21_dates_and_durations_are_ordered_and_print_as_such(grown, low, high, shown):
    for make in (dict, pl.DataFrame, pa.table) if not isinstance(low, np.generic) else (dict, pd.DataFrame):
        X = make({"when": [low] * 6 + [high] * 6})
        fitted = grown().fit(X, HALVES)
        assert_told_apart(fitted, X)
        assert fitted.schema_.columns[0].kind == "numeric"
        assert shown in str(fitted.tree_)


def test_22_categories_of_every_library(grown, same_bits):
    base = ["a", "b", "c"] * 8
    y = [0, 1, 2] * 8
    dictionary = pa.array(base).dictionary_encode()
    forms = {
        "polars Categorical": pl.Series(base, dtype=pl.Categorical),
        "polars Enum": pl.Series(base, dtype=pl.Enum(["a", "b", "c"])),
        "pyarrow dictionary": dictionary,
        "chunks": pa.chunked_array([base[:5], base[5:6], [], base[6:]]),
        "dictionaries that differ": pa.chunked_array(
            [pa.array(base[:2]).dictionary_encode(), pa.array(base[2:]).dictionary_encode()]
        ),
        "sliced": pa.array(["z", *base, "z"]).slice(1, 24),
        "sliced dictionary": pa.array(["c", "c", *base]).dictionary_encode().slice(2),
        "pandas around a dictionary": pd.Series(base, dtype=pd.ArrowDtype(dictionary.type)),
    }
    reference = grown().fit({"x": base}, y)
    for name, column in forms.items():
        fitted = grown().fit({"x": column}, y)
        assert set(fitted.schema_.columns[0].levels) == {"a", "b", "c"}
        np.testing.assert_array_equal(fitted.predict({"x": column}), y, err_msg=name)
        np.testing.assert_array_equal(reference.predict({"x": column}), y, err_msg=name)
        if fitted.schema_.columns[0].levels == ("a", "b", "c"):  # a dictionary keeps an order of its own
            same_bits(reference, fitted)


@pytest.mark.parametrize("type_", [pa.float64(), pa.string(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_22_zero_chunks(estimator, type_):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        estimator.fit(pa.table({"x": pa.chunked_array([], type=type_)}), [])


def test_22_sliced_numbers_and_bools(grown):
    for values in ([9.0, *[0.0] * 6, *[1.0] * 6, 9.0], [True, *[False] * 6, *[True] * 6, False]):
        X = pa.table({"x": pa.array(values).slice(1, 12)})
        assert_told_apart(grown().fit(X, HALVES), X)


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(np.zeros((12, 3)), columns=["a", "b", "a"]),
        pa.Table.from_arrays([pa.array(HALVES)] * 3, names=["a", "b", "a"]),
    ],
    ids=["pandas", "pyarrow"],
)
def test_23_duplicate_names(estimator, X):
    with pytest.raises(ValueError, match=r"more than once: 'a'\. Rename"):
        estimator.fit(X, HALVES)


@pytest.mark.parametrize("names", [[3, 5], [("a", 1), ("a", 2)], [None, 1.5], [2.5, 3.5]], ids=str)
def test_24_names_that_are_no_strings(grown, names):
    X = pd.DataFrame({0: HALVES, 1: HALVES[::-1]})
    X.columns = pd.Index(names, tupleize_cols=False)
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    assert not hasattr(fitted, "feature_names_in_")
    assert str(fitted.tree_)


def test_24_mixed_names(estimator):
    with pytest.raises(TypeError, match=r"only supported if all input features have string names.*\['int', 'str'\]"):
        estimator.fit(pd.DataFrame(np.zeros((12, 2)), columns=[3, "a"]), HALVES)


@pytest.mark.parametrize(
    "name", ["", " ", "\n", "a\nb", '"', "'; DROP TABLE x", "</script>", "\u202e", "🌳", "x" * 10**6]
)
def test_24_hostile_names(grown, name):
    X = {name: HALVES, "other": HALVES[::-1]}
    fitted = grown().fit(X, HALVES)
    assert_told_apart(fitted, X)
    drawn = str(fitted.tree_)
    assert len(drawn) < 10_000
    assert len(drawn.splitlines()) < 20
    with pytest.raises(ValueError, match="now missing"):
        fitted.predict({"other": HALVES})


# 25 to 29: many levels, and levels that are not those of training


@pytest.mark.parametrize("task", ["two classes", "three classes", "numbers", "absolute"])
def test_25_a_hundred_thousand_levels(classifier, regressor, task):
    rng = np.random.default_rng(0)
    n, levels = 200_000, 100_000
    code = rng.integers(0, levels, n)
    effect = rng.normal(size=levels)[code] + rng.normal(size=n)
    X = pd.DataFrame({"town": pd.Categorical.from_codes(code, [f"t{k}" for k in range(levels)])})
    X["x"] = rng.normal(size=n)
    y = {"two classes": effect > 0, "three classes": np.digitize(effect, [-0.5, 0.5])}.get(task, effect)
    model = {
        "two classes": classifier(),
        "three classes": classifier(),
        "numbers": regressor(max_leaf_nodes=1000),
        "absolute": regressor(criterion="absolute_error", max_leaf_nodes=10),
    }[task]
    start = time.process_time()
    model.fit(X, y)
    assert time.process_time() - start < 10
    assert model.score(X, y) > 0.5
    held = sum(array.nbytes for array in model.tree_.kernel.to_arrays().values())
    assert held < 1000 * n


def test_25_a_million_levels(classifier):
    n = 1_000_000
    rng = np.random.default_rng(1)
    X = pl.DataFrame({"id": pl.Series(np.arange(n)).cast(pl.String)})
    y = rng.integers(0, 2, n)
    start = time.process_time()
    with pytest.warns(DataWarning, match="'id' has nearly as many levels as there are rows"):
        fitted = classifier().fit(X, y)
    assert fitted.score(X, y) == 1.0
    assert time.process_time() - start < 30
    assert fitted.get_n_leaves() == 2  # every level is pure, so one set holds one class


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "twoing"])
def test_26_forty_levels_and_three_classes_are_no_enumeration(classifier, criterion):
    rng = np.random.default_rng(2)
    code = rng.integers(0, 40, 3000)
    X = pd.DataFrame({"town": pd.Categorical.from_codes(code, [f"t{k:02}" for k in range(40)])})
    y = (code * 7 % 3 + (rng.random(3000) < 0.1)) % 3
    start = time.process_time()
    fitted = classifier(criterion=criterion).fit(X, y)
    assert time.process_time() - start < 5
    assert fitted.score(X, y) > 0.85
    # The node says how its set was found: by superclasses, which are few here, or by a named heuristic.
    assert fitted.tree_.root.split.found == ("exact" if criterion == "twoing" else "pca")


def test_26_an_exact_search_beyond_reach_is_refused(classifier):
    X = pd.DataFrame({"town": [f"t{k}" for k in range(40)] * 3})
    with pytest.raises(
        ParameterError, match=r"subsets='exact' would search 2\^39 sets of the levels of 'town'.*'auto'"
    ):
        classifier(branching=Binary("exact")).fit(X, np.arange(120) % 3)


TOWNS = {"town": ["a", "a", "b", "b", "b", "c"] * 4}
RICH = np.array([0, 0, 1, 1, 1, 1] * 4)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stop"])
def test_27_a_level_never_seen_goes_where_unseen_says(classifier, unseen):
    fitted = classifier(unseen=unseen).fit(TOWNS, RICH)
    end = fitted.apply({"town": ["z", "a", None, "c"]})[0]
    larger = fitted.apply({"town": ["b"]})[0]
    assert end == (0 if unseen == "stop" else larger)


def test_27_a_level_never_seen_can_be_an_error(classifier):
    fitted = classifier(unseen="error").fit(TOWNS, RICH)
    with pytest.raises(DataError, match=r"Column 'town' holds 'z', a level that no training row held"):
        fitted.predict({"town": ["a", "z"]})
    assert fitted.predict({"town": ["a", None]}).tolist() == [0, 1]


def test_28_categories_in_any_order_and_number(grown):
    rng = np.random.default_rng(3)
    labels = list("abcdef")
    X = pd.DataFrame({"c": pd.Categorical(rng.choice(labels, 300), labels), "x": rng.normal(size=300)})
    y = (X["c"].cat.codes % 3 + X["x"] > 1).astype(int)
    fitted = grown().fit(X, y)
    expected = fitted.predict(X)
    for levels in (labels[::-1], [*labels, "new"], ["new", *labels[3:], *labels[:3]]):
        np.testing.assert_array_equal(fitted.predict(X.assign(c=X["c"].cat.set_categories(levels))), expected)
    few = X[X["c"].isin(["b", "e"])]
    shrunk = few.assign(c=few["c"].cat.remove_unused_categories())
    np.testing.assert_array_equal(fitted.predict(shrunk), expected[few.index])
    np.testing.assert_array_equal(fitted.predict(X.assign(c=X["c"].astype(str))), expected)
    np.testing.assert_array_equal(fitted.predict(X.assign(c=X["c"].cat.as_ordered())), expected)
    for row in (0, 17, 299):
        np.testing.assert_array_equal(fitted.predict(X.iloc[[row]]), expected[[row]])


def test_29_hostile_levels(grown):
    levels = ["", " ", "nan", "None", "NaN", "NA", '"', "'", "\\", "a\nb", "\t", "\x00", "🌳", "\u202e", "null", "true"]
    levels += ["1", "x" * 10**6, "é", "e\u0301"]
    X = {"x": np.array(levels * 3 + [None], dtype=object)}
    y = np.array(list(range(len(levels))) * 3 + [0])
    fitted = grown(branching=Binary("heuristic"), missing="stop").fit(X, y)
    assert set(fitted.schema_.columns[0].levels) == set(levels)
    np.testing.assert_allclose(fitted.predict({"x": levels}), np.arange(len(levels)), rtol=1e-12)
    drawn = str(fitted.tree_)
    assert len(drawn) < 100_000
    assert all(line.isprintable() for line in drawn.split("\n"))


def test_29_one_and_its_name_are_two_levels(grown):
    X = {"x": np.array([1, "1"] * 6, dtype=object)}
    fitted = grown().fit(X, [0, 1] * 6)
    assert fitted.score(X, [0, 1] * 6) == 1.0


# 30: columns that are not those of training


def test_30_columns_in_any_order(grown):
    rng = np.random.default_rng(4)
    X = pd.DataFrame(rng.normal(size=(100, 4)), columns=list("abcd"))
    y = (X["b"] > X["d"]).astype(int)
    fitted = grown().fit(X, y)
    expected = fitted.predict(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(fitted.predict(X[list("dbca")]), expected)
        np.testing.assert_array_equal(fitted.predict(pl.from_pandas(X[list("cadb")])), expected)
        np.testing.assert_array_equal(fitted.predict({name: X[name].to_numpy() for name in "dcba"}), expected)


def test_30_a_missing_column_is_named(grown):
    fitted = grown().fit({"age": HALVES, "weight": HALVES}, HALVES)
    with pytest.raises(ValueError, match=r"now missing:\n- weight"):
        fitted.predict({"age": HALVES, "Weight": HALVES})


def test_30_further_columns_are_ignored_with_one_warning(grown):
    fitted = grown().fit({"age": HALVES}, HALVES)
    with pytest.warns(DataWarning, match=r"not there during fit; they are ignored:\n- a\n- b") as caught:
        answers = fitted.predict({"a": HALVES, "age": HALVES, "b": [[1]] * 12})
    np.testing.assert_array_equal(answers, HALVES)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("width", [1, 3])
def test_30_an_array_of_another_width(grown, width):
    fitted = grown().fit(np.column_stack([HALVES, HALVES]), HALVES)
    with pytest.raises(ValueError, match=re.escape(f"X has {width} features, but ")):
        fitted.predict(np.zeros((2, width)))


def test_30_a_column_of_another_type(grown):
    fitted = grown().fit({"age": HALVES}, HALVES)
    with pytest.raises(ColumnTypeError, match=r"Column 'age' holds 'old', a str; it was numeric \(int64\) in training"):
        fitted.predict({"age": ["old"]})
    with pytest.raises(ColumnTypeError, match=r"Column 'age' is of type date; it was int64 in training\. Convert"):
        fitted.predict({"age": [dt.date(2020, 1, 1)]})
