"""ONNX: sums of columns as further features, in doubles: the terms of all sums side by side, then a product for each.

Each sum takes its own terms, because a weight of 0 times an infinite value of another's would be no number.
"""

from typing import Any

import numpy as np

from bough.model.program.derived import Addend
from bough.model.program.program import Program

__all__ = ["sum_names", "sum_nodes"]

_OF_TERMS = (
    "place", "column", "gone", "fill", "origin", "less", "no", "yes", "number", "code", "values", "flags", "known",
    "centre", "factor", "other_place", "other_column", "other_gone", "other_origin", "other_less", "other_centre",
    "other_factor", "either", "product",
)  # fmt: skip
_OF_SUMS = ("own", "weights", "added", "constant", "total", "squashed")
_OF_ALL = ("known", "members", "counts", "zero", "some", "none", "sums", "told")


def sum_names(program: Program) -> list[str]:
    """The names of what is computed for sums."""
    if not program.derived:
        return []
    count = sum(len(derived.terms) for derived in program.derived)
    names = [f"all_{word}" for word in _OF_ALL]
    names += [f"term_{word}_{k}" for k in range(count) for word in _OF_TERMS]
    return names + [f"sum_{word}_{k}" for k in range(len(program.derived)) for word in _OF_SUMS]


def sum_nodes(program: Program, own: dict[str, str]) -> list[Any]:
    """What makes of `columns`, the features of the columns, `features`, with the sums behind them."""
    from onnx import TensorProto, helper, numpy_helper

    graph: list[Any] = []

    def constant(name: str, value: Any) -> str:
        graph.append(helper.make_node("Constant", [], [own[name]], value=numpy_helper.from_array(np.asarray(value))))
        return own[name]

    def node(kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        graph.append(helper.make_node(kind, inputs, [own[name]], **attributes))
        return own[name]

    def factor(of: Addend, which: str, k: int, *, of_product: bool) -> tuple[str, str, str]:
        """The column of a factor; of a number also where it is missing, and what it counts."""
        place = constant(f"term_{which}place_{k}", np.array([of.field], dtype=np.int64))
        column = node("Gather", [own["columns"], place], f"term_{which}column_{k}", axis=1)
        if of.values:
            return column, "", ""
        missing, number = node("IsNaN", [column], f"term_{which}gone_{k}"), column
        if of.origin:
            origin = constant(f"term_{which}origin_{k}", np.array([float(of.origin)]))
            number = node("Sub", [number, origin], f"term_{which}less_{k}")
        if of_product:
            centre = constant(f"term_{which}centre_{k}", np.array([of.centre]))
            number = node("Sub", [number, centre], f"term_{which}factor_{k}")
        return column, missing, number

    terms: list[str] = []
    flags: list[str] = []
    owners: list[int] = []  # by flag: the sum whose term it is about
    units: dict[int, int] = {}  # by network: a unit of it, which is known where the network is
    sums: list[str] = []
    for number, derived in enumerate(program.derived):
        first = len(terms)
        for k, term in enumerate(derived.terms, start=first):
            if term.field >= len(program.fields):
                units[number] = term.field - len(program.fields)
                terms.append(sums[units[number]])
                continue
            owners.append(number)
            column, missing, counted = factor(term, "", k, of_product=term.other is not None)
            if term.values:  # levels are numbered from 1, then come missing and unseen
                unseen, gone, *values = derived.table(term)
                told = [0.0, *(1.0 for _ in values), 0.0, 0.0 if derived.unseen == "missing" else 1.0]
                code = node("Cast", [column], f"term_code_{k}", to=TensorProto.INT64)
                table = constant(f"term_values_{k}", np.array([0.0, *values, gone, unseen]))
                terms.append(node("Gather", [table, code], f"term_number_{k}"))
                flags.append(node("Gather", [constant(f"term_flags_{k}", np.array(told)), code], f"term_known_{k}"))
                continue
            if term.other is not None:
                _, absent, second = factor(term.other, "other_", k, of_product=True)
                missing = node("Or", [missing, absent], f"term_either_{k}")
                counted = node("Mul", [counted, second], f"term_product_{k}")
            fill = constant(f"term_fill_{k}", np.array([np.nan if derived.whole else term.fill]))
            terms.append(node("Where", [missing, fill, counted], f"term_number_{k}"))
            no, yes = constant(f"term_no_{k}", np.array([0.0])), constant(f"term_yes_{k}", np.array([1.0]))
            flags.append(node("Where", [missing, no, yes], f"term_known_{k}"))
        own_terms = node("Concat", terms[first:], f"sum_own_{number}", axis=1)
        weights = constant(f"sum_weights_{number}", np.array([[term.weight] for term in derived.terms]))
        total = node("MatMul", [own_terms, weights], f"sum_added_{number}")
        if derived.constant:
            start = constant(f"sum_constant_{number}", np.array([derived.constant]))
            total = node("Add", [total, start], f"sum_total_{number}")
        sums.append(node("Tanh", [total], f"sum_squashed_{number}") if derived.squashed else total)
    members = np.eye(len(program.derived))[owners]
    for network, unit in units.items():
        members[:, network] = members[:, unit]
    known = node("Concat", flags, "all_known", axis=1)
    counts = node("MatMul", [known, constant("all_members", members)], "all_counts")
    some = node("Greater", [counts, constant("all_zero", np.array([0.0]))], "all_some")
    added = node("Concat", sums, "all_sums", axis=1)
    told_sums = node("Where", [some, added, constant("all_none", np.array([np.nan]))], "all_told")
    node("Concat", [own["columns"], told_sums], "features", axis=1)
    return graph
