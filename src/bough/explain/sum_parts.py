"""What each column adds to the sums that a case met on its way, against the mean of the node."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bough.model.asked import Asked
from bough.model.features import Cell
from bough.table import UNSEEN, format_text

__all__ = ["SumParts", "sums_met"]

_MOST = 4  # parts in words


@dataclass(frozen=True)
class SumParts:
    """One sum of columns, as a case met it; of several sums that compete, the lead of the largest before the next.

    Attributes
    ----------
    node : int
    value : float
        What it adds up to.
    mean : float
        What it adds up to where every term counts its mean at the node.
    parts : dict
        By column, or ``"a * b"`` of a product of two, what the case adds to the mean; 0 where the value is missing.
    """

    node: int
    value: float
    mean: float
    parts: dict[str, float]
    text: str

    def __str__(self) -> str:
        return self.text


def sums_met(asked: Asked, nodes: Sequence[int], cells: Sequence[Cell]) -> Iterator[SumParts]:
    """The sums that are asked at some nodes and have a value for a case."""
    for node in nodes:
        test = asked.place(node).test
        parts = None if test is None else test.feature.parts(cells)
        if parts is None:
            continue
        named = {
            " * ".join(format_text(asked.columns[column].name) for column in columns): part
            for columns, part in parts.by_columns.items()
        }
        known = [name for name, columns in zip(named, parts.by_columns, strict=True) if _known(asked, columns, cells)]
        told = sorted(known, key=lambda name: -abs(named[name]))
        words = ", ".join(f"{name} {named[name]:+.3g}" for name in told[:_MOST])
        more = f", ... (+{len(told) - _MOST})" if len(told) > _MOST else ""
        text = f"{parts.words}; the {parts.of} differs from the mean of the node by {words}{more}"
        yield SumParts(node, parts.value, parts.value - sum(named.values()), named, text)


def _known(asked: Asked, columns: Sequence[int], cells: Sequence[Cell]) -> bool:
    """Whether a case knows all of some columns: what it does not know adds nothing, which is told elsewhere."""
    return all(
        cells[column] is not None and not (cells[column] == UNSEEN and asked.columns[column].kind != "numeric")
        for column in columns
    )
