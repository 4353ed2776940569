"""Model files: versioned JSON, read strictly. Nothing in a file is run, imported or unpickled; see docs/format."""

import contextlib
import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ModelFormatError
from bough.model.tree import Tree
from bough.table import Schema, label_from_json, label_to_json

__all__ = ["MAX_BYTES", "VERSION", "load_model", "save_model"]

VERSION = (1, 0)
MAX_BYTES = 1 << 31  # of a file that is opened unless the caller allows more
_SNIFF = b'{"bough":'

_FIELDS: dict[str, type[np.generic]] = {
    "parent": np.int32,
    "split_begin": np.int64,
    "rows": np.int64,
    "weight": np.float64,
    "impurity": np.float64,
    "risk": np.float64,
    "complexity": np.float64,
    "majority": np.int32,
    "label": np.int32,
    "count_begin": np.int64,
    "count_class": np.int32,
    "count_weight": np.float64,
    "class_scale": np.float64,
    "value": np.float64,
    "split_role": np.uint8,
    "split_kind": np.uint8,
    "split_found": np.uint8,
    "split_value_type": np.uint8,
    "split_side": np.uint8,
    "split_low": np.uint8,
    "split_column": np.int32,
    "split_score": np.float64,
    "split_adjusted": np.float64,
    "set_begin": np.int64,
    "set_code": np.int32,
    "set_branch": np.int32,
}
_THRESHOLD, _LEVELS = 0, 1
_VALUE_TYPES: tuple[type[np.generic], ...] = (np.float64, np.int64, np.uint64)
_WAYS = ("missing", "majority", "stop", "error")
_CLASS_TYPES: dict[str, str] = {"U": "str", "i": "int", "u": "uint", "b": "bool", "f": "float", "O": "object"}


def save_model(path: str | os.PathLike[str], header: dict[str, Any], tree: Tree) -> None:
    """Write a tree with its header; a file that was there is replaced only when the new one is complete.

    Parameters
    ----------
    path : str or path-like
    header : dict
        What the estimator wants to find again: plain JSON.
    tree : Tree
    """
    content = {
        "bough": {"file": "model", "version": list(VERSION), "library": _core.__version__},
        "header": header,
        "schema": tree.schema.to_json(),
        "classes": None if tree.classes is None else _classes_to_json(tree.classes),
        "costs": None if tree.costs is None else np.asarray(tree.costs).tolist(),
        "target": tree.target,
        "tree": _tree_to_json(tree.kernel),
    }
    text = json.dumps(content, allow_nan=False, ensure_ascii=True, separators=(",", ":")) + "\n"
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load_model(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> tuple[dict[str, Any], Tree]:
    """Read a model file.

    Parameters
    ----------
    path : str or path-like
    max_bytes : int
        A larger file is refused unread.

    Returns
    -------
    header : dict
    tree : Tree
    """
    content = _read_json(Path(path), max_bytes)
    _keys(content, {"bough", "header", "schema", "classes", "costs", "target", "tree"}, "$")
    _check_version(content["bough"])
    if not isinstance(content["header"], dict):
        raise ModelFormatError("expected an object", "$.header")
    schema = Schema.from_json(content["schema"], "$.schema")
    classes = None if content["classes"] is None else _read_classes(content["classes"], "$.classes")
    kernel = _read_tree(content["tree"])
    try:
        kernel.check_columns(schema.kind_codes, schema.level_counts)
    except _core.InvalidInput as error:
        raise _at_tree(error) from None
    if len(kernel.class_scale) != (0 if classes is None else len(classes)):
        raise ModelFormatError(f"{len(kernel.class_scale)} classes in the tree", "$.classes")
    if not isinstance(content["target"], str):
        raise ModelFormatError("expected the name of the target", "$.target")
    costs = _read_costs(content["costs"], classes)
    return content["header"], Tree(kernel, schema, classes, costs, content["target"])


def _read_json(path: Path, max_bytes: int) -> dict[str, Any]:
    size = path.stat().st_size
    if size > max_bytes:
        raise ModelFormatError(f"the file has {size} bytes; at most {max_bytes} are read (max_bytes)")
    with path.open("rb") as file:
        data = file.read(len(_SNIFF))
        if data != _SNIFF:
            raise ModelFormatError("this is not a model file of bough: it does not begin with " + _SNIFF.decode())
        data += file.read(max_bytes)
    try:
        content = json.loads(
            data.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_finite
        )
    except ModelFormatError:
        raise
    except RecursionError:
        raise ModelFormatError("lists or objects are nested too deeply") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise ModelFormatError(f"the file is damaged or cut off: {error}") from None
    if not isinstance(content, dict):
        raise ModelFormatError("expected an object")
    return content


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFormatError(f"the key {twice!r:.60} occurs twice in one object")
    return result


def _no_constant(token: str) -> None:
    raise ModelFormatError(f"{token} is not JSON; infinite thresholds are written as text")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ModelFormatError(f"{text:.40} is too large for a number")
    return number


def _keys(data: Any, names: set[str], place: str) -> None:
    if not isinstance(data, dict):
        raise ModelFormatError("expected an object", place)
    if set(data) != names:
        odd = sorted(set(data) ^ names)[0]
        raise ModelFormatError(f"{odd!r:.60} is {'missing' if odd in names else 'not known here'}", place)


def _check_version(data: Any) -> None:
    _keys(data, {"file", "version", "library"}, "$.bough")
    version = data["version"]
    if not isinstance(version, list) or len(version) != 2 or any(type(part) is not int for part in version):
        raise ModelFormatError("expected [major, minor]", "$.bough.version")
    if data["file"] != "model":
        raise ModelFormatError("expected 'model'", "$.bough.file")
    if version[0] != VERSION[0] or version[1] > VERSION[1]:
        raise ModelFormatError(
            f"the file has format {version[0]}.{version[1]}; this bough reads {VERSION[0]}.0 to "
            f"{VERSION[0]}.{VERSION[1]}. It was written by bough {data['library']!s:.40}: use that or a newer version",
            "$.bough.version",
        )


def _tree_to_json(kernel: _core.Tree) -> dict[str, Any]:
    content: dict[str, Any] = {name: getattr(kernel, name).tolist() for name in _FIELDS}
    content["split_threshold"] = _thresholds_to_json(kernel)
    surrogates, fallback, absent, unseen = kernel.routing
    content["routing"] = {
        "surrogates": bool(surrogates),
        "fallback": _WAYS[fallback],
        "absent": _WAYS[absent],
        "unseen": _WAYS[unseen],
    }
    return content


def _thresholds_to_json(kernel: _core.Tree) -> list[Any]:
    """Numbers in the type of their column, infinite ones as text, null for sets of levels."""
    thresholds: list[Any] = [None] * len(kernel.split_kind)
    for code, kind in enumerate(_VALUE_TYPES):
        chosen = np.flatnonzero((kernel.split_kind == _THRESHOLD) & (kernel.split_value_type == code))
        for place, value in zip(chosen.tolist(), kernel.split_payload[chosen].view(kind).tolist(), strict=True):
            thresholds[place] = value if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    return thresholds


def _read_tree(data: Any) -> _core.Tree:
    _keys(data, {*_FIELDS, "split_threshold", "routing"}, "$.tree")
    arrays: dict[str, npt.NDArray[Any]] = {
        name: _array(data[name], kind, f"$.tree.{name}") for name, kind in _FIELDS.items()
    }
    arrays["split_payload"] = _read_thresholds(data["split_threshold"], arrays)
    routing = data["routing"]
    _keys(routing, {"surrogates", "fallback", "absent", "unseen"}, "$.tree.routing")
    if type(routing["surrogates"]) is not bool:
        raise ModelFormatError("expected true or false", "$.tree.routing.surrogates")
    ways: list[int] = []
    for name in ("fallback", "absent", "unseen"):
        if routing[name] not in _WAYS:
            raise ModelFormatError(f"expected one of {', '.join(_WAYS)}", f"$.tree.routing.{name}")
        ways.append(_WAYS.index(routing[name]))
    try:
        return _core.Tree.from_arrays(arrays, (routing["surrogates"], ways[0], ways[1], ways[2]))
    except _core.InvalidInput as error:
        raise _at_tree(error) from None


def _at_tree(error: Exception) -> ModelFormatError:
    place, _, problem = str(error).partition(": ")
    return ModelFormatError(problem or place, f"$.tree.{place}" if problem else "$.tree")


def _array(data: Any, kind: type[np.generic], place: str) -> npt.NDArray[Any]:
    """A list of numbers of exactly the kind wanted."""
    if not isinstance(data, list):
        raise ModelFormatError("expected a list of numbers", place)
    floats = issubclass(kind, np.floating)
    allowed = {int, float} if floats else {int}
    if not set(map(type, data)) <= allowed:
        at = next(i for i, value in enumerate(data) if type(value) not in allowed)
        wanted = "a number" if floats else "a whole number"
        raise ModelFormatError(f"expected {wanted}, found {data[at]!r:.60}", f"{place}[{at}]")
    try:
        array = np.array(data, dtype=np.float64 if floats else np.int64)
    except OverflowError:
        raise ModelFormatError("a number is too large", place) from None
    if not floats and kind is not np.int64:
        limits = np.iinfo(kind)  # type: ignore[type-var]
        outside = (array < limits.min) | (array > limits.max)
        if outside.any():
            at = int(np.flatnonzero(outside)[0])
            raise ModelFormatError(f"{data[at]} is out of range", f"{place}[{at}]")
    return array.astype(kind)


def _read_thresholds(data: Any, arrays: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.uint64]:
    """Bits of thresholds; a set of levels has its place among the sets."""
    place = "$.tree.split_threshold"
    kinds, types = arrays["split_kind"], arrays["split_value_type"]
    if not isinstance(data, list) or len(data) != len(kinds) or len(types) != len(kinds):
        raise ModelFormatError(f"expected a list of {len(kinds)} thresholds, one for each split", place)
    payload = np.zeros(len(kinds), dtype=np.uint64)
    levels = kinds == _LEVELS
    payload[levels] = np.arange(int(levels.sum()), dtype=np.uint64)
    for at in np.flatnonzero(levels).tolist():
        if data[at] is not None:
            raise ModelFormatError("a set of levels has no threshold: expected null", f"{place}[{at}]")
    for at in np.flatnonzero(~levels).tolist():
        payload[at] = _threshold_bits(data[at], int(types[at]), f"{place}[{at}]")
    return payload


def _threshold_bits(value: Any, code: int, place: str) -> np.uint64:
    if code >= len(_VALUE_TYPES):
        raise ModelFormatError(f"unknown type {code} of a threshold", place)
    kind = _VALUE_TYPES[code]
    if kind is np.float64:
        if value in ("inf", "-inf") and isinstance(value, str):
            return np.float64(value).view(np.uint64)
        if type(value) not in (int, float):
            raise ModelFormatError(f"expected a number, 'inf' or '-inf', found {value!r:.60}", place)
        try:
            return np.float64(value).view(np.uint64)
        except OverflowError:
            raise ModelFormatError("the number is too large", place) from None
    limits = np.iinfo(kind)  # type: ignore[type-var]
    if type(value) is not int or not limits.min <= value <= limits.max:
        raise ModelFormatError(f"expected a whole number of type {kind.__name__}, found {value!r:.60}", place)
    return kind(value).view(np.uint64)


def _classes_to_json(classes: npt.NDArray[Any]) -> dict[str, Any]:
    return {"type": _CLASS_TYPES[classes.dtype.kind], "labels": [label_to_json(label) for label in classes.tolist()]}


def _read_classes(data: Any, place: str) -> npt.NDArray[Any]:
    _keys(data, {"type", "labels"}, place)
    kinds = {"str": str, "int": np.int64, "uint": np.uint64, "bool": np.bool_, "float": np.float64, "object": object}
    python = {"str": (str,), "int": (int,), "uint": (int,), "bool": (bool,), "float": (float, int), "object": None}
    if not isinstance(data["type"], str) or data["type"] not in kinds:
        raise ModelFormatError(f"expected one of {', '.join(kinds)}", f"{place}.type")
    if not isinstance(data["labels"], list) or not data["labels"]:
        raise ModelFormatError("expected a list of labels", f"{place}.labels")
    labels = [label_from_json(label, f"{place}.labels[{i}]") for i, label in enumerate(data["labels"])]
    allowed = python[data["type"]]
    for i, label in enumerate(labels):
        if allowed is not None and (not isinstance(label, allowed) or (type(label) is bool and bool not in allowed)):
            raise ModelFormatError(f"expected a label of type {data['type']}", f"{place}.labels[{i}]")
    if len({(type(label), label) for label in labels}) < len(labels):
        raise ModelFormatError("a class occurs twice", f"{place}.labels")
    if data["type"] == "object":
        array = np.empty(len(labels), dtype=object)
        array[:] = labels
        return array
    try:
        return np.array(labels, dtype=kinds[data["type"]])
    except OverflowError:
        raise ModelFormatError("a label is too large", f"{place}.labels") from None


def _read_costs(data: Any, classes: npt.NDArray[Any] | None) -> npt.NDArray[np.float64] | None:
    if data is None:
        return None
    size = 0 if classes is None else len(classes)
    if not isinstance(data, list) or len(data) != size:
        raise ModelFormatError(f"expected {size} rows", "$.costs")
    rows = [_array(row, np.float64, f"$.costs[{i}]") for i, row in enumerate(data)]
    if any(len(row) != size for row in rows) or any((row < 0).any() for row in rows):
        raise ModelFormatError(f"expected rows of {size} numbers that are not negative", "$.costs")
    return np.array(rows)
