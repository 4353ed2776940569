"""A tree to grow on, in the columns of another table: found by name, levels by label.

The kernel knows columns by their numbers and levels by their codes, and an expert's tree counts only what it asks: so
its tests are written once more, in the numbers and codes of the table that it is grown on.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model import Split, Tree
from bough.model.features import without_cells
from bough.model.tests.levels import set_columns
from bough.table import Column, Schema
from bough.table.temporal import parse_temporal

__all__ = ["initial_kernel"]

_CODED = {"term_code": "term_column", "lin_code": "lin_column", "lin_other_code": "lin_other"}


def initial_kernel(given: Any, schema: Schema) -> Any:
    """The kernel's tree that asks as a given one does, with the numbers of the columns of X."""
    if not isinstance(given, Tree):
        # An estimator would lose its tree when scikit-learn clones the one that holds it.
        of_estimator = " Give the tree of the estimator: initial_tree=estimator.tree_." if hasattr(given, "fit") else ""
        raise ParameterError(f"initial_tree must be a bough.Tree; got {given!r:.80}.{of_estimator}")
    if given.schema == schema:
        return given.kernel
    boxless = without_cells(given.arrays, given.arrays.split_role == 0)
    if len(boxless):
        raise ParameterError(
            f"initial_tree asks several columns at once: {Split(given, int(boxless[0])).test.title()}. Such a test "
            "cannot be grown on; give a tree without it."
        )
    arrays = _tests(given)
    names: tuple[str, ...] = ("split_column", "term_column", "lin_column", "lin_other")
    asked = {name: arrays[name] for name in names if name in arrays}
    place = {int(column): -1 for columns in asked.values() for column in columns if column >= 0}
    for column in place:
        place[column] = _found(given.schema.columns[column], schema)
    arrays |= {name: _mapped(columns, place) for name, columns in asked.items()}
    codes = {old: _codes(given.schema.columns[old], schema.columns[new]) for old, new in place.items()}
    for name, of in _CODED.items():
        if name in arrays:
            pairs = zip(asked[of].tolist(), arrays[name].tolist(), strict=True)
            arrays[name] = _whole([code if code < 0 else _code(codes[column], code) for column, code in pairs])
    _translate_sets(arrays, asked["split_column"], codes)
    return _core.Tree.from_arrays(arrays, given.routing)


def _tests(tree: Tree) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a tree that has the same tests and nothing else: no surrogates, runners-up or answers."""
    builder = _core.TreeBuilder([], tree.routing)
    for node in tree.nodes:
        builder.add_node(int(tree.arrays.parent[node.id]), int(tree.arrays.branch[node.id]), value=0.0)
        if node.split is not None:
            node.split.test.write(builder, role=0)
    return builder.freeze().to_arrays()


def _found(theirs: Column, schema: Schema) -> int:
    """The number of the column of X that a tree asks for."""
    if theirs.name not in schema.names:
        known = ", ".join(map(repr, schema.names[:10])) + (", ..." if len(schema) > 10 else "")
        raise ParameterError(f"initial_tree asks the column {theirs.name!r}, which X does not have; it has {known}.")
    place = schema.names.index(theirs.name)
    ours = schema.columns[place]
    if theirs.kind != ours.kind:
        raise ParameterError(f"initial_tree asks {theirs.name!r} as {theirs.kind}; in X it is {ours.kind}.")
    if theirs.dtype != ours.dtype and (parse_temporal(theirs.dtype) or parse_temporal(ours.dtype)):
        raise ParameterError(f"initial_tree asks {theirs.name!r} as {theirs.dtype}; in X it is {ours.dtype}.")
    if theirs.kind == "ordered" and theirs.levels != ours.levels:
        raise ParameterError(
            f"initial_tree asks {theirs.name!r} by the order of its levels {list(theirs.levels or ())!r:.80}; in X "
            f"they are {list(ours.levels or ())!r:.80}."
        )
    return place


def _codes(theirs: Column, ours: Column) -> dict[int, int | str]:
    """The codes that X has for the levels of a column of the tree, or what is to be said if it has none."""
    own = {(type(level), level): code for code, level in enumerate(ours.levels or ())}
    return {
        code: own.get(
            (type(level), level),
            f"initial_tree asks {theirs.name!r} for the level {level!r:.60}, which X does not have: declare it in X (a "
            "categorical column), or leave it out of the tree.",
        )
        for code, level in enumerate(theirs.levels or ())
    }


def _code(codes: dict[int, int | str], code: int) -> int:
    found = codes[code]
    if isinstance(found, str):
        raise ParameterError(found)
    return found


def _translate_sets(
    arrays: dict[str, npt.NDArray[Any]], columns: npt.NDArray[Any], codes: dict[int, dict[int, int | str]]
) -> None:
    """The sets of levels with the codes of X, rising in each."""
    sets = set_columns({**arrays, "split_column": columns})
    code, branch, begin = arrays["set_code"].copy(), arrays["set_branch"].copy(), arrays["set_begin"].tolist()
    for number, column in enumerate(sets):
        own = slice(begin[number], begin[number + 1])
        new = _whole([_code(codes[column], old) for old in code[own].tolist()])
        order = np.argsort(new)
        code[own], branch[own] = new[order], branch[own][order]
    arrays |= {"set_code": code, "set_branch": branch}


def _mapped(columns: npt.NDArray[Any], place: dict[int, int]) -> npt.NDArray[np.int32]:
    return _whole([place.get(column, column) for column in columns.tolist()])


def _whole(values: list[int]) -> npt.NDArray[np.int32]:
    return np.array(values, dtype=np.int32)
