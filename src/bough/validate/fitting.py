"""Fit any estimator that has the methods of scikit-learn: ours, theirs, and pipelines and searches around either."""

from collections.abc import Collection, Mapping
from inspect import Parameter, signature
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from bough.errors import ParameterError

__all__ = ["fitted", "innermost", "name_of_estimator", "named_estimators", "weight_name", "without_classes"]

_MOST_NAME = 100
_ASIDE = ("n_jobs", "random_state", "verbose")  # how the work is done, not what is done
_BY_CLASS = ("class_weight", "costs", "priors")


def innermost(estimator: Any) -> Any:
    """The estimator inside pipelines and searches: the last step, the one that was or will be tuned."""
    while True:
        if isinstance(estimator, Pipeline):
            estimator = estimator.steps[-1][1]
        elif _is_search(estimator):
            estimator = getattr(estimator, "best_estimator_", estimator.estimator)
        else:
            return estimator


def _is_search(estimator: Any) -> bool:
    return all(hasattr(estimator, name) for name in ("estimator", "refit", "scoring"))


def weight_name(estimator: Any) -> str | None:
    """What `fit` calls the weights of the rows; None if it takes none."""
    if isinstance(estimator, Pipeline):
        step, last = estimator.steps[-1]
        own = weight_name(last)
        return None if own is None else f"{step}__{own}"
    if _is_search(estimator):
        return weight_name(estimator.estimator)
    taken = signature(estimator.fit).parameters
    passes = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in taken.values())
    return "sample_weight" if passes or "sample_weight" in taken else None


def fitted(estimator: Any, X: Any, y: Any, weights: Any = None) -> Any:
    """A copy of the estimator, fitted."""
    name = None if weights is None else weight_name(estimator)
    return clone(estimator).fit(X, y, **({} if name is None else {name: weights}))


def name_of_estimator(estimator: Any) -> str:
    """The estimator with the parameters that are not its defaults, in one line; not how the work is done."""
    if hasattr(estimator, "get_params"):
        defaults = signature(type(estimator)).parameters
        own = {name: defaults[name].default for name in estimator.get_params(deep=False) if name in _ASIDE}
        estimator = clone(estimator).set_params(**own)
    text = " ".join(repr(estimator).split())
    return text if len(text) <= _MOST_NAME else text[: _MOST_NAME - 1] + "…"


def named_estimators(given: Any, what: str) -> dict[str, Any]:
    """Two estimators or more with a name for each: those of a dict, else what they are, numbered where they are alike.

    Parameters
    ----------
    given : list, tuple or dict
    what : str
        The parameter, for messages.
    """
    if isinstance(given, Mapping):
        named = {str(name): one for name, one in given.items()}
        if len(named) < len(given):
            raise ParameterError(f"two names of {what} read the same: {', '.join(map(repr, given))}.")
    elif isinstance(given, list | tuple):
        named = {}
        for one in given:
            name = plain = name_of_estimator(one)
            number = 1
            while name in named:
                number += 1
                name = f"{plain} ({number})"
            named[name] = one
    else:
        raise ParameterError(f"{what} must be a list or a dict of {what}; got {type(given).__name__}.")
    if len(named) < 2:
        raise ParameterError(f"a comparison needs at least two {what}; got {len(named)}.")
    return named


def without_classes(estimator: Any, classes: npt.NDArray[Any], present: Collection[Any]) -> Any:
    """The estimator for rows in which only some classes occur: what it was told of the others is left out.

    Priors, costs and weights of classes are checked against the classes of the rows, so that a fold without a rare
    class would be refused. Priors of the classes that remain keep their proportions.

    Parameters
    ----------
    classes : ndarray
        All labels in the order of the estimator's arrays.
    present : collection
        Those that occur.
    """
    if len(present) == len(classes):
        return estimator
    kept = np.array([label in present for label in classes.tolist()])
    gone = set(classes[~kept].tolist())
    changed = {}
    for name, value in estimator.get_params(deep=True).items():
        own = name.rpartition("__")[2]
        if own in _BY_CLASS and value is not None and not isinstance(value, str):
            changed[name] = _without(own, value, gone, kept)
    return clone(estimator).set_params(**changed) if changed else estimator


def _without(name: str, given: Any, gone: set[Any], kept: npt.NDArray[np.bool_]) -> Any:
    if isinstance(given, Mapping):
        left = {
            key: value
            for key, value in given.items()
            if not (gone.intersection(key) if name == "costs" and isinstance(key, tuple) else key in gone)
        }
        total = sum(left.values()) if name == "priors" else 0.0
        return {key: value / total for key, value in left.items()} if total else left
    values = np.asarray(given, dtype=np.float64)
    values = values[np.ix_(*[kept] * values.ndim)]
    return values / values.sum() if name == "priors" and values.sum() > 0 else values
