"""Estimators that are named after an algorithm: its questions are answered, and a user says only what differs.

Where such an estimator takes the name of an answer it takes the part too, with arguments from `bough.recipe`; what
another program does otherwise is an argument of a part, so that the parameters are those that users know. An answer
that the algorithm does not know is refused with the name of an estimator that does.
"""

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.learn.fitting import RecipeRegressor, RecipeTree
from bough.recipe.composed import Composed
from bough.recipe.part import Part
from bough.recipe.reading import Reading
from bough.recipe.registry import PARTS, name_of, read_slot
from bough.recipe.user import is_user_criterion

__all__ = ["Named"]

_NAMED: list[type["Named"]] = []


class Named(Composed, RecipeTree):
    """A recipe with a name. Subclasses say which answers they know, each with the part that its name stands for.

    Questions without a parameter, which the algorithm answers in one way, are among them: others name who has it.
    """

    _answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.__module__.startswith("bough.") and not cls.__name__.startswith("_"):
            _NAMED.append(cls)

    def _slot(self, slot: str) -> Any:
        """The part that answers a question."""
        given, known = getattr(self, slot), self._answers[slot]
        if isinstance(given, str) and given in known:
            return copy.copy(known[given])
        is_name = isinstance(given, str) and given in PARTS[slot]
        if not (is_name or isinstance(given, Part | type) or (slot == "criterion" and is_user_criterion(given))):
            also = ", None" if slot == "pruning" else ""
            raise ParameterError(f"{slot} must be one of {_listing(known)}{also}, or such a part; got {given!r:.80}.")
        part = read_slot(slot, given)[0]
        if not any(type(part) is type(one) for one in known.values()):
            raise self._not_known(slot, part, given)
        return part

    def _not_known(self, slot: str, part: Part, given: Any) -> ParameterError:
        """Who has an answer that this algorithm does not know."""
        who = type(self).__name__
        numbers = isinstance(self, RecipeRegressor)
        task, open_one = ("numbers", "TreeRegressor") if numbers else ("classes", "TreeClassifier")
        what = f"{slot}={given!r:.80}"
        if task not in part.tasks:
            other = "classes" if numbers else "numbers"
            return ParameterError(
                f"{what} is for {other}, and {who} predicts {task}: choose one of {_listing(self._answers[slot])}."
            )
        owners = [
            kind.__name__
            for kind in _NAMED
            if issubclass(kind, RecipeRegressor) == numbers and name_of(part) in kind._answers.get(slot, {})  # noqa: SLF001
        ]
        every = " or ".join([", ".join(owners)] * bool(owners) + [f"{open_one}({what})"])
        return ParameterError(
            f"{what} is no answer of {who}, which knows {_listing(self._answers[slot])}: use {every}."
        )

    def _reading(self) -> Reading:
        """What counts of the table."""
        part = read_slot("reading", self.reading)[0]
        assert isinstance(part, Reading)  # noqa: S101 (the slot has no other)
        return part

    def _filled(self, part: Any, **defaults: Any) -> Any:
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

    def _meant(self, slot: str, given: Any) -> Any:
        if isinstance(given, str) and slot in self._answers:
            known = self._answers[slot].get(given)
            return None if known is None else copy.copy(known)
        return super()._meant(slot, given)


def _is(given: Any, default: Any) -> bool:
    return given is default or (isinstance(given, int | float) and given == default)


def _listing(known: Mapping[str, Part]) -> str:
    return ", ".join(map(repr, known))
