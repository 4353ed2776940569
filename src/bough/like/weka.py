"""Weka's Id3 (3.6): nominal columns, largest gain, no pruning.

What parity needs, and what is deliberately left out, is listed in docs/algorithms/id3.md.
"""

from typing import Any

from bough.like.checks import pick_task

__all__ = ["ID3_KNOWN", "id3_recipe"]

ID3_KNOWN: dict[str, Any] = {}


def id3_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of ID3Classifier."""
    task = pick_task(task, "classification", "'Id3'")
    return task, {"bins": None, "class_order": "declared", "unused_classes": "keep"}
