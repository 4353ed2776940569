"""Model files with arrays: a text of JSON as in any model file, then plain numbers that are mapped into memory.

A large forest would take minutes to write and to read as text. Here it is read where it lies: docs/format/forest-1.md
describes every byte. Nothing is allocated for a number that the file declares before the bytes are known to be there.
"""

import mmap
import os
import stat
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.strict import Limits, expect_keys, parse, show
from bough.model.writing import writing

__all__ = ["MAGIC", "read_mapped", "write_mapped"]

MAGIC = b"\x89bough\r\n"  # no text begins so, and whatever takes it for one damages it
_HOLDER = "forest"  # the object of the text whose entries may be arrays
_ALIGN = 64
_TYPES: dict[str, npt.DTypeLike] = {"uint32": "<u4", "uint64": "<u8", "float64": "<f8"}
_KEYS = {"array", "length", "offset", "crc32"}

Array = npt.NDArray[Any]


def write_mapped(path: str | os.PathLike[str], content: dict[str, Any], to_text: Any) -> None:
    """Write a model whose content has arrays.

    Parameters
    ----------
    path : str or path-like
    content : dict
        Plain JSON, but for arrays among the entries of `forest`.
    to_text : callable(content) -> str
        The text of plain JSON.
    """
    arrays: list[Array] = []
    held: dict[str, Any] = {}
    end = 0
    for name, value in content[_HOLDER].items():
        held[name] = value
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value, dtype=_TYPES[value.dtype.name])
            begin = _padded(end)
            end = begin + array.nbytes
            arrays.append(array)
            held[name] = {
                "array": value.dtype.name,
                "length": len(array),
                "offset": begin,
                "crc32": zlib.crc32(_bytes(array)),
            }
    text = to_text({**content, _HOLDER: held}).encode("ascii")
    with writing(path, "model") as file:
        file.write(MAGIC + len(text).to_bytes(8, "little") + text)
        at = len(MAGIC) + 8 + len(text)
        for array in arrays:
            file.write(bytes(_padded(at) - at))
            file.write(_bytes(array))
            at = _padded(at) + array.nbytes


def read_mapped(file: BinaryIO, limits: Limits) -> Any:
    """The content of a file that begins with `MAGIC`: plain JSON with arrays, which lie in the file."""
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        raise ModelFormatError("a model with arrays is mapped into memory: it must be a file, not a pipe or a device")
    size = about.st_size
    file.seek(len(MAGIC))
    length = int.from_bytes(file.read(8), "little")
    start = len(MAGIC) + 8
    if start + length > size:
        raise ModelFormatError(f"the file is cut off: it has {size} bytes, and its text alone {length}")
    if length > limits.max_bytes:
        raise ModelFormatError(f"the text has more than {limits.max_bytes} bytes, the most that are read")
    content = parse(bytearray(file.read(length)))
    held = content.get(_HOLDER) if isinstance(content, dict) else None
    if isinstance(held, dict):
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        content[_HOLDER] = dict(_arrays(held, mapped, start + length))
    elif size > start + length:
        raise ModelFormatError(f"{size - start - length} bytes follow the text, and it has no arrays")
    return content


def _arrays(held: dict[str, Any], mapped: mmap.mmap, end: int) -> Iterator[tuple[str, Any]]:
    """The entries of the holder; arrays must follow one another from the end of the text to that of the file."""
    base = _padded(end)
    for name, value in held.items():
        if not isinstance(value, dict):
            yield name, value
            continue
        place = f"$.{_HOLDER}.{name:.60}"
        begin = _padded(end)
        array = _array(value, mapped, begin, begin - base, place)
        if any(mapped[end:begin]):
            raise ModelFormatError(f"expected zeros before the array, from byte {end} on", place)
        end = begin + array.nbytes
        if zlib.crc32(_bytes(array)) != value["crc32"]:
            raise ModelFormatError("the array is damaged: it does not have the checksum that was written", place)
        yield name, array.astype(array.dtype.newbyteorder("="), copy=False)
    if end != len(mapped):
        raise ModelFormatError(f"expected the file to end with the arrays at byte {end}; it has {len(mapped)} bytes")


def _array(about: dict[str, Any], mapped: mmap.mmap, begin: int, offset: int, place: str) -> Array:
    expect_keys(about, _KEYS, place)
    if not isinstance(about["array"], str) or about["array"] not in _TYPES:
        raise ModelFormatError(f"expected one of {', '.join(_TYPES)}, found {show(about['array'])}", f"{place}.array")
    for key in ("length", "offset", "crc32"):
        if type(about[key]) is not int or about[key] < 0:
            raise ModelFormatError(f"expected a whole number, found {show(about[key])}", f"{place}.{key}")
    if about["offset"] != offset:
        raise ModelFormatError(f"expected {offset}, found {show(about['offset'])}", f"{place}.offset")
    kind = np.dtype(_TYPES[about["array"]])
    if about["length"] > max(0, len(mapped) - begin) // kind.itemsize:
        raise ModelFormatError(f"{show(about['length'])} numbers are more than the file has", f"{place}.length")
    if not about["length"]:
        return np.empty(0, kind)
    return np.frombuffer(mapped, kind, about["length"], begin)


def _padded(at: int) -> int:
    return -(-at // _ALIGN) * _ALIGN


def _bytes(array: Array) -> memoryview:
    return array.data.cast("B") if len(array) else memoryview(b"")
