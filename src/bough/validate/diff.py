"""How two trees differ: nodes and tests that only one has, thresholds that moved, rows that get another answer."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ParameterError
from bough.model import Node, Tree, tree_of
from bough.model.frame import as_frame

__all__ = ["Change", "Difference", "diff"]

_SHOWN = 40
_STATES = ("only a", "only b", "threshold", "levels", "test", "answer", "same")


@dataclass(frozen=True)
class Change:
    """One place in two trees: the branches from the root, what each says there, and what kind of change it is."""

    path: tuple[int, ...]
    change: str
    a: str
    b: str
    rows_a: int
    rows_b: int


@dataclass(frozen=True)
class Difference:
    """How two trees differ; print it, or take `to_frame()`.

    Attributes
    ----------
    changes : tuple of Change
        Places at which the trees differ, from the root on: "only a" or "only b" (a node that the other does not have),
        "threshold" (the same column at another threshold), "levels" (other sets of levels), "test" (another test),
        "answer" (leaves with another answer).
    n_nodes, n_leaves, depth : (int, int)
        Of both trees.
    columns : (tuple of str, tuple of str)
        Columns that only one of them asks.
    n_same : int
        Places at which both say the same.
    changed : float
        The share of the rows that get another answer; NaN if no rows were given.
    largest : float
        The largest difference of values, or of probabilities; NaN if no rows were given.
    """

    changes: tuple[Change, ...]
    n_nodes: tuple[int, int]
    n_leaves: tuple[int, int]
    depth: tuple[int, int]
    columns: tuple[tuple[str, ...], tuple[str, ...]]
    n_same: int
    changed: float = np.nan
    largest: float = np.nan
    n_rows: int = field(default=0)

    def to_frame(self) -> Any:
        """Return a data frame with one row for each place at which the trees differ."""
        names = ("path", "change", "a", "b", "rows_a", "rows_b")
        return as_frame({name: [getattr(change, name) for change in self.changes] for name in names})

    def __bool__(self) -> bool:
        """Whether the trees differ."""
        return bool(self.changes)

    def __str__(self) -> str:
        sizes = ", ".join(
            f"{name} {one:,}" if one == two else f"{name} {one:,} -> {two:,}"
            for name, (one, two) in (("nodes", self.n_nodes), ("leaves", self.n_leaves), ("depth", self.depth))
        )
        lines = [sizes]
        for name, columns in zip("ab", self.columns, strict=True):
            if columns:
                lines.append(f"only {name} asks {', '.join(columns)}")
        counts = {state: sum(change.change == state for change in self.changes) for state in _STATES}
        told = ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)
        lines.append(f"{self.n_same:,} places the same; changed: {told or 'none'}")
        if self.n_rows:
            lines.append(f"{self.changed:.2%} of {self.n_rows:,} rows get another answer")
        for change in self.changes[:_SHOWN]:
            where = ".".join(map(str, change.path)) or "root"
            lines.append(f"  {where:<12} {change.change:<9} {change.a or '-'}  ->  {change.b or '-'}")
        if len(self.changes) > _SHOWN:
            lines.append(f"  … {len(self.changes) - _SHOWN:,} more")
        return "\n".join(lines)

    __repr__ = __str__


def diff(a: Any, b: Any, X: Any = None) -> Difference:
    """Say how two trees differ.

    Nodes are compared place by place: the root with the root, and where two tests ask the same column in as many
    branches, the branches with each other. Below a place where they ask otherwise, all nodes are of one tree only.

    Parameters
    ----------
    a, b : fitted estimators or Trees
        Of the same kind of target.
    X : table, optional
        Rows to answer by both: how many get another class, or another value.

    Returns
    -------
    Difference

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> one = bough.CARTClassifier().fit(X, y)
    >>> two = bough.CARTClassifier(min_samples_leaf=40).fit(X, y)
    >>> found = bough.diff(one, two, X)
    >>> found.n_leaves, found.changed > 0, bool(bough.diff(one, one))
    ((4, 3), True, False)
    """
    one, two = tree_of(a), tree_of(b)
    if one.is_classifier != two.is_classifier:
        raise ParameterError("a tree of classes and a tree of values have no answers in common: give two of a kind.")
    changes: list[Change] = []
    same = 0
    todo: list[tuple[Node | None, Node | None, tuple[int, ...]]] = [(one.root, two.root, ())]
    while todo:
        mine, theirs, path = todo.pop()
        change = _compare(mine, theirs)
        if change == "same":
            same += 1
        else:
            rows = (0 if mine is None else mine.rows, 0 if theirs is None else theirs.rows)
            changes.append(Change(path, change, _says(mine), _says(theirs), *rows))
        children = _together(mine, theirs, change)
        todo += [(x, y, (*path, k)) for k, (x, y) in reversed(list(enumerate(children)))]
    changed, largest, n_rows = _answers(a, b, X)
    mine_only = tuple(name for name in one.columns_used if name not in two.columns_used)
    theirs_only = tuple(name for name in two.columns_used if name not in one.columns_used)
    return Difference(
        changes=tuple(changes),
        n_nodes=(one.n_nodes, two.n_nodes),
        n_leaves=(one.n_leaves, two.n_leaves),
        depth=(one.depth, two.depth),
        columns=(mine_only, theirs_only),
        n_same=same,
        changed=changed,
        largest=largest,
        n_rows=n_rows,
    )


def _compare(a: Node | None, b: Node | None) -> str:
    if a is None or b is None:
        return "only b" if a is None else "only a"
    one, two = a.split, b.split
    if one is None and two is None:
        return "same" if a.answer == b.answer else "answer"
    if one is None or two is None:
        return "test"
    if (one.column, one.kind, one.n_branches) != (two.column, two.kind, two.n_branches):
        return "test"
    count = one.n_branches
    if all(one.describe(k) == two.describe(k) for k in range(count)):
        return "same"
    if one.kind == "levels":
        return "levels"
    return "threshold" if one.kind in ("threshold", "intervals") else "test"


def _together(a: Node | None, b: Node | None, change: str) -> list[tuple[Node | None, Node | None]]:
    """The nodes below, in pairs where the tests ask alike."""
    mine: list[Node | None] = [] if a is None else list(a.children)
    theirs: list[Node | None] = [] if b is None else list(b.children)
    if change in ("same", "threshold", "levels") and len(mine) == len(theirs):
        return list(zip(mine, theirs, strict=True))
    return [(node, None) for node in mine] + [(None, node) for node in theirs]


def _says(node: Node | None) -> str:
    if node is None:
        return ""
    if node.split is None:
        return f"answers {node.answer_text}"
    return node.split.describe(0, exact=False, most_levels=6)


def _answers(a: Any, b: Any, X: Any) -> tuple[float, float, int]:
    if X is None:
        return np.nan, np.nan, 0
    one, two = _told(a, X), _told(b, X)
    if tree_of(a).is_classifier:
        other = np.array([x != y for x, y in zip(one.tolist(), two.tolist(), strict=True)], dtype=bool)
        largest = np.nan
        if not isinstance(a, Tree) and not isinstance(b, Tree) and np.array_equal(a.classes_, b.classes_):
            largest = float(np.abs(a.predict_proba(X) - b.predict_proba(X)).max(initial=0.0))
    else:
        other = one != two
        largest = float(np.abs(one - two).max(initial=0.0))
    return float(other.mean()) if len(other) else np.nan, largest, len(other)


def _told(model: Any, X: Any) -> npt.NDArray[Any]:
    if not isinstance(model, Tree):
        return np.asarray(model.predict(X))
    from bough.learn.answering import tree_answers

    labels, _, values = tree_answers(model, X)
    return np.array(labels, dtype=object) if labels is not None else np.asarray(values)
