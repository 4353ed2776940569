"""Every way to prune a grown tree, under one roof: a kernel tree and what it was grown from in, a smaller one and the
log of what was cut out. The parts of `pruning.py` call them in a fit, and say which of them need rows; what arguments
mean that a part has too, its docstring says. Those that need no rows take a `growth` for the sake of the others.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.docstrings import with_texts
from bough.errors import ParameterError
from bough.model import PruningLog
from bough.model.node_risk import MEASURES, node_risk
from bough.model.routing import STOP
from bough.recipe import parameters as check
from bough.recipe.work import Growth, Progress, Pruned

__all__ = [
    "cut_weak",
    "description_bits",
    "error_options",
    "merge_leaves",
    "of_size",
    "prune_by_description",
    "prune_by_size",
    "prune_cost_complexity",
    "prune_error_based",
    "prune_insignificant",
    "reduce_errors",
    "significance_options",
    "size_options",
]

# What nodes are pruned by, in the words of a log.
_NAMES = {"brier": "Brier score", "deviance": "deviance", "evidence": "evidence (-2 log marginal likelihood)"}


def prune_cost_complexity(
    kernel: Any,
    growth: Growth | None = None,
    *,
    cp: float | None = math.inf,
    measure: str = "weakest_link",
    row: float = 1.0,
) -> Pruned:
    """Cut the nodes of relative complexity up to `cp`, the weakest first; None cuts nothing.

    `measure` says how the complexities of the tree were counted, `row` what one row weighs.
    """
    if cp is None:
        return kernel, PruningLog.nothing(kernel)
    risk = node_risk(kernel, check.choice("measure", measure, list(MEASURES)), row)
    level = math.inf if cp == math.inf else check.share("cp", cp, 0.0, math.inf) * float(risk[0])
    return cut_weak(kernel, level, measure=measure, risk=risk)


def cut_weak(
    kernel: Any,
    level: float,
    *,
    measure: str = "weakest_link",
    risk: npt.NDArray[np.float64] | None = None,
    chosen: str = "",
    grown: str = "",
    pruner: str = "cost_complexity",
) -> Pruned:
    """Cut the nodes of complexity up to `level`, in the unit of the risk of nodes.

    Parameters
    ----------
    kernel : Tree of the kernel
    level : float
    measure : str, default="weakest_link"
        How its complexities were counted.
    risk : ndarray, optional
        What `node_risk` says of the nodes, where it is known already.
    chosen, grown, pruner : str
        For the log: who chose the level, what growing did about it already, and the name of the way to prune.
    """
    risk = node_risk(kernel, measure) if risk is None else risk
    tree, steps = _core.prune_cost_complexity(kernel, level, measure == "accounts", risk)
    name = _NAMES.get(measure, "training risk") if kernel.is_classifier else "training risk"
    why = f"a split must lower the {name} by more than {level:.6g} for each leaf it adds"
    if risk[0] > 0:
        why += f" (cp={level / risk[0]:.6g}{chosen})"
    why += grown
    log = PruningLog.of_steps(pruner, name, kernel, steps, why)
    return tree, dataclasses.replace(
        log, cut_at=float(level / risk[0]) if risk[0] > 0 and math.isfinite(level) else None
    )


def merge_leaves(
    kernel: Any,
    growth: Growth | None = None,
    *,
    max_increase: float = math.inf,
    weighted: bool = False,
    max_leaves: int = 1,
) -> Pruned:
    """Join sibling leaves as `MergeLeaves` does, until no more than `max_leaves` are left."""
    options = {
        "most": math.inf if max_increase == math.inf else check.share("max_increase", max_increase, 0.0, math.inf),
        "by_weight": check.flag("weighted", weighted),
        "leaves": check.whole("max_leaves", max_leaves, 1),
    }
    tree, steps = _core.merge_leaves(kernel, options)
    return tree, PruningLog.of_steps("merge_leaves", "impurity", kernel, steps)


def prune_by_size(
    kernel: Any,
    growth: Growth | None = None,
    *,
    alpha: float = 0.01,
    size: str = "nodes",
    weighted: bool = False,
) -> Pruned:
    """The subtree whose size and impure leaves cost least together, as `SizePenalty` counts."""
    tree, steps = _core.prune_size_penalty(kernel, size_options(alpha, size, weighted, str))
    why = f"impurities of the leaves{' by their share of the rows' if weighted else ''} + {alpha:.6g} x {size}"
    return tree, PruningLog.of_steps("size_penalty", "J", kernel, steps, f"J = {why}")


# Marks parts with the arguments of `size_options`, for which `{size}` is in their docstrings.
of_size = with_texts(
    size="""\
alpha : float, default=0.01
    What one unit of size costs, in the unit of the impurity.
size : {"nodes", "links", "leaves"}, default="nodes"
    What is counted: the texts say nodes or links. Links are all nodes but the root, which does not change the
    choice; a binary tree of L leaves has 2 L - 1 nodes, so that alpha for leaves is twice as large.
"""
)


def size_options(alpha: float, size: str, weighted: bool, label: Callable[[str], str]) -> dict[str, Any]:
    """The kernel's options of the global criterion; `label` gives the names that errors call the arguments by."""
    return {
        "size_penalty": check.share(label("alpha"), alpha, 0.0, math.inf),
        "size_unit": check.choice(label("size"), size, ["nodes", "links", "leaves"]),
        "size_weighted": check.flag(label("weighted"), weighted),
    }


def prune_insignificant(
    kernel: Any,
    growth: Growth,
    *,
    level: float = 0.05,
    test: str = "pearson",
    bonferroni: bool = False,
    progress: Progress = None,
) -> Pruned:
    """Cut subtrees none of whose splits is significant by the rows of `growth`, as `SignificantSplits` does."""
    asked = significance_options(level, test, bonferroni, str)
    if asked["test"] == "one_sided" and not kernel.is_classifier:
        raise ParameterError("test='one_sided' is for classes; numbers are tested by Fisher's F: test='pearson'.")
    if asked["test"] == "one_sided" and (np.diff(kernel.child_begin) > 2).any():
        raise ParameterError(
            "test='one_sided' compares two branches, and the tree has a split of more: leave test to 'pearson'."
        )
    options = {
        "level": asked["level"],
        "significance_test": asked["test"],
        "paid": float(growth.ranked.n_columns) if asked["bonferroni"] else 1.0,
    }
    fields = growth.fields(growth.grown_on(growth.weights))
    tree, steps = _core.prune_insignificant(kernel, growth.ranked, fields, options, progress)
    name = "F" if not kernel.is_classifier else "chi-squared, one-sided" if test == "one_sided" else "chi-squared"
    paid = f", p times {growth.ranked.n_columns} columns" if bonferroni else ""
    why = f"a split is significant up to p = {level:.6g} ({name}{paid})"
    return tree, PruningLog.of_steps("significant_splits", "least p-value", kernel, steps, why)


def significance_options(level: float, test: str, bonferroni: bool, label: Callable[[str], str]) -> dict[str, Any]:
    """Arguments of a test of significance, checked; `label` gives the names that errors call them by."""
    return {
        "level": check.inside(label("level"), level),
        "test": check.choice(label("test"), test, ["pearson", "one_sided"]),
        "bonferroni": check.flag(label("bonferroni"), bonferroni),
    }


def prune_by_description(
    kernel: Any,
    growth: Growth,
    *,
    exceptions: str = "counts",
    one_level: bool = False,
    tree_weight: float = 1.0,
) -> Pruned:
    """Cut where a leaf takes fewer bits than the test and what is below it, as `DescriptionLength` counts.

    The table of `growth` says how many values each column has, `one_level` whether a test of a nominal column has
    singled out one level.
    """
    options = _description_options(exceptions, one_level, tree_weight)
    if not kernel.is_classifier:
        raise ParameterError(
            "description length is for classes: numbers have no length in bits without a precision. Use reduced error, "
            "merging or cost-complexity for a regression tree."
        )
    tree, steps = _core.prune_description_length(kernel, _values(growth), options)
    return tree, PruningLog.of_steps("description_length", "bits", kernel, steps)


def description_bits(
    kernel: Any, growth: Growth, *, exceptions: str = "counts", one_level: bool = False, tree_weight: float = 1.0
) -> tuple[float, float]:
    """The bits of a tree and of the classes of its rows, as `prune_by_description` counts them."""
    options = _description_options(exceptions, one_level, tree_weight)
    return _core.description_length(kernel, _values(growth), options)


def prune_error_based(
    kernel: Any,
    growth: Growth,
    *,
    confidence: float | None = 0.25,
    raising: bool | str = "auto",
    collapse: bool = True,
    tolerance: float = 0.0,
    progress: Progress = None,
) -> Pruned:
    """Cut, or let the largest branch take the place of its parent, where no more errors are expected (C4.5)."""
    if not kernel.is_classifier:
        raise ParameterError(
            "pruning by 'error_based' is for classes: it counts errors, and numbers are never quite right. Use "
            "'reduced_error', 'merge_leaves' or 'cost_complexity' for a regression tree."
        )
    how = error_options(confidence, raising, collapse, str)
    how["epsilon"] = check.share("tolerance", tolerance, 0.0, math.inf)
    if how["raising"] == "auto":
        how["raising"] = _none_stops(kernel)
    elif how["raising"] and how["confidence"] is not None and not _none_stops(kernel):
        raise ParameterError(
            "raising=True needs a tree in which every row goes on at every test: rows that stop where a value is "
            "missing would be in no branch that is raised. Leave it at 'auto', or say raising=False."
        )
    tree, steps = _core.prune_error_based(
        kernel, growth.ranked, growth.fields(growth.grown_on(growth.weights)), how, progress
    )
    return tree, PruningLog.of_steps("error_based", "errors to expect", kernel, steps)


def error_options(
    confidence: float | None, raising: bool | str, collapse: bool, label: Callable[[str], str]
) -> dict[str, Any]:
    """The kernel's options of error-based pruning; `label` gives the names that errors call the arguments by."""
    name = label("confidence")
    return {
        "confidence": None if confidence is None else check.inside(name, confidence),
        "raising": raising if raising == "auto" else check.flag(label("raising"), raising),
        "collapse": check.flag(label("collapse"), collapse),
    }


def reduce_errors(
    kernel: Any,
    growth: Growth,
    *,
    holdout: npt.NDArray[np.float64] | None = None,
    strict: bool = False,
    value_error: str = "squared",
    tolerance: float = 0.0,
    progress: Progress = None,
) -> Pruned:
    """Cut where rows that were kept back from growing are answered no worse, or only where they are answered better.

    Parameters
    ----------
    kernel : Tree of the kernel
    growth : Growth
        Its table holds the rows that were kept back.
    holdout : ndarray, optional
        Their weights, 0 for all other rows of the table; by default all rows of the table count by their weights.
    strict : bool, default=False
        Whether rows must be answered better by a leaf, not only as well.
    value_error : {"squared", "absolute"}, default="squared"
        What numbers are judged by.
    """
    how = {
        "rule": "strict" if check.flag("strict", strict) else "not_worse",
        "value_error": check.choice("value_error", value_error, ["squared", "absolute"]),
        "epsilon": check.share("tolerance", tolerance, 0.0, math.inf),
    }
    if holdout is None:
        holdout = np.ones(growth.ranked.n_rows) if growth.weights is None else growth.weights
    fields = growth.fields(growth.grown_on(growth.weights))
    tree, steps = _core.prune_reduced_error(kernel, growth.ranked, fields, how, holdout, progress)
    return tree, PruningLog.of_steps("reduced_error", "error on the rows kept back", kernel, steps)


def _none_stops(tree: Any) -> bool:
    """Whether every training row reaches a leaf, also where a value is missing."""
    _, fallback, absent, _ = tree.routing
    if absent == STOP:
        return False
    tests = tree.split_begin[:-1][np.diff(tree.child_begin) > 0]
    return fallback != STOP or (len(tree.split_missing) > 0 and bool((tree.split_missing[tests] >= 0).all()))


def _values(growth: Growth) -> npt.NDArray[np.int64]:
    """The number of distinct values, or of levels, of each column."""
    return np.array([growth.ranked.ranks(column) for column in range(growth.ranked.n_columns)], dtype=np.int64)


def _description_options(exceptions: str, one_level: bool, tree_weight: float) -> dict[str, Any]:
    return {
        "exceptions": check.choice("exceptions", exceptions, ["counts", "stochastic"]),
        "one_level": check.flag("one_level", one_level),
        "tree_weight": check.share("tree_weight", tree_weight, 0.0, math.inf),
    }
