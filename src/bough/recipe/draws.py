"""How are rows drawn? Which of them grow a rule and which prune it: by a key of our own, or as Java draws them.

Learners that divide their rows depend on the draw, so that whoever wants the rules of another program needs its
generator, too.
"""

from collections.abc import Callable
from typing import Any

from sklearn.utils import check_random_state

from bough.errors import ParameterError
from bough.recipe import parameters as check
from bough.recipe.part import Part

__all__ = ["PARTS", "JavaDraws", "Keyed", "draw_key", "read_draws"]

PARTS = ("JavaDraws", "Keyed")

_MASK = (1 << 48) - 1
_FACTOR = 0x5DEECE66D


class Keyed(Part):
    """Draws by a key: the same rules for the same `random_state`, on any machine and any number of threads."""

    slot = "draws"
    draws = True
    reduces = True  # whether rules that are not worth their bits go before the first round of optimisation

    def cover_options(self, random_state: Any, row_text: Callable[[int], str], n_rows: int) -> dict[str, Any]:
        """What the kernel is told."""
        return {"seed": draw_key(random_state)}


class JavaDraws(Part):
    """Draws as Weka's JRip does: Java's generator, begun by a hash of the text of a row.

    Parameters
    ----------
    seed : int, default=1
        JRip's option S.
    """

    slot = "draws"
    draws = True
    reduces = False

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed

    def cover_options(self, random_state: Any, row_text: Callable[[int], str], n_rows: int) -> dict[str, Any]:
        """What the kernel is told, with the other habits that come with these draws."""
        seed = check.whole(self.label("seed"), self.seed, -(2**31))
        row = _JavaRandom(seed).below(n_rows)
        return {"seed": _signed(_hash(row_text(row)) + seed, 64), "jrip": True}


class _JavaRandom:
    """Java's documented generator: linear congruential, 48 bits."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ _FACTOR) & _MASK

    def below(self, bound: int) -> int:
        """A whole number from 0 to below the bound."""
        while True:
            self.state = (self.state * _FACTOR + 0xB) & _MASK
            bits = self.state >> 17
            if bound & (bound - 1) == 0:
                return (bound * bits) >> 31
            value = bits % bound
            if bits - value + bound - 1 < 2**31:
                return value


def _hash(text: str) -> int:
    """Java's hash of a string, over its units of 16 bits."""
    units = text.encode("utf-16-be")
    found = 0
    for at in range(0, len(units), 2):
        found = (31 * found + int.from_bytes(units[at : at + 2], "big")) & 0xFFFFFFFF
    return _signed(found, 32)


def _signed(number: int, bits: int) -> int:
    """A number as a signed one of so many bits."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def draw_key(random_state: Any) -> int:
    """The key of our own draws; None is a fixed one."""
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


def read_draws(given: Any) -> "Keyed | JavaDraws":
    """The draws that a user gives; None: by a key."""
    if given is None:
        return Keyed()
    if not isinstance(given, Keyed | JavaDraws):
        raise ParameterError(f"draws must be Keyed(), JavaDraws(seed) of bough.recipe, or None; got {given!r:.80}.")
    return given
