"""Tables from files, and the bundled data sets by name."""

from pathlib import Path
from typing import Any

from bough import datasets
from bough.errors import DataError

__all__ = ["read_table"]


def read_table(table: str, separator: str = ",") -> Any:
    """A polars frame from a CSV, TSV or Parquet file, or from a bundled data set.

    Empty fields, NA and ? are missing values.
    """
    import polars as pl

    path = Path(table)
    if not path.exists():
        if table in datasets.names():
            data = datasets.load(table)
            frame, target = data.xy("polars")
            return frame.with_columns(pl.Series(data.target_name, target))
        near = ", ".join(datasets.names()[:5])
        raise DataError(f"no file {table!r}, and no bundled data set of that name (such as {near}).")
    try:
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path)
        if path.suffix.lower() == ".tsv":
            separator = "\t"
        frame = pl.read_csv(
            path, separator=separator, infer_schema_length=None, null_values=["", "NA", "?"], try_parse_dates=True
        )
    except (pl.exceptions.PolarsError, ValueError, TypeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise DataError(f"{table} cannot be read as a table: {reason}") from error
    if frame.height == 0:
        raise DataError(f"{table} has no rows.")
    return frame
