"""From a table to predict on to columns as the kernel reads them: matched with the schema by name and by label."""

from collections.abc import Collection, Sequence
from typing import Any, NoReturn

import numpy as np

from bough.errors import ColumnTypeError, DataError
from bough.table.convert import as_labels, as_numbers, present_codes
from bough.table.encode import Encoded, missing_rows
from bough.table.frame import Frame, read_frame
from bough.table.levels import Label, label_key, label_type
from bough.table.raw import Labels, Raw
from bough.table.row import read_row
from bough.table.schema import UNSEEN, Column, Schema
from bough.table.temporal import parse_temporal
from bough.table.warn import warn

__all__ = ["UNSEEN_ADVICE", "encode_rows"]

UNSEEN_ADVICE = "Correct it, make it missing, or choose another way to treat unseen levels."


def encode_rows(
    schema: Schema,
    X: Any,
    *,
    reject_unseen: bool = False,
    warn_unseen: bool = False,
    advice: str = UNSEEN_ADVICE,
    estimator_name: str = "the model",
    only: Collection[int] | None = None,
    if_missing: Collection[int] = (),
) -> list[Encoded]:
    """Read a table to predict on.

    Columns are matched by name, in any order; others are ignored with one DataWarning. A table without names goes by
    position. Levels are matched by label, whatever their codes or order are now.

    Parameters
    ----------
    schema : Schema
        Of the training table.
    X : table or row
        As for `build_table`, or one row, as for `read_row`: columns that it leaves out are missing.
    reject_unseen : bool, default=False
        Raise a DataError for a level that no training row held, instead of giving it the code -2.
    warn_unseen : bool, default=False
        Warn of a column in which most of the known values are such levels: rather a mistake than news.
    advice : str
        What to do about a level that is rejected.
    estimator_name : str, default="the model"
        Who speaks in messages.
    only : numbers of columns, optional
        Those to read; the others must be there, too, but are not looked at and come as zeros.
    if_missing : numbers of columns
        Those to read, too, if a value of the former is missing or was never seen.

    Returns
    -------
    list of Encoded
        One for each column of the schema.

    Examples
    --------
    >>> from bough.table import build_table, encode_rows
    >>> schema = build_table({"age": [41, 52], "sex": ["f", "m"]}).schema
    >>> encode_rows(schema, {"sex": ["m", "x", None], "age": [1, 2, 3]})[1].data
    array([ 1, -2, -1], dtype=int32)
    """
    row = read_row(schema, X)
    frame = read_frame(X) if row is None else row.frame(schema)
    positions = _match_columns(schema, frame, estimator_name)
    refusal = advice if reject_unseen else None

    def read(number: int) -> Encoded:
        column, raw = schema.columns[number], frame.read(positions[number])
        if column.kind == "numeric":
            return _encode_numeric(column, raw)
        return _encode_levels(column, as_labels(raw, column.name), refusal, warn_unseen)

    if only is None:
        return [read(number) for number in range(len(schema))]
    found = {number: read(number) for number in sorted(only)}
    if if_missing and any(_lacks(column) for column in found.values()):
        found |= {number: read(number) for number in sorted(if_missing)}
    zeros = {dtype: Encoded(np.zeros(frame.n_rows, dtype)) for dtype in (np.float64, np.int32)}
    unread = (zeros[np.float64 if column.kind == "numeric" else np.int32] for column in schema)
    return [found.get(number, zero) for number, zero in enumerate(unread)]


def _lacks(column: Encoded) -> bool:
    """Whether some value is missing or a level that no training row held."""
    if column.data.dtype == np.int32:
        return bool((column.data < 0).any())
    return bool(missing_rows(column).any())


def _match_columns(schema: Schema, frame: Frame, estimator_name: str) -> Sequence[int]:
    """The position in the frame of each column of the schema."""
    if schema.named and frame.named:
        return _match_names(schema.names, frame.names)
    if schema.named:
        warn(f"X does not have valid feature names, but {estimator_name} was fitted with feature names")
    elif frame.named:
        warn(f"X has feature names, but {estimator_name} was fitted without feature names")
    if len(frame.names) != len(schema):
        raise DataError(
            f"X has {len(frame.names)} features, but {estimator_name} is expecting {len(schema)} features as input."
        )
    return range(len(schema))


def _match_names(expected: Sequence[str], given: Sequence[str]) -> list[int]:
    place = {name: position for position, name in enumerate(given)}
    lacking = [name for name in expected if name not in place]
    wanted = set(expected)
    extra = [name for name in given if name not in wanted]
    if lacking:
        unknown = f"Feature names unseen at fit time:\n{_listing(extra)}" if extra else ""
        raise DataError(
            "The feature names should match those that were passed during fit.\n"
            f"{unknown}Feature names seen at fit time, yet now missing:\n{_listing(lacking)}"
        )
    if extra:
        warn(f"X has columns that were not there during fit; they are ignored:\n{_listing(extra)}")
    return [place[name] for name in expected]


def _listing(names: Sequence[str]) -> str:
    return "".join(f"- {name}\n" for name in names[:10]) + (f"- ... ({len(names)} in all)\n" if len(names) > 10 else "")


def _encode_numeric(column: Column, raw: Raw) -> Encoded:
    if column.dtype == "null":  # nothing was known in training, so no split asks for it
        return Encoded(np.full(len(raw.codes) if isinstance(raw, Labels) else len(raw.data), np.nan))
    numbers = as_numbers(raw, column.name) if isinstance(raw, Labels) else raw
    if numbers is None:
        _refuse_labels(column, raw)
    if numbers.dtype == "null":
        return Encoded(numbers.data)
    expected, found = parse_temporal(column.dtype), parse_temporal(numbers.dtype)
    if expected is None and found is None:
        return Encoded(numbers.data, numbers.missing)
    if expected is None or found is None or not expected.accepts(found):
        raise ColumnTypeError(
            f"Column {column.name!r} is of type {numbers.dtype}; it was {column.dtype} in training. Convert it first."
        )
    return Encoded(expected.convert(numbers.data, found), numbers.missing)


def _refuse_labels(column: Column, raw: Raw) -> NoReturn:
    assert isinstance(raw, Labels)  # noqa: S101
    held = [raw.labels[code] for code in present_codes(raw)]
    value = next((label for label in held if not isinstance(label, int | float)), held[0])
    raise ColumnTypeError(
        f"Column {column.name!r} holds {value!r:.80}, a {label_type(value)}; it was numeric ({column.dtype}) in "
        "training. Convert the column to that type, or make the value missing."
    )


def _encode_levels(column: Column, raw: Labels, refusal: str | None, warn_unseen: bool) -> Encoded:
    present = present_codes(raw)
    held = [raw.labels[code] for code in present]
    matched = [column.code_of.get(label_key(label), UNSEEN) for label in held]
    codes = np.full(len(raw.labels) + 1, -1, dtype=np.int32)  # the last entry serves code -1
    codes[present] = matched
    encoded = Encoded(codes[raw.codes])
    if UNSEEN in matched:
        unseen = [label for label, code in zip(held, matched, strict=True) if code == UNSEEN]
        if refusal is not None:
            raise DataError(
                f"Column {column.name!r} holds {unseen[0]!r:.80}, a level that no training row held. {refusal}"
            )
        if not _warn_of_types(column, held, unseen[0]) and warn_unseen:
            _warn_of_unseen(column, encoded, unseen)
    return encoded


def _warn_of_types(column: Column, held: Sequence[Label], first: Label) -> bool:
    """Levels of another type than any in training are all unseen: rather a mistake than news."""
    trained = {label_type(label) for label in column.levels or ()}
    if not trained or not trained.isdisjoint(map(label_type, held)):
        return False
    warn(
        f"Column {column.name!r} holds values of type {label_type(first)} such as {first!r:.80}, but its levels in "
        f"training were of type {', '.join(sorted(trained))}: all count as never seen. Convert it first."
    )
    return True


def _warn_of_unseen(column: Column, encoded: Encoded, unseen: Sequence[Label]) -> None:
    """A few new levels are what the policy is for; where most values are new, the coding has changed."""
    known = int(np.count_nonzero(encoded.data != -1))
    if 2 * int(np.count_nonzero(encoded.data == UNSEEN)) <= known:
        return
    shown = ", ".join(f"{label!r:.40}" for label in unseen[:3]) + (", ..." if len(unseen) > 3 else "")
    gone = set(column.unused)
    trained = [label for code, label in enumerate(column.levels or ()) if code not in gone]
    known_levels = ", ".join(f"{label!r:.40}" for label in trained[:3]) + (", ..." if len(trained) > 3 else "")
    one = known == 1
    what, they, write = ("a level", "it is", "it") if one else ("mostly levels", "they are", "them")
    warn(
        f"Column {column.name!r} holds {what} that no training row held ({shown}; in training {known_levels}); {they} "
        f"treated as missing. Write {write} as in training, or fit with unseen set to majority, stop or error."
    )
