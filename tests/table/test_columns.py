"""What each type of column becomes: numeric, ordered or nominal, exact, with missing values found."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ColumnTypeError
from bough.table import build_table, kernel_columns

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

MISSING_FORMS = [None, float("nan"), pd.NA, pd.NaT, np.float32("nan"), Decimal("nan")]


def read(values, **options):
    table = build_table({"x": values}, **options)
    return table.schema.columns[0], table.columns[0]


def values_of(values):
    """Numbers of a column with None where missing."""
    _, encoded = read(values)
    if encoded.data.dtype.kind == "f":
        return [None if np.isnan(value) else value.item() for value in encoded.data]
    missing = np.zeros(len(encoded.data), bool) if encoded.missing is None else encoded.missing
    return [None if gap else value.item() for value, gap in zip(encoded.data, missing, strict=True)]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("float16", "float32"),
        ("float32", "float32"),
        ("float64", "float64"),
        ("longdouble", "float64"),
        ("int8", "int64"),
        ("int16", "int64"),
        ("int32", "int64"),
        ("int64", "int64"),
        ("uint8", "int64"),
        ("uint32", "int64"),
        ("uint64", "uint64"),
        (">f8", "float64"),
        (">i4", "int64"),
    ],
)
def test_numpy_numbers(given, kept):
    array = np.array([0, 1, 100], dtype=given)
    column, encoded = read(array)
    assert (column.kind, column.dtype) == ("numeric", kept)
    assert encoded.data.dtype == np.dtype(kept)
    assert encoded.data.tolist() == [0, 1, 100]
    assert encoded.missing is None


def test_float16_and_float32_are_exact():
    for kind in (np.float16, np.float32):
        array = np.array([0.1, 1e-5, 65000, -0.0, np.inf, -np.inf, np.nan], dtype=kind)
        assert read(array)[1].data.astype(np.float64).tobytes() == array.astype(np.float64).tobytes()


def test_limits_of_whole_numbers():
    assert read(np.array([2**63 - 1, -(2**63)]))[1].data.tolist() == [2**63 - 1, -(2**63)]
    assert read(np.array([2**64 - 1], dtype=np.uint64))[1].data.tolist() == [2**64 - 1]
    assert read([2**53, 2**53 + 1])[1].data.tolist() == [2**53, 2**53 + 1]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype="Int8"),
        pd.Series([1, None, 3], dtype="int16[pyarrow]"),
        pl.Series([1, None, 3], dtype=pl.Int32),
        *([pl.Series([1, None, 3], dtype=pl.Int128)] if hasattr(pl, "Int128") else []),
        pa.array([1, None, 3], type=pa.uint8()),
        np.ma.MaskedArray([1, 2, 3], mask=[False, True, False]),
        [1, None, 3],
        [1, float("nan"), 3],
        np.array([1, pd.NA, 3], dtype=object),
    ],
)
def test_whole_numbers_with_gaps_stay_whole(values):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", "int64")
    assert encoded.data[[0, 2]].tolist() == [1, 3]
    assert encoded.missing.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (pd.Series([0.5, None], dtype="Float64"), "float64"),
        (pd.Series([0.5, None], dtype="Float32"), "float32"),
        (pd.Series([0.5, None], dtype="double[pyarrow]"), "float64"),
        (pd.Series([0.5, None], dtype="halffloat[pyarrow]"), "float32"),
        (pl.Series([0.5, None], dtype=pl.Float32), "float32"),
        (pa.array([0.5, None], type=pa.float64()), "float64"),
        (pa.array([np.float16(0.5), None], type=pa.float16()), "float32"),
        (pa.array([Decimal("0.5"), None]), "float64"),
        (pl.Series([Decimal("0.5"), None]), "float64"),
        (pd.Series([Decimal("0.5"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2))), "float64"),
        ([Decimal("0.5"), Decimal("nan")], "float64"),
        ([Fraction(1, 2), None], "float64"),
        ([np.float32(0.5), None], "float64"),
        (np.ma.MaskedArray([0.5, 1], mask=[False, True]), "float64"),
    ],
)
def test_real_numbers_with_gaps(values, dtype):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", dtype)
    assert encoded.missing is None
    assert encoded.data[0] == 0.5
    assert np.isnan(encoded.data[1])


@given(st.lists(st.one_of(st.none(), st.integers(-(2**70), 2**70)), min_size=1).filter(any))
def test_whole_python_numbers(values):
    known = [value for value in values if value is not None]
    low, high = min(known), max(known)
    if (low >= -(2**63) and high < 2**63) or (low >= 0 and high < 2**64):
        assert values_of(values) == values
    else:
        assert values_of(values) == [None if value is None else float(value) for value in values]


def test_whole_numbers_beyond_every_double_stay_extremes():
    assert read([10**400, 1, -(10**400)])[1].data.tolist() == [np.inf, 1, -np.inf]


@given(st.lists(st.one_of(st.none(), st.integers(-(2**50), 2**50), st.floats()), min_size=1))
def test_mixed_numbers_are_numeric(values):
    column, encoded = read(values)
    assert column.kind == "numeric"
    for value, found in zip(values, encoded.data, strict=True):
        assert value is None or value != value or found == value


@pytest.mark.parametrize(
    "values",
    [
        np.array([True, False]),
        [True, False],
        pd.Series([True, False], dtype="boolean"),
        pd.Series([True, False], dtype="bool[pyarrow]"),
        pl.Series([True, False]),
        pa.array([True, False]),
    ],
)
def test_bools_are_nominal(values):
    column, encoded = read(values)
    assert (column.kind, column.levels, column.unused) == ("nominal", (False, True), ())
    assert encoded.data.tolist() == [1, 0]
    assert encoded.data.dtype == np.int32


@pytest.mark.parametrize("make", [list, lambda v: pd.Series(v, dtype="boolean"), pl.Series, pa.array])
def test_bools_with_gaps_and_one_value(make):
    column, encoded = read(make([True, None, True]))
    assert column.levels == (True,)
    assert encoded.data.tolist() == [0, -1, 0]


@pytest.mark.parametrize(
    "make",
    [
        list,
        lambda v: np.array(v, dtype=object),
        lambda v: pd.Series(v),
        lambda v: pd.Series(v, dtype=object),
        lambda v: pd.Series(v, dtype="string"),
        lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.string())),
        lambda v: pd.Series(v, dtype=pd.StringDtype("python")),
        pl.Series,
        lambda v: pl.Series(v, dtype=pl.Categorical),
        pa.array,
        lambda v: pa.array(v, type=pa.large_string()),
        lambda v: pa.array(v, type=pa.string_view()),
    ],
)
def test_strings_are_nominal_and_sorted(make):
    column, encoded = read(make(["b", None, "a", "b", "é"]))
    assert (column.kind, column.dtype, column.levels) == ("nominal", "levels", ("a", "b", "é"))
    assert encoded.data.tolist() == [1, -1, 0, 1, 2]
    assert encoded.missing is None


def test_numpy_strings_have_no_missing_values():
    column, encoded = read(np.array(["b", "nan", "", "b"]))
    assert column.levels == ("", "b", "nan")
    assert encoded.data.tolist() == [1, 2, 0, 1]
    assert read(np.array([b"b", b"a"]))[0].levels == (b"a", b"b")


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="needs numpy 2")
def test_numpy_variable_strings():
    array = np.array(["b", None, "a"], dtype=np.dtypes.StringDType(na_object=None))
    column, encoded = read(array)
    assert column.levels == ("a", "b")
    assert encoded.data.tolist() == [1, -1, 0]


def test_hostile_strings_are_levels_like_others():
    levels = ["", "nan", "None", "a\nb", '"', "😀", "x" * 1_000_000, "\ud800"]
    column, encoded = read(pd.Series(levels, dtype=object))
    assert column.levels == tuple(sorted(levels))
    assert [column.levels[code] for code in encoded.data] == levels


def test_objects_are_nominal_by_type_and_value():
    column, encoded = read([1, "1", True, None, b"1", 1.0, float("nan"), dt.date(2020, 1, 1)])
    assert column.kind == "nominal"
    assert column.levels == (True, b"1", dt.date(2020, 1, 1), 1, "1")
    assert encoded.data.tolist() == [3, 4, 0, -1, 1, 3, -1, 2]


def test_labels_do_not_depend_on_the_order_of_rows():
    values = [1.0, "a", 1, True, -0.0, 0.0, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]
    values.append(dt.datetime(2020, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))))
    assert repr(read(values)[0]) == repr(read(values[::-1])[0])


def test_object_arrays_go_column_by_column():
    table = build_table(np.array([[1, "a", True], [2.5, None, False]], dtype=object))
    assert [column.kind for column in table.schema] == ["numeric", "nominal", "nominal"]


@pytest.mark.parametrize("missing", MISSING_FORMS, ids=repr)
def test_all_forms_of_missing(missing):
    assert read(["a", missing])[1].data.tolist() == [0, -1]
    assert values_of([1, missing]) == [1, None]
    assert read([True, "1", missing])[1].data.tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    "values",
    [[None, None], [None, float("nan")], pa.nulls(2), pl.Series([None, None]), pd.Series([None, None], dtype=object)],
)
def test_nothing_known(values):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", "null")
    assert np.isnan(encoded.data).all()


@pytest.mark.parametrize("values", [pl.Series([None], dtype=pl.String), pd.Series([None], dtype="string")])
def test_a_string_column_without_a_string(values):
    column, encoded = read(values)
    assert (column.kind, column.levels) == ("nominal", ())
    assert encoded.data.tolist() == [-1]


DAYS = [dt.date(2020, 2, 29), None, dt.date(1969, 12, 31)]


@pytest.mark.parametrize(
    "values",
    [
        DAYS,
        pd.Series(DAYS, dtype=object),
        pd.Series(DAYS, dtype="date32[pyarrow]"),
        pl.Series(DAYS),
        pa.array(DAYS),
        np.array(DAYS, dtype="M8[D]"),
    ],
)
def test_dates(values):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", "date")
    assert encoded.data[[0, 2]].tolist() == [18321, -1]
    assert encoded.missing.tolist() == [False, True, False]


MOMENTS = [dt.datetime(2020, 2, 29, 12, 0, 0, 5), None]


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        (MOMENTS, "us"),
        (pd.Series(MOMENTS, dtype=object), "us"),
        (pd.Series(MOMENTS, dtype="M8[us]"), "us"),
        (pd.Series(MOMENTS, dtype="M8[ns]"), "ns"),
        (pd.Series(MOMENTS, dtype="timestamp[us][pyarrow]"), "us"),
        ([pd.Timestamp(MOMENTS[0]).as_unit("ns"), pd.NaT], "ns"),
        ([np.datetime64(MOMENTS[0]), np.datetime64("NaT")], "us"),
        (pl.Series(MOMENTS), "us"),
        (pa.array(MOMENTS), "us"),
        (pa.array(MOMENTS, type=pa.timestamp("ns")), "ns"),
        (np.array(MOMENTS, dtype="M8[ns]"), "ns"),
    ],
)
def test_datetimes(values, unit):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", f"datetime64[{unit}]")
    assert encoded.data[0] == np.datetime64(MOMENTS[0], unit).astype(np.int64)
    assert encoded.missing.tolist() == [False, True]


@pytest.mark.parametrize(
    "values",
    [
        [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)],
        pd.Series([pd.Timestamp("2020-01-01", tz="UTC")], dtype="datetime64[us, UTC]"),
        pl.Series([dt.datetime(2020, 1, 1)], dtype=pl.Datetime("us", "UTC")),
        pa.array([dt.datetime(2020, 1, 1)], type=pa.timestamp("us", "UTC")),
    ],
)
def test_instants_keep_their_zone(values):
    column, encoded = read(values)
    assert column.dtype == "datetime64[us, UTC]"
    assert encoded.data.tolist() == [1577836800000000]


def test_mixed_zones_are_one_timeline():
    zones = [dt.timezone(dt.timedelta(hours=h)) for h in (1, 2)]
    column, encoded = read([dt.datetime(2020, 1, 1, 1, tzinfo=zones[0]), dt.datetime(2020, 1, 1, 2, tzinfo=zones[1])])
    assert column.dtype == "datetime64[us, UTC]"
    assert encoded.data[0] == encoded.data[1]


@pytest.mark.parametrize("unit", ["Y", "M", "W", "h", "m"])
def test_coarse_numpy_units(unit):
    array = np.array(["2020-01-01", "NaT"], dtype=f"M8[{unit}]")
    column, encoded = read(array)
    assert column.dtype == ("date" if unit in "YMW" else "datetime64[s]")
    assert encoded.missing.tolist() == [False, True]


def test_finer_than_nanoseconds_is_refused():
    with pytest.raises(ColumnTypeError, match="'x' counts time in fs"):
        read(np.array([1], dtype="m8[fs]"))


SPANS = [dt.timedelta(days=1, seconds=2), None]


@pytest.mark.parametrize(
    "values",
    [SPANS, pd.Series(SPANS, dtype="m8[us]"), pl.Series(SPANS), pa.array(SPANS), np.array(SPANS, dtype="m8[us]")],
)
def test_durations(values):
    column, encoded = read(values)
    assert (column.kind, column.dtype) == ("numeric", "timedelta64[us]")
    assert encoded.data[0] == 86402000000
    assert encoded.missing.tolist() == [False, True]


@pytest.mark.parametrize("make", [list, pl.Series, pa.array])
def test_times_of_day(make):
    column, encoded = read(make([dt.time(1), None]))
    assert (column.kind, column.dtype) == ("numeric", "time")
    assert encoded.data[0] == 3_600_000_000


@pytest.mark.parametrize(
    "values",
    [
        [[1], [2]],
        [{"a": 1}],
        [(1, 2)],
        ["a", ["b"]],
        pd.Series([[1], [2]]),
        pl.Series([[1], [2]]),
        pl.Series([[1], [2]], dtype=pl.Array(pl.Int8, 1)),
        pl.Series([{"a": 1}]),
        pa.array([[1]]),
        pa.array([{"a": 1}]),
        np.array([(1, 2)], dtype=[("a", int), ("b", int)]),
    ],
)
def test_nested_columns_are_refused(values):
    with pytest.raises(ColumnTypeError, match=r"(?s)'x'.*(several columns|column of each field)"):
        read(values)


def test_ordered_categories():
    values = pd.Categorical(["L", "S", None], categories=["S", "M", "L"], ordered=True)
    for form in (values, pd.Series(values), pa.array(values)):
        column, encoded = read(form)
        assert (column.kind, column.levels, column.unused) == ("ordered", ("S", "M", "L"), (1,))
        assert encoded.data.tolist() == [2, 0, -1]


def test_intervals_of_cut_are_ordered():
    column, encoded = read(pd.cut(pd.Series([1, 5, 9]), 2))
    assert column.kind == "ordered"
    assert [str(level) for level in column.levels] == ["(0.992, 5.0]", "(5.0, 9.0]"]
    assert encoded.data.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "values",
    [
        pd.Categorical(["b", "a", None, "b"], categories=["c", "b", "a"]),
        pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(["c", "b", "a"])),
        pl.Series(["b", "a", None, "b"], dtype=pl.Enum(["c", "b", "a"])),
        pa.DictionaryArray.from_arrays(pa.array([1, 2, None, 1], type=pa.uint8()), ["c", "b", "a"]),
        pd.Series(
            pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([1, 2, None, 1]), ["c", "b", "a"])]),
            dtype=pd.ArrowDtype(pa.dictionary(pa.int64(), pa.string())),
        ),
    ],
    ids=lambda v: type(v).__module__,
)
def test_a_type_that_lists_its_levels_keeps_their_order(values):
    column, encoded = read(values)
    assert (column.kind, column.levels, column.unused) == ("nominal", ("c", "b", "a"), (0,))
    assert encoded.data.tolist() == [1, 2, -1, 1]


def test_a_dictionary_may_repeat_itself_and_hold_null():
    values = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None]), pa.array(["a", None, "b", "a"]))
    column, encoded = read(values)
    assert column.levels == ("a", "b")
    assert encoded.data.tolist() == [0, -1, 1, 0, -1]


def test_dictionaries_of_chunks_are_brought_together():
    chunks = [pa.array(part, type=pa.string()).dictionary_encode() for part in (["a", "b"], [], ["c", "b", None])]
    column, encoded = read(pa.chunked_array(chunks))
    assert [column.levels[code] if code >= 0 else None for code in encoded.data] == ["a", "b", "c", "b", None]


def test_categories_of_numbers_and_dates():
    column, encoded = read(pd.Categorical([2, 1, 2]))
    assert column.levels == (1, 2)
    column, encoded = read(pd.Categorical(pd.to_datetime(["2020-01-02", "2020-01-01"])))
    assert column.levels == (dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2))
    column, encoded = read(pa.array([3, 3, None]).dictionary_encode())
    assert column.levels == (3,)
    assert encoded.data.tolist() == [0, 0, -1]


def test_pandas_types_of_its_own():
    assert read(pd.Series(pd.period_range("2020-01", periods=2, freq="M")))[0].kind == "nominal"
    assert read(pd.Series(pd.arrays.SparseArray([0.0, 1.0])))[1].data.tolist() == [0, 1]


def test_sliced_and_chunked_arrow():
    whole = pa.chunked_array([pa.array([9, 1, None]), pa.array([], type=pa.int64()), pa.array([2, 9])])
    column, encoded = read(whole.slice(1, 3))
    assert encoded.data[[0, 2]].tolist() == [1, 2]
    assert encoded.missing.tolist() == [False, True, False]
    words = pa.array(["z", "b", None, "a", "z"]).slice(1, 3)
    for form in (
        words,
        words.dictionary_encode(),
        pa.array(["z", "b", None, "a", "z"]).dictionary_encode().slice(1, 3),
    ):
        column, encoded = read(form)
        assert [column.levels[code] if code >= 0 else None for code in encoded.data] == ["b", None, "a"]


@pytest.mark.parametrize(
    "values",
    [np.arange(5.0), np.array(["a", "b", "a", "b", "a"], dtype=object), pd.Series([1, None, 3, 4, 5], dtype="Int64")],
    ids=["floats", "objects", "nullable"],
)
def test_input_is_never_written_to(values):
    before = values.copy()
    read(values, categorical_features=["x"], sample_weight=[0, 1, 1, 1, 1])
    pd.testing.assert_series_equal(pd.Series(values), pd.Series(before))


def test_rows_of_weight_zero_have_no_part_in_types_and_levels():
    weight = [0, 1, 1]
    column, encoded = read(["c", "b", "a"], sample_weight=weight)
    assert column.levels == ("a", "b")
    assert encoded.data.tolist() == [-1, 1, 0]
    for make in (pd.Series, pl.Series, pa.array):
        assert read(make(["c", "b", "a"]), sample_weight=weight)[0].levels == ("a", "b")
    assert read(["c", 1, 2], sample_weight=weight)[0].kind == "numeric"
    assert read(pd.Series(["c", 1, 2], dtype=object), sample_weight=weight)[0].kind == "numeric"
    column, _ = read(pd.Categorical(["c", "b", "a"]), sample_weight=weight)
    assert (column.levels, column.unused) == (("a", "b", "c"), (2,))


def test_weights_of_the_wrong_length():
    with pytest.raises(ValueError, match=r"sample_weight has the shape \(2,\), but X has 3 rows"):
        read([1, 2, 3], sample_weight=[1, 1])


def test_kernel_columns():
    table = build_table({"a": [1, None], "b": ["x", "y"]}, ordered_features={"b": ["y", "x"]})
    (a, mask, kind_a), (b, none, kind_b) = kernel_columns(table.schema, table.columns)
    assert (a[0], mask.tolist(), kind_a) == (1, [False, True], 0)
    assert (b.tolist(), none, kind_b) == ([1, 0], None, 1)
