"""Intervals: rising edges part the numbers, and each interval takes a branch; several may take the same one."""

from typing import TYPE_CHECKING, Any

from bough.model.features import Feature, Number, Side
from bough.model.features.numbers import SIDES, numbers_of
from bough.model.tests.ordered import Ordered

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Intervals"]


class Intervals(Ordered):
    """Any number of edges; with none, all known values take one branch; see `Ordered`."""

    kind = "intervals"
    number = 2  # as the kernel writes kinds

    @classmethod
    def read(cls, arrays: "Arrays", split: int, feature: Feature, missing: int | None) -> "Intervals":
        """The intervals of a split of the kernel."""
        place = int(arrays.split_payload[split])
        begin, end = int(arrays.edge_begin[place]), int(arrays.edge_begin[place + 1])
        edges = numbers_of(arrays.edge_bits[begin:end], arrays.edge_type[begin:end])
        branches = arrays.interval_branch[begin + place : end + place + 1].tolist()
        return cls(feature, edges, branches, SIDES[arrays.split_side[split]], missing)

    @property
    def raw_edges(self) -> tuple[Number, ...]:
        """The edges as the kernel compares them."""
        return self.numbers

    @property
    def interval_branches(self) -> tuple[int, ...]:
        """The branch of each interval, lowest first."""
        return self.branches

    @property
    def side(self) -> Side | None:
        """Where a value equal to an edge belongs."""
        return self.on if self.numbers else None

    def write(self, builder: Any, **more: Any) -> None:
        """As intervals; without edges there is no side."""
        about = {"side": SIDES.index(self.on) if self.numbers else 0, "found": self.found}
        builder.add_intervals(self.column, list(self.numbers), list(self.branches), **self._more(more), **about)
        self.feature.ask(builder)
