"""Importance in words: columns of numbers keep apart, however large they are, with few digits."""

import re

import numpy as np
import pytest

from bough.explain.importance import Importance


def printed(mean, error):
    names = ("children", "age", "a_column_of_a_long_name")
    return str(Importance("permutation", "rise of the error", names, np.array(mean), np.array(error))).splitlines()


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e4, 2772875.1418, 1e15, 1e300])
def test_numbers_never_touch_and_have_few_digits(scale):
    lines = printed([scale, 0.31415926 * scale, -0.01 * scale], [0.1 * scale, np.nan, 0.02345678 * scale])
    assert lines[1].split() == ["column", "importance", "standard", "error"]
    rows = [re.split(r"\s{2,}", line) for line in lines[2:]]
    assert [row[0] for row in rows] == ["children", "age", "a_column_of_a_long_name"]
    assert [len(row) for row in rows] == [3, 2, 3]
    for row in rows:
        for number in row[1:]:
            assert float(number) is not None
            assert len(re.sub(r"e.*|[-.]", "", number).lstrip("0")) <= 5
    assert float(rows[0][1]) == pytest.approx(scale, rel=1e-3)


def test_shares_are_printed_as_before():
    assert printed([0.5, 0.25, 0.1234], [0.01, 0.02, 0.03])[1:] == [
        "column                   importance  standard error",
        "children                     0.5000          0.0100",
        "age                          0.2500          0.0200",
        "a_column_of_a_long_name      0.1234          0.0300",
    ]
