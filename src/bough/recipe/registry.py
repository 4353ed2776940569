"""The closed table of parts by slot and name, and the way from what a user gives to a part."""

import difflib
from types import ModuleType
from typing import Any

from bough.errors import ParameterError
from bough.recipe import branching, criterion, draws, leaf, missing, pruning, reading, sampling, search, stopping
from bough.recipe.part import Part, snake_case
from bough.recipe.user import Forgotten, UserCriterion, is_user_criterion
from bough.recipe.work import Pruning

__all__ = ["NAMES", "PARTS", "PRUNERS", "SLOTS", "name_of", "read_slot"]

_MODULES: tuple[ModuleType, ...] = (branching, criterion, search, stopping, pruning, leaf, missing, reading)

# The parts of each slot by name.
PARTS: dict[str, dict[str, type[Part]]] = {
    module.__name__.rpartition(".")[2]: {snake_case(name): getattr(module, name) for name in module.__all__}
    for module in _MODULES
}
SLOTS = tuple(PARTS)
# All parts by name, those of learners of rules and of ensembles too: no two have the same.
NAMES: dict[str, type[Part]] = {name: part for parts in PARTS.values() for name, part in parts.items()} | {
    snake_case(name): getattr(module, name) for module in (draws, sampling) for name in module.PARTS
}
# The parts that prune a fitted tree, by name; those first that look at no rows.
PRUNERS: dict[str, type[Pruning]] = {
    name: part
    for rows in (False, True)
    for name, part in PARTS["pruning"].items()
    if issubclass(part, Pruning) and part.pruner is not None and part.needs_rows == rows
}


def name_of(part: Any) -> str:
    """The name under which a part is known; of a user's criterion that of its class."""
    return part.name if isinstance(part, Forgotten) else snake_case(type(part).__name__)


def read_slot(slot: str, given: Any) -> tuple[Part, ...]:
    """The parts that a user gives for a slot: one, but of stopping any number, and of pruning at most one."""
    if given is None and slot in ("stopping", "pruning"):
        return ()
    if given is None and slot == "reading":
        return (reading.Reading(),)
    if slot == "stopping" and isinstance(given, list | tuple):
        parts = tuple(_read(slot, member) for member in given)
        names = [name_of(part) for part in parts]
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise ParameterError(f"stopping names {NAMES[twice].__name__} twice: give one of them.")
        return parts
    return (_read(slot, given),)


def _read(slot: str, given: Any) -> Part:
    if slot == "reading" and not isinstance(given, Part | type):
        raise ParameterError(f"reading must be None or Reading(...) of bough.recipe; got {given!r:.80}.")
    if isinstance(given, str):
        if given in PARTS[slot]:
            return PARTS[slot][given]()
        raise ParameterError(
            f"{slot} must be one of {_listing(slot)}, or such a part; got {given!r}.{_meant(slot, given)}"
        )
    if isinstance(given, type) and issubclass(given, Part):
        raise ParameterError(f"{slot} got the class {given.__name__}; give a part: {given.__name__}().")
    if isinstance(given, Part):
        if not isinstance(given, UserCriterion | Forgotten) and type(given) not in NAMES.values():
            raise ParameterError(
                f"{slot} got {given!r}, whose class is made from one of bough's parts; parts have no hooks, so what it "
                "changes would be ignored. A criterion of your own is any other class with a method score."
            )
        if given.slot != slot:
            raise ParameterError(
                f"{slot} got {given!r}, which answers another question: give it as {given.slot}. For {slot} there are "
                f"{_listing(slot)}."
            )
        return given
    if slot == "criterion" and is_user_criterion(given):
        return UserCriterion(given)
    also = " an object with a method score," if slot == "criterion" else ""
    raise ParameterError(f"{slot} must be a part,{also} or one of the names {_listing(slot)}; got {given!r:.80}.")


def _meant(slot: str, given: str) -> str:
    """The name that is meant by a misspelt one, or the part that a name tries to say."""
    instead = {name: text for part in PARTS[slot].values() for name, text in part.variants.items()}
    near = difflib.get_close_matches(given, [*PARTS[slot], *instead], n=1)
    return f" Did you mean {instead.get(near[0], repr(near[0]))}?" if near else ""


def _listing(slot: str) -> str:
    names = ", ".join(map(repr, PARTS[slot]))
    return f"{names}, None" if slot in ("stopping", "pruning") else names
