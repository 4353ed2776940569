"""A tree in a model file: from the kernel's arrays to plain data and back, read strictly."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ModelFormatError, ParameterError
from bough.model.answer import answer_from_json
from bough.model.answer.labels import read_classes, read_costs
from bough.model.exact import TERM_TYPES, numbers_from_json, numbers_to_json
from bough.model.inputs import Inputs
from bough.model.routing import unseen_rule
from bough.model.strict import Limits, expect_keys, read_array, show
from bough.table import Schema

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["tree_from_content", "tree_from_first_content", "tree_on", "tree_to_content"]

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
    **{f"lin_{name}": kind for name, kind in TERM_TYPES.items()},
    "lin_whole": np.uint8,
    "model_index": np.int32,
    "model_begin": np.int64,
    **{f"model_{name}": kind for name, kind in TERM_TYPES.items()},
    "model_bias": np.float64,
}
# New in 1.6, and written only for a tree that asks for products of columns.
_PRODUCTS: dict[str, type[np.generic]] = {
    "lin_other": np.int32,
    "lin_other_code": np.int32,
    "lin_other_origin": np.int64,
    "lin_centre": np.float64,
    "lin_other_centre": np.float64,
}
# New in 1.6, and written only for a tree that asks networks.
_NETWORKS: dict[str, type[np.generic]] = {"net_hidden": np.int32, "net_begin": np.int64, "net_weight": np.float64}
# New in 1.6, and written only for a tree that asks which of several sums is the largest.
_MACHINES: dict[str, type[np.generic]] = {"mac_begin": np.int64, "mac_weight": np.float64}
# New in 1.3, and written only for a tree in which a property of a conjunction is a threshold.
_TERM_CUTS: dict[str, type[np.generic]] = {"term_type": np.uint8, "term_side": np.uint8}
# Lists of numbers that the kernel holds as bits, by their names there.
_EXACT = {"split_payload": "split_threshold", "edge_bits": "edge_value", "term_bits": "term_value"}
_THRESHOLD = 0
_LISTED = (1, 2, 3)  # kinds of splits that own the next of the level sets, edge lists or term lists
_WAYS = ("missing", "majority", "stop", "error", "spread")


def tree_to_content(tree: "Tree") -> dict[str, Any]:
    """All that a file says of a tree, besides the header."""
    return {
        "target": tree.target,
        "criterion": tree.criterion,
        "inputs": tree.inputs.to_json(),
        "answer": tree.answer.to_json(),
        "tree": _arrays_to_json(tree.kernel),
    }


def tree_from_content(content: dict[str, Any], limits: Limits) -> "Tree":
    """Read what `tree_to_content` wrote; a ModelFormatError says where anything is amiss."""
    expect_keys(content, {"target", "criterion", "inputs", "answer", "tree"}, "$")
    if not isinstance(content["target"], str):
        raise ModelFormatError(f"expected a string, found {show(content['target'])}", "$.target")
    return tree_on(Inputs.from_json(content["inputs"], "$.inputs"), content["target"], content, limits)


def tree_on(inputs: Inputs, target: str, content: dict[str, Any], limits: Limits) -> "Tree":
    """The tree of a file, which says its criterion, answer and arrays, on inputs that are read already."""
    from bough.model.tree import Tree

    if not isinstance(content["criterion"], str | None):
        raise ModelFormatError(f"expected a string, found {show(content['criterion'])}", "$.criterion")
    answer = answer_from_json(content["answer"], "$.answer")
    kernel = _read_arrays(content["tree"], inputs.asked, limits)
    _check_classes(kernel, answer.classes, "$.answer.classes")
    try:
        answer.check(kernel)
    except ParameterError as error:
        raise ModelFormatError(str(error), "$.answer.kind") from None
    if inputs.unseen != unseen_rule(kernel):
        raise ModelFormatError(f"expected {unseen_rule(kernel)!r} as in the routing of the tree", "$.inputs.unseen")
    return Tree(kernel, inputs, answer, target, content["criterion"])


def tree_from_first_content(content: dict[str, Any], limits: Limits) -> "Tree":
    """The tree of a file of format 1.0, which left what it refuses, smooths and bins to the estimator."""
    from bough.model.tree import Tree

    if not isinstance(content["target"], str):
        raise ModelFormatError(f"expected a string, found {show(content['target'])}", "$.target")
    schema = Schema.from_json(content["schema"], "$.schema")
    classes = None if content["classes"] is None else read_classes(content["classes"], "$.classes")
    kernel = _read_arrays(content["tree"], schema, limits)
    _check_classes(kernel, classes, "$.classes")
    costs = read_costs(content["costs"], 0 if classes is None else len(classes), "$.costs")
    return Tree.by_hand(kernel, schema, classes, costs, content["target"])


def _check_classes(kernel: _core.Tree, classes: npt.NDArray[Any] | None, place: str) -> None:
    n_classes = 0 if classes is None else len(classes)
    if len(kernel.class_scale) != n_classes:
        problem = f"the tree has {len(kernel.class_scale)} classes, the list of labels {n_classes}"
        raise ModelFormatError(problem, place)


def _arrays_to_json(kernel: _core.Tree) -> dict[str, Any]:
    has_sums = len(kernel.split_feature) + len(kernel.model_index) > 0
    has_term_cuts = len(kernel.term_bits) > 0
    fields = [
        *_FIELDS,
        *(_SUMS if has_sums else ()),
        *(_PRODUCTS if len(kernel.lin_other) else ()),
        *(_MACHINES if len(kernel.mac_begin) else ()),
        *(_NETWORKS if len(kernel.net_hidden) else ()),
        *(_TERM_CUTS if has_term_cuts else ()),
    ]
    content: dict[str, Any] = {name: getattr(kernel, name).tolist() for name in fields}
    if has_term_cuts:
        content["term_value"] = numbers_to_json(kernel.term_bits, kernel.term_type)
    content["split_threshold"] = _thresholds_to_json(kernel)
    content["edge_value"] = numbers_to_json(kernel.edge_bits, kernel.edge_type)
    surrogates, *ways = kernel.routing
    names = ("fallback", "absent", "unseen")
    content["routing"] = {"surrogates": bool(surrogates)} | {n: _WAYS[w] for n, w in zip(names, ways, strict=True)}
    return content


def _thresholds_to_json(kernel: _core.Tree) -> list[Any]:
    """Numbers in their own type, null for other kinds of splits."""
    chosen = np.flatnonzero(kernel.split_kind == _THRESHOLD)
    thresholds: list[Any] = [None] * len(kernel.split_kind)
    numbers = numbers_to_json(kernel.split_payload[chosen], kernel.split_value_type[chosen])
    for place, number in zip(chosen.tolist(), numbers, strict=True):
        thresholds[place] = number
    return thresholds


def _read_arrays(data: Any, schema: Schema, limits: Limits) -> _core.Tree:
    given: set[str] = set(data) if isinstance(data, dict) else set()
    has_term_cuts = not given.isdisjoint({*_TERM_CUTS, "term_value"})
    fields = _FIELDS | (_TERM_CUTS if has_term_cuts else {})
    for more in (_SUMS, _PRODUCTS, _MACHINES, _NETWORKS):
        fields |= {} if given.isdisjoint(more) else more
    exact = {"split_threshold", "edge_value", *(["term_value"] if has_term_cuts else [])}
    expect_keys(data, {*fields, *exact, "routing"}, "$.tree")
    parents = data["parent"]
    if isinstance(parents, list) and len(parents) > limits.max_nodes:
        raise ModelFormatError(f"{len(parents)} nodes; at most {limits.max_nodes} are read", "$.tree.parent")
    arrays = {name: read_array(data[name], kind, f"$.tree.{name}") for name, kind in fields.items()}
    arrays["split_payload"] = _read_thresholds(data["split_threshold"], arrays)
    arrays["edge_bits"] = _read_numbers(data["edge_value"], arrays["edge_type"], "edge_value", "edge_type")
    if has_term_cuts:
        arrays["term_bits"] = _read_numbers(data["term_value"], arrays["term_type"], "term_value", "term_type")
    try:
        kernel = _core.Tree.from_arrays(arrays, _read_routing(data["routing"]))
        kernel.check_columns(schema.kind_codes, schema.level_counts)
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


def _read_numbers(data: Any, types: npt.NDArray[np.uint8], name: str, by: str) -> npt.NDArray[np.uint64]:
    """The bits of numbers whose types are another list of the tree."""
    place = f"$.tree.{name}"
    if not isinstance(data, list) or len(data) != len(types):
        raise ModelFormatError(f"expected a list of {len(types)} numbers, one for each entry of {by}", place)
    return numbers_from_json(data, types, [f"{place}[{at}]" for at in range(len(data))])
