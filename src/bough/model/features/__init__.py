"""What tests ask of a row: a column's value, or something that is made of several columns; one file a kind.

A new feature is a file here with a class that keeps to `Feature`, and a line in `DERIVED`.
"""

from bough.model.features.all_of import AllOf, Term
from bough.model.features.column import ColumnValue
from bough.model.features.feature import Cell, Expression, Feature, Listed, Number, Property, Side, Unknown
from bough.model.features.linear import MOST_TERMS, Linear, LinearTerm, sum_in_words
from bough.model.features.network import Network
from bough.model.features.read import (
    DERIVED,
    asks_curves,
    columns_asked,
    network_asked,
    read_feature,
    sums_asked,
    without_cells,
)

__all__ = [
    "DERIVED",
    "MOST_TERMS",
    "AllOf",
    "Cell",
    "ColumnValue",
    "Expression",
    "Feature",
    "Linear",
    "LinearTerm",
    "Listed",
    "Network",
    "Number",
    "Property",
    "Side",
    "Term",
    "Unknown",
    "asks_curves",
    "columns_asked",
    "network_asked",
    "read_feature",
    "sum_in_words",
    "sums_asked",
    "without_cells",
]
