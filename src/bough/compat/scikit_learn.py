"""scikit-learn's DecisionTreeClassifier and DecisionTreeRegressor, for complete numeric data.

Equal up to ties: scikit-learn breaks them by chance. It also reads numbers as 32-bit floats, which bough does not.
"""

from typing import Any

from bough.compat.checks import pick_task, refuse
from bough.errors import ParameterError
from bough.recipe import Exhaustive, Reading

__all__ = ["ELSEWHERE", "KNOWN", "recipe"]

KNOWN: dict[str, Any] = {
    "criterion": None,  # gini or squared_error
    "splitter": "best",
    "max_depth": None,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_weight_fraction_leaf": 0.0,
    "max_features": None,
    "max_leaf_nodes": None,
    "min_impurity_decrease": 0.0,
    "class_weight": None,
    "ccp_alpha": 0.0,
    "monotonic_cst": None,
}

ELSEWHERE = {
    "random_state": "nothing is random here; candidates of equal gain are told apart by rule, the first column first.",
}

_CRITERIA = {
    "gini": ("classification", "gini"),
    "entropy": ("classification", "entropy"),
    "log_loss": ("classification", "entropy"),
    "squared_error": ("regression", "squared_error"),
    "absolute_error": ("regression", "absolute_error"),
}
_DEFAULTS = {"classification": "gini", "regression": "squared_error"}

# Passed on under the same name, with the same meaning.
_SAME = (
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_leaf_nodes",
    "min_impurity_decrease",
)


def recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of the estimator."""
    task, criterion = _criterion(task, arguments["criterion"])
    _refuse(arguments, task)
    parameters: dict[str, Any] = {
        "criterion": criterion,
        **{name: arguments[name] for name in _SAME},
        "count_by": "all_rows",
        "search": Exhaustive(zero_gain=True, max_competitors=0),
        "pruning": None,
        "missing": "majority_branch",
        "reading": Reading(fractional_weights="as_given"),
    }
    if task == "classification":
        parameters["class_weight"] = _class_weight(arguments["class_weight"])
    elif arguments["class_weight"] is not None:
        raise ParameterError("class_weight is for classification.")
    return task, parameters


def _criterion(task: str | None, criterion: Any) -> tuple[str, str]:
    if criterion is None:
        task = pick_task(task, None, "")
        return task, _DEFAULTS[task]
    if not isinstance(criterion, str) or criterion not in _CRITERIA:
        raise refuse("criterion", criterion, f"choose one of {', '.join(map(repr, _CRITERIA))}.")
    implied, name = _CRITERIA[criterion]
    return pick_task(task, implied, f"criterion={criterion!r}"), name


def _class_weight(given: Any) -> Any:
    """scikit-learn balances the classes by their rows, those of weight 0 too, before it looks at weights."""
    if not isinstance(given, str):
        return given
    if given != "balanced":
        raise ParameterError(f"class_weight must be 'balanced', a mapping or None; got {given!r}.")
    return "balanced_rows"


def _refuse(arguments: dict[str, Any], task: str) -> None:
    """What scikit-learn does otherwise, in a sentence each."""
    if arguments["splitter"] != "best":
        raise refuse("splitter", arguments["splitter"], "thresholds are searched, not drawn. Use 'best'.")
    if arguments["max_features"] is not None:
        raise refuse("max_features", arguments["max_features"], "every node looks at all columns. Use None.")
    if arguments["ccp_alpha"] != 0:
        why = "scikit-learn measures a subtree by impurity, bough by what its answers cost; prune with pruned(cp=...)."
        if task == "regression":
            why = "it is in units of y, known after the fit only: grow first, then call pruned(alpha=...)."
        raise refuse("ccp_alpha", arguments["ccp_alpha"], why)
    if arguments["monotonic_cst"] is not None:
        why = (
            "scikit-learn cuts answers off at their bounds, bough refuses splits that would need that. Use "
            "CARTClassifier(monotonic_cst=...) or CARTRegressor(monotonic_cst=...)."
        )
        raise refuse("monotonic_cst", arguments["monotonic_cst"], why)
    if arguments["class_weight"] is None:
        return
    for name in ("min_weight_fraction_leaf", "min_impurity_decrease"):
        if arguments[name] != 0:
            raise refuse(
                name, arguments[name], "with class_weight scikit-learn counts classes by their weight there, bough not."
            )
