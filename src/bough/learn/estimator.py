"""An estimator: a fitted model of any kind behind scikit-learn's conventions.

Parameters hold answers by name or as parts, and grid search reaches into the parts; after `fit` nothing but the model
answers. What only trees have is in `tree_estimator.py`.
"""

import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from bough.errors import ModelFormatError, ParameterError
from bough.learn.fitted import Fitted, FittedRules
from bough.learn.growth import thread_count
from bough.learn.texts import of_params
from bough.model.files import save_model
from bough.model.inputs import Rows
from bough.model.kinds import Model
from bough.model.provenance import Provenance
from bough.recipe.reading import Reading
from bough.recipe.registry import PARTS, SLOTS, name_of
from bough.table import Schema

__all__ = ["Estimator", "without_nan"]

Array = npt.NDArray[Any]

_FEW_ROWS = 1000  # are predicted faster than threads are counted


def without_nan(tags: Any) -> Any:
    """The tags of an estimator that refuses missing values."""
    tags.input_tags.allow_nan = False
    # Checks of scikit-learn 1.6 give whole numbers to what takes categories but no NaN, and subtract a mean from them
    # in place, which fails before the estimator is asked.
    if sklearn.__version__.startswith("1.6."):
        tags.input_tags.categorical = False
    return tags


class Estimator(BaseEstimator):
    """A fitted model behind scikit-learn's conventions; subclasses say how it is learned.

    Parameters named as slots hold parts, names of parts, or lists of either. A nested parameter is `slot__parameter`
    (`pruning__confidence`); members of a list are addressed by the snake-case name of their class
    (`stopping__min_rows__min_samples_split`). A name is replaced by its part when a nested parameter is set. Parts that
    are given are not changed: the estimator gets a changed copy.
    """

    # Set by fit.
    model_: Any  # a Model; subclasses say of which kind
    fitted_: Any  # Fitted or FittedRules
    n_features_in_: int

    @property
    def schema_(self) -> Schema:
        """Name, kind, type and levels of each column of the training table."""
        check_is_fitted(self)
        schema: Schema = self.model_.inputs.schema
        return schema

    @property
    def provenance_(self) -> Provenance | None:
        """Where the model came from: table, time, version, seed; None if its file does not say."""
        check_is_fitted(self)
        provenance: Provenance | None = self.fitted_.provenance
        return provenance

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _become(self, model: Model, fitted: Fitted | FittedRules, **more: Any) -> None:
        """Become fitted with a model: grown, or read from a file; `more` are fitted attributes of a subclass."""
        state = {**vars(self), **self._facts(model), "model_": model, "fitted_": fitted, **more}
        if not model.inputs.schema.named:
            state.pop("feature_names_in_", None)
        # In one step, so that an interrupt leaves the estimator as it was or fitted, never with parts of two fits.
        self.__dict__ = state

    def _with(self, model: Model, **changed: Any) -> Self:
        """The estimator with another model."""
        other = copy.copy(self)
        other.__dict__.update(model_=model, **changed)
        return other

    def _facts(self, model: Model) -> dict[str, Any]:
        """What a model says about itself in attributes of its own."""
        schema = model.inputs.schema
        facts: dict[str, Any] = {"n_features_in_": len(schema)}
        if schema.named:
            facts["feature_names_in_"] = np.array(schema.names, dtype=object)
        return facts

    def _rows(self, X: Any, *, every: bool = False) -> Rows:
        """A table to predict on, as the model reads it."""
        check_is_fitted(self)
        rows: Rows = self.model_.read(X, every=every, reader=type(self).__name__)
        return rows

    def _predict(self, X: Any) -> Array:
        rows = self._rows(X)
        answers: Array = self.model_.predict(rows, n_threads=self._threads_for(rows))
        return answers

    def _threads_for(self, rows: Rows) -> int:
        """How many threads are worth it; the answers are the same for any number."""
        return 1 if len(rows) < _FEW_ROWS else thread_count(getattr(self, "n_jobs", None))

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

    @of_params
    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of parts too.

        {params}
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

    def save(self, path: Any, *, provenance: bool = True) -> None:
        """Write the fitted estimator to a file: JSON, never code; read it with `bough.load`.

        Parameters
        ----------
        path : str or path-like
            A forest is written as a text and plain arrays if the name ends in ".bough": a large one is too large for
            JSON, and this file is mapped into memory when it is loaded.
        provenance : bool, default=True
            Whether the file says where the model came from (`provenance_`). Without it, or with the environment
            variable SOURCE_DATE_EPOCH set at fit, the same fit gives the same bytes at any time.
        """
        check_is_fitted(self)
        from bough.learn.files import header_of

        save_model(path, header_of(self), self.model_, self.provenance_ if provenance else None)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Read a fitted estimator of this class from a file that `save` wrote; `bough.load` reads those of any class.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        estimator
        """
        from bough.learn.files import load

        estimator = load(path)
        if type(estimator) is not cls:
            raise ModelFormatError(f"a {type(estimator).__name__}, not a {cls.__name__}", place="$.header.estimator")
        return estimator
