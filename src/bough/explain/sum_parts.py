"""What each column adds to the sums that a case met on its way, against the mean of the node."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bough.model.asked import Asked
from bough.model.features import Cell
from bough.table import format_text

__all__ = ["SumParts", "sums_met"]

_MOST = 4  # parts in words


@dataclass(frozen=True)
class SumParts:
    """One sum of columns, as a case met it.

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
        if test is None or parts is None:
            continue
        value = test.feature.value(cells)
        if isinstance(value, str):
            continue
        named = {
            " * ".join(format_text(asked.columns[column].name) for column in columns): part
            for columns, part in parts.by_columns.items()
        }
        told = sorted(named.items(), key=lambda item: -abs(item[1]))
        words = ", ".join(f"{name} {part:+.3g}" for name, part in told[:_MOST])
        more = f", ... (+{len(told) - _MOST})" if len(told) > _MOST else ""
        text = (
            f"{test.feature.words()} is {test.feature.text(value, 'le', exact=False)}; the {parts.of} differs from the "
            f"mean of the node by {words}{more}"
        )
        yield SumParts(node, float(value), float(value) - sum(named.values()), named, text)
