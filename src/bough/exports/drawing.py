"""DOT and Mermaid: drawings as text, from `bough.view`; there is nothing in them to score."""

from typing import Any

from bough.exports.target import Options, Target
from bough.view.dot import to_dot
from bough.view.mermaid import to_mermaid

__all__ = ["DOT", "MERMAID"]

_NOTE = "a drawing answers no cases"
_OPTIONS = frozenset({"max_depth", "max_leaves", "min_share", "max_branches", "max_levels"})


def _dot(model: Any, options: Options) -> str:
    return str(to_dot(model, **options.more))


def _mermaid(model: Any, options: Options) -> str:
    return str(to_mermaid(model, **options.more))


DOT = Target("dot", options=_OPTIONS, note=_NOTE, draw=_dot)
MERMAID = Target("mermaid", options=_OPTIONS, note=_NOTE, draw=_mermaid)
