"""R's ranger and randomForest: their defaults and conventions, for forests that are as good; draws are bough's own.

Both make a leaf where all columns drawn for a node are constant, split no node of `node size` rows or fewer, and let
trees vote by majority.
"""

from collections.abc import Mapping
from typing import Any

from bough.compat.checks import is_number, pick_task, refuse, whole
from bough.errors import ParameterError
from bough.recipe import Sampling

__all__ = [
    "RANDOM_FOREST_ELSEWHERE",
    "RANDOM_FOREST_KNOWN",
    "RANGER_ELSEWHERE",
    "RANGER_KNOWN",
    "random_forest_recipe",
    "ranger_recipe",
]

RANGER_KNOWN: dict[str, Any] = {
    "num_trees": 500,
    "mtry": None,  # square root of the number of columns
    "min_node_size": None,  # 1 for classes, 5 for numbers, 10 for probabilities
    "max_depth": None,
    "replace": True,
    "sample_fraction": None,  # 1 with replacement, 0.632 without
    "splitrule": None,  # gini or variance
    "respect_unordered_factors": "order",
    "probability": False,
}
RANGER_ELSEWHERE = {
    "case_weights": "set sampling=Sampling(weights='draw') and give them to fit as sample_weight.",
    "class_weights": "set class_weight of the estimator.",
    "seed": "set random_state of the estimator.",
    "num_threads": "set n_jobs of the estimator; it changes no tree.",
    "importance": "ask the fitted estimator: importance(...).",
    "quantreg": "set keep_rows=True and ask predict_quantiles.",
}
RANDOM_FOREST_KNOWN: dict[str, Any] = {
    "ntree": 500,
    "mtry": None,  # square root of the number of columns, a third of them for numbers
    "nodesize": None,  # 1 for classes, 5 for numbers
    "replace": True,
    "sampsize": None,  # all rows with replacement, 63.2 % without
    "classwt": None,
    "maxnodes": None,
}
RANDOM_FOREST_ELSEWHERE = {
    "strata": "set sampling=Sampling(classes='stratified'), or 'balanced'.",
    "cutoff": "set costs of the estimator, which decide between the classes.",
    "importance": "ask the fitted estimator: importance(...).",
    "localImp": "ask the fitted estimator: importance(...).",
    "proximity": "ask the fitted estimator: proximity(...).",
    "keep_inbag": "bags are drawn again from the seed where somebody asks.",
    "corr_bias": "answers are not corrected afterwards.",
    "xtest": "predict after the fit.",
}


def ranger_recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of the estimator."""
    task = pick_task(task, _ruled(arguments["splitrule"]), f"splitrule={arguments['splitrule']!r}")
    probability = arguments["probability"]
    if probability and task == "regression":
        raise ParameterError("probability=True is for classification.")
    ordered = arguments["respect_unordered_factors"]
    if ordered == "ignore":
        raise refuse("respect_unordered_factors", ordered, "levels are no numbers here. Use 'order' or 'partition'.")
    if ordered not in ("order", "partition"):
        raise ParameterError(f"respect_unordered_factors must be 'order' or 'partition'; got {ordered!r}.")
    least = 10 if probability else 1 if task == "classification" else 5
    return task, {
        "n_estimators": whole("num_trees", arguments["num_trees"], 1),
        "max_features": _columns(arguments["mtry"], "sqrt"),
        "min_samples_split": _node_size("min_node_size", arguments["min_node_size"], least),
        "max_depth": whole("max_depth", arguments["max_depth"] or 0, 0) or None,
        "level_order": "forest" if ordered == "order" else "node",
        **_rows("sample_fraction", arguments["sample_fraction"], arguments["replace"]),
        **_habits(task, "mean" if probability else "majority"),
    }


def random_forest_recipe(
    task: str | None, arguments: dict[str, Any], given: frozenset[str]
) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of the estimator."""
    task = pick_task(task, None, "")
    if arguments["maxnodes"] is not None:
        raise refuse("maxnodes", arguments["maxnodes"], "it ends growth level by level; see max_leaf_nodes.")
    numbers = task == "regression"
    parameters = {
        "n_estimators": whole("ntree", arguments["ntree"], 1),
        "max_features": _columns(arguments["mtry"], 1 / 3 if numbers else "sqrt"),
        "min_samples_split": _node_size("nodesize", arguments["nodesize"], 5 if numbers else 1),
        **_rows("sampsize", arguments["sampsize"], arguments["replace"]),
        **_habits(task, "majority"),
    }
    if arguments["classwt"] is not None:
        if numbers:
            raise ParameterError("classwt is for classification.")
        parameters["priors"] = _priors(arguments["classwt"])
    return task, parameters


def _priors(given: Any) -> Any:
    """Weights of classes as priors: they need not sum to 1."""
    weights = list(given.values()) if isinstance(given, Mapping) else list(given)
    if not weights or not all(is_number(one) and one > 0 for one in weights):
        raise ParameterError(f"classwt must hold a positive number for each class; got {given!r:.80}.")
    shares = [one / sum(weights) for one in weights]
    return dict(zip(given, shares, strict=True)) if isinstance(given, Mapping) else shares


def _ruled(rule: Any) -> str | None:
    """The task that a split rule implies."""
    if rule is None:
        return None
    if rule == "extratrees":
        raise refuse("splitrule", rule, "use ExtraTreesClassifier or ExtraTreesRegressor.")
    if rule not in ("gini", "variance"):
        raise refuse("splitrule", rule, "choose 'gini' or 'variance'.")
    return "classification" if rule == "gini" else "regression"


def _columns(mtry: Any, default: str | float) -> int | str | float:
    return default if mtry is None else whole("mtry", mtry, 1)


def _node_size(name: str, given: Any, default: int) -> int:
    """The least node that is split, from the largest that is not."""
    return max(2, 1 + whole(name, default if given is None else given, 0))


def _rows(name: str, given: Any, replace: Any) -> dict[str, Any]:
    """How rows are drawn; without replacement 63.2 % of them, about what a bootstrap holds of different rows."""
    if not isinstance(replace, bool):
        raise ParameterError(f"replace must be True or False; got {replace!r}.")
    if given is not None and (not is_number(given) or given <= 0):
        raise ParameterError(f"{name} must be a share of the rows or, for sampsize, their number; got {given!r}.")
    if replace:
        return {} if given is None else {"max_samples": given}
    return {"sampling": Sampling(replacement=False, share=0.632 if given is None else given)}


def _habits(task: str, vote: str) -> dict[str, Any]:
    """What both programs do: constant columns count as looked at, missing values are refused, trees vote."""
    classes = {"vote": vote} if task == "classification" else {}
    return {"constant_columns": "count", "missing": "refuse", **classes}
