"""A threshold: numbers up to it, or below it, take one branch, all others the other one."""

from typing import TYPE_CHECKING, Any

from bough.model.features import Feature, Number, Side
from bough.model.features.numbers import SIDES, VALUE_TYPES
from bough.model.tests.cells import Bound, Cut
from bough.model.tests.ordered import Ordered

if TYPE_CHECKING:
    from bough.model.arrays import Arrays

__all__ = ["Threshold"]


class Threshold(Ordered):
    """One edge and two branches; see `Ordered`."""

    kind = "threshold"
    number = 0  # as the kernel writes kinds

    @classmethod
    def read(cls, arrays: "Arrays", split: int, feature: Feature, missing: int | None) -> "Threshold":
        """The threshold of a split of the kernel."""
        low = int(arrays.split_low[split])
        written = VALUE_TYPES[arrays.split_value_type[split]]
        edge = arrays.split_payload[split : split + 1].view(written)[0].item()
        return cls(feature, (edge,), (low, 1 - low), SIDES[arrays.split_side[split]], missing)

    @property
    def raw_threshold(self) -> Number:
        """The threshold as the kernel compares it."""
        return self.numbers[0]

    @property
    def side(self) -> Side:
        """Where a value equal to it belongs."""
        return self.on

    @property
    def low(self) -> int:
        """The branch of the values below."""
        return self.branches[0]

    def bound(self, branch: int) -> Bound | None:
        """Each branch bounds the column from one side."""
        if not self.has_cells:
            return None
        return Bound(self.column, branch == self.branches[0], Cut(self.numbers[0], self.on == "le"))

    def write(self, builder: Any, **more: Any) -> None:
        """As a threshold in its own type."""
        about = {"side": SIDES.index(self.on), "low": self.branches[0], "found": self.found}
        builder.add_threshold(self.column, self.numbers[0], **self._more(more), **about)
        self.feature.ask(builder)
