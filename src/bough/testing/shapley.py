"""Shapley values by their definition: every coalition of columns is asked, and every way that a case can go is walked.

Only names of arrays of a tree are known here, nothing is imported from the kernel.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["coalition_answer", "shapley_values", "ways_on"]

_THRESHOLD, _LEVELS, _INTERVALS, _CONJUNCTION = range(4)
_MISSING, _MAJORITY, _STOP, _ERROR, _SPREAD = range(5)
_SURROGATE = 2
_FORMATS = ("<d", "<q", "<Q")
_UNSEEN = -2

Cell = float | int | None
Floats = npt.NDArray[np.float64]


def shapley_values(tree: Any, cells: Sequence[Cell], answers: Any) -> tuple[Floats, Floats]:
    """What each column of a case adds to its answer, over all orders in which the columns may become known.

    Parameters
    ----------
    tree : object
        With the arrays of the kernel's tree as attributes.
    cells : sequence
        The case: numbers, codes of levels (-2: never seen in training), None where missing.
    answers : array of shape (n_nodes, n_outputs)
        What each node answers.

    Returns
    -------
    values : ndarray of shape (n_columns, n_outputs)
    base : ndarray of shape (n_outputs,)
        The answer to a case of which nothing is known.
    """
    answers = np.asarray(answers, dtype=np.float64)
    players = sorted({_asked(tree, node) for node in range(len(tree.parent)) if _children(tree, node)})
    v = {
        known: coalition_answer(tree, cells, answers, known)
        for size in range(len(players) + 1)
        for known in combinations(players, size)
    }
    values = np.zeros((len(cells), answers.shape[1]))
    for player in players:
        others = [other for other in players if other != player]
        for size in range(len(others) + 1):
            orders = factorial(size) * factorial(len(others) - size) / factorial(len(players))
            for known in combinations(others, size):
                gain = v[tuple(sorted((*known, player)))] - v[known]
                for column in player:
                    values[column] += orders * gain / len(player)
    return values, v[()]


def coalition_answer(
    tree: Any, cells: Sequence[Cell], answers: Floats, known: Sequence[tuple[int, ...]]
) -> npt.NDArray[np.float64]:
    """The answer if only some columns are looked at; other nodes pass the case on by the weights of their children.

    Parameters
    ----------
    known : sequence of tuples of int
        The columns looked at: one in each tuple, or those of a conjunction.
    """
    total = np.zeros(answers.shape[1])
    parts = [(0, 1.0)]
    while parts:
        node, share = parts.pop()
        if not _children(tree, node):
            total += share * answers[node]
            continue
        ways = ways_on(tree, node, cells) if _asked(tree, node) in known else _all_ways(tree, node)
        for child, part in ways:
            if child is None:
                total += share * part * answers[node]
            else:
                parts.append((child, share * part))
    return total


def ways_on(tree: Any, node: int, cells: Sequence[Cell]) -> list[tuple[int | None, float]]:
    """Where the model sends a case from an inner node: children and parts; None: it ends here."""
    surrogates, fallback, absent, unseen = tree.routing
    first = int(tree.split_begin[node])
    children = _children(tree, node)
    branch = _branch(tree, first, cells)
    if isinstance(branch, int):
        return [(children[branch], 1.0)]
    rule = {"missing": _MISSING, "unseen": unseen, "absent": absent}[branch]
    if rule == _ERROR:
        raise ValueError("a level never seen in training")
    if rule == _MISSING:
        own = int(tree.split_missing[first]) if len(tree.split_missing) else -1
        if own >= 0:
            return [(children[own], 1.0)]
        for other in range(first + 1, int(tree.split_begin[node + 1])) if surrogates else ():
            found = _branch(tree, other, cells) if tree.split_role[other] == _SURROGATE else "missing"
            if isinstance(found, int):
                return [(children[found], 1.0)]
        rule = fallback
    if rule == _SPREAD:
        return _all_ways(tree, node)
    majority = int(tree.majority[node])
    return [(children[majority], 1.0)] if rule == _MAJORITY and majority >= 0 else [(None, 1.0)]


def _all_ways(tree: Any, node: int) -> list[tuple[int | None, float]]:
    children = _children(tree, node)
    weight = sum(float(tree.weight[child]) for child in children)
    return [(child, float(tree.weight[child]) / weight) for child in children] if weight > 0 else [(None, 1.0)]


def _children(tree: Any, node: int) -> list[int]:
    return [int(child) for child in tree.children[tree.child_begin[node] : tree.child_begin[node + 1]]]


def _asked(tree: Any, node: int) -> tuple[int, ...]:
    """The columns that a node asks together."""
    first = int(tree.split_begin[node])
    if tree.split_kind[first] != _CONJUNCTION:
        return (int(tree.split_column[first]),)
    number = int(tree.split_payload[first])
    return tuple(sorted({int(c) for c in tree.term_column[tree.term_begin[number] : tree.term_begin[number + 1]]}))


def _branch(tree: Any, split: int, cells: Sequence[Cell]) -> int | str:
    """The branch of a split for a case, or why it has none."""
    kind, payload = int(tree.split_kind[split]), int(tree.split_payload[split])
    if kind == _CONJUNCTION:
        return _by_terms(tree, split, cells)
    cell = cells[int(tree.split_column[split])]
    if cell is None:
        return "missing"
    if kind == _LEVELS:
        if cell == _UNSEEN:
            return "unseen"
        for place in range(int(tree.set_begin[payload]), int(tree.set_begin[payload + 1])):
            if tree.set_code[place] == cell:
                return int(tree.set_branch[place])
        return "absent"
    strictly = bool(tree.split_side[split])
    low = int(tree.split_low[split])
    if kind == _THRESHOLD:
        edge = _number(payload, int(tree.split_value_type[split]))
        return low if cell < edge or (cell == edge and not strictly) else 1 - low
    begin, end = int(tree.edge_begin[payload]), int(tree.edge_begin[payload + 1])
    edges = [_number(int(tree.edge_bits[e]), int(tree.edge_type[e])) for e in range(begin, end)]
    passed = sum(cell > edge or (cell == edge and strictly) for edge in edges)
    return int(tree.interval_branch[begin + payload + passed])


def _by_terms(tree: Any, split: int, cells: Sequence[Cell]) -> int | str:
    number, low = int(tree.split_payload[split]), int(tree.split_low[split])
    unknown = set()
    for term in range(int(tree.term_begin[number]), int(tree.term_begin[number + 1])):
        cell, code = cells[int(tree.term_column[term])], int(tree.term_code[term])
        if cell is None or (cell == _UNSEEN and code >= 0):
            unknown.add("missing" if cell is None else "unseen")
            continue
        holds = cell == code
        if code < 0:
            edge = _number(int(tree.term_bits[term]), int(tree.term_type[term]))
            holds = cell < edge or (cell == edge and not tree.term_side[term])
        if holds == bool(tree.term_negated[term]):
            return 1 - low
    return low if not unknown else max(unknown)  # what was never seen says more than what is missing


def _number(bits: int, kind: int) -> float | int:
    (value,) = struct.unpack(_FORMATS[kind], struct.pack("<Q", bits))
    number: float | int = value
    return number
