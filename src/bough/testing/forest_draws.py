"""What a forest draws, and where its cuts lie: seeds, words, bags, columns and thresholds, by their definition."""

from collections.abc import Iterator, Sequence
from ctypes import c_float
from struct import pack, unpack

WORD = 2**32
_LONG = 2**64 - 1


def _splitmix(state: int) -> int:
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _LONG
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _LONG
    return z ^ (z >> 31)


def mix(seed: int, number: int) -> int:
    """The seed of a tree, of its bag, its root or of a branch, from the seed above it."""
    start = (seed ^ ((number + 1) * 0xD1342543DE82EF95)) & _LONG
    return _splitmix((start + 0x9E3779B97F4A7C15) & _LONG)


class Words:
    """The stream of 32-bit words that a seed stands for."""

    def __init__(self, seed: int) -> None:
        self._state = seed
        self._low: int | None = None

    def word(self) -> int:
        """The high half of the next 64 bits, then their low half."""
        if self._low is not None:
            low, self._low = self._low, None
            return low
        self._state = (self._state + 0x9E3779B97F4A7C15) & _LONG
        high, self._low = divmod(_splitmix(self._state), WORD)
        return high

    def is_below(self, part: int, whole: int) -> bool:
        """True with a chance of part / whole: what takes the low branch."""
        return self.word() * whole < part * WORD

    def below(self, n: int) -> int:
        """A number below n, every one with the same chance (Lemire)."""
        high, low = divmod(self.word() * n, WORD)
        while low < WORD % n:
            high, low = divmod(self.word() * n, WORD)
        return high


def forest_bag(seed: int, tree: int, rows: int) -> list[int]:
    """How often each row is in the bootstrap of a tree.

    Examples
    --------
    >>> from bough.testing import forest_bag
    >>> sum(forest_bag(7, 0, 10))
    10
    """
    words = Words(mix(mix(seed, tree), 0))
    bag = [0] * rows
    for _ in range(rows):
        bag[words.below(rows)] += 1
    return bag


def drawn_columns(columns: Sequence[int], words: Words) -> Iterator[int]:
    """The columns in the order in which they are drawn, one draw each."""
    place = list(columns)
    for i in range(len(place)):
        j = i + words.below(len(place) - i)
        place[i], place[j] = place[j], place[i]
        yield place[i]


def float_above(value: float) -> float:
    """The smallest float of 32 bits that is not below a value.

    Examples
    --------
    >>> from bough.testing.forest_draws import float_above
    >>> float_above(0.1)
    0.10000000149011612
    """
    near = c_float(value).value
    if near >= value:
        return near
    bits: int = unpack("<I", pack("<f", near))[0]
    return float(unpack("<f", pack("<I", bits + 1 if near >= 0 else bits - 1))[0])


def threshold_between(low: float, high: float) -> float:
    """A threshold that is at least `low` and below `high`: the middle as a float, some float, the middle, or `low`.

    Examples
    --------
    >>> from bough.testing.forest_draws import threshold_between
    >>> threshold_between(1.0, 2.0)
    1.5
    """
    middle = low + (high - low) / 2
    for at in (c_float(middle).value, float_above(low), middle):
        if low <= at < high:
            return at
    return low
