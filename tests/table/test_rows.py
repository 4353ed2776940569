"""Prediction: columns matched by name, levels by label, numbers in any width; what does not fit is named."""

import datetime as dt
import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ColumnTypeError, DataError, DataWarning
from bough.table import build_table, encode_rows

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TRAIN = {"age": [40.5, 50.0, None], "sex": ["f", "m", "f"], "n": [1, 2, 3]}
SCHEMA = build_table(TRAIN).schema


def column(train, asked, **options):
    """Encode one column at prediction that was trained on `train`."""
    return encode_rows(build_table({"x": train}, **options).schema, {"x": asked})[0]


VALUES = st.one_of(
    st.none(),
    st.sampled_from([0, 1, 1.0, -0.0, True, False, "1", "a", "", b"a", float("nan"), 2**70, float("inf")]),
    st.sampled_from([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.timedelta(1), dt.time(1)]),
)


@given(st.lists(VALUES, min_size=1), st.data())
def test_training_rows_are_recognised_alone_and_in_any_order(values, data):
    table = build_table({"x": values})
    rows = data.draw(st.lists(st.integers(0, len(values) - 1), min_size=1))
    encoded = encode_rows(table.schema, {"x": [values[row] for row in rows]})[0]
    trained = table.columns[0]
    missing = np.zeros(len(values), dtype=bool) if trained.missing is None else trained.missing
    for row, value in zip(rows, encoded.data, strict=True):
        gap = np.isnan(trained.data[row]) if trained.data.dtype.kind == "f" else missing[row]
        assert gap or value == trained.data[row]


def test_columns_are_matched_by_name():
    asked = pl.DataFrame({"n": [7], "sex": ["m"], "age": [1.0]})
    assert [encoded.data.tolist() for encoded in encode_rows(SCHEMA, asked)] == [[1.0], [1], [7]]


def test_extra_columns_are_ignored_with_one_warning():
    with pytest.warns(DataWarning, match=r"ignored:\n- id\n- note\n") as seen:
        encode_rows(SCHEMA, {"id": [1], **{name: values[:1] for name, values in TRAIN.items()}, "note": ["x"]})
    assert len(seen) == 1
    assert seen[0].filename == __file__


def test_missing_columns_are_an_error_that_names_them():
    with pytest.raises(DataError, match=r"(?s)unseen at fit time:\n- years\n.*yet now missing:\n- age\n- n\n"):
        encode_rows(SCHEMA, {"sex": ["f"], "years": [3]})


def test_many_names_are_cut():
    with pytest.raises(DataError, match=r"\(200 in all\)"):
        encode_rows(build_table({f"c{i}": [1] for i in range(200)}).schema, {"x": [1]})


def test_arrays_go_by_position():
    schema = build_table(np.array([[1.0, 2.0], [3.0, 4.0]])).schema
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encode_rows(schema, np.array([[5.0, 6.0]]))[1].data.tolist() == [6.0]
    message = "X has 3 features, but CARTClassifier is expecting 2 features as input."
    with pytest.raises(DataError, match=message):
        encode_rows(schema, np.ones((1, 3)), estimator_name="CARTClassifier")


def test_names_on_one_side_only_are_reported_in_scikit_learns_words():
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    frame = pd.DataFrame(array, columns=["b", "a"])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but Tree was fitted with feature names"):
        encode_rows(build_table(frame).schema, array, estimator_name="Tree")
    with pytest.warns(UserWarning, match="X has feature names, but Tree was fitted without feature names"):
        rows = encode_rows(build_table(array).schema, frame, estimator_name="Tree")
    assert rows[0].data.tolist() == [1.0, 3.0]
    with pytest.warns(UserWarning, match="does not have valid"), pytest.raises(DataError, match="X has 1 features"):
        encode_rows(build_table(frame).schema, array[:, :1])


def test_four_states_of_a_level():
    train = pd.Categorical(["a", "b", "a"], categories=["c", "b", "a"])
    assert column(train, ["a", "b", "c", "d", None]).data.tolist() == [2, 1, -2, -2, -1]


def test_unseen_can_be_rejected():
    schema = build_table(TRAIN).schema
    asked = {"age": [1], "sex": ["x"], "n": [1]}
    with pytest.raises(DataError, match="Column 'sex' holds 'x', a level that no training row held"):
        encode_rows(schema, asked, reject_unseen=True)
    encode_rows(schema, asked | {"sex": [None]}, reject_unseen=True)


def test_a_declared_level_that_no_row_holds_is_not_unseen():
    asked = pd.Categorical(["a"], categories=["a", "zzz"])
    schema = build_table({"x": ["a", "b"]}).schema
    assert encode_rows(schema, {"x": asked}, reject_unseen=True)[0].data.tolist() == [0]


@pytest.mark.parametrize(
    "asked",
    [
        np.array([1, 2, 3], dtype=np.int8),
        np.array([1, 2, 3], dtype=np.float16),
        np.array([1, 2, 3], dtype=np.uint64),
        pd.Series([1, 2, 3], dtype="Int64"),
        [1, 2.0, 3],
        pd.Categorical([1, 2, 3]),
        pl.Series([1, 2, 3], dtype=pl.Decimal(5, 2)),
    ],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize("train", [[1, 2, 3], [0.5, 1.5], pd.Series([1, None], dtype="UInt8")])
def test_numbers_of_any_width(train, asked):
    encoded = column(train, asked)
    assert encoded.data.tolist() == [1, 2, 3]
    assert encoded.data.dtype in (np.float32, np.float64, np.int64, np.uint64)
    assert encoded.missing is None


def test_numbers_with_gaps():
    assert np.isnan(column([1, 2], [1.0, float("nan")]).data[1])
    assert column([0.5, 2], pd.Series([1, None], dtype="Int64")).missing.tolist() == [False, True]
    assert np.isnan(column([1, 2], [None, None]).data).all()
    assert np.isnan(column([1, 2], pl.Series([None, None], dtype=pl.String)).data).all()


@pytest.mark.parametrize("make", [np.array, list, pl.Series, lambda v: pd.Series(v, dtype="boolean")])
def test_bools_serve_as_numbers(make):
    assert column([0, 1, 2], make([True, False])).data.tolist() == [1, 0]


def test_bools_with_gaps_serve_as_numbers():
    encoded = column([0, 1, 2], [True, None])
    assert (encoded.data[0], encoded.missing.tolist()) == (1, [False, True])


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (["1", "2"], "'1'"),
        (np.array(["1", "2"]), "'1'"),
        (pl.Series(["much"]), "'much'"),
        ([1, "n/a"], "'n/a'"),
        (pd.Categorical(["low", None]), "'low'"),
        (["x" * 1_000_000], "'xxx"),
    ],
)
def test_labels_where_numbers_are_expected(asked, value):
    with pytest.raises(ColumnTypeError, match=f"Column 'x' holds {re.escape(value)}.*numeric.*in training") as error:
        column([1.5, 2.5], asked)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("train", "asked"),
    [
        ([1, 2], [dt.date(2020, 1, 1)]),
        ([dt.date(2020, 1, 1)], [1, 2]),
        ([dt.date(2020, 1, 1)], [dt.timedelta(1)]),
        ([dt.date(2020, 1, 1)], ["2020-01-01"]),
        ([dt.datetime(2020, 1, 1)], [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]),
        ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], [dt.datetime(2020, 1, 1)]),
        ([dt.time(1)], [dt.timedelta(1)]),
    ],
)
def test_times_and_numbers_are_not_mixed(train, asked):
    with pytest.raises(ColumnTypeError, match="Column 'x'"):
        column(train, asked)


def test_units_of_time_are_converted():
    train = np.array(["2020-01-01", "2020-01-03"], dtype="M8[us]")
    moment = dt.datetime(2020, 1, 2, 3, 4, 5, 6)
    expected = np.datetime64(moment, "us").astype(int)
    assert column(train, np.array([moment], dtype="M8[ns]")).data.tolist() == [expected]
    assert column(train, [moment]).data.tolist() == [expected]
    assert column(train, np.array(["2020-01-02"], dtype="M8[D]")).data[0] == np.datetime64("2020-01-02", "us").astype(
        int
    )
    assert column([dt.date(2020, 1, 1)], [moment]).data[0] == np.datetime64("2020-01-02").astype(int)
    zoned = column([moment.replace(tzinfo=dt.UTC)], pl.Series([moment]).dt.replace_time_zone("Europe/Berlin"))
    assert zoned.data[0] == expected - 3_600_000_000


def test_moments_before_the_epoch_round_down():
    assert column([dt.date(2020, 1, 1)], [dt.datetime(1969, 12, 31, 23)]).data.tolist() == [-1]


def test_moments_out_of_range_become_the_extremes():
    train = np.array(["2020-01-01"], dtype="M8[ns]")
    asked = np.array(["0001-01-01", "2020-01-01", "9999-01-01", "NaT"], dtype="M8[s]")
    encoded = column(train, asked)
    limits = np.iinfo(np.int64)
    assert encoded.data[:3].tolist() == [limits.min, train.astype(int)[0], limits.max]
    assert encoded.missing.tolist() == [False, False, False, True]


def test_nominal_numbers_match_by_value():
    for asked in ([3.0, float("nan"), 4.0, 1.0], pd.Series([3, None, 4, 1], dtype="Int64"), [3, None, 4, 1.0]):
        assert column([3, 1], asked, categorical_features=["x"]).data.tolist() == [1, -1, -2, 0]
    schema = build_table(np.array([[3], [1]]), categorical_features=[0]).schema
    assert encode_rows(schema, np.array([[3.0], [np.nan]]))[0].data.tolist() == [1, -1]


def test_nominal_dates_match_by_value():
    day = dt.date(2020, 1, 1)
    for asked in ([day], pl.Series([day]), np.array([day], dtype="M8[D]")):
        assert column([day], asked, categorical_features=["x"]).data.tolist() == [0]


def test_levels_of_another_type_are_unseen_and_reported():
    with pytest.warns(DataWarning, match="Column 'x' holds values of type number such as 1.*were of type str"):
        assert column(["1", "2"], [1, 2]).data.tolist() == [-2, -2]


def test_ordered_columns():
    train = pd.Categorical(["S", "L"], categories=["S", "M", "L"], ordered=True)
    assert column(train, ["L", "M", "S", "XL", None]).data.tolist() == [2, -2, 0, -2, -1]


def test_a_column_that_was_all_missing_takes_anything():
    for asked in ([1, 2], ["a", "b"], [dt.date(2020, 1, 1)] * 2):
        assert np.isnan(column([None, None], asked).data).all()


def test_one_row_of_a_type_with_many_levels():
    levels = [str(i) for i in range(1000)]
    train = pd.Categorical(levels, categories=levels)
    assert column(train, pd.Categorical(["7"], categories=levels[::-1])).data.tolist() == [7]
    assert column(["7", "8"], pd.Categorical([None, "7"], categories=levels[::-1])).data.tolist() == [-1, 0]


def test_one_new_level_is_no_multitude():
    schema = build_table({"c": ["a", "b"]}).schema
    with pytest.warns(DataWarning, match=r"holds a level that no training row held \('z'; .*\); it is treated as"):
        encode_rows(schema, {"c": ["z"]}, warn_unseen=True)
    with pytest.warns(DataWarning, match="holds mostly levels that no training row held"):
        encode_rows(schema, {"c": ["z", "y"]}, warn_unseen=True)
