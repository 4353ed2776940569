"""Pruning of a tree that is fitted already, by any pruner, and the curve of its errors while it gets smaller."""

import copy
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.growth import Growth, rank, thread_count
from bough.learn.pruners import PRUNERS, prune
from bough.learn.target import check_lengths, read_classes, read_numbers, read_weights
from bough.model import PruningLog, Tree
from bough.model.frame import as_frame
from bough.recipe import parameters as check
from bough.table import Table

__all__ = ["growth_of", "pruned_by", "pruning_curve"]

Floats = npt.NDArray[np.float64]


def growth_of(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> Growth:
    """Rows as the kernel takes them, read by the columns, levels and classes of a fitted estimator."""
    columns = estimator._encoded(X)  # noqa: SLF001 (one of our own)
    n_rows = len(columns[0].data)
    weights = read_weights(sample_weight, n_rows)
    used = None if weights is None else weights > 0
    ranked = rank(Table(estimator.schema_, columns, n_rows), used, thread_count(getattr(estimator, "n_jobs", None)))
    return Growth(ranked, _target(estimator.tree_, y, n_rows), {}, weights)


def _target(tree: Tree, y: Any, n_rows: int) -> dict[str, Any]:
    if tree.classes is None:
        values = read_numbers(y)
        check_lengths(n_rows, values)
        return {"classes": 0, "value": values}
    fields: dict[str, Any] = {
        "classes": len(tree.classes),
        "label": _codes(tree, y, n_rows),
        "growth_scale": np.array(tree.kernel.growth_scale),
        "class_scale": np.array(tree.kernel.class_scale),
    }
    if tree.costs is not None:
        fields["cost"] = np.ascontiguousarray(tree.costs, dtype=np.float64).ravel()
    return fields


def _codes(tree: Tree, y: Any, n_rows: int) -> npt.NDArray[np.uint32]:
    given = read_classes(y)
    check_lengths(n_rows, given.codes)
    place = {label: code for code, label in enumerate(tree.class_labels or ())}
    strange = [label for label in given.labels.tolist() if label not in place]
    if strange:
        raise DataError(f"y holds {strange[0]!r:.80}, which is no class of the tree: {list(place)!r:.200}.")
    return np.array([place[label] for label in given.labels.tolist()], dtype=np.uint32)[given.codes]


def pruned_by(estimator: Any, how: str, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]) -> Any:
    """See `TreeEstimator.pruned_by`."""
    kernel, log = prune(estimator.tree_.kernel, how, _rows(estimator, how, X, y, sample_weight), **options)
    return _with_tree(estimator, kernel, log)


def _rows(estimator: Any, how: str, X: Any, y: Any, sample_weight: Any) -> Growth | None:
    if X is None and y is None:
        return None
    if X is None or y is None:
        raise ParameterError("X and y go together: give both, or neither.")
    check.choice("how", how, list(PRUNERS))
    return growth_of(estimator, X, y, sample_weight)


def _with_tree(estimator: Any, kernel: Any, log: PruningLog) -> Any:
    smaller = copy.copy(estimator)
    # Raised branches hold other rows: a smoothed leaf may answer otherwise.
    smaller.tree_ = estimator.tree_.with_kernel(estimator._answer(estimator._recipe(), kernel))  # noqa: SLF001
    smaller.pruning_log_ = log
    smaller._nested = None  # noqa: SLF001 (one of our own: the path of the larger tree)
    return smaller


def pruning_curve(
    estimator: Any,
    how: str,
    X: Any,
    y: Any,
    sample_weight: Any,
    validation: tuple[Any, ...] | None,
    max_points: int,
    options: dict[str, Any],
) -> Any:
    """See `TreeEstimator.pruning_curve`."""
    check.whole("max_points", max_points, 2)
    growth = _rows(estimator, how, X, y, sample_weight)
    kernel = estimator.tree_.kernel
    _, log = prune(kernel, how, growth, **options)
    # Evenly spread over the steps, with the first and the last tree.
    steps = np.unique(np.linspace(0, len(log), min(max_points, len(log) + 1)).round().astype(np.int64))
    error = np.full(len(steps), math.nan)
    if validation is not None:
        for place, step in enumerate(steps.tolist()):
            smaller = _with_tree(estimator, after_steps(kernel, growth, log, step), log)
            error[place] = _error(smaller, *validation)
    return as_frame(
        {
            "step": steps,
            "n_leaves": log.leaves[steps],
            "training_error": log.training_error[steps],
            "validation_error": error,
        }
    )


def after_steps(kernel: Any, growth: Growth | None, log: PruningLog, steps: int) -> Any:
    """The tree as it was after some steps of a log; raised branches are filled with the rows again."""
    nodes, branches = log.node[:steps], log.branch[:steps]
    if (branches < 0).all() or growth is None:
        return kernel.cut(np.ascontiguousarray(nodes))[0]
    fields = growth.fields(growth.grown_on(growth.weights))
    nodes, branches = np.ascontiguousarray(nodes), np.ascontiguousarray(branches)
    return _core.replay_cuts(kernel, growth.ranked, fields, nodes, branches, {})[0]


def _error(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Mean cost of the answers for classes, mean squared or absolute error for numbers."""
    answers = estimator.predict(X)
    weights = read_weights(sample_weight, len(answers))
    tree = estimator.tree_
    if tree.classes is None:
        off = np.abs(answers - read_numbers(y))
        loss = off if tree.criterion == "absolute_error" else off * off
    else:
        true, decided = _codes(tree, y, len(answers)), _codes(tree, answers, len(answers))
        loss = (true != decided).astype(np.float64) if tree.costs is None else np.asarray(tree.costs)[true, decided]
    return float(np.average(loss, weights=weights))
