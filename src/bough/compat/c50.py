"""Quinlan's C5.0 (release 2.07, by R's package C50): one tree, as its records show it to be grown and pruned.

What the rules were read from, and where trees differ, is listed in docs/algorithms/c50.md.
"""

from typing import Any

from bough.compat.checks import is_number, pick_task, refuse, whole
from bough.errors import ParameterError
from bough.recipe import ErrorBased, GainRatio, Grouped, PerLevel, Reading

__all__ = ["ELSEWHERE", "KNOWN", "recipe"]

# As in C5.0Control, where bough has it or can say why not.
KNOWN: dict[str, Any] = {
    "subset": True,
    "CF": 0.25,
    "minCases": 2,
    "noGlobalPruning": False,
    "trials": 1,
    "rules": False,
    "bands": 0,
    "winnow": False,
    "fuzzyThreshold": False,
    "sample": 0.0,
    "earlyStopping": True,
}
ELSEWHERE = {
    "x": "give the inputs and the target to fit(X, y).",
    "y": "give the inputs and the target to fit(X, y).",
    "weights": "give sample_weight to fit.",
    "costs": "C5.0 with costs is not imitated.",
    "seed": "only sampling and winnowing draw rows, which are not imitated.",
    "label": "it names the outcome in what C5.0 prints.",
    "control": "give the arguments of C5.0Control themselves.",
}
_REFUSED = {
    "trials": "boosting makes several trees; this is one.",
    "rules": "rule sets are not imitated.",
    "bands": "it is for rule sets.",
    "winnow": "winnowing is not imitated: choose the columns before.",
    "fuzzyThreshold": "soft thresholds are not imitated.",
    "sample": "give the rows to grow on to fit.",
}


def recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of C45Classifier."""
    arguments = {name: KNOWN[name] if value is None else value for name, value in arguments.items()}
    for name, reason in _REFUSED.items():
        if arguments[name] != KNOWN[name]:
            raise refuse(name, arguments[name], reason)
    confidence = arguments["CF"]
    if not is_number(confidence) or not 0 < confidence < 1:
        raise ParameterError(f"CF must be a number between 0 and 1; got {confidence!r}.")
    for name in ("subset", "noGlobalPruning", "earlyStopping"):
        if not isinstance(arguments[name], bool):
            raise ParameterError(f"{name} must be True or False; got {arguments[name]!r}.")
    return pick_task(task, "classification", "'C5.0'"), {
        "criterion": GainRatio(rules="c50"),
        "branching": Grouped(declared=True) if arguments["subset"] else PerLevel(declared=True),
        "min_samples_leaf": whole("minCases", arguments["minCases"], 1),
        "pruning": ErrorBased(regrow=True, global_pruning=not arguments["noGlobalPruning"]),
        "confidence": float(confidence),
        "absent": "stop",
        "reading": Reading(class_order="declared"),
    }
