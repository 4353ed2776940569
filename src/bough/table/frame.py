"""Anything that is a table in, named columns out: frames, arrays, dicts of columns, lists of rows, Arrow streams."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from bough.errors import ColumnTypeError, DataError
from bough.table.arrays import read_array
from bough.table.objects import read_objects
from bough.table.raw import Array, Raw
from bough.table.series import is_categorical, read_categorical, read_series

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Frame", "read_frame"]

Source: TypeAlias = "Array | nw.Series[Any] | pd.Categorical | Sequence[Any]"


@dataclass(frozen=True)
class Frame:
    """Columns of a table, not yet read.

    `named` says that the names came with the table and are strings, so that columns can be matched by them;
    otherwise they only serve to print and columns go by position.
    """

    names: tuple[str, ...]
    named: bool
    n_rows: int
    source: Callable[[int], Source]

    def read(self, position: int, used: Array | None = None) -> Raw:
        """Read one column. In a column of objects, rows not `used` are missing and have no say in its type."""
        source, name = self.source(position), self.names[position]
        if is_categorical(source):
            return read_categorical(source, name)
        if isinstance(source, nw.Series):
            return read_series(source, name)
        if isinstance(source, np.ndarray) and source.dtype != object:
            return read_array(source, name)
        values: Any = source.tolist() if isinstance(source, np.ndarray) else source
        if used is not None:
            values = [value if use else None for value, use in zip(values, used.tolist(), strict=True)]
        return read_objects(values, name)


def read_frame(X: Any) -> Frame:
    """Take a table apart into its columns.

    Parameters
    ----------
    X : table
        A pandas or polars frame, a pyarrow table or record batch, any object with ``__arrow_c_stream__`` (a DuckDB
        relation), a two-dimensional numpy array, a dict of columns, or a list of rows.

    Returns
    -------
    Frame
        The columns with their names; nothing has been copied.
    """
    X = nw.to_native(X, pass_through=True)
    if scipy.sparse.issparse(X):
        raise ColumnTypeError(
            "Sparse data was passed for X, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(X, Mapping):
        names, sources = list(X), [_read_source(column, name) for name, column in X.items()]
        return _check_frame(names, sources)
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if isinstance(X, list | tuple):
        return _from_rows(X)
    frame = _from_library(X)
    if frame is not None:
        return frame
    try:
        array = np.asarray(X)
    except (TypeError, ValueError) as error:
        raise ColumnTypeError(
            f"X is a {type(X).__name__}, which cannot be read as a table ({error!s:.100}). Pass a frame of pandas or "
            "polars, a pyarrow table, a two-dimensional array or a dict of columns."
        ) from error
    return _from_array(array)


def _from_library(X: Any) -> Frame | None:
    """The columns by position: narwhals, which reads them, wants the names of a frame to be strings that differ."""
    if nw.dependencies.is_into_series(X):
        raise DataError(
            f"Expected a 2-dimensional container but got {type(X)} instead. Pass a DataFrame containing a single row "
            "(i.e. single sample) or a single column (i.e. single feature) instead. "
            "Reshape your data, for example with X.to_frame()."
        )
    if nw.dependencies.is_polars_lazyframe(X):
        raise ColumnTypeError("X is a LazyFrame, whose rows are not there yet: pass X.collect() instead.")
    if not nw.dependencies.is_into_dataframe(X):
        if not hasattr(X, "__arrow_c_stream__"):
            return None
        X = _read_stream(X)
    if nw.dependencies.is_pyarrow_table(X):
        names, column = X.column_names, X.column
    elif nw.dependencies.is_polars_dataframe(X):
        names, column = X.columns, X.to_series
    else:
        names = list(X.columns)
        # By name where a name finds one column, which is many times as fast as by position.
        by_name = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
        column = (lambda position: X[names[position]]) if by_name else (lambda position: X.iloc[:, position])
    # Columns are taken out of the frame when they are read: a model may ask few of them.
    return _check_names_and_shape(names, len(X), lambda position: _read_source(column(position), names[position]))


def _read_stream(X: Any) -> Any:
    """A pyarrow table or polars frame from an Arrow stream, by whichever of the two is installed."""
    try:
        import pyarrow as pa
    except ImportError:
        try:
            import polars as pl
        except ImportError:
            raise ColumnTypeError(
                f"X is a {type(X).__name__}, an Arrow stream: install pyarrow or polars to read it."
            ) from None
        return pl.DataFrame(X)
    return pa.table(X)


def _read_source(column: Any, name: Hashable) -> Source:
    """One column of a frame or dict: a series, an array or a sequence."""
    if isinstance(column, list | tuple | range):
        return column
    column = nw.to_native(column, pass_through=True)
    library = type(column).__module__.partition(".")[0]
    if library == "pandas" and is_categorical(values := getattr(column, "array", column)):
        return values  # past narwhals, which takes longer than all else in reading a small table
    if library == "pandas" and not hasattr(column, "iloc"):  # an index, which narwhals does not know
        import pandas as pd

        column = pd.Series(column)
    elif library == "pyarrow" and not hasattr(column, "chunks"):
        import pyarrow as pa

        column = pa.chunked_array([column])
    if isinstance(getattr(column, "dtype", None), np.dtype):
        column = np.asanyarray(column)  # also the columns that pandas keeps in numpy arrays
    elif nw.dependencies.is_into_series(column):
        series: nw.Series[Any] = nw.from_native(column, series_only=True)
        return series
    array: Array = column if isinstance(column, np.ma.MaskedArray) else np.asarray(column)
    if array.ndim != 1:
        raise DataError(f"Column {name!r} has {array.ndim} dimensions; give each column as one value for each row.")
    return array


def _from_array(array: Array) -> Frame:
    if not isinstance(array, np.ma.MaskedArray):
        array = np.asarray(array)  # a matrix has no one-dimensional columns
    if array.dtype.kind == "c":
        raise DataError(f"Complex data not supported\n{array}\n")
    if array.ndim < 2:
        raise DataError(
            f"Expected 2D array, got {'1D' if array.ndim else 'scalar'} array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise DataError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    n_rows, n_columns = array.shape
    return _check_names_and_shape(range(n_columns), n_rows, lambda position: array[:, position])


def _from_rows(rows: Sequence[Any]) -> Frame:
    """Rows become an array of objects, so that each column keeps its own type."""
    array = np.array(rows, dtype=object)
    if array.ndim == 1 and any(isinstance(row, list | tuple | np.ndarray) for row in rows):
        widths = [len(row) if isinstance(row, list | tuple | np.ndarray) else 1 for row in rows]
        other = next(i for i, width in enumerate(widths) if width != widths[0])
        raise DataError(f"Rows differ in length: row 0 has {widths[0]} values, row {other} has {widths[other]}.")
    return _from_array(array)


def _check_frame(names: Sequence[Any], sources: Sequence[Source], n_rows: int | None = None) -> Frame:
    """Names and shape by scikit-learn's rules: enough rows and columns, names all strings or none, no name twice."""
    lengths = [len(source) for source in sources]
    n_rows = max(lengths, default=0) if n_rows is None else n_rows
    for name, length in zip(names, lengths, strict=True):
        if length != n_rows:
            raise DataError(f"Column {name!r} has {length} rows, but another column has {n_rows}.")
    return _check_names_and_shape(names, n_rows, sources.__getitem__)


def _check_names_and_shape(names: Sequence[Any], n_rows: int, source: Callable[[int], Source]) -> Frame:
    """The rules for what all columns have in common; `source` gives the column at a position."""
    named = _check_names(names)
    shape = (n_rows, len(names))
    if n_rows == 0:
        raise DataError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
    if not names:
        raise DataError(f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required.")
    if named:
        shown = [str(name) for name in names]
    else:
        counted = all(name == i for i, name in enumerate(names))
        shown = [f"x{i}" if counted else str(name) for i, name in enumerate(names)]
    return Frame(tuple(shown), named, n_rows, source)


def _check_names(names: Sequence[Any]) -> bool:
    """Whether all names are strings; a mixture, or a name that occurs twice, is an error."""
    if len(set(names)) < len(names):
        twice = sorted({repr(name) for name in names if list(names).count(name) > 1})
        raise DataError(f"Column names must differ, but these occur more than once: {', '.join(twice)}. Rename them.")
    kinds = sorted({type(name).__qualname__ for name in names})
    strings = [isinstance(name, str) for name in names]
    if any(strings) and not all(strings):
        raise ColumnTypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {kinds} as feature name / column name types. "
            "If you want feature names to be stored and validated, you must convert them all to strings, "
            "by using X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / column "
            "names from your input data, or convert them all to a non-string data type."
        )
    return all(strings) and bool(strings)
