"""Tables in: frames of any library become a schema and columns of numbers and codes."""

from bough.table.choose import choose_kinds
from bough.table.digest import table_digest, target_column
from bough.table.encode import Encoded, Table, build_table, kernel_columns, missing_rows, weight_array
from bough.table.fill import fill_table
from bough.table.format import format_label, format_text, format_value, value_of
from bough.table.levels import (
    Label,
    OtherLabel,
    as_label,
    is_missing,
    label_from_json,
    label_key,
    label_to_json,
    label_type,
    sorted_order,
)
from bough.table.row import Row, is_row, read_row
from bough.table.rows import UNSEEN_ADVICE, encode_rows
from bough.table.schema import UNSEEN, Column, Kind, Schema
from bough.table.take import take_rows
from bough.table.warn import warn

__all__ = [
    "UNSEEN",
    "UNSEEN_ADVICE",
    "Column",
    "Encoded",
    "Kind",
    "Label",
    "OtherLabel",
    "Row",
    "Schema",
    "Table",
    "as_label",
    "build_table",
    "choose_kinds",
    "encode_rows",
    "fill_table",
    "format_label",
    "format_text",
    "format_value",
    "is_missing",
    "is_row",
    "kernel_columns",
    "label_from_json",
    "label_key",
    "label_to_json",
    "label_type",
    "missing_rows",
    "read_row",
    "sorted_order",
    "table_digest",
    "take_rows",
    "target_column",
    "value_of",
    "warn",
    "weight_array",
]
