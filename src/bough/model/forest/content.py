"""A forest in a model file: inputs, answer and the arrays of the kernel, read strictly and checked there.

Whether arrays become lists of a text or stand behind it is decided by whoever writes the file.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bough import _core
from bough.errors import ModelFormatError
from bough.model.answer import answer_from_json
from bough.model.inputs import Inputs
from bough.model.strict import Limits, expect_keys, read_array, show

if TYPE_CHECKING:
    from bough.model.forest.forest import Forest

__all__ = ["forest_content", "forest_from"]

_ARRAYS: dict[str, type[np.generic]] = {
    "begin": np.uint64,
    "node": np.uint32,
    "set": np.uint32,
    "levels": np.uint32,
    "thresholds": np.uint64,
    "threshold": np.float64,
    "count": np.uint32,
    "value": np.float64,
    "weight": np.uint32,
    "gain": np.float64,
}


def forest_content(model: "Forest") -> dict[str, Any]:
    """All that a file says of a forest, besides the header."""
    arrays = model.kernel.arrays()
    return {
        "target": model.target,
        "inputs": model.inputs.to_json(),
        "answer": model.answer.to_json(),
        "vote": model.vote,
        **({} if model.unit == 1.0 else {"unit": model.unit}),
        "forest": {"wide": model.kernel.node_bytes == 12, **{name: arrays[name] for name in _ARRAYS}},
    }


def forest_from(content: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """The parts of a forest by name; a ModelFormatError says where anything is amiss."""
    content = {"unit": 1.0, **content}
    expect_keys(content, {"target", "inputs", "answer", "vote", "unit", "forest"}, "$")
    if not isinstance(content["target"], str):
        raise ModelFormatError(f"expected a string, found {show(content['target'])}", "$.target")
    if content["vote"] not in ("mean", "majority"):
        raise ModelFormatError(f"expected mean or majority, found {show(content['vote'])}", "$.vote")
    unit = content["unit"]
    if type(unit) not in (int, float) or not 0.0 < unit < math.inf:
        raise ModelFormatError(f"expected a number above 0, found {show(unit)}", "$.unit")
    inputs = Inputs.from_json(content["inputs"], "$.inputs")
    answer = answer_from_json(content["answer"], "$.answer")
    kernel = _kernel(content["forest"], answer, limits)
    _check_fit(kernel, inputs)
    about = {name: content[name] for name in ("target", "vote")}
    return {"kernel": kernel, "inputs": inputs, "answer": answer, "unit": float(unit), **about}


def _kernel(data: Any, answer: Any, limits: Limits) -> _core.Forest:
    expect_keys(data, {"wide", *_ARRAYS}, "$.forest")
    if type(data["wide"]) is not bool:
        raise ModelFormatError(f"expected true or false, found {show(data['wide'])}", "$.forest.wide")
    node = data["node"]
    if isinstance(node, list | np.ndarray) and len(node) > (3 if data["wide"] else 2) * limits.max_nodes:
        raise ModelFormatError(f"more than {limits.max_nodes} nodes, the most that are read", "$.forest.node")
    arrays = {name: read_array(data[name], kind, f"$.forest.{name}") for name, kind in _ARRAYS.items()}
    classes = 0 if answer.classes is None else max(2, len(answer.classes))
    try:
        return _core.Forest.from_arrays(arrays, classes, data["wide"])
    except _core.InvalidInput as error:
        place, _, problem = str(error).partition(": ")
        raise ModelFormatError(problem, f"$.forest.{place}") from None


def _check_fit(kernel: _core.Forest, inputs: Inputs) -> None:
    levels = kernel.arrays()["levels"].tolist()
    expected = [len(column.levels or ()) + 1 if column.kind == "nominal" else 0 for column in inputs.schema]
    if inputs.bins is not None or levels != expected:
        raise ModelFormatError("expected the levels of the columns", "$.forest.levels")
