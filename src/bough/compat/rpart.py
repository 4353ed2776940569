"""R's rpart (4.1): recursive partitioning for classes (`method="class"`) and numbers (`method="anova"`).

What parity needs, and what is deliberately left out, is listed in docs/algorithms/cart.md.
"""

from typing import Any

from bough.compat.checks import choice, is_number, pick_task, refuse, whole
from bough.errors import ParameterError
from bough.recipe import Binary, CostComplexity, Exhaustive, Reading, Surrogates

__all__ = ["ELSEWHERE", "KNOWN", "recipe"]

KNOWN: dict[str, Any] = {
    "cp": 0.01,
    "minsplit": 20,
    "minbucket": None,  # a third of minsplit
    "maxdepth": 30,
    "maxcompete": 4,
    "maxsurrogate": 5,
    "usesurrogate": 2,
    "surrogatestyle": 0,
    "xval": 0,
    "method": None,
    "split": "gini",
    "prior": None,
    "loss": None,
    "cost": None,
}

ELSEWHERE = {
    "weights": "give them to fit(X, y, sample_weight=...).",
    "control": "give its entries as arguments, as in like('rpart', cp=0.001).",
    "parms": "give its entries as arguments, as in like('rpart', split='information').",
    "formula": "give the inputs and the target to fit(X, y).",
    "data": "give the inputs and the target to fit(X, y).",
    "subset": "give the chosen rows to fit(X, y).",
}

_METHODS = {"class": "classification", "anova": "regression"}

# Habits that no argument of rpart changes.
_SEARCH: dict[str, Any] = {"side": "lt", "ties": "rounding", "branch_order": "response"}
_SURROGATES: dict[str, Any] = {"sets": "two_disagree", "majority": "routed"}
_READING = {"unused_levels": "absent", "empty_rows": "drop_unweighted", "fractional_weights": "as_given"}


def recipe(task: str | None, arguments: dict[str, Any], given: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The task and the parameters of the estimator; an argument that is None has its default."""
    given = frozenset(name for name in given if arguments[name] is not None)
    arguments = {name: KNOWN[name] if value is None else value for name, value in arguments.items()}
    task = _task(task, arguments["method"])
    minsplit, minbucket = _minima(arguments, given)
    parameters: dict[str, Any] = {
        "branching": Binary(subsets="exact"),
        "search": Exhaustive(**_SEARCH, max_competitors=whole("maxcompete", arguments["maxcompete"], 0)),
        "pruning": CostComplexity(_cp(arguments["cp"]), method="accounts", cv=_xval(arguments["xval"])),
        "min_samples_split": max(2, minsplit),
        "min_samples_leaf": minbucket,
        "max_depth": whole("maxdepth", arguments["maxdepth"], 1, 30),
        "count_by": "rows",
        "feature_costs": arguments["cost"],
        "missing": _missing(arguments),
        "unseen": "error",
        "reading": Reading(**_READING),
    }
    if parameters["missing"].max_surrogates == 2:
        raise refuse(
            "maxsurrogate",
            2,
            "a full list of two loses both when a better surrogate comes, which is not copied. Use 1 or 3, or "
            "set_params(missing__max_surrogates=2).",
        )
    if task == "classification":
        parameters |= _classes(arguments)
    else:
        for name in ("split", "prior", "loss"):
            if name in given:
                raise ParameterError(f"{name} is for classification: rpart's method 'anova' has no use for it.")
    return task, parameters


def _task(task: str | None, method: Any) -> str:
    if method is None:
        return pick_task(task, None, "")
    if method in ("poisson", "exp"):
        raise refuse("method", method, "counts and survival times are not modelled. Use 'class' or 'anova'.")
    if not isinstance(method, str) or method not in _METHODS:
        raise refuse("method", method, "only rpart's own methods 'class' and 'anova' are.")
    return pick_task(task, _METHODS[method], f"method={method!r}")


def _minima(arguments: dict[str, Any], given: frozenset[str]) -> tuple[int, int]:
    """The two minima; either follows from the other if it is not given."""
    if "minbucket" in given and "minsplit" not in given:
        minbucket = whole("minbucket", arguments["minbucket"], 1)
        return 3 * minbucket, minbucket
    minsplit = whole("minsplit", arguments["minsplit"], 0)
    if arguments["minbucket"] is None:
        return minsplit, max(1, round(float(arguments["minsplit"]) / 3))
    return minsplit, whole("minbucket", arguments["minbucket"], 1)


def _cp(cp: Any) -> float | None:
    """Below zero every split is worth its price."""
    if not is_number(cp):
        raise ParameterError(f"cp must be a number; got {cp!r}.")
    return None if cp < 0 else float(cp)


def _xval(xval: Any) -> int | None:
    """Folds that fill in two columns of the path and never change the tree; 0: none."""
    folds = whole("xval", xval, 0)
    if folds == 1:
        raise refuse("xval", 1, "one fold leaves no rows to grow on. Use 0 or at least 2.")
    return folds or None


def _missing(arguments: dict[str, Any]) -> Surrogates:
    uses = choice("usesurrogate", arguments["usesurrogate"], (0, 1, 2))
    return Surrogates(
        max_surrogates=whole("maxsurrogate", arguments["maxsurrogate"], 0),
        routing="stop" if uses == 0 else "surrogates",
        fallback="majority" if uses == 2 else "stop",
        base=("known", "joint")[choice("surrogatestyle", arguments["surrogatestyle"], (0, 1))],
        **_SURROGATES,
    )


def _classes(arguments: dict[str, Any]) -> dict[str, Any]:
    split = choice("split", arguments["split"], ("gini", "information"))
    return {
        "criterion": "entropy" if split == "information" else "gini",
        "priors": arguments["prior"],
        "costs": arguments["loss"],
        "reading": Reading(class_order="declared", **_READING),
    }
