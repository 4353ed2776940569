"""The fields of separated text are those that Python's csv reads, where it reads them."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from bough.cli.fields import fields_of


@given(st.text(alphabet='ab,;" \r\n', max_size=30), st.sampled_from(",;"))
def test_rows_and_line_numbers_are_those_of_csv(text, separator):
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    expected = [(rows.line_num, row) for row in rows]
    assert list(fields_of(io.StringIO(text, newline=""), separator)) == expected


def test_fields_have_no_longest_length():
    field = "n" * (csv.field_size_limit() + 1)
    assert list(fields_of([f'{field},"{field}"\n'], ",")) == [(1, [field, field])]
