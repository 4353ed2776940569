"""Text of thresholds, levels and names: readable, on one line, unambiguous."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import DataError
from bough.table import Column, OtherLabel, format_label, format_text, format_value
from bough.table.temporal import parse_temporal


@pytest.mark.parametrize("text", ["normal", "no disease", "Ärger", "x1", "type-2 (mild)", "日本", "a < b", "C++"])
def test_plain_text_stays_bare(text):
    assert format_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", '""'),
        ("1", '"1"'),
        ("2020-01-01", '"2020-01-01"'),
        ("nan", '"nan"'),
        ("True", '"True"'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("a,b", '"a,b"'),
        ("two\nlines", '"two\\nlines"'),
        ('say "a"', '"say \\"a\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("\x1b[31mred", '"\\x1b[31mred"'),
        ("abc\u202edef", '"abc\\u202edef"'),
        ("\ud800", '"\\ud800"'),
        ("😀", '"😀"'),
    ],
)
def test_hostile_text_is_quoted_and_escaped(text, shown):
    assert format_text(text) == shown


@given(st.text(max_size=200))
def test_text_is_one_printable_line(text):
    shown = format_text(text)
    assert shown.isprintable()
    assert len(shown) < 500


def test_long_text_is_cut_and_says_so():
    shown = format_text("a" * 999_999 + "b")
    assert shown == '"' + "a" * 32 + "…" + "a" * 11 + 'b" (1000000 characters)'


@given(st.lists(st.one_of(st.text(max_size=50), st.integers(), st.booleans(), st.floats(allow_nan=False)), max_size=9))
def test_different_labels_look_different(labels):
    # Numbers of one value are one label; everything else must not be mistaken for another.
    shown = {format_label(label): (isinstance(label, str), isinstance(label, bool), label) for label in labels}
    distinct = {(isinstance(label, str), isinstance(label, bool), label) for label in labels}
    assert len(shown) == len(distinct)


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        (3, "3"),
        (3.0, "3"),
        (0.1, "0.1"),
        (True, "True"),
        (float("inf"), "inf"),
        (b"a", 'b"a"'),
        (date(2020, 2, 29), "2020-02-29"),
        (datetime(2020, 2, 29, 12), "2020-02-29 12:00:00"),
        (timedelta(hours=1), "1:00:00"),
        (OtherLabel("Interval", "(0.5, 1.0]"), "(0.5, 1.0]"),
        (OtherLabel("Thing", "a\nb"), '"a\\nb"'),
    ],
)
def test_labels(label, shown):
    assert format_label(label) == shown


def test_huge_whole_numbers_do_not_flood_the_page():
    assert len(format_label(10**5000)) < 100


@pytest.mark.parametrize(
    ("dtype", "value", "shown"),
    [
        ("float64", 2.5, "2.5"),
        ("float64", np.float64(3), "3"),
        ("float64", 0.1 + 0.2, "0.30000000000000004"),
        ("float64", float("-inf"), "-inf"),
        ("int64", 3, "3"),
        ("int64", np.int64(2**53 + 1), "9007199254740993"),
        ("uint64", np.uint64(2**64 - 1), "18446744073709551615"),
        ("date", 18321, "2020-02-29"),
        ("datetime64[s]", 0, "1970-01-01"),
        ("datetime64[ms]", 1500, "1970-01-01 00:00:01.5"),
        ("datetime64[ns]", 1, "1970-01-01 00:00:00.000000001"),
        ("datetime64[us, Europe/Berlin]", 0, "1970-01-01 01:00:00+01:00"),
        ("datetime64[s, Nowhere/Never]", 0, "1970-01-01 UTC"),
        ("timedelta64[s]", 90061, "1d 1h 1m 1s"),
        ("timedelta64[ms]", -1500, "-1.5s"),
        ("timedelta64[ns]", 0, "0s"),
        ("time", 3_600_000_000, "01:00:00"),
    ],
)
def test_thresholds(dtype, value, shown):
    assert format_value(Column("x", "numeric", dtype), value) == shown


def test_threshold_between_two_dates_is_the_date_that_says_the_same():
    column = Column("x", "numeric", "date")
    assert format_value(column, 18321.5, side="le") == "2020-02-29"  # x <= 29 February
    assert format_value(column, 18321.5, side="lt") == "2020-03-01"  # x < 1 March


def test_digits_shorten_real_numbers():
    assert format_value(Column("x", "numeric", "float64"), 1.32709213, digits=6) == "1.32709"


def test_codes_are_shown_as_levels():
    column = Column("x", "nominal", "levels", ("a", 1, "1"))
    assert [format_value(column, code) for code in range(3)] == ["a", "1", '"1"']
    with pytest.raises(DataError, match="no level of column 'x'"):
        format_value(column, 3)


def test_times_that_64_bits_do_not_reach_are_no_times():
    """Where numpy would wrap around."""
    text = format_value(Column("at", "numeric", "datetime64[ms]"), 2**62)
    found = {unit: parse_temporal(f"datetime64[{unit}]").parse(text) for unit in ("ms", "us", "ns")}
    assert found == {"ms": 2**62, "us": None, "ns": None}
