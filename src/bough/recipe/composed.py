"""Estimators that are composed of parts: get_params, set_params and grid search reach into the slots."""

from typing import Any, Self

from sklearn.base import BaseEstimator, clone

from bough.errors import ParameterError
from bough.recipe.reading import Reading
from bough.recipe.registry import PARTS, SLOTS, name_of

__all__ = ["Composed"]


class Composed(BaseEstimator):
    """A base class whose parameters named as slots hold parts, names of parts, or lists of either.

    A nested parameter is `slot__parameter` (`pruning__confidence`); members of a list are addressed by the snake-case
    name of their class (`stopping__min_rows__min_samples_split`). A name is replaced by its part when a nested
    parameter is set. Parts that are given are not changed: the estimator gets a changed copy.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether those of the parts are among them.

        Returns
        -------
        dict
        """
        params: dict[str, Any] = super().get_params(deep=False)
        if not deep:
            return params
        for slot in SLOTS:
            for prefix, part in self._addresses(slot, params.get(slot)) if slot in params else ():
                if prefix != slot:
                    params[prefix] = part
                for name, value in part.get_params(deep=False).items():
                    params[f"{prefix}__{name}"] = value
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of parts too.

        Parameters
        ----------
        **params
            By the names of `get_params`.

        Returns
        -------
        self
        """
        known = super().get_params(deep=False)
        nested: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            slot, _, rest = key.partition("__")
            if slot not in known or (rest and slot not in SLOTS):
                raise self._unknown(key)
            if rest:
                nested.setdefault(slot, {})[rest] = value
        changed = {key: value for key, value in params.items() if key in known}
        for slot, changes in nested.items():
            # Whole members of a list come before their parameters.
            for rest in sorted(changes, key=lambda rest: rest.count("__")):
                changed[slot] = self._changed(slot, changed.get(slot, getattr(self, slot)), rest, changes[rest])
        # All at last: a name that is not known changes nothing.
        for key, value in changed.items():
            setattr(self, key, value)
        return self

    def _changed(self, slot: str, given: Any, rest: str, value: Any) -> Any:
        """What a slot holds after a change of one nested parameter."""
        key = f"{slot}__{rest}"
        if not isinstance(given, list | tuple):
            part = self._meant(slot, given)
            name, _, parameter = rest.partition("__")
            if part is not None and parameter and name == name_of(part):
                rest = parameter  # one rule may be called by its name as in a list
            if part is None or rest not in part.get_params(deep=False):
                raise self._unknown(key)
            return clone(part).set_params(**{rest: value})
        name, _, parameter = rest.partition("__")
        members = list(given)
        for place, member in enumerate(members):
            part = self._meant(slot, member)
            if part is None or name_of(part) != name:
                continue
            if not parameter:
                members[place] = value
            elif parameter in part.get_params(deep=False):
                members[place] = clone(part).set_params(**{parameter: value})
            else:
                break
            return type(given)(members)
        raise self._unknown(key)

    def _unknown(self, key: str) -> ParameterError:
        return ParameterError(
            f"Invalid parameter {key!r} for estimator {type(self).__name__}. Valid parameters are: "
            f"{sorted(self.get_params())}."
        )

    def _meant(self, slot: str, given: Any) -> Any:
        """The part that a user gives, also by name; None where there is none with parameters."""
        if isinstance(given, str):
            kind = PARTS[slot].get(given)
            return None if kind is None else kind()
        if slot == "reading" and given is None:
            return Reading()
        return given if hasattr(given, "get_params") and not isinstance(given, type) else None

    def _addresses(self, slot: str, given: Any) -> list[tuple[str, Any]]:
        """The parts of a slot, each with the prefix of its parameters."""
        if isinstance(given, list | tuple):
            parts = [self._meant(slot, member) for member in given]
            return [(f"{slot}__{name_of(part)}", part) for part in parts if part is not None]
        part = self._meant(slot, given)
        return [] if part is None else [(slot, part)]
