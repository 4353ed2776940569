"""Parts of a covering, named or written: what literals gain, what pruned rules are worth, when a class has enough
rules, and which variant of a rule stays when rules are optimised.

A part that a user writes is a function of arrays, one entry a candidate, because the kernel asks for many at once. It
runs in one thread and is slow where the named ones are quick. Model files do not keep it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.recipe import parameters as check

__all__ = ["NewRule", "gain_option", "stop_option", "value_option", "variant_option"]

Floats = npt.NDArray[np.float64]

GAINS = ("foil", "laplace")
VALUES = ("laplace", "difference", "accuracy")


class NewRule(NamedTuple):
    """A rule that a class has just got, as a `stop` of your own sees it.

    Attributes
    ----------
    bits : float
        Length of the description of the class's rules with this one, and of the exceptions to them.
    shortest : float
        The shortest description so far, this one included.
    p, n : float
        Weight that the rule takes in its turn, of its class and of others.
    pruned_p, pruned_n : float
        The same of the rows that it was pruned on; not a number where there were none.
    earlier : int
        Rules that the class had before.
    """

    bits: float
    shortest: float
    p: float
    n: float
    pruned_p: float
    pruned_n: float
    earlier: int


def gain_option(given: Any) -> Any:
    """What literals compete by: a name, or a function as the kernel calls it."""
    if not callable(given):
        return _named("gain", given, GAINS, "p, t, P, T")
    return lambda p, t, all_p, all_t: _numbers("gain", given(p, t, all_p, all_t), len(p))


def value_option(name: str, given: Any) -> Any:
    """What pruned rules are worth: a name, or a function as the kernel calls it."""
    if not callable(given):
        return _named(name, given, VALUES, "p, n, P, N")
    return lambda p, t, all_p, all_t: _numbers(name, given(p, t - p, all_p, all_t - all_p), len(p))


def stop_option(given: Any) -> dict[str, Callable[..., bool]]:
    """A user's end of a class as the kernel asks for it; nothing, if there is none."""
    if given is None:
        return {}
    if not callable(given):
        raise ParameterError(
            f"stop must be a function of a NewRule that says True or False, or None; got {given!r:.80}."
        )

    def stop(bits: float, shortest: float, p: float, t: float, pruned_p: float, pruned_t: float, earlier: int) -> bool:
        said = given(NewRule(bits, shortest, p, t - p, pruned_p, pruned_t - pruned_p, earlier))
        return check.flag("what stop returns", said)

    return {"stop": stop}


def variant_option(given: Any) -> dict[str, Callable[..., Floats]]:
    """A user's cost of the variants of a rule as the kernel asks for it; nothing, if bits decide."""
    if given == "bits":
        return {}
    if not callable(given):
        _named("optimise", given, ("bits",), "bits, p, n, P, N")
    return {
        "cost": lambda bits, p, t, all_p, all_t: _numbers(
            "optimise", given(bits, p, t - p, all_p, all_t - all_p), len(bits)
        )
    }


def _named(name: str, given: Any, known: tuple[str, ...], arguments: str) -> str:
    if given not in known:
        listed = ", ".join(map(repr, known))
        raise ParameterError(f"{name} must be one of {listed}, or a function of ({arguments}); got {given!r:.80}.")
    said: str = given
    return said


def _numbers(name: str, given: Any, size: int) -> Floats:
    return check.returned(
        name, given, size, "candidate", "A candidate may cover nothing, which is worth a number, too."
    )
