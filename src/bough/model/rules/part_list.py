"""A list of rules that may take a part of a row: where a literal asks for a missing value, a share of the row passes.

PART learns such rules. Each answers for the part that it takes, and the rest of the row goes on to the next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ExportError, ModelFormatError, ParameterError
from bough.model.kinds import add_kind
from bough.model.program import Program
from bough.model.rules.pool import Pool
from bough.model.rules.rule import Rule, Says
from bough.model.rules.rule_list import RuleList
from bough.model.strict import Limits, read_array

__all__ = ["PartList"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

_NOTE = (
    "Made of rules that take rows in parts; they answer the same on rows without missing values and levels never seen."
)
_LEVEL, _AT_MOST, _ABOVE, _OTHER_LEVEL = range(4)  # what the kernel knows a literal to ask


@add_kind
@dataclass(frozen=True, eq=False, repr=False)
class PartList(RuleList):
    """Rules in order that take rows in parts, where values are missing; see `RuleList` for all else.

    Parameters
    ----------
    shares : tuple of float
        For each literal of the rules, in order, the part of a row without its value that passes it.
    """

    kind: ClassVar[str] = "part_list"

    shares: tuple[float, ...] = field(default=())

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shares) != self.n_literals or not all(0 <= share <= 1 for share in self.shares):
            raise ParameterError("shares need a number from 0 to 1 for each literal.")
        if self.counts is None or self.default is not None:
            raise ParameterError("rules that take parts of rows need counts, and a last rule without literals.")
        self._parts  # noqa: B018 (refuses literals that take no parts)

    @cached_property
    def _parts(self) -> dict[str, Array]:
        """The rules as the kernel reads them."""
        arrays = Pool.of(self.rules, self.place).arrays()
        levels = arrays["kind"] == 0
        below = (arrays["kind"] == 1) & (arrays["high_bound"] == 2) & (arrays["low_bound"] == 0)
        above = (arrays["kind"] == 1) & (arrays["low_bound"] == 1) & (arrays["high_bound"] == 0)
        single = len(arrays["set_code"]) == int(levels.sum())
        if not single or not (levels | below | above).all() or arrays["or_missing"].any():
            raise ParameterError("rules that take parts of rows ask for single levels, <= and >.")
        asks = np.where(
            levels, np.where(arrays["negated"] == 1, _OTHER_LEVEL, _LEVEL), np.where(below, _AT_MOST, _ABOVE)
        )
        code = np.full(len(levels), -1, dtype=np.int32)
        code[levels] = arrays["set_code"]
        counts = self.counts if self.counts is not None else np.zeros((0, 0))
        return {
            "rule_begin": arrays["rule_begin"],
            "column": arrays["column"],
            "kind": asks.astype(np.uint8),
            "code": code,
            "value_type": np.where(below, arrays["high_type"], arrays["low_type"]).astype(np.uint8),
            "value_bits": np.where(below, arrays["high_bits"], arrays["low_bits"]).astype(np.uint64),
            "share": np.array(self.shares, dtype=np.float64),
            "counts": np.ascontiguousarray(counts[: self.n_rules] + self._besides),
        }

    def with_rules(self, rules: Iterable[Rule], default: Says | None = None, counts: Floats | None = None) -> RuleList:  # type: ignore[override]
        """A list with other rules, in which a literal on a missing value fails: parts belong to the rules learnt."""
        note = " ".join(text for text in (self.note, _NOTE) if text)
        return RuleList(self.inputs, self.answer, tuple(rules), default, self.target, counts, note, log=self.log)

    @property
    def _besides(self) -> Floats | float:
        """What probabilities count besides the rows of a rule."""
        smoothing = self.answer.smoothing
        return 0.0 if smoothing is None else smoothing[0] * smoothing[1]

    def apply(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """The number of the rule that takes the largest part of each row."""
        other = self.inputs.unseen != "other"
        return _core.fractional_apply(self._parts, self.read(X).columns, n_threads, unseen_is_missing=other)

    def _said_of(self, X: Any, n_threads: int) -> Floats:
        other = self.inputs.unseen != "other"
        return _core.fractional_probabilities(self._parts, self.read(X).columns, n_threads, unseen_is_missing=other)

    def predict(self, X: Any, *, n_threads: int = 1) -> Array:
        """The class of each row: the one of the largest sum over its parts."""
        return np.asarray(self.classes)[self.class_answer.decide(self._said_of(X, n_threads))]

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> Floats:
        """The probabilities of the classes in the order of sorted labels."""
        said = self._said_of(X, n_threads)
        total = said.sum(axis=1, keepdims=True)
        return self.class_answer.sorted_columns(said / np.where(total > 0, total, 1.0))

    def program(self) -> Program:
        """Refused: which rules take a part depends on all that is missing together."""
        raise ExportError(
            "these rules take rows in parts where values are missing, which no program says: export "
            "bough.parse_rules(rules.text(), schema=...), in which a literal on a missing value fails."
        )

    def to_content(self) -> dict[str, Any]:
        """What a file says of the list, as plain data."""
        return {**super().to_content(), "share": list(self.shares)}

    @classmethod
    def from_content(cls, content: dict[str, Any], limits: Limits) -> Self:
        """Read what `to_content` wrote; a ModelFormatError says where anything is amiss."""
        if "share" not in content:
            raise ModelFormatError("'share' is missing", "$")
        shares = read_array(content["share"], np.float64, "$.share")
        rest = RuleList.from_content({key: value for key, value in content.items() if key != "share"}, limits)
        try:
            made = cls(
                rest.inputs,
                rest.answer,
                rest.rules,
                rest.default,
                rest.target,
                rest.counts,
                rest.note,
                rest.stats,
                shares=tuple(shares.tolist()),
            )
        except ParameterError as error:
            raise ModelFormatError(str(error), "$.share") from None
        return made
