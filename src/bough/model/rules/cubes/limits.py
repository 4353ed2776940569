"""Limits of exact searches: primes, cells and nodes, and seconds.

Results should not depend on how fast a machine is, so work is counted. A budget of seconds is so many steps, as many as
a processor of today mostly does in less; the clock itself ends a search only where steps take longer than that.
"""

import math
import numbers
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bough.errors import ParameterError

__all__ = ["Clock", "LimitReached", "Limits", "Meter"]

Clock = Callable[[], float]

_STEPS = 12_000_000  # in a second
_LOOK = 100_000  # steps from one look at the clock to the next


@dataclass(frozen=True)
class Limits:
    """How far an exact search may go before the best that was found is returned.

    Parameters
    ----------
    primes : int, default=20000
        Largest cubes inside one region.
    cells : int, default=2000000
        Cells that are told apart when a cover is chosen.
    nodes : int, default=200000
        Nodes of branch and bound.
    """

    primes: int = 20_000
    cells: int = 2_000_000
    nodes: int = 200_000


class LimitReached(Exception):  # noqa: N818 - no error: whoever searches catches it and returns what is there
    """A search was ended; its text says by what."""


class Meter:
    """Counts what a search does and ends it at a limit.

    The clock runs inside `with` only, so that one meter can serve several searches with other work between them.

    Parameters
    ----------
    limits : Limits, optional
    budget : float, default=1.0
        Seconds; infinite for none.
    clock : callable, default=time.thread_time
        Seconds since some moment. By default those that this thread has worked, so that its neighbours do not matter.
    share : float, default=1.0
        The part of the budget that this meter has, where several meters divide it.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        budget: float = 1.0,
        clock: Clock = time.thread_time,
        *,
        share: float = 1.0,
    ) -> None:
        self.limits = Limits() if limits is None else limits
        self.budget = _seconds(budget)
        self.steps = 0
        self._nodes = 0
        self._most = math.inf if math.isinf(self.budget) else round(_STEPS * self.budget * share)
        self._clock = clock
        self._end = math.inf
        self._left = self.budget * share
        self._look = 0

    def __enter__(self) -> None:
        self._end = self._clock() + self._left

    def __exit__(self, *error: object) -> None:
        self._left = self._end - self._clock()
        self._end = math.inf

    def work(self, steps: int) -> None:
        """Count some steps."""
        self.steps += steps
        if self.steps > self._most:
            self._stop()
        if self.steps >= self._look and self._end < math.inf:
            self._look = self.steps + _LOOK
            if self._clock() > self._end:
                self._stop()

    def scan(self, cubes: int) -> None:
        """Count a look at so many cubes one by one."""
        self.work(20 * cubes)

    @property
    def used(self) -> float:
        """The part of the whole budget that was used, by steps; what is endless has no parts."""
        return min(1.0, self.steps / (_STEPS * self.budget)) if 0 < self.budget < math.inf else 0.0

    def node(self) -> None:
        """Count a node of branch and bound."""
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            raise LimitReached(f"{self.limits.nodes:,} nodes")

    def _stop(self) -> None:
        raise LimitReached(f"the budget of {self.budget:g} s")


def _seconds(budget: Any) -> float:
    if isinstance(budget, bool) or not isinstance(budget, numbers.Real) or not float(budget) >= 0:
        raise ParameterError(f"budget must be seconds, a number of at least 0; got {budget!r:.60}.")
    return float(budget)
