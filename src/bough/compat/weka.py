"""Weka's J48, PART and JRip (3.9; `R` of J48 as in 3.6) and Id3 (3.6): C4.5 release 8, PART, RIPPER and ID3 with
Weka's habits.

What parity needs, and what is deliberately left out, is listed in docs/algorithms/c45.md and id3.md.
"""

from typing import Any

import numpy as np

from bough.compat.checks import is_number, pick_task, refuse, whole
from bough.errors import ParameterError
from bough.recipe import ErrorBased, Exhaustive, GainRatio, JavaDraws, Reading, ReducedError

__all__ = [
    "ID3_KNOWN",
    "J48_ELSEWHERE",
    "J48_KNOWN",
    "JRIP_ELSEWHERE",
    "JRIP_KNOWN",
    "PART_ELSEWHERE",
    "PART_KNOWN",
    "id3_recipe",
    "j48_recipe",
    "jrip_recipe",
    "part_recipe",
]

J48_KNOWN: dict[str, Any] = {
    "C": 0.25,
    "M": 2,
    "U": False,
    "B": False,
    "S": False,
    "R": False,
    "N": 3,
    "Q": 1,
    "A": False,
    "J": False,
    "O": False,
    "doNotMakeSplitPointActualValue": False,
}
J48_ELSEWHERE = {
    "L": "it keeps the training rows in the tree and changes no result.",
    "t": "give the inputs and the target to fit(X, y).",
}
ID3_KNOWN: dict[str, Any] = {}
JRIP_KNOWN: dict[str, Any] = {"F": 3, "N": 2.0, "O": 2, "S": 1, "E": False, "P": False}
JRIP_ELSEWHERE = {
    "D": "it prints how rules come about and changes none.",
    "t": J48_ELSEWHERE["t"],
}

PART_KNOWN: dict[str, Any] = {
    "C": 0.25,
    "M": 2,
    "U": False,
    "B": False,
    "J": False,
    "doNotMakeSplitPointActualValue": False,
}
PART_ELSEWHERE = {
    "R": "reduced-error pruning of partial trees is not imitated.",
    "N": "it belongs to R, reduced-error pruning, which is not imitated.",
    "Q": "the seed belongs to R, reduced-error pruning, which is not imitated.",
    "t": J48_ELSEWHERE["t"],
}

# Habits that no option of J48 changes.
_SEARCH: dict[str, Any] = {"tolerance": 1e-6, "value_gap": 1e-5}
_READING = {"class_order": "declared", "unused_classes": "keep", "fractional_weights": "as_given"}


def j48_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of C45Classifier."""
    task = _classes_only("J48", task)
    arguments = {name: J48_KNOWN[name] if value is None else value for name, value in arguments.items()}
    given = frozenset(name for name in given if arguments[name] != J48_KNOWN[name])
    flags = {name: _flag(name, arguments[name]) for name, value in J48_KNOWN.items() if value is False}
    _refuse_conflicts(flags, arguments, given)
    threshold = "midpoint" if flags["doNotMakeSplitPointActualValue"] else "data_value"
    return task, {
        "criterion": GainRatio(threshold_penalty=False) if flags["J"] else "gain_ratio",
        "branching": "one_level" if flags["B"] else "per_level",
        "search": Exhaustive(threshold=threshold, **_SEARCH),
        "leaf": "laplace" if flags["A"] else "majority",
        "min_samples_leaf": whole("M", arguments["M"], 1),
        **_pruning(flags, arguments),
        "unseen": "stop",
        "reading": Reading(**_READING),
    }


def _pruning(flags: dict[str, bool], arguments: dict[str, Any]) -> dict[str, Any]:
    confidence = _confidence(arguments["C"])
    if flags["R"]:
        return {"pruning": ReducedError(holdout=whole("N", arguments["N"], 2))}
    if flags["U"]:  # what is no better on the training rows is collapsed even so
        return {"pruning": None if flags["O"] else ErrorBased(confidence=None)}
    plain = not (flags["S"] or flags["O"])
    pruning = "error_based" if plain else ErrorBased(raising=not flags["S"], collapse=not flags["O"])
    return {"pruning": pruning, "confidence": confidence}


def id3_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of ID3Classifier."""
    return _classes_only("Id3", task), {
        "bins": None,
        "search": Exhaustive(zero_gain=False),
        "reading": Reading(**_READING),
    }


def jrip_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of RIPPERClassifier."""
    task = _classes_only("JRip", task)
    if not is_number(arguments["N"]) or not arguments["N"] >= 0:
        raise ParameterError(f"N must be a number of at least 0; got {arguments['N']!r}.")
    return task, {
        "k": whole("O", arguments["O"], 0),
        "gain": "laplace",
        "prune_value": "laplace",
        "max_error": None if _flag("E", arguments["E"]) else 0.5,
        "prune": not _flag("P", arguments["P"]),
        "min_positive": float(arguments["N"]),
        "folds": whole("F", arguments["F"], 2),
        "allow": ("=", "<=", ">"),
        "cut_at": "data_value",
        "reading": Reading(**_READING),
        "draws": JavaDraws(whole("S", arguments["S"], -(2**31))),
    }


def part_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of PARTClassifier."""
    flags = {name: _flag(name, arguments[name]) for name, value in PART_KNOWN.items() if value is False}
    if flags["U"] and arguments["C"] != 0.25:
        raise ParameterError("C is the confidence of pruning, which U switches off.")
    return _classes_only("PART", task), {
        "min_samples_leaf": whole("M", arguments["M"], 1),
        "pruning": None if flags["U"] else "error_based",
        "confidence": _confidence(arguments["C"]),
        "branching": "one_level" if flags["B"] else "per_level",
        "cut_at": "midpoint" if flags["doNotMakeSplitPointActualValue"] else "data_value",
        "threshold_penalty": not flags["J"],
        "tolerance": 1e-6,
        "value_gap": 1e-5,
        "reading": Reading(**_READING),
    }


def _classes_only(program: str, task: str | None) -> str:
    return pick_task(task, "classification", f"{program!r}")


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} must be True or False; got {value!r}.")
    return bool(value)


def _confidence(value: Any) -> float:
    """Weka keeps the confidence in 32 bits."""
    if not is_number(value) or not 0 < value < 1:
        raise ParameterError(f"C must be a number between 0 and 1; got {value!r}.")
    return float(np.float32(value))


def _refuse_conflicts(flags: dict[str, bool], arguments: dict[str, Any], given: frozenset[str]) -> None:
    """What J48 refuses itself, and the seed, which here has nothing to choose."""
    for one, other in (("U", "S"), ("U", "R")):
        if flags[one] and flags[other]:
            raise ParameterError(f"{one} and {other} contradict each other: an unpruned tree is not pruned. Give one.")
    for name in ("U", "R"):
        if flags[name] and arguments["C"] != 0.25:
            raise ParameterError(f"C is the confidence of error-based pruning, which {name} switches off.")
    for name in ("N", "Q"):
        if name in given and not flags["R"]:
            raise ParameterError(f"{name} is for reduced-error pruning: it needs R=True.")
    if arguments["Q"] != 1:
        raise refuse("Q", arguments["Q"], "the seed shuffles the rows to grow on, which changes no tree. Leave it out.")
