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
    "c": "c_compiler",
    "javascript": "javascript",
    "pmml": "pmml_reader",
    "onnx": "onnx_model",
    "json": "json_program",
    "excel": "excel_reader",
    "dot": "drawing:DOT",
    "mermaid": "drawing:MERMAID",
}


def target_named(name: Any) -> "Target":
    """A target by its name."""
    if not isinstance(name, str) or name not in TARGETS:
        raise ParameterError(f"there is no target {name!r}; choose one of {', '.join(TARGETS)}.")
    module, _, attribute = TARGETS[name].partition(":")
    target: Target = getattr(importlib.import_module(f"bough.exports.{module}"), attribute or "TARGET")
    return target
