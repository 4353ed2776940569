"""Some trees of a forest, grown by a worker process and sent back.

It stands here, far from the estimators, so that a worker starts without loading them.
"""

from typing import Any

from bough import _core

__all__ = ["grow_chunk", "read_chunk"]

Chunk = tuple[dict[str, Any], int, bool]  # arrays, classes, whether nodes are wide


def grow_chunk(
    columns: Any,
    parts: Any,
    target: dict[str, Any],
    bags: dict[str, Any],
    options: dict[str, Any],
    first: int,
    trees: int,
) -> Chunk:
    """Trees `first` and the following, grown with one thread.

    Parameters
    ----------
    columns : sequence
        Of the kernel.
    parts : sequence
        The ranks of the table: `_core.RankedTable.parts`.
    target, bags, options : dict
        As `_core.grow_forest` takes them.
    first, trees : int
    """
    forest = _core.Forest()
    if _core.grow_forest(forest, _core.ranked_table(columns, parts), target, bags, options, first, trees, 1):
        raise KeyboardInterrupt
    return forest.arrays(), forest.classes, forest.node_bytes == 12


def read_chunk(chunk: Chunk) -> _core.Forest:
    """The trees of a chunk."""
    return _core.Forest.from_arrays(*chunk)
