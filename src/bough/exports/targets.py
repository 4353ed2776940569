"""All targets by name, imported when they are asked for."""

import importlib
from typing import TYPE_CHECKING, Any

from bough.errors import ParameterError

if TYPE_CHECKING:
    from bough.exports.target import Target

__all__ = ["TARGETS", "target_named"]

TARGETS = {
    "sql": "sql_engines",
    "python": "python_code",
    "c": "c",
    "javascript": "javascript",
    "onnx": "onnx_model",
    "json": "json_program",
}


def target_named(name: Any) -> "Target":
    """A target by its name."""
    if not isinstance(name, str) or name not in TARGETS:
        raise ParameterError(f"there is no target {name!r}; choose one of {', '.join(TARGETS)}.")
    target: Target = importlib.import_module(f"bough.exports.{TARGETS[name]}").TARGET
    return target
