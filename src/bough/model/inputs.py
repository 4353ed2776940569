"""Inputs: which columns a model expects, and how a table to predict on is read into them.

Frozen at fit and part of the model and its file, so that no parameter of an estimator is asked at prediction.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt

from bough.errors import DataError, ModelFormatError
from bough.model.bins import Bins
from bough.model.strict import expect_keys, show
from bough.model.texts import of_model
from bough.table import UNSEEN_ADVICE, Encoded, Schema, encode_rows, kernel_columns, missing_rows, read_row

__all__ = ["Inputs", "Rows", "RuleUnseen", "Unseen", "refuse_missing"]

Unseen: TypeAlias = Literal["missing", "majority", "stop", "error", "other"]
RuleUnseen: TypeAlias = Literal["missing", "other", "error"]  # those that rules know

_REFUSED = (
    "It was fitted with missing='refuse': fill the value in, or fit with another answer to missing, such as "
    "'fractional'."
)
_REFUSED_LEVEL = (
    "By unseen='missing' it counts as a missing value, which missing='refuse' does not take: correct it, "
    "or set unseen='majority' or 'stop'."
)


class Rows:
    """Rows of a table as numbers and level codes, in the columns that the tests of a model ask.

    Parameters
    ----------
    schema : Schema
        The columns as tests ask them: those that are binned have their bins as levels.
    encoded : list of Encoded
        One for each column; those that the model never reads hold zeros.
    """

    __slots__ = ("_columns", "encoded", "schema")

    def __init__(self, schema: Schema, encoded: list[Encoded]) -> None:
        self.schema = schema
        self.encoded = encoded
        self._columns: list[tuple[npt.NDArray[Any], npt.NDArray[Any] | None, int]] | None = None

    @property
    def columns(self) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any] | None, int]]:
        """The columns as the kernel takes them."""
        if self._columns is None:
            self._columns = kernel_columns(self.schema, self.encoded)
        return self._columns

    def __len__(self) -> int:
        return len(self.encoded[0].data)


@dataclass(frozen=True)
class Inputs:
    """What a table to predict on must be, and how it is read.

    Parameters
    ----------
    schema : Schema
        The columns as a table holds them.
    bins : Bins, optional
        Edges by which numeric columns become levels.
    unseen : {"missing", "majority", "stop", "error", "other"}, default="missing"
        What a level that no training row held counts as; "other", of rules alone: a known level that is in no set.
    refuses_missing : bool, default=False
        Whether a missing value is an error, wherever it is; infinite numbers then are, too.
    only_asked : bool, default=False
        With `refuses_missing`: only where a test on the way of the row asks for it, which the model sees to; infinite
        numbers are numbers.
    incomplete : frozenset of int, optional
        The columns of which some training row lacked the value, by position: drawings then say what is asked instead.
        None: not known, as of trees made by hand.
    inferred : bool, default=False
        Whether columns and levels were read from a text of rules: tables may hold others.

    Examples
    --------
    >>> from bough.table import build_table
    >>> inputs = Inputs(build_table({"age": [41, 52], "sex": ["f", "m"]}).schema)
    >>> inputs.read({"sex": ["m", None], "age": [30, 31]}).encoded[1].data
    array([ 1, -1], dtype=int32)
    >>> inputs.read({"sex": "m"}).encoded[0].data
    array([nan])
    """

    schema: Schema
    bins: Bins | None = None
    unseen: Unseen = "missing"
    refuses_missing: bool = False
    incomplete: frozenset[int] | None = None
    only_asked: bool = False
    inferred: bool = False

    @cached_property
    def asked(self) -> Schema:
        """The columns as tests ask them."""
        return self.schema if self.bins is None else self.bins.schema(self.schema)

    @property
    def refuses_anywhere(self) -> bool:
        """Whether a missing value is an error whether or not it is asked for."""
        return self.refuses_missing and not self.only_asked

    @property
    def refuses_unseen(self) -> bool:
        """Whether a level that no training row held is an error."""
        return self.unseen == "error" or (self.unseen == "missing" and self.refuses_anywhere)

    @of_model
    def read(
        self,
        X: Any,
        *,
        only: Collection[int] | None = None,
        if_missing: Collection[int] = (),
        reader: str = "the model",
    ) -> Rows:
        """Read a table, or one row; all that prediction may refuse is refused here.

        Parameters
        ----------
        X : table, row or Rows
            A row is a dict of single values, a tuple in the order of the columns, or a Series with the names of
            columns: a table of one row, in which columns that are left out are missing. Rows that are read already
            are taken as they are.
        only : numbers of columns, optional
            Those that matter; the others are looked up by name but not read. Where values are refused, all are read.
        if_missing : numbers of columns
            Those that matter, too, if a value of the former is missing or was never seen.
        {reader}
        """
        if isinstance(X, Rows):
            return X
        encoded = self._encode(X, only, if_missing, reader)
        return Rows(self.asked, encoded if self.bins is None else self.bins.encode(encoded))

    def read_given(self, X: Any) -> Rows:
        """Read a table as it is given: numbers that are binned stay numbers, and nothing is warned of."""
        return Rows(self.schema, encode_rows(self.schema, X))

    def _encode(self, X: Any, only: Collection[int] | None, if_missing: Collection[int], reader: str) -> list[Encoded]:
        warns = self.unseen == "missing"
        if self.refuses_anywhere:
            row = read_row(self.schema, X)
            if row is not None and row.left_out:
                raise DataError(f"The row says nothing of {row.left_out_words}, which {reader} needs. {_REFUSED}")
            encoded = encode_rows(
                self.schema,
                X if row is None else row,
                reject_unseen=self.refuses_unseen,
                warn_unseen=warns,
                estimator_name=reader,
                advice=_REFUSED_LEVEL if warns else UNSEEN_ADVICE,
            )
            refuse_missing(self.schema, encoded, _REFUSED)
            return encoded
        if self.unseen == "error":
            return encode_rows(self.schema, X, reject_unseen=True, estimator_name=reader)
        return encode_rows(self.schema, X, warn_unseen=warns, estimator_name=reader, only=only, if_missing=if_missing)

    def to_json(self) -> dict[str, Any]:
        """As plain data; `from_json` reads it."""
        known: dict[str, Any] = {} if self.incomplete is None else {"incomplete": sorted(self.incomplete)}
        if self.inferred:
            known["inferred"] = True
        return {
            "schema": self.schema.to_json(),
            "bins": None if self.bins is None else self.bins.to_json(),
            "unseen": self.unseen,
            "refuses_missing": "asked" if self.only_asked else self.refuses_missing,
            **known,
        }

    @classmethod
    def from_json(cls, data: Any, place: str) -> "Inputs":
        """Read what `to_json` wrote; a ModelFormatError says where anything is amiss."""
        known = {"incomplete", "inferred"} & set(data) if isinstance(data, dict) else set()
        expect_keys(data, {"schema", "bins", "unseen", "refuses_missing"} | known, place)
        if data["unseen"] not in get_args(Unseen):
            expected = ", ".join(get_args(Unseen))
            raise ModelFormatError(f"expected one of {expected}, found {show(data['unseen'])}", f"{place}.unseen")
        refuses = data["refuses_missing"]
        if type(refuses) is not bool and refuses != "asked":
            raise ModelFormatError(f"expected true, false or asked, found {show(refuses)}", f"{place}.refuses_missing")
        schema = Schema.from_json(data["schema"], f"{place}.schema")
        bins = None if data["bins"] is None else Bins.from_json(data["bins"], schema, f"{place}.bins")
        incomplete = _columns(data["incomplete"], len(schema), f"{place}.incomplete") if "incomplete" in known else None
        if "inferred" in known and data["inferred"] is not True:
            raise ModelFormatError(f"expected true, found {show(data['inferred'])}", f"{place}.inferred")
        unseen = cast(Unseen, data["unseen"])
        return cls(schema, bins, unseen, bool(refuses), incomplete, refuses == "asked", "inferred" in known)


def _columns(data: Any, n_columns: int, place: str) -> frozenset[int]:
    """Rising positions of columns."""
    if not isinstance(data, list):
        raise ModelFormatError(f"expected a list, found {show(data)}", place)
    for i, column in enumerate(data):
        if type(column) is not int or not (data[i - 1] if i else -1) < column < n_columns:
            raise ModelFormatError(f"expected rising numbers below {n_columns}, found {show(column)}", f"{place}[{i}]")
    return frozenset(data)


def refuse_missing(schema: Schema, columns: list[Encoded], advice: str) -> None:
    """Raise a DataError for the first value that is missing or infinite."""
    for column, encoded in zip(schema, columns, strict=True):
        missing = missing_rows(encoded)
        infinite = np.isinf(encoded.data) if encoded.data.dtype.kind == "f" else missing
        for found, what in ((missing, "NaN or another missing value"), (infinite, "infinity")):
            if found.any():
                row = int(np.flatnonzero(found)[0])
                raise DataError(f"Input X contains {what}: column {column.name!r}, row {row}. {advice}")
