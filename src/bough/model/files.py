"""Model files: versioned JSON, read strictly, or such a text and arrays; the first bytes tell which.

Nothing in a file is run, imported or unpickled; see docs/format.
"""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bough.errors import DataError, ModelFormatError
from bough.model.format import from_content, to_content
from bough.model.kinds import Model
from bough.model.mapped import MAGIC, read_mapped, write_mapped
from bough.model.provenance import Provenance
from bough.model.strict import Limits, check_values, parse
from bough.model.writing import check_output, write_file

__all__ = ["Limits", "Saved", "load_model", "read_model", "save_model"]

_START = b'{"bough":'
_SUFFIX = ".bough"  # of names that ask for arrays
_MOST_NUMBERS = 3_000_000  # of an array in a file of text: a million nodes of a forest, some seconds
_PIECE = 2**20  # bytes read at a time, so that a file is never trusted to be as large as it says


class Saved(NamedTuple):
    """What a model file holds, and the version of its format."""

    header: dict[str, Any]
    model: Model
    provenance: Provenance | None
    version: tuple[int, int]


def save_model(
    path: str | os.PathLike[str], header: dict[str, Any], model: Model, provenance: Provenance | None = None
) -> None:
    """Write a model with its header; a file that was there is replaced only when the new one is complete.

    A forest is written with arrays if the name ends in ".bough", else as text. All other models are text.

    Parameters
    ----------
    path : str or path-like
    header : dict
        What the estimator wants to find again: plain JSON.
    model : Model
    provenance : Provenance, optional
        Where it came from.

    Raises
    ------
    DataError
        If a class, a name or a label cannot be written, or an entry of the header is not plain JSON, or a forest is too
        large for text.
    OutputError
        If the file cannot be written.
    """
    content = to_content(header, model, provenance)
    check_output(path, "model")
    if model.kind == "forest" and os.fsdecode(path).endswith(_SUFFIX):
        write_mapped(path, content, _text)
    else:
        write_file(path, _text(content) + "\n", "model")


def load_model(path: str | os.PathLike[str], *, limits: Limits | None = None) -> tuple[dict[str, Any], Model]:
    """Read a model file.

    Parameters
    ----------
    path : str or path-like
    limits : Limits, optional
        How large a file may be.

    Returns
    -------
    header : dict
        As it was given to `save_model`; plain data, not yet judged.
    model : Model

    Raises
    ------
    ModelFormatError
        If the file breaks a rule of its format; `place` says where.
    """
    saved = read_model(path, limits=limits)
    return saved.header, saved.model


def read_model(path: str | os.PathLike[str], *, limits: Limits | None = None) -> Saved:
    """Read a model file with all that it says of the model."""
    limits = limits or Limits()
    content = _read(Path(path), limits)
    check_values(content, limits)
    header, model, provenance = from_content(content, limits)
    major, minor = content["bough"]["version"]
    return Saved(header, model, provenance, (major, minor))


def _text(content: dict[str, Any]) -> str:
    """The content as JSON, arrays as lists."""
    try:
        check_values(content, Limits())
        return json.dumps(content, allow_nan=False, ensure_ascii=True, separators=(",", ":"), default=_list)
    except (ModelFormatError, TypeError, ValueError) as error:
        raise DataError(f"This model cannot be written to a file: {error}") from error


def _list(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} is not plain JSON")
    if value.size > _MOST_NUMBERS:
        raise ValueError(
            f"a file of text has no room for a list of {value.size:,} numbers; give it a name that ends in "
            f"{_SUFFIX!r}, such as 'forest{_SUFFIX}', and it is written with arrays."
        )
    return value.tolist()


def _read(path: Path, limits: Limits) -> Any:
    with path.open("rb") as file:
        data = bytearray(file.read(len(_START)))
        if data.startswith(MAGIC):
            return read_mapped(file, limits)
        if data != _START:
            found = "is empty" if not data else f"begins with {data.decode('utf-8', 'replace')!r}"
            raise ModelFormatError(f"this is not a model file of bough: it {found}, not with {_START.decode()!r}")
        while len(data) <= limits.max_bytes:
            piece = file.read(_PIECE)
            if not piece:
                return parse(data)
            data += piece
    raise ModelFormatError(f"the file has more than {limits.max_bytes} bytes, the most that are read")
