"""What an expert says of a tree beforehand: forced splits, columns for a branch, a tree to grow on.

Users speak of column names and level labels; the kernel of numbers and codes.
"""

import contextlib
import itertools
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bough.errors import BoughError, ParameterError
from bough.learn.initial_tree import initial_kernel
from bough.model.features import Term
from bough.recipe import parameters as check
from bough.table import Column, Schema, build_table
from bough.table.temporal import Temporal, parse_temporal

__all__ = ["expert_options", "name_fault"]

_KEYS = {"path", "column", "threshold", "edges", "side", "levels", "all_of"}
_SIZES = ("<", "<=", ">", ">=")
_TESTS = ("threshold", "edges", "levels", "all_of")


def expert_options(schema: Schema, forced_splits: Any, allowed_columns: Any, initial_tree: Any) -> dict[str, Any]:
    """The kernel's options; what was given is checked against the columns."""
    options: dict[str, Any] = {}
    if forced_splits is not None and initial_tree is not None:
        raise ParameterError(
            "forced_splits does not go with initial_tree, which says itself what its nodes ask: give one."
        )
    if forced_splits is not None:
        if isinstance(forced_splits, Mapping | str) or not isinstance(forced_splits, Iterable):
            raise ParameterError(f"forced_splits must be a list of dicts; got {forced_splits!r:.80}.")
        options["forced"] = [_forced(entry, schema) for entry in forced_splits]
        _refuse_gaps([tuple(entry["path"]) for entry in options["forced"]])
    if allowed_columns is not None:
        if not isinstance(allowed_columns, Mapping):
            raise ParameterError(
                "allowed_columns must map paths of nodes to lists of columns, such as {(0,): ['age']}; got "
                f"{allowed_columns!r:.80}."
            )
        options["columns_below"] = [
            {"path": _path("allowed_columns", path), "columns": _columns("allowed_columns", columns, schema)}
            for path, columns in allowed_columns.items()
        ]
    if initial_tree is not None:
        options["initial"] = initial_kernel(initial_tree, schema)
    return options


def _path(name: str, given: Any) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(
            f"{name}: a path holds the numbers of the branches from the root, () is the root; got {given!r:.80}."
        )
    return [check.whole(f"{name}: a branch of a path", branch, 0) for branch in given]


def _column(name: str, given: Any, schema: Schema) -> int:
    if given not in schema.names:
        raise check.unknown_column(name, given, schema)
    return schema.names.index(given)


def _columns(name: str, given: Any, schema: Schema) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"{name} must give a list of columns for each node; got {given!r:.80}.")
    return [_column(name, column, schema) for column in given]


def _forced(entry: Any, schema: Schema) -> dict[str, Any]:
    """One entry as the kernel takes it: edges of numbers, codes of levels, or the properties of a conjunction."""
    name = "forced_splits"
    told = {key for key, value in entry.items() if value is not None} if isinstance(entry, Mapping) else set()
    if "path" not in told or len(told & {"column", "all_of"}) != 1 or not told <= _KEYS:
        raise ParameterError(
            f"{name}: each entry is a dict with 'path' and 'column', and 'threshold', 'edges' or 'levels' where the "
            f"test itself is forced, not only its column; or with 'path' and 'all_of', properties that are asked "
            f"together; got {entry!r:.120}."
        )
    given = [key for key in _TESTS if key in told]
    side = check.choice(f"{name}: side", entry.get("side") or "le", ["le", "lt"])
    if "side" in told and not told & {"threshold", "edges"}:
        raise ParameterError(f"{name}: a side is one of a threshold or of edges; this test has none.")
    path = _path(name, entry["path"])
    if "all_of" in told:
        if len(given) > 1:
            raise ParameterError(f"{name}: properties that are asked together have no {given[0]}; give one of the two.")
        terms = _terms(entry["all_of"], schema)
        return {"path": path, "column": terms[0][0], "terms": terms}
    place = _column(name, entry["column"], schema)
    column = schema.columns[place]
    nominal = column.kind == "nominal"
    if any((key != "levels") == nominal for key in given):
        raise ParameterError(
            f"{name}: column {column.name!r} is {column.kind}; give {'levels' if nominal else 'a threshold or edges'}, "
            "and nothing else."
        )
    if len(given) > 1:
        raise ParameterError(f"{name}: {' and '.join(map(repr, given))} are different tests; give one.")
    edges, levels = entry.get("edges"), entry.get("levels")
    if "threshold" in told:
        edges = [entry["threshold"]]
    return {
        "path": path,
        "column": place,
        "edges": None if edges is None else _edges(edges, column, side),
        "lt": side == "lt",
        "branches": None if levels is None else _branches(levels, column),
    }


def _terms(given: Any, schema: Schema) -> list[tuple[int, int, bool, float | int, bool]]:
    """The properties of a conjunction: column, level or -1, whether the opposite is asked, threshold, side."""
    name = "forced_splits"
    terms = list(given) if isinstance(given, Iterable) and not isinstance(given, str | Mapping) else []
    if not terms or not all(isinstance(term, tuple | list) and len(term) in (2, 3, 5) for term in terms):
        raise ParameterError(
            f"{name}: all_of is a list of properties, each (column, level), or (column, level, True) for any other "
            f"level, or (column, '<=', number) with <, <=, > or >=; got {given!r:.80}."
        )
    return [_term(_read_term(term), schema) for term in terms]


def _read_term(given: Any) -> Term:
    """A property as it may be given: a level, any other, a side of a threshold, or all that `Split.terms` has."""
    if len(given) == 3 and given[1] in _SIZES and not isinstance(given[2], bool):
        return Term(given[0], None, given[1] in (">", ">="), given[2], "le" if given[1] in ("<=", ">") else "lt")
    return Term(*given, *([False] if len(given) == 2 else []))


def _term(term: Term, schema: Schema) -> tuple[int, int, bool, float | int, bool]:
    name = "forced_splits"
    place = _column(name, term.column, schema)
    column = schema.columns[place]
    if (column.kind == "nominal") != (term.threshold is None):
        has = (
            "a level of it"
            if column.kind == "nominal"
            else f"a side of a threshold, such as ({column.name!r}, '<=', 3)"
        )
        raise ParameterError(f"{name}: {column.name!r} is {column.kind}; its property is {has}.")
    if term.threshold is None:
        return place, _codes([term.level], column)[0], bool(term.negated), 0, False
    side = check.choice(f"{name}: side", term.side or "le", ["le", "lt"])
    return place, -1, bool(term.negated), _threshold(term.threshold, column, side), side == "lt"


def _branches(levels: Any, column: Column) -> list[list[int]]:
    return [_codes(branch, column) for branch in _listed(levels, column)]


def _listed(levels: Any, column: Column) -> Iterable[Any]:
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise ParameterError(
            f"forced_splits: levels of {column.name!r} must be a list of lists, one a branch; got {levels!r:.80}."
        )
    return levels


def _edges(given: Any, column: Column, side: str) -> list[float | int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"forced_splits: edges of {column.name!r} must be a list; got {given!r:.80}.")
    edges = [_threshold(edge, column, side) for edge in given]
    if not edges or any(low >= high for low, high in itertools.pairwise(edges)):
        raise ParameterError(
            f"forced_splits: edges of {column.name!r} must rise, and there must be one at least; got {given!r:.80}."
        )
    return edges


def _threshold(given: Any, column: Column, side: str) -> float | int:
    """As the kernel takes it: a whole number that a double would round stays whole."""
    if column.kind == "ordered":
        return _codes([given], column)[0]
    meaning = parse_temporal(column.dtype)
    if meaning is not None and (isinstance(given, np.timedelta64) or not isinstance(given, numbers.Real)):
        given = _ticks(given, column, meaning, side)
    if isinstance(given, numbers.Integral) and abs(int(given)) >= 2**53 and -(2**63) <= int(given) < 2**64:
        return int(given)
    try:
        number = check.as_number(f"forced_splits: the threshold of {column.name!r}", given)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise ParameterError(f"forced_splits: the threshold of {column.name!r} must be finite; got {given!r:.80}.")
    return number


def _ticks(given: Any, column: Column, meaning: Temporal, side: str) -> int:
    """A date, time or duration as the column counts it; what is finer is rounded as says the same: up for `<`."""
    with contextlib.suppress(BoughError):
        table = build_table({column.name: [given]})
        found, value = table.schema.columns[0], table.columns[0]
        theirs = parse_temporal(found.dtype)
        if theirs is not None and value.missing is None and meaning.accepts(theirs):
            ticks = meaning.convert(value.data, theirs)
            finer = side == "lt" and theirs.convert(ticks, meaning)[0] != value.data[0]
            return int(ticks[0]) + int(finer)
    zone = ", with a time zone" if meaning.zone is not None else ", without a time zone"
    raise ParameterError(
        f"forced_splits: the column {column.name!r} is of type {column.dtype}; give its threshold as a "
        f"{meaning.family}{zone if meaning.family == 'datetime' else ''}, or as the number that it is kept as; got "
        f"{given!r:.80}."
    )


def name_fault(fault: str, options: dict[str, Any], schema: Schema) -> str | None:
    """What the kernel says of an expert's word, with the node and the column by name; None if it is of other things."""
    found = re.fullmatch(r"(forced|initial\.node)\[(\d+)\]: (.*)", fault, re.DOTALL)
    if found is None:
        return None
    kind, number, problem = found[1], int(found[2]), found[3]
    tree = options.get("initial")
    if tree is None:
        entry = options["forced"][number]
        path, column, said = tuple(entry["path"]), entry["column"], "forced_splits"
    else:
        inner = np.flatnonzero(np.diff(tree.child_begin) > 0)
        node = number if kind == "initial.node" else int(inner[number])
        column, said = int(tree.split_column[tree.split_begin[node]]), "initial_tree"
        steps = []
        while node > 0:
            steps.append(int(tree.branch[node]))
            node = int(tree.parent[node])
        path = tuple(reversed(steps))
    where = f"the node {path}" if path else "the root"
    return f"{said}: {where} is to ask {schema.names[column]!r}, but {problem}."


def _codes(labels: Any, column: Column) -> list[int]:
    known = list(column.levels or ())
    codes = []
    for label in _listed(labels, column):
        place = next((code for code, level in enumerate(known) if type(level) is type(label) and level == label), None)
        if place is None:
            raise ParameterError(
                f"forced_splits: column {column.name!r} has no level {label!r:.80}; its levels: "
                f"{', '.join(map(repr, known[:10]))}."
            )
        codes.append(place)
    return codes


def _refuse_gaps(paths: list[tuple[int, ...]]) -> None:
    """A forced node needs forced nodes above it, or it would not be known which node it is."""
    for number, path in enumerate(paths):
        if path in paths[:number]:
            raise ParameterError(f"forced_splits says twice what is asked at the node {path}.")
        if path and path[:-1] not in paths:
            raise ParameterError(
                f"forced_splits says what is asked at the node {path}, but not at {path[:-1]} above it: force that too."
            )
