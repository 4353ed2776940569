"""Votes: what a tree of an ensemble says of the classes, node by node.

Every vote is a table of shares by node that sum to one, so that a row that ends in several nodes divides its vote, a
weighted mean of trees is all that an ensemble needs to work out, and routing programs can say it.
"""

from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model.answer.answer import sends_fractions
from bough.model.answer.classes import decide
from bough.model.inputs import Rows
from bough.model.program import Program
from bough.model.tree import Tree

__all__ = ["VOTES", "Vote", "node_votes", "row_votes", "voting_program"]

Floats = npt.NDArray[np.float64]

Vote: TypeAlias = Literal["mean", "majority", "confidence"]
VOTES: tuple[str, ...] = get_args(Vote)


def node_votes(tree: Tree, vote: Vote) -> Floats:
    """What each node of a classification tree says, in the order of its classes.

    Parameters
    ----------
    tree : Tree
    vote : {"mean", "majority", "confidence"}
        Its probabilities; all for its most probable class, whatever errors cost; or for that class with the confidence
        of Quinlan (1996), (n + 1) / (N + 2) for n rows of the class among the N of the node, and what is left to all
        classes alike, which favours none. Classes that are equally probable divide the vote, so that the first of them
        is not favoured either.

    Returns
    -------
    ndarray of shape (n_nodes, n_classes)
    """
    answer = tree.class_answer
    assert answer is not None  # noqa: S101 (only trees of classes vote)
    every = np.arange(tree.n_nodes, dtype=np.int32)
    if vote == "mean":
        return tree.probabilities(every)
    shares = _core.probabilities(tree.kernel, every)
    worth = replace(answer, costs=None).worth_at(tree.kernel, every)
    label = tree.kernel.label if answer.costs is None else decide(worth, None, answer.tolerance)
    parts = _parts(worth, label, answer.tolerance)
    if vote == "majority":
        return parts
    weight = tree.kernel.weight
    confidence = ((weight * shares[every, label] + 1.0) / (weight + 2.0))[:, None]
    said: Floats = confidence * parts + (1.0 - confidence) / shares.shape[1]
    return said


def _parts(worth: Floats, label: npt.NDArray[np.integer[Any]], tolerance: float) -> Floats:
    """By node and class: the part of the vote for it. A class that others do not equal has all, and so has a label that
    the node does not owe to its rows, such as that of a node without any.
    """
    mine = worth[np.arange(len(worth)), label][:, None]
    tied = (worth >= mine - tolerance) & (mine >= worth.max(axis=1, keepdims=True) - tolerance)
    tied[np.arange(len(worth)), label] = True
    parts: Floats = tied / tied.sum(axis=1, keepdims=True)
    return parts


def row_votes(tree: Tree, rows: Rows, vote: Vote, n_threads: int = 1) -> Floats:
    """What a tree says to rows: numbers, or by vote of the classes in the order of the tree's."""
    if not tree.is_classifier:
        numbers: Floats = tree.predict(rows, n_threads=n_threads)
        return numbers
    if vote == "mean":
        return tree.shares(rows, n_threads=n_threads)
    said = node_votes(tree, vote)
    if not sends_fractions(tree.kernel):
        return np.ascontiguousarray(said[tree.apply(rows, n_threads=n_threads)])
    # A row in parts: the mean of what its ends say, one class after the other, as a regression tree of the same tests.
    arrays = tree.kernel.to_arrays()
    for name in ("label", "count_class", "count_weight", "class_scale", "growth_scale"):
        arrays[name] = arrays[name][:0]
    arrays["count_begin"] = arrays["count_begin"][:1]
    columns = [
        _core.spread_values(
            _core.Tree.from_arrays({**arrays, "value": np.ascontiguousarray(column)}, tree.kernel.routing),
            rows.columns,
            n_threads,
        )
        for column in said.T
    ]
    return np.stack(columns, axis=1)


def voting_program(tree: Tree, vote: Vote) -> Program:
    """The routing program of a tree, whose nodes say its votes."""
    program = tree.program()
    if vote == "mean" or not tree.is_classifier:
        return program
    return replace(program, **tree.answer.constant_fields(node_votes(tree, vote), None))
