"""Tables in: shapes, names and containers, with scikit-learn's wording where its users know it."""

import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from bough.errors import BoughError, ColumnTypeError, DataError
from bough.table import build_table
from bough.table.frame import read_frame

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("X", [np.zeros(3), [1, 2, 3], ("a", "b"), [], np.float64(1)])
def test_one_dimension(X):
    with pytest.raises(ValueError, match="Reshape your data"):
        read_frame(X)


@pytest.mark.parametrize("make", [pd.Series, lambda v: pl.Series("x", v), lambda v: pa.chunked_array([v])])
def test_a_series_is_no_table(make):
    with pytest.raises(DataError, match=r"(?s)Expected a 2-dimensional container.*Reshape your data"):
        read_frame(make([1.0, 2.0]))


def test_three_dimensions():
    with pytest.raises(DataError, match="Found array with dim 3"):
        read_frame(np.zeros((1, 1, 1)))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 3)), "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."),
        (np.empty((12, 0)), "0 feature(s) (shape=(12, 0)) while a minimum of 1 is required."),
        (pd.DataFrame(index=range(4)), "0 feature(s) (shape=(4, 0)) while a minimum of 1 is required."),
        (pd.DataFrame({"a": []}), "0 sample(s) (shape=(0, 1))"),
        (pl.DataFrame({"a": []}), "0 sample(s) (shape=(0, 1))"),
        (pa.table({"a": pa.chunked_array([], type=pa.float64())}), "0 sample(s) (shape=(0, 1))"),
        ({}, "0 sample(s) (shape=(0, 0))"),
        ([[]], "0 feature(s) (shape=(1, 0))"),
    ],
)
def test_nothing_in_it(X, message):
    with pytest.raises(DataError, match=re.escape(message)):
        build_table(X)


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csr_array, sp.coo_matrix])
def test_sparse_is_refused(make):
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        build_table(make(np.eye(3)))


def test_complex_is_refused():
    for X in (np.ones((2, 2)) * 1j, [[1j, 2], [3, 4]], {"a": np.array([1j])}, pd.DataFrame({"a": [1j]})):
        with pytest.raises(ValueError, match="Complex data not supported"):
            build_table(X)


def test_duplicate_names():
    twice = pd.DataFrame(np.zeros((2, 3)), columns=["a", "b", "a"])
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    for X in (twice, table):
        with pytest.raises(DataError, match="more than once: 'a'"):
            build_table(X)
    with pytest.raises(DataError, match="more than once: 7"):
        build_table(pd.DataFrame(np.zeros((2, 2)), columns=[7, 7]))


def test_mixed_names_are_refused_in_scikit_learns_words():
    with pytest.raises(TypeError, match="Feature names are only supported if all input features have string names"):
        build_table(pd.DataFrame(np.zeros((2, 2)), columns=["a", 1]))


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (range(2), ("x0", "x1")),
        ([2019, 2020], ("2019", "2020")),
        (pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]), ("('a', 1)", "('b', 2)")),
    ],
)
def test_names_that_are_no_strings_only_serve_to_print(columns, names):
    schema = build_table(pd.DataFrame(np.zeros((2, 2)), columns=columns)).schema
    assert not schema.named
    assert schema.names == names


def test_string_names_are_kept():
    schema = build_table(pd.DataFrame(np.zeros((2, 2)), columns=["b", np.str_("a")])).schema
    assert schema.named
    assert schema.names == ("b", "a")
    assert all(type(name) is str for name in schema.names)


def test_arrays_are_nameless():
    schema = build_table(np.zeros((2, 3))).schema
    assert not schema.named
    assert schema.names == ("x0", "x1", "x2")


def test_rows_as_lists_keep_the_type_of_each_column():
    schema = build_table([[1, "a", 2.5], [2, "b", None]]).schema
    assert [column.dtype for column in schema] == ["int64", "levels", "float64"]


def test_ragged_rows():
    with pytest.raises(DataError, match="row 0 has 2 values, row 2 has 1"):
        build_table([[1, 2], [3, 4], [5]])


def test_ragged_columns():
    with pytest.raises(DataError, match="Column 'b' has 1 rows, but another column has 2"):
        build_table({"a": [1, 2], "b": [1]})


def test_column_of_two_dimensions():
    with pytest.raises(DataError, match="Column 'a' has 2 dimensions"):
        build_table({"a": np.zeros((2, 2))})


def test_lazy_frames_must_be_collected():
    with pytest.raises(ColumnTypeError, match="collect"):
        build_table(pl.LazyFrame({"a": [1]}))


def test_anything_with_an_array_inside():
    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return np.arange(6.0).reshape(3, 2)

    assert build_table(Wrapped()).n_rows == 3


def test_what_cannot_be_an_array_is_no_table():
    class Stubborn:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("not today")

    with pytest.raises(ColumnTypeError, match="X is a Stubborn, which cannot be read as a table"):
        build_table(Stubborn())


def test_masked_arrays():
    table = build_table(np.ma.MaskedArray([[1.0, 2.0], [3.0, 4.0]], mask=[[True, False], [False, False]]))
    assert np.isnan(table.columns[0].data).tolist() == [True, False]
    assert table.columns[1].data.tolist() == [2.0, 4.0]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_a_matrix_is_an_array():
    assert build_table(np.asmatrix(np.eye(2))).columns[0].data.shape == (2,)


@pytest.mark.parametrize("X", [None, 3, "table", object()])
def test_no_table_at_all(X):
    with pytest.raises(BoughError):
        build_table(X)


def test_narwhals_frames():
    import narwhals as main
    import narwhals.stable.v1 as v1
    import narwhals.stable.v2 as v2

    for nw in (main, v1, v2):
        assert build_table(nw.from_native(pl.DataFrame({"a": [1.0]}))).schema.names == ("a",)


def test_numpy_users_need_no_frame_library():
    code = (
        "import sys\n"
        "for name in ('pandas', 'polars', 'pyarrow', 'duckdb'): sys.modules[name] = None\n"
        "import numpy as np\n"
        "from bough.table import build_table, encode_rows\n"
        "table = build_table(np.array([[1.0, 2.0], [3.0, 4.0]]))\n"
        "encode_rows(table.schema, [[1, 2]])\n"
        "table = build_table({'a': ['x', 'y', None], 'b': [1, 2, None]}, ordered_features={'a': ['y', 'x']})\n"
        "assert encode_rows(table.schema, {'a': ['x'], 'b': [1]})[0].data.tolist() == [1]\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_bough_works_without_any_frame_library():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['pandas', 'polars', 'pyarrow']))\n"
        "import bough; bough.CARTClassifier().fit([[0.0], [1.0]] * 20, [0, 1] * 20).predict([[0.0]])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
