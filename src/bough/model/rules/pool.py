"""The flat arrays in which the kernel reads rules: one entry a literal, with pools of levels and of terms.

Rules of Python are objects that users hold; the kernel asks a million rows and wants arrays. This is the one place that
turns the former into the latter.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.exact import TERM_TYPES

__all__ = ["Pool"]

_LEVELS, _INTERVAL, _MISSING, _KNOWN, _SUM = range(5)
_OPEN, _CLOSED = 1, 2  # 0: no bound
_REAL, _INTEGER, _NATURAL = range(3)

_LITERAL: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "column": np.int32,
    "negated": np.uint8,
    "or_missing": np.uint8,
    "low_bound": np.uint8,
    "high_bound": np.uint8,
    "low_type": np.uint8,
    "high_type": np.uint8,
    "low_bits": np.uint64,
    "high_bits": np.uint64,
}
_TERM = {f"lin_{name}": kind for name, kind in TERM_TYPES.items()}


class _End(NamedTuple):
    """A bound as the kernel has it."""

    bound: int = 0
    type: int = 0
    bits: int = 0


_NO_END = _End()


class Pool:
    """Rules as flat arrays while they are written; `kernel` hands them over."""

    def __init__(self) -> None:
        self._rule_begin = [0]
        self._literals: dict[str, list[int]] = {name: [] for name in _LITERAL}
        self._set_begin, self._set_code = [0], list[int]()
        self._lin_begin, self._lin_whole = [0], list[int]()
        self._terms: dict[str, list[Any]] = {name: [] for name in _TERM}

    @classmethod
    def of(cls, rules: Iterable[Any], place: Callable[[Any], int]) -> "Pool":
        """All literals of some rules."""
        return cls.of_bodies((rule.literals for rule in rules), place)

    @classmethod
    def of_bodies(cls, bodies: Iterable[Iterable[Any]], place: Callable[[Any], int]) -> "Pool":
        """Conjunctions of literals."""
        pool = cls()
        for body in bodies:
            for literal in body:
                literal.write(pool, place)
            pool.end_rule()
        return pool

    def end_rule(self) -> None:
        """All literals of a rule are there."""
        self._rule_begin.append(len(self._literals["kind"]))

    def add_levels(self, column: int, codes: Sequence[int], *, negated: bool, or_missing: bool) -> None:
        """A set of levels."""
        self._set_code += codes
        self._set_begin.append(len(self._set_code))
        self._add(_LEVELS, column, negated=negated, or_missing=or_missing)

    def add_interval(self, column: int, low: Any, high: Any, *, natural: bool, negated: bool, or_missing: bool) -> None:
        """An interval of numbers, ticks or codes; `natural`: whole numbers are unsigned."""
        ends = _end(low, natural=natural), _end(high, natural=natural)
        self._add(_INTERVAL, column, *ends, negated=negated, or_missing=or_missing)

    def add_missing(self, column: int) -> None:
        """That a value is missing."""
        self._add(_MISSING, column)

    def add_known(self, column: int) -> None:
        """That a value is known."""
        self._add(_KNOWN, column)

    def add_sum(self, terms: Sequence[tuple[float, int, int]], low: Any, high: Any, *, or_missing: bool) -> None:
        """A bound of a sum of (weight, column, code) terms."""
        for weight, column, code in terms:
            values = (column, code, weight, 0.0, 1.0, 0)
            for name, value in zip(_TERM, values, strict=True):
                self._terms[name].append(value)
        self._lin_begin.append(len(self._terms["lin_code"]))
        self._lin_whole.append(1)
        self._add(_SUM, -1, _end(low, natural=False), _end(high, natural=False), or_missing=or_missing)

    def _add(
        self,
        kind: int,
        column: int,
        low: _End = _NO_END,
        high: _End = _NO_END,
        *,
        negated: bool = False,
        or_missing: bool = False,
    ) -> None:
        values = (kind, column, negated, or_missing, low.bound, high.bound, low.type, high.type, low.bits, high.bits)
        for name, value in zip(_LITERAL, values, strict=True):
            self._literals[name].append(int(value))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by the names that the kernel knows."""
        return {
            "rule_begin": np.array(self._rule_begin, dtype=np.int64),
            **{name: np.array(self._literals[name], dtype=kind) for name, kind in _LITERAL.items()},
            "set_begin": np.array(self._set_begin, dtype=np.int64),
            "set_code": np.array(self._set_code, dtype=np.int32),
            "lin_begin": np.array(self._lin_begin, dtype=np.int64),
            **{name: np.array(self._terms[name], dtype=kind) for name, kind in _TERM.items()},
            "lin_whole": np.array(self._lin_whole, dtype=np.uint8),
        }

    def kernel(self) -> "_core.Rules":
        """The rules as the kernel holds them."""
        return _core.Rules(self.arrays())


def _end(bound: Any, *, natural: bool) -> _End:
    if bound is None:
        return _End()
    value, closed = bound
    kind = _REAL if isinstance(value, float) else _NATURAL if value >= (0 if natural else 2**63) else _INTEGER
    if kind != _REAL and not -(2**63) <= value < 2**64:
        raise ParameterError(
            f"whole numbers that bound a column have 64 bits at most: write {value:.40} as a real one."
        )
    dtype = (np.float64, np.int64, np.uint64)[kind]
    return _End(_CLOSED if closed else _OPEN, kind, int(np.array(value, dtype=dtype).view(np.uint64)))
