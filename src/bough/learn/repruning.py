"""`pruned(how)` and `pruning_curve`: pruning an estimator that is fitted already."""

import copy
import dataclasses
import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import DataError, ParameterError
from bough.learn.growth import Growth, rank, thread_count
from bough.learn.target import check_lengths, read_classes, read_numbers
from bough.learn.weights import read_weights, scaled_weights
from bough.model import PruningLog, Tree
from bough.model.frame import as_frame
from bough.recipe import Part
from bough.recipe import parameters as check
from bough.recipe.registry import PRUNERS, name_of, read_slot
from bough.recipe.work import Pruned, Pruning
from bough.table import Table

__all__ = ["after_steps", "growth_of", "prune", "pruned", "pruning_curve", "says"]

Floats = npt.NDArray[np.float64]


def growth_of(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> Growth:
    """Rows as the kernel takes them, read by the columns, levels and classes of a fitted estimator."""
    rows = estimator.model_.read(X, every=True, reader=type(estimator).__name__)
    n_rows = len(rows)
    fractional = estimator.fitted_.recipe.reading.fractional_weights
    weights = scaled_weights(read_weights(sample_weight, n_rows), fractional)
    used = None if weights is None else weights > 0
    ranked = rank(Table(rows.schema, rows.encoded, n_rows), used, thread_count(getattr(estimator, "n_jobs", None)))
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


def pruned(estimator: Any, how: Any, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]) -> Any:
    """See `TreeEstimator.pruned`."""
    kernel, name, options = _request(estimator, how, options)
    kernel, log = prune(kernel, name, _rows(estimator, name, X, y, sample_weight), **options)
    complexity = estimator.fitted_.complexity
    if isinstance(how, Pruning):
        complexity = how.counting(kernel.is_classifier)
    elif name != "cost_complexity":
        complexity = PRUNERS[name]().counting(kernel.is_classifier)  # they were counted anew
    return _with_tree(estimator, kernel, log, complexity)


def says(how: Any) -> tuple[str, ...]:
    """What a user may say to a way to prune that is given by name."""
    return PRUNERS[how].says if isinstance(how, str) and how in PRUNERS else ()


def _request(estimator: Any, how: Any, options: dict[str, Any]) -> tuple[Any, str, dict[str, Any]]:
    """The tree to prune, the name of the way, and its options: those of a user, and what the recipe says besides."""
    tree, recipe = estimator.tree_, estimator.fitted_.recipe
    kernel = tree.answer.unlabelled(tree.kernel)
    if isinstance(how, Part):
        part = cast(Pruning, read_slot("pruning", how)[0])
        if options:
            raise ParameterError(
                f"a part has its arguments itself: give {', '.join(options)} to {type(how).__name__}()."
            )
        name = name_of(part)
        kernel, options = part.of_fitted(kernel, estimator.fitted_.complexity)
    elif isinstance(how, str):
        name = str(check.choice("how", how, list(PRUNERS)))
    else:
        raise ParameterError(f"how must be a name, or a part such as ErrorBased(confidence=0.1); got {how!r:.80}.")
    said = {
        "tolerance": recipe.tolerance,
        "one_level": recipe.one_level,
        "value_error": recipe.value_error,
        "measure": estimator.fitted_.measure,
        "columns": len(tree.schema),
        "row": estimator.fitted_.row,
    }
    return kernel, name, {**{key: said[key] for key in said if key in PRUNERS[name].says}, **options}


def prune(kernel: Any, how: str, growth: Growth | None = None, **options: Any) -> Pruned:
    """Prune a kernel tree in one of the ways of `PRUNERS`.

    Without `cp` or `max_increase` all is cut, step by step. Infinity is no value of theirs, nor of the parts.
    """
    way = PRUNERS[check.choice("how", how, list(PRUNERS))]
    for name in options:
        if name not in way.says:
            raise ParameterError(f"pruning by {how!r} has no option {name!r}; it has {', '.join(way.says)}.")
    for name in ("cp", "max_increase"):
        if options.get(name) is not None:
            check.share(name, options[name], 0.0, math.inf)
    # What is not for numbers at all says so itself, whether there are rows or not.
    if growth is None and way.needs_rows and (kernel.is_classifier or "numbers" in way.tasks):
        which = "rows that were kept back from growing" if how == "reduced_error" else "the rows it was grown on"
        without = " and ".join(repr(name) for name, other in PRUNERS.items() if not other.needs_rows)
        raise ParameterError(
            f"pruning by {how!r} looks at rows, and a fitted or loaded model keeps none: give X and y, {which}. "
            f"Without rows {without} can be used."
        )
    assert way.pruner is not None  # noqa: S101 (PRUNERS holds no others)
    return way.pruner(kernel, growth, **options)


def _rows(estimator: Any, name: str, X: Any, y: Any, sample_weight: Any) -> Growth | None:
    """The rows for a way to prune, if any are given; those that it would not look at are refused."""
    if X is None and y is None:
        if sample_weight is not None:
            raise ParameterError("sample_weight belongs to rows: give it with their X and y, or leave it out.")
        return None
    if X is None or y is None:
        raise ParameterError("X and y go together: give both, or neither.")
    if not PRUNERS[name].needs_rows:
        raise ParameterError(
            f"pruning by {name!r} looks at no rows, only at the tree: leave out X and y. Rows to judge smaller trees "
            "by are the argument validation of pruning_curve()."
        )
    return growth_of(estimator, X, y, sample_weight)


def _with_tree(estimator: Any, kernel: Any, log: PruningLog, complexity: str) -> Any:
    smaller = copy.copy(estimator)
    tree = estimator.tree_
    # Raised branches hold other rows: a smoothed leaf may answer otherwise.
    smaller.model_ = tree.with_kernel(tree.answer.labelled(kernel))
    smaller.pruning_log_ = log
    if log.cut_at is not None:  # what was known below that, in the same unit or another, is gone
        before = estimator.cp_ if complexity == estimator.fitted_.complexity else 0.0
        smaller.cp_ = max(before, log.cut_at)
    smaller.fitted_ = dataclasses.replace(estimator.fitted_, path=None, complexity=complexity)
    return smaller


def pruning_curve(
    estimator: Any,
    how: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    validation: tuple[Any, ...] | None,
    max_points: int,
    options: dict[str, Any],
) -> Any:
    """See `TreeEstimator.pruning_curve`."""
    check.whole("max_points", max_points, 2)
    kernel, name, options = _request(estimator, how, options)
    growth = _rows(estimator, name, X, y, sample_weight)
    _, log = prune(kernel, name, growth, **options)
    # Evenly spread over the steps, with the first and the last tree.
    steps = np.unique(np.linspace(0, len(log), min(max_points, len(log) + 1)).round().astype(np.int64))
    error = np.full(len(steps), math.nan)
    if validation is not None:
        for place, step in enumerate(steps.tolist()):
            smaller = _with_tree(estimator, after_steps(kernel, growth, log, step), log, "weakest_link")
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
