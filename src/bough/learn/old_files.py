"""Parameters as files before format 1.3 tell them, in today's words, so that a fit with them grows as it did then.

What a file of format 1.0 says of parity with other programs, in a parameter for each habit, is said by parts today; and
what a parameter meant, if it means something else by now, is said in full, or warned of where it can no longer be had.
Values are moved, not judged: whoever reads the parameters judges them, and refuses a wrong one as in any other file.
"""

import warnings
from collections.abc import Mapping
from typing import Any

from bough.errors import DataWarning
from bough.recipe.registry import NAMES

__all__ = ["modern"]

Params = dict[str, Any]

_READING = ("class_order", "unused_classes", "unused_levels", "empty_rows")
_CART_SEARCH = {
    "threshold": "threshold",
    "threshold_side": "side",
    "ties": "ties",
    "branch_order": "branch_order",
    "zero_gain": "zero_gain",
    "max_competitors": "max_competitors",
}
_SURROGATES = {
    "missing": "routing",
    "fallback": "fallback",
    "max_surrogates": "max_surrogates",
    "surrogate_direction": "direction",
    "surrogate_filter": "filter",
    "surrogate_base": "base",
    "min_surrogate_leaf": "min_samples",
    "surrogate_sets": "sets",
    "majority": "majority",
    "discount_missing": "discount",
}
_INFORMATION = ("choice", "threshold_penalty", "many_valued_share", "rules")
_C45_SEARCH = ("threshold", "value_gap", "tolerance", "max_competitors")
# Arguments of parts that were renamed.
_ARGUMENTS = {
    "min_rows": {
        "rows": "min_samples_split",
        "leaf": "min_samples_leaf",
        "fraction": "min_weight_fraction_leaf",
        "numeric": "numeric_minimum",
    },
    "max_depth": {"depth": "max_depth"},
    "max_leaves": {"leaves": "max_leaf_nodes"},
    "min_decrease": {"decrease": "min_impurity_decrease"},
    "validation": {"rule": "strict"},
    "reduced_error": {"rule": "strict"},
    "merge_leaves": {"threshold": "max_increase"},
    "cost_complexity": {"complexity": "method"},
    "cross_validated": {"complexity": "method"},
    "surrogates": {"most": "max_surrogates", "least": "min_samples"},
    "merged": {"bins": "n_bins"},
}
_VALUES: dict[tuple[str, str], dict[str, Any]] = {
    ("validation", "strict"): {"strict": True, "not_worse": False},
    ("reduced_error", "strict"): {"strict": True, "not_worse": False},
    ("surrogates", "routing"): {"surrogate": "surrogates"},
}


def modern(kind: Any, params: Params, version: tuple[int, int]) -> Params:
    """The parameters of an estimator in a file, as JSON; what is new already stays as it is.

    Parameters
    ----------
    kind : class of the estimator
    params : dict
    version : tuple of int
        The format of the file.

    Returns
    -------
    dict
    """
    return params if version >= (1, 3) else _as_it_grew(kind, _named(kind, params))


def _named(kind: Any, params: Params) -> Params:
    """The parameters under today's names."""
    name = kind.__name__
    if "reading" in params:
        return params
    if name.startswith("CART") and "complexity" in params and not {"search", "branching"} & set(params):
        return _cart(kind, params)
    if name.startswith("C45") and "rules" in params and not {"search", "branching"} & set(params):
        return _c45(kind, params)
    if name.startswith("Tree"):
        params = _tree(params)
    given = dict(params)
    reading = _take(given, _READING)
    return {**given, "reading": _told(kind, "reading", "reading", reading)} if reading else given


def _as_it_grew(kind: Any, params: Params) -> Params:
    """With what was meant by saying nothing: before 1.3 every tree stopped where nothing was gained."""
    name = kind.__name__
    if name.startswith("ID3") and "search" not in params:
        return {**params, "search": _part("exhaustive", {"zero_gain": False})}
    if not name.startswith("Tree"):
        return params
    rules = [_global_criterion(rule) for rule in _members(params.get("stopping"))]
    given = {**params, "stopping": rules} if rules != _members(params.get("stopping")) else dict(params)
    search = given.get("search", "exhaustive")
    if isinstance(search, str) and (not rules or "error_threshold" in [_name(rule) for rule in rules]):
        given["search"] = _part(search, {"zero_gain": False})
    return given


def _global_criterion(rule: Any) -> Any:
    """A rule of stopping; the one that compares whole trees today judged split by split, which no fit does now."""
    if _name(rule) != "global_criterion":
        return rule
    warnings.warn(
        "the file was written when GlobalCriterion judged one split at a time. Now it compares whole trees, and "
        "weighted=True counts shares of the rows: this model answers as it did, but a new fit with its parameters "
        "may grow another tree.",
        DataWarning,
        stacklevel=2,
    )
    return _part("global_criterion", {"alpha": 0.1, "size": "leaves"}) if isinstance(rule, str) else rule


def _cart(kind: Any, params: Params) -> Params:
    given = dict(params)
    if given.pop("cost_use", None) == "weighted_gini" and given.get("criterion") == "gini":
        given["criterion"] = "weighted_gini"
    given["branching"] = _told(kind, "branching", "binary", _take(given, ("subsets",)))
    search = _take(given, _CART_SEARCH)
    if search.get("zero_gain") is False:
        del search["zero_gain"]  # as it is by itself
    given["search"] = _told(kind, "search", "exhaustive", search)
    given["reading"] = _told(kind, "reading", "reading", _take(given, _READING))
    given["missing"] = _told(kind, "missing", "surrogates", _values("surrogates", _take(given, _SURROGATES)))
    folds, cp = _take(given, ("rule", "cv")), given.get("pruning", 0.01)
    method = _take(given, {"complexity": "method"})
    if cp == "cv":
        given["pruning"] = _told(kind, "pruning", "cross_validated", {**folds, **method, "risk": "error"})
    elif method != {"method": "weakest_link"}:
        given["pruning"] = _part("cost_complexity", {"cp": cp, **method})
    return given


def _c45(kind: Any, params: Params) -> Params:
    given = dict(params)
    later = given.get("rules") == "c50"
    by = given.get("criterion", "gain_ratio")
    information = _take(given, _INFORMATION)
    if by == "entropy":
        information.pop("rules")
    if by in ("gain_ratio", "entropy"):
        given["criterion"] = _told(kind, "criterion", by, information)
    binary, grouped = given.pop("binary", False), given.pop("subsets", False)
    if grouped:
        given["branching"] = _told(kind, "branching", "grouped", {"declared": later})
    elif binary:
        given["branching"] = "one_level"
    given["search"] = _told(kind, "search", "exhaustive", _take(given, _C45_SEARCH))
    if given.pop("laplace", False):
        given["leaf"] = "laplace"
    if later:
        given["absent"] = "stop"
    given["reading"] = _told(kind, "reading", "reading", _take(given, _READING))
    return _c45_pruning(kind, given, later)


def _c45_pruning(kind: Any, given: Params, later: bool) -> Params:
    cutting = _take(given, ("raising", "collapse", "global_pruning"))
    if cutting.get("raising") is True:
        cutting["raising"] = "auto"  # which it is where cases go down every branch
    reduced = _values("reduced_error", _take(given, {"holdout": "holdout", "rule": "strict"}))
    if reduced.get("holdout") == 3:
        reduced["holdout"] = None
    how = given.get("pruning", "error_based")
    if how == "error_based":
        given["pruning"] = _told(kind, "pruning", how, {**cutting, "regrow": later})
        return given
    given.pop("confidence", None)
    if how == "reduced_error":
        given["pruning"] = _told(kind, "pruning", how, reduced)
    elif how is None and cutting.get("collapse", True):
        given["pruning"] = _part("error_based", {"confidence": None})
    return given


def _tree(params: Params) -> Params:
    """The slots of the open framework, with the arguments of their parts renamed."""
    given = {slot: _renamed(value) for slot, value in params.items()}
    for part in _members(given.get("stopping")):
        arguments = part.get("params") if _name(part) == "min_decrease" and isinstance(part, dict) else None
        if isinstance(arguments, dict) and arguments.pop("zero_gain", False) is True:
            search = given.get("search", "exhaustive")
            if isinstance(search, str):
                given["search"] = _part(search, {"zero_gain": True})
            elif isinstance(search, dict) and isinstance(search.get("params"), dict):
                search["params"]["zero_gain"] = True
    return given


def _members(value: Any) -> list[Any]:
    """The parts of a slot, which may hold one, several or none."""
    if isinstance(value, dict) and "tuple" in value:
        value = value["tuple"]
    return value if isinstance(value, list) else [] if value is None else [value]


def _name(value: Any) -> Any:
    """The name of a part, alone or with its arguments."""
    return value.get("name") if isinstance(value, dict) else value


def _renamed(value: Any) -> Any:
    """A part with new names of its arguments; lists of parts too, and no deeper."""
    if isinstance(value, list):
        return [_renamed_part(member) for member in value]
    if isinstance(value, dict) and isinstance(value.get("tuple"), list):
        return {**value, "tuple": [_renamed_part(member) for member in value["tuple"]]}
    return _renamed_part(value)


def _renamed_part(value: Any) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get("params"), dict):
        return value
    name = value.get("name")
    new = _ARGUMENTS.get(name, {}) if isinstance(name, str) else {}
    arguments = {new.get(argument, argument): given for argument, given in value["params"].items()}
    return {**value, "params": _values(str(name), arguments)}


def _values(name: str, arguments: Params) -> Params:
    """Arguments of a part with the new words for what they say."""
    told = dict(arguments)
    for argument, given in arguments.items():
        words = _VALUES.get((name, argument))
        if words is not None and isinstance(given, str):
            told[argument] = words.get(given, given)
    return told


def _take(given: Params, names: Mapping[str, str] | tuple[str, ...]) -> Params:
    """Take parameters out, under the names that they have as arguments of a part."""
    renamed = names if isinstance(names, Mapping) else dict(zip(names, names, strict=True))
    return {new: given.pop(old) for old, new in renamed.items() if old in given}


def _told(kind: Any, slot: str, name: str, arguments: Params) -> Any:
    """A part as an estimator tells it: by its name where that stands for the same arguments."""
    part = {**NAMES[name]().get_params(deep=False), **arguments}
    if slot == "reading":
        meant: Params = NAMES[name]().get_params(deep=False)
    else:
        meant = kind.answers[slot][name].get_params(deep=False)
    return (None if slot == "reading" else name) if _same(part, meant) else _part(name, arguments)


def _part(name: str, arguments: Params) -> Params:
    """A part in a file, without the arguments that have their default."""
    plain = NAMES[name]().get_params(deep=False) if name in NAMES else {}
    differ = {key: value for key, value in arguments.items() if key not in plain or not _equal(value, plain[key])}
    return {"name": name, "params": differ}


def _same(one: Params, other: Params) -> bool:
    return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)


def _equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
