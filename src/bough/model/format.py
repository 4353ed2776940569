"""The content of a model file: which version and kind of model it holds; docs/format/model-1.md describes it.

Format 1.1 holds the inputs and the answer of the model; 1.0 held a tree and left both to the estimator's parameters.
"""

from typing import Any

from bough import _core
from bough.errors import ModelFormatError
from bough.model.kinds import Model, model_kind
from bough.model.strict import Limits, expect_keys, show
from bough.model.tree_content import tree_from_first_content

__all__ = ["VERSION", "from_content", "to_content"]

<<<<<<< HEAD
VERSION = (1, 1)
=======
VERSION = (1, 0)

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
    "growth_scale": np.float64,
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
    "split_missing": np.int32,
    "edge_begin": np.int64,
    "edge_type": np.uint8,
    "interval_branch": np.int32,
    "term_begin": np.int64,
    "term_column": np.int32,
    "term_code": np.int32,
    "term_negated": np.uint8,
}
# New in 1.1, and written only for a tree that asks for sums of columns or answers with them.
_SUMS: dict[str, type[np.generic]] = {
    "split_feature": np.int32,
    "lin_begin": np.int64,
    "lin_column": np.int32,
    "lin_code": np.int32,
    "lin_weight": np.float64,
    "lin_fill": np.float64,
    "lin_scale": np.float64,
    "lin_origin": np.int64,
    "lin_whole": np.uint8,
    "model_index": np.int32,
    "model_begin": np.int64,
    "model_column": np.int32,
    "model_code": np.int32,
    "model_weight": np.float64,
    "model_fill": np.float64,
    "model_scale": np.float64,
    "model_origin": np.int64,
    "model_bias": np.float64,
}
_WITH_SUMS = (1, 1)
# Lists of numbers that the kernel holds as bits, by their names there.
_EXACT = {"split_payload": "split_threshold", "edge_bits": "edge_value"}
_THRESHOLD = 0
_LISTED = (1, 2, 3)  # kinds of splits that own the next of the level sets, edge lists or term lists
_WAYS = ("missing", "majority", "stop", "error", "spread")

# Types of class labels: the numpy type, and the Python types that its labels have in the file.
_CLASS_TYPES: dict[str, tuple[Any, tuple[type, ...]]] = {
    "str": (np.str_, (str,)),
    "bytes": (np.bytes_, (bytes,)),
    "bool": (np.bool_, (bool,)),
    **{f"{sign}int{bits}": (np.dtype(f"{sign}int{bits}"), (int,)) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (np.dtype(f"float{bits}"), (float, int)) for bits in (16, 32, 64)},
    "object": (object, ()),
}
>>>>>>> w/kernel


def to_content(header: dict[str, Any], model: Model) -> dict[str, Any]:
    """All that a file holds, as plain data."""
<<<<<<< HEAD
    about = {"file": "model", "version": list(VERSION), "library": _core.__version__}
    return {"bough": about, "kind": model.kind, "header": header, **model.to_content()}


def from_content(content: Any, limits: Limits) -> tuple[dict[str, Any], Model]:
    """The header and the model; a ModelFormatError says where anything is amiss."""
    if not isinstance(content, dict) or "bough" not in content:
        expect_keys(content, {"bough", "kind", "header"}, "$")
    minor = _check_version(content["bough"])  # first: of a newer file this is all we understand
    header = content.get("header")
    if "header" in content and not isinstance(header, dict):
        raise ModelFormatError(f"expected an object, found {show(header)}", "$.header")
    rest = {key: value for key, value in content.items() if key not in ("bough", "header", "kind")}
    if minor == 0:
        expect_keys(content, {"bough", "header", "target", "schema", "classes", "costs", "tree"}, "$")
        return content["header"], tree_from_first_content(rest, limits)
    missing = {"kind", "header"} - set(content)
    if missing:
        raise ModelFormatError(f"{min(missing)!r} is missing", "$")
    return content["header"], model_kind(content["kind"]).from_content(rest, limits)
=======
    version = max(VERSION, _WITH_SUMS) if _has_sums(tree.kernel) else VERSION
    return {
        "bough": {"file": "model", "version": list(version), "library": _core.__version__},
        "header": header,
        "target": tree.target,
        "schema": tree.schema.to_json(),
        "classes": None if tree.classes is None else _classes_to_json(tree.classes),
        "costs": None if tree.costs is None else np.asarray(tree.costs).tolist(),
        "tree": _tree_to_json(tree.kernel),
    }


def from_content(content: Any, limits: Limits) -> tuple[dict[str, Any], Tree]:
    """The header and the tree; a ModelFormatError says where anything is amiss."""
    if isinstance(content, dict) and "bough" in content:
        _check_version(content["bough"])  # first: of a newer file this is all we understand
    expect_keys(content, {"bough", "header", "target", "schema", "classes", "costs", "tree"}, "$")
    if not isinstance(content["header"], dict):
        raise ModelFormatError(f"expected an object, found {show(content['header'])}", "$.header")
    if not isinstance(content["target"], str):
        raise ModelFormatError(f"expected a string, found {show(content['target'])}", "$.target")
    schema = Schema.from_json(content["schema"], "$.schema")
    classes = None if content["classes"] is None else _read_classes(content["classes"], "$.classes")
    kernel = _read_tree(content["tree"], limits, tuple(content["bough"]["version"]))
    try:
        kernel.check_columns(schema.kind_codes, schema.level_counts)
    except _core.InvalidInput as error:
        raise _at_tree(error) from None
    n_classes = 0 if classes is None else len(classes)
    if len(kernel.class_scale) != n_classes:
        problem = f"the tree has {len(kernel.class_scale)} classes, the list of labels {n_classes}"
        raise ModelFormatError(problem, "$.classes")
    costs = _read_costs(content["costs"], n_classes)
    return content["header"], Tree(kernel, schema, classes, costs, content["target"])
>>>>>>> w/kernel


def _check_version(data: Any) -> int:
    """The minor version of the format."""
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, list) or len(version) != 2 or any(type(part) is not int for part in version):
        raise ModelFormatError(f"expected [major, minor], found {show(version)}", "$.bough.version")
    newest = max(VERSION, _WITH_SUMS)
    if version[0] != newest[0] or not 0 <= version[1] <= newest[1]:
        raise ModelFormatError(
            f"the file has format {show(version[0])}.{show(version[1])}; this version of bough, {_core.__version__}, "
            f"reads {newest[0]}.0 to {newest[0]}.{newest[1]}. Read it with bough {show(data.get('library'))}, "
            "which wrote it, or a newer one",
            "$.bough.version",
        )
    expect_keys(data, {"file", "version", "library"}, "$.bough")
    if data["file"] != "model":
        raise ModelFormatError(f"expected 'model', found {show(data['file'])}", "$.bough.file")
    if not isinstance(data["library"], str):
        raise ModelFormatError(f"expected a string, found {show(data['library'])}", "$.bough.library")
<<<<<<< HEAD
    return int(version[1])
=======


def _tree_to_json(kernel: _core.Tree) -> dict[str, Any]:
    fields = [*_FIELDS, *_SUMS] if _has_sums(kernel) else _FIELDS
    content: dict[str, Any] = {name: getattr(kernel, name).tolist() for name in fields}
    content["split_threshold"] = _thresholds_to_json(kernel)
    content["edge_value"] = numbers_to_json(kernel.edge_bits, kernel.edge_type)
    surrogates, *ways = kernel.routing
    names = ("fallback", "absent", "unseen")
    content["routing"] = {"surrogates": bool(surrogates)} | {n: _WAYS[w] for n, w in zip(names, ways, strict=True)}
    return content


def _has_sums(kernel: _core.Tree) -> bool:
    return len(kernel.split_feature) + len(kernel.model_index) > 0


def _thresholds_to_json(kernel: _core.Tree) -> list[Any]:
    """Numbers in their own type, null for other kinds of splits."""
    chosen = np.flatnonzero(kernel.split_kind == _THRESHOLD)
    thresholds: list[Any] = [None] * len(kernel.split_kind)
    numbers = numbers_to_json(kernel.split_payload[chosen], kernel.split_value_type[chosen])
    for place, number in zip(chosen.tolist(), numbers, strict=True):
        thresholds[place] = number
    return thresholds


def _read_tree(data: Any, limits: Limits, version: tuple[int, ...]) -> _core.Tree:
    sums = version >= _WITH_SUMS and isinstance(data, dict) and not _SUMS.keys().isdisjoint(data)
    fields = _FIELDS | (_SUMS if sums else {})
    expect_keys(data, {*fields, *_EXACT.values(), "routing"}, "$.tree")
    parents = data["parent"]
    if isinstance(parents, list) and len(parents) > limits.max_nodes:
        raise ModelFormatError(f"{len(parents)} nodes; at most {limits.max_nodes} are read", "$.tree.parent")
    arrays = {name: read_array(data[name], kind, f"$.tree.{name}") for name, kind in fields.items()}
    arrays["split_payload"] = _read_thresholds(data["split_threshold"], arrays)
    arrays["edge_bits"] = _read_edges(data["edge_value"], arrays["edge_type"])
    try:
        kernel = _core.Tree.from_arrays(arrays, _read_routing(data["routing"]))
    except _core.InvalidInput as error:
        raise _at_tree(error) from None
    depth = int(kernel.depths().max())
    if depth > limits.max_depth:
        raise ModelFormatError(f"the tree is {depth} deep; at most {limits.max_depth} is read", "$.tree.parent")
    return kernel


def _read_routing(data: Any) -> tuple[bool, int, int, int]:
    place = "$.tree.routing"
    expect_keys(data, {"surrogates", "fallback", "absent", "unseen"}, place)
    if type(data["surrogates"]) is not bool:
        raise ModelFormatError(f"expected true or false, found {show(data['surrogates'])}", f"{place}.surrogates")
    ways = []
    for name in ("fallback", "absent", "unseen"):
        if not isinstance(data[name], str) or data[name] not in _WAYS:
            raise ModelFormatError(f"expected one of {', '.join(_WAYS)}, found {show(data[name])}", f"{place}.{name}")
        ways.append(_WAYS.index(data[name]))
    return data["surrogates"], ways[0], ways[1], ways[2]


def _at_tree(error: Exception) -> ModelFormatError:
    """What the kernel's validator found, at the place in the file."""
    place, _, problem = str(error).partition(": ")
    for kernel_name, name in _EXACT.items():
        place = place.replace(kernel_name, name)
    return ModelFormatError(problem, f"$.tree.{place}")


def _read_thresholds(data: Any, arrays: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.uint64]:
    """The bits of thresholds; other splits have their place among those of their kind."""
    place = "$.tree.split_threshold"
    kinds, types = arrays["split_kind"], arrays["split_value_type"]
    if not isinstance(data, list) or len(data) != len(kinds) or len(types) != len(kinds):
        raise ModelFormatError(f"expected a list of {len(kinds)} thresholds, one for each split", place)
    payload = np.zeros(len(kinds), dtype=np.uint64)
    for kind in _LISTED:
        listed = np.flatnonzero(kinds == kind)
        payload[listed] = np.arange(len(listed), dtype=np.uint64)
        for at in listed.tolist():
            if data[at] is not None:
                raise ModelFormatError(f"only a threshold has a number here, found {show(data[at])}", f"{place}[{at}]")
    chosen = np.flatnonzero(~np.isin(kinds, _LISTED))
    numbers = [data[at] for at in chosen.tolist()]
    payload[chosen] = numbers_from_json(numbers, types[chosen], [f"{place}[{at}]" for at in chosen.tolist()])
    return payload


def _read_edges(data: Any, types: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    place = "$.tree.edge_value"
    if not isinstance(data, list) or len(data) != len(types):
        raise ModelFormatError(f"expected a list of {len(types)} edges, one for each entry of edge_type", place)
    return numbers_from_json(data, types, [f"{place}[{at}]" for at in range(len(data))])


def _classes_to_json(classes: npt.NDArray[Any]) -> dict[str, Any]:
    name = {"U": "str", "S": "bytes", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    plain = classes.tolist()
    labels = [as_label(label, "target") for label in plain]
    for value, label in zip(plain, labels, strict=True):
        if name not in _CLASS_TYPES or label is None or type(label) is not type(value):
            raise DataError(
                f"The class {value!r:.60} of type {type(value).__name__} cannot be written to a model file; "
                "make the classes strings, numbers or booleans."
            )
    return {"type": name, "labels": [label_to_json(label) for label in labels if label is not None]}


def _read_classes(data: Any, place: str) -> npt.NDArray[Any]:
    expect_keys(data, {"type", "labels"}, place)
    if not isinstance(data["type"], str) or data["type"] not in _CLASS_TYPES:
        raise ModelFormatError(
            f"expected one of {', '.join(_CLASS_TYPES)}, found {show(data['type'])}", f"{place}.type"
        )
    kind, allowed = _CLASS_TYPES[data["type"]]
    if not isinstance(data["labels"], list) or not data["labels"]:
        raise ModelFormatError("expected a list of labels, at least one", f"{place}.labels")
    labels = [label_from_json(label, f"{place}.labels[{i}]") for i, label in enumerate(data["labels"])]
    for i, label in enumerate(labels):
        if allowed and type(label) not in allowed:
            raise ModelFormatError(
                f"expected a label of type {data['type']}, found {show(label)}", f"{place}.labels[{i}]"
            )
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    if kind is not object:
        try:
            array = np.array(labels, dtype=kind)
        except OverflowError:
            raise ModelFormatError(f"a label does not fit {data['type']}", f"{place}.labels") from None
    if array.tolist() != labels or len({label_key(label) for label in labels}) < len(labels):
        raise ModelFormatError(f"the labels are not distinct, or not exact as {data['type']}", f"{place}.labels")
    return array


def _read_costs(data: Any, size: int) -> npt.NDArray[np.float64] | None:
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != size:
        raise ModelFormatError(f"expected a list of {size} rows, one for each class", "$.costs")
    rows = [read_array(row, np.float64, f"$.costs[{i}]") for i, row in enumerate(data)]
    for i, row in enumerate(rows):
        if len(row) != size or (row < 0).any():
            raise ModelFormatError(f"expected {size} numbers of at least 0", f"$.costs[{i}]")
    return np.array(rows).reshape(size, size) if size else None
>>>>>>> w/kernel
