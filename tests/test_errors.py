"""Errors are what scikit-learn users catch, and survive a trip through another process."""

import pickle

import pytest

from bough import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.DataError, ValueError),
        (errors.ColumnTypeError, TypeError),
        (errors.ParameterError, ValueError),
        (errors.ModelFormatError, ValueError),
        (errors.ExportError, ValueError),
        (errors.OutputError, ValueError),
        (errors.OutputError, OSError),
    ],
)
def test_each_error_is_also_a_builtin_one(error, builtin):
    assert issubclass(error, errors.BoughError)
    assert issubclass(error, builtin)


def test_a_format_error_keeps_its_place_when_pickled():
    error = pickle.loads(pickle.dumps(errors.ModelFormatError("is 9, expected less than 4", place="$.tree.parent[3]")))
    assert error.place == "$.tree.parent[3]"
    assert str(error) == "$.tree.parent[3]: is 9, expected less than 4"
