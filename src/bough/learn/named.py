"""Answers of estimators that are named after an algorithm: which it knows, and the part that each name stands for.

Where such an estimator takes the name of an answer it takes the part too, with arguments from `bough.recipe`; what
another program does otherwise is an argument of a part, so that the parameters are those that users know. An answer
that the algorithm does not know is refused with the name of an estimator that does. Plain functions, which
`TreeEstimator` binds.
"""

import copy
import inspect
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sklearn.base import is_regressor

from bough.errors import ParameterError
from bough.recipe.part import Part
from bough.recipe.reading import Reading
from bough.recipe.registry import PARTS, name_of, read_slot
from bough.recipe.user import is_user_criterion

if TYPE_CHECKING:
    from bough.learn.tree_estimator import TreeEstimator

__all__ = ["add_named", "filled", "reading", "refuse_arguments", "slot"]

_NAMED: list[type["TreeEstimator"]] = []

_A_PAIR = 2  # the classifier and the regressor of one algorithm


def add_named(kind: type["TreeEstimator"]) -> None:
    """Remember an estimator that is named after an algorithm, so that others can point to its answers."""
    _NAMED.append(kind)


def refuse_arguments(kind: type["TreeEstimator"], given: Mapping[str, Any]) -> None:
    """Refuse a parameter that an estimator does not have but one of its parts, and say where it goes.

    Of any other unknown parameter Python says enough.
    """
    known = inspect.signature(kind.__init__).parameters
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values()):
        return
    for name in (name for name in given if name not in known):
        parts = [
            f"{slot}={part.__name__}({name}={given[name]!r:.60})"
            for slot in PARTS
            if slot in known
            for part in _parts(kind, slot)
            if name in inspect.signature(part.__init__).parameters
        ]
        if parts:
            raise TypeError(f"{kind.__name__} has no parameter {name!r}; it goes to a part: {' or '.join(parts)}.")


def _parts(kind: type["TreeEstimator"], slot: str) -> list[type[Part]]:
    """The parts that an estimator knows for a slot."""
    if slot in kind.answers:
        return list(dict.fromkeys(type(part) for part in kind.answers[slot].values()))
    return list(PARTS[slot].values())


def slot(self: "TreeEstimator", slot: str) -> Any:
    """The part that answers a question."""
    given, known = getattr(self, slot), self.answers[slot]
    if isinstance(given, str) and given in known:
        return copy.copy(known[given])
    is_name = isinstance(given, str) and given in PARTS[slot]
    if not (is_name or isinstance(given, Part | type) or (slot == "criterion" and is_user_criterion(given))):
        also = ", None" if slot == "pruning" else ""
        raise ParameterError(f"{slot} must be one of {_listing(known)}{also}, or such a part; got {given!r:.80}.")
    part = read_slot(slot, given)[0]
    if not any(type(part) is type(one) for one in known.values()):
        raise _not_known(self, slot, part, given)
    return part


def _not_known(self: "TreeEstimator", slot: str, part: Part, given: Any) -> ParameterError:
    """Who has an answer that this algorithm does not know."""
    who = type(self).__name__
    numbers = is_regressor(self)
    task, open_one = ("numbers", "TreeRegressor") if numbers else ("classes", "TreeClassifier")
    what = f"{slot}={given!r:.80}"
    if task not in part.tasks:
        other = "classes" if numbers else "numbers"
        return ParameterError(
            f"{what} is for {other}, and {who} predicts {task}: choose one of {_listing(self.answers[slot])}."
        )
    kinds = [kind for kind in _NAMED if is_regressor(kind()) == numbers and name_of(part) in kind.answers.get(slot, {})]
    # Estimators that share their answers are many, and are chosen for something else.
    sharing = Counter(id(kind.answers[slot]) for kind in _NAMED if slot in kind.answers)
    owners = [kind.__name__ for kind in kinds if sharing[id(kind.answers[slot])] <= _A_PAIR]
    every = " or ".join([", ".join(owners)] * bool(owners) + [f"{open_one}({what})"])
    return ParameterError(f"{what} is no answer of {who}, which knows {_listing(self.answers[slot])}: use {every}.")


def reading(self: Any) -> Reading:
    """What counts of the table."""
    part = read_slot("reading", getattr(self, "reading", None))[0]
    assert isinstance(part, Reading)  # noqa: S101 (the slot has no other)
    return part


def filled(self: "TreeEstimator", part: Any, **defaults: Any) -> Any:
    """A part with the parameters of the estimator that are arguments of it too; given twice they must agree."""
    part = copy.copy(part)
    names = {}
    for name, default in defaults.items():
        here = getattr(self, name)
        if _is(here, default):
            continue
        if not _is(getattr(part, name), default):
            raise ParameterError(f"{name} is given twice, also in {part.slot}={part!r:.200}: leave one out.")
        setattr(part, name, here)
        names[name] = name
    return part.called(**{**part.__dict__.get("_called", {}), **names})


def _is(given: Any, default: Any) -> bool:
    return given is default or (isinstance(given, int | float) and given == default)


def _listing(known: Mapping[str, Part]) -> str:
    return ", ".join(map(repr, known))
