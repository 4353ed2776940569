"""The border to the kernel: its flat arrays as readings, and problems as the columns it takes.

Only names of arrays are known here, nothing is imported from the kernel.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.testing.compare import Reading
from bough.testing.forest_problem import ForestCut, ForestNode, ForestProblem
from bough.testing.node import Surrogate, losses
from bough.testing.problem import Problem
from bough.testing.splits import Levels, Split, Threshold

_KINDS = {"numeric": 0, "ordered": 1, "nominal": 2}
_THRESHOLD, _LEVELS = 0, 1
_PRIMARY, _COMPETITOR, _SURROGATE = 0, 1, 2
_VALUE_FORMATS = ("<d", "<q", "<Q")
_EXACT = (0, 1)  # all subsets, or an order that suffices
_STOP = 2


def read_tree(tree: Any) -> Reading:
    """A tree of the kernel as a reading, with everything that its arrays say.

    Parameters
    ----------
    tree : object
        With the arrays of the kernel's tree as attributes: ``parent``, ``split_begin``, ``split_column`` ...

    Returns
    -------
    Reading
        The root.
    """
    nodes = [_read_node(tree, node) for node in range(len(tree.parent))]
    for node, parent in enumerate(np.asarray(tree.parent).tolist()):
        if parent >= 0:
            nodes[parent].children.append(nodes[node])
    return nodes[0]


def _read_node(tree: Any, node: int) -> Reading:
    is_classifier = len(tree.class_scale) > 0
    stops = tree.routing[1] == _STOP
    reading = Reading(
        n_rows=int(tree.rows[node]),
        weight=float(tree.weight[node]),
        impurity=float(tree.impurity[node]),
        risk=float(tree.risk[node]),
        counts=_counts(tree, node) if is_classifier else None,
        answer=float(tree.label[node] if is_classifier else tree.value[node]),
        complexity=float(tree.complexity[node]),
    )
    splits = range(int(tree.split_begin[node]), int(tree.split_begin[node + 1]))
    if splits:
        reading.competitors, reading.surrogates = [], []
        reading.majority = -1 if stops else int(tree.majority[node])
    for number in splits:
        split, score = _read_split(tree, number), float(tree.split_score[number])
        role = int(tree.split_role[number])
        if role == _PRIMARY:
            reading.split, reading.gain = split, score
            if len(tree.split_missing) and tree.split_missing[number] >= 0:
                reading.missing = int(tree.split_missing[number])
        elif role == _COMPETITOR and reading.competitors is not None:
            reading.competitors.append((split, score))
        elif role == _SURROGATE and reading.surrogates is not None:
            reading.surrogates.append(Surrogate(split, score, float(tree.split_adjusted[number])))
    return reading


def _counts(tree: Any, node: int) -> list[float]:
    counts = [0.0] * len(tree.class_scale)
    for place in range(int(tree.count_begin[node]), int(tree.count_begin[node + 1])):
        counts[int(tree.count_class[place])] = float(tree.count_weight[place])
    return counts


def _read_split(tree: Any, number: int) -> Split:
    column, payload = int(tree.split_column[number]), int(tree.split_payload[number])
    if int(tree.split_kind[number]) == _LEVELS:
        places = range(int(tree.set_begin[payload]), int(tree.set_begin[payload + 1]))
        branches = {int(tree.set_code[place]): int(tree.set_branch[place]) for place in places}
        return Levels(column, branches, exact=int(tree.split_found[number]) in _EXACT)
    (value,) = struct.unpack(_VALUE_FORMATS[int(tree.split_value_type[number])], struct.pack("<Q", payload))
    side = "lt" if int(tree.split_side[number]) else "le"
    return Threshold(column, value, low=int(tree.split_low[number]), side=side)


def read_forest_tree(forest: Any, tree: int, problem: ForestProblem) -> ForestNode:
    """A tree of the kernel's forest in the form of the plain one, which it can be compared with.

    Parameters
    ----------
    forest : object
        With the function ``tree`` and the arrays ``set``, ``count``, ``answer`` and ``weight`` of the kernel's forest.
    tree : int
        Its number.
    problem : ForestProblem
        What it was grown on.

    Returns
    -------
    ForestNode
        The root.
    """
    arrays = {name: array.tolist() for name, array in forest.tree(tree).items()}
    made: dict[int, ForestNode] = {}
    for number in reversed(range(len(arrays["child"]))):  # branches come after what they grow from
        child, column, place = (arrays[name][number] for name in ("child", "column", "place"))
        if not number < child < len(arrays["child"]):  # a leaf
            made[number] = ForestNode(answer=_forest_answer(forest, place), number=number)
            continue
        missing_high = bool(arrays["missing_high"][number])
        cut = ForestCut(column, missing_high, arrays["threshold"][number])
        if problem.columns[column].kind == "nominal":
            levels = problem.levels[column]
            words = forest.set[place : place + levels // 32 + 1].tolist()
            high = frozenset(level for level in range(levels + 1) if words[level // 32] >> level % 32 & 1)
            if (levels in high) != missing_high:
                raise ValueError(f"node {number} of tree {tree} says two things about missing values")
            cut = ForestCut(column, missing_high, levels=levels, high=high - {levels})
        made[number] = ForestNode(cut, (made[child], made[child + 1]), number=number)
    return made[0]


def _forest_answer(forest: Any, place: int) -> tuple[float, ...]:
    if forest.classes:
        return tuple(forest.count[place * forest.classes : (place + 1) * forest.classes].tolist())
    return float(forest.answer[place]), int(forest.weight[place])


def kernel_columns(problem: Problem | ForestProblem) -> list[tuple[npt.NDArray[Any], None, int]]:
    """The columns of a problem as the kernel takes them: (data, mask of missing values, number of the kind).

    Numbers are float64 with NaN where missing, levels int32 codes with -1 where missing.

    Examples
    --------
    >>> from bough.testing import Column, Problem, kernel_columns
    >>> kernel_columns(Problem([Column("nominal", [2, None])], [0, 1]))
    [(array([ 2, -1], dtype=int32), None, 2)]
    """
    columns: list[tuple[npt.NDArray[Any], None, int]] = []
    for column in problem.columns:
        if column.kind == "numeric":
            data = np.array([np.nan if value is None else value for value in column.cells], dtype=np.float64)
        else:
            data = np.array([-1 if value is None else value for value in column.cells], dtype=np.int32)
        columns.append((data, None, _KINDS[column.kind]))
    return columns


def kernel_levels(problem: Problem) -> list[int]:
    """How many levels each column has, 0 for numbers."""
    return [
        0 if column.kind == "numeric" else max((int(cell) for cell in column.cells if cell is not None), default=-1) + 1
        for column in problem.columns
    ]


def kernel_target(problem: Problem) -> dict[str, Any]:
    """Target, weights, priors and costs of a problem under the names that the kernel reads."""
    target: dict[str, Any] = {"classes": problem.n_classes, "weight": np.array(problem.weights, dtype=np.float64)}
    if not problem.is_classification:
        return target | {"value": np.array(problem.y, dtype=np.float64)}
    ones = [1.0] * problem.n_classes
    target["label"] = np.array(problem.y, dtype=np.uint32)
    target["growth_scale"] = np.array(problem.rules.split_factors or ones, dtype=np.float64)
    target["class_scale"] = np.array(problem.rules.risk_factors or ones, dtype=np.float64)
    if problem.rules.losses is not None or problem.rules.criterion == "weighted_gini":
        target["cost"] = np.array(losses(problem), dtype=np.float64).ravel()
    return target


def kernel_options(problem: Problem, threads: int = 1) -> dict[str, Any]:
    """The rules of a problem under the names that the kernel reads; pruning is left out."""
    rules = problem.rules
    minima: dict[str, Any] = {"min_split_weight": float(rules.min_samples_split), "min_split_rows": 2}
    minima |= {"min_leaf_weight": float(rules.min_samples_leaf), "min_leaf_rows": 1}
    if rules.count_by == "rows":
        minima = {"min_split_rows": int(rules.min_samples_split), "min_leaf_rows": int(rules.min_samples_leaf)}
    return minima | {
        "criterion": rules.criterion,
        "threshold": rules.threshold,
        "branch_order": {"low": "value", "answer": "response"}[rules.orientation],
        "max_depth": -1 if rules.max_depth is None else rules.max_depth,
        "min_impurity_decrease": rules.min_impurity_decrease,
        "count_rows": rules.count_by == "rows",
        "missing": rules.missing,
        "fallback": rules.fallback,
        "discount_missing": rules.discount_missing,
        "tie_stops": rules.majority_tie == "stop",
        "majority": rules.majority_at_prediction,
        "max_surrogates": rules.max_surrogates if rules.missing == "surrogate" else 0,
        "surrogate_keep_direction": rules.surrogate_direction == "keep",
        "surrogate_beyond_majority": rules.surrogate_filter,
        "surrogate_joint_base": rules.surrogate_base == "joint",
        "surrogate_least": rules.min_surrogate_leaf,
        "surrogate_two_disagree": rules.two_disagree,
        "max_competitors": rules.max_competitors,
        "tie": rules.tie,
        "feature_cost": [float(cost) for cost in rules.feature_costs or ()],
        "threads": threads,
    }
