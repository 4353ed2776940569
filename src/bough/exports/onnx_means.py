"""ONNX: a mean of several models, such as the trees of a forest, each of which ends in a node of its own.

One ensemble answers all these nodes, side by side. What they say is looked up together and averaged by a product with
their shares; the class follows from the sums, class by class, as it does wherever cases are spread.
"""

from typing import Any, NamedTuple

import numpy as np

from bough.model.program.program import Program

__all__ = ["Member", "decided", "mean_names", "members_of", "summed"]


class Member(NamedTuple):
    """A model of a mean: its first step, and its share in the answer."""

    root: int
    share: float


def members_of(program: Program) -> list[Member] | None:
    """The models of a mean, or the one that the program is; None where cases are spread within them."""
    members = []
    above = 0
    todo = [Member(0, 1.0)]
    while todo:
        node, share = todo.pop()
        step = program.steps[node]
        if step.shares and not step.rules:
            above += 1
            todo += [Member(child, share * part) for child, part in reversed(step.shares)]
        else:
            members.append(Member(node, share))
    return members if above == sum(1 for step in program.steps if step.shares) else None


def mean_names(program: Program) -> list[str]:
    """The names of what is computed for the mean of a program."""
    if not program.spreads:
        return []
    names = [f"mean_{word}" for word in ("shares", "rows", "worths", "tolerance", "order", "place", "one", "class")]
    names += [f"mean_{word}_{what}" for word in ("said", "sum") for what in ("values", "shares", "worths")]
    return names + [
        f"class_{word}_{k}"
        for k in range(len(program.classes))
        for word in ("at", "worth", "bar", "beats", "best", "k")
    ]


def summed(graph: list[Any], own: dict[str, str], table: str, name: str) -> None:
    """What the nodes say in which a case ends, by a table of them, averaged by the shares of the members."""
    from onnx import helper

    said, total = own[f"mean_said_{table}"], own[f"mean_sum_{table}"]
    graph.append(helper.make_node("Gather", [own[table], own["node"]], [said], axis=0))
    graph.append(helper.make_node("MatMul", [own["mean_shares"], said], [total]))
    graph.append(helper.make_node("Reshape", [total, own["mean_rows"]], [name]))


def decided(program: Program, graph: list[Any], own: dict[str, str], worth: str, name: str) -> None:
    """The number of the class to decide for: the first that no later one beats by more than the tolerance."""
    from onnx import helper, numpy_helper

    def constant(what: str, value: Any) -> str:
        graph.append(helper.make_node("Constant", [], [own[what]], value=numpy_helper.from_array(np.asarray(value))))
        return own[what]

    def node(kind: str, inputs: list[str], what: str, **attributes: Any) -> str:
        graph.append(helper.make_node(kind, inputs, [own[what]], **attributes))
        return own[what]

    tolerance = constant("mean_tolerance", np.float64(program.tolerance))
    best = place = ""
    for k in range(len(program.classes)):
        at = constant(f"class_at_{k}", np.array([k], dtype=np.int64))
        own_worth = node("Gather", [worth, at], f"class_worth_{k}", axis=1)
        if not k:
            best, place = own_worth, at
            continue
        beats = node("Greater", [own_worth, node("Add", [best, tolerance], f"class_bar_{k}")], f"class_beats_{k}")
        best = node("Where", [beats, own_worth, best], f"class_best_{k}")
        place = node("Where", [beats, at, place], f"class_k_{k}")
    order = constant("mean_order", np.array(program.order, dtype=np.int64))
    graph.append(helper.make_node("Gather", [order, place], [name], axis=0))
