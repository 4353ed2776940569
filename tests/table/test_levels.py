"""Labels: what counts as the same level, the order of levels, and their form in a file."""

import enum
import json
import math
import uuid
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ColumnTypeError, DataError, ModelFormatError
from bough.table import OtherLabel, as_label, label_from_json, label_key, label_to_json, sorted_order

LABELS = st.one_of(
    st.text(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.binary(),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
    st.times(),
    st.timedeltas(),
    st.builds(OtherLabel, st.text(min_size=1), st.text()),
)


def test_type_and_value_tell_labels_apart():
    assert len({label_key(label) for label in (1, "1", True, b"1", date(1, 1, 1), datetime(1, 1, 1))}) == 6


def test_whole_and_real_numbers_are_one_type():
    assert label_key(3) == label_key(3.0)
    assert label_key(0.0) == label_key(-0.0)
    assert label_key(2**53 + 1) != label_key(float(2**53))


@given(st.lists(LABELS))
def test_order_depends_on_the_set_of_labels_only(labels):
    distinct = list({label_key(label): label for label in labels}.values())
    reverse = distinct[::-1]
    in_order = [label_key(distinct[i]) for i in sorted_order(distinct)]
    assert in_order == [label_key(reverse[i]) for i in sorted_order(reverse)]


@given(LABELS)
def test_json_keeps_type_and_value(label):
    text = json.dumps(label_to_json(label), allow_nan=False)
    back = label_from_json(json.loads(text), "$")
    assert label_key(back) == label_key(label)
    assert type(back) is type(label)


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"type": "date"}, {"type": "date", "text": "31 May"}, {"type": "pickle", "text": "x"}, math.nan]
    + [{"type": "float", "text": "nan"}, {"type": "timedelta", "text": "9" * 30}, {"other": 3, "text": "x"}]
    + [{"type": "int", "text": "x"}, {"type": "date", "text": "2020-01-01", "more": "x"}, math.inf],
)
def test_anything_else_in_a_file_is_refused_with_its_place(data):
    with pytest.raises(ModelFormatError) as error:
        label_from_json(data, "$.schema.columns[0].levels[3]")
    assert error.value.place == "$.schema.columns[0].levels[3]"


class Colour(enum.Enum):
    RED = 1


class Size(enum.StrEnum):
    SMALL = "small"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.bytes_(b"a"), b"a"),
        (Decimal("1.5"), 1.5),
        (np.datetime64("2020-01-01"), date(2020, 1, 1)),
        (np.datetime64("2020-01-01T01", "ns"), datetime(2020, 1, 1, 1)),
        (np.timedelta64(1, "D"), timedelta(days=1)),
        (Colour.RED, OtherLabel("Colour", "RED")),
        (Size.SMALL, "small"),
        (uuid.UUID(int=1), OtherLabel("UUID", "00000000-0000-0000-0000-000000000001")),
        (time(1), time(1)),
    ],
)
def test_values_become_plain_labels(value, label):
    found = as_label(value, "x")
    assert found == label
    assert type(found) is type(label)


def test_what_python_cannot_hold_keeps_its_text():
    label = as_label(np.datetime64("2020-01-01T00:00:00.000000001"), "x")
    assert label == OtherLabel("datetime64[ns]", "2020-01-01T00:00:00.000000001")
    assert as_label(np.datetime64("12020-01-01"), "x") == OtherLabel("datetime64[D]", "12020-01-01")


def test_pandas_values_become_plain_labels():
    pd = pytest.importorskip("pandas")
    assert as_label(pd.Timestamp("2020-01-01 01:00"), "x") == datetime(2020, 1, 1, 1)
    assert type(as_label(pd.Timestamp("2020-01-01"), "x")) is datetime
    assert as_label(pd.Timestamp(1), "x") == OtherLabel("datetime64[ns]", "1970-01-01T00:00:00.000000001")
    assert type(as_label(pd.Timedelta("1D"), "x")) is timedelta
    assert as_label(pd.Interval(0, 1), "x") == OtherLabel("Interval", "(0, 1]")
    assert [as_label(value, "x") for value in (pd.NA, pd.NaT)] == [None, None]


@pytest.mark.parametrize(
    "value", [None, math.nan, np.float32("nan"), Decimal("nan"), Decimal("snan"), np.datetime64("NaT"), np.ma.masked]
)
def test_missing(value):
    assert as_label(value, "x") is None


@pytest.mark.parametrize("value", [[1], (1,), {"a": 1}, {1}, np.zeros(2), object()])
def test_containers_and_bare_objects_are_refused(value):
    with pytest.raises(ColumnTypeError, match="'pets'"):
        as_label(value, "pets")


def test_complex_numbers_are_refused():
    with pytest.raises(DataError, match="Complex data not supported"):
        as_label(1j, "x")
