"""What is typed into the page is read as the table layer reads it: numbers, dates, times and durations."""

import numpy as np
import pytest


def ticks(value, unit):
    return str(np.datetime64(value, unit).astype(np.int64))


CASES = [
    ("float64", "12.5", "12.5", "12.5"),
    ("float64", "-1e-3", "-0.001", "-0.001"),
    ("float64", "inf", "Infinity", "inf"),
    ("uint64", "18446744073709551615", "18446744073709551615", "18446744073709551615"),
    ("int64", "-7", "-7", "-7"),
    ("date", "2024-02-29", ticks("2024-02-29", "D"), "2024-02-29"),
    ("date", "1850-01-01", ticks("1850-01-01", "D"), "1850-01-01"),
    ("datetime64[us]", "2024-02-29 13:30", ticks("2024-02-29T13:30", "us"), "2024-02-29 13:30:00"),
    ("datetime64[ns]", "2024-02-29T13:30:01.5", ticks("2024-02-29T13:30:01.5", "ns"), "2024-02-29 13:30:01.5"),
    ("datetime64[s, Europe/Paris]", "2024-02-29 13:30+01:00", ticks("2024-02-29T12:30", "s"), "2024-02-29 12:30:00"),
    ("datetime64[s]", "1969-12-31 23:59:59", "-1", "1969-12-31 23:59:59"),
    ("timedelta64[s]", "1d 2h 3m 4s", str(93784), "1d 2h 3m 4s"),
    ("timedelta64[ns]", "-1.5s", "-1500000000", "-1.5s"),
    ("time", "13:30", str(48600 * 10**6), "13:30:00"),
]
NONSENSE = [
    ("float64", "forty"),
    ("float64", "1,5"),
    ("date", "2023-02-29"),
    ("time", "25:00"),
    ("timedelta64[s]", "soon"),
]


def test_texts_are_read_and_written(run_node):
    told = run_node("values_told.js", {"cases": [case[:2] for case in CASES]})
    assert told == [[cell, text] for _, _, cell, text in CASES]


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_means_nothing(case, run_node):
    assert run_node("values_told.js", {"cases": [case]}) == [["none", None]]
