"""Laws of criteria as trees show them, whichever loop of the kernel grew the tree and however many branches tests have.

The open framework is asked in several ways: with every branching, and each time also by the open loop, which has a
version of every criterion of its own. `allowed_columns` is known to that loop alone; here all are allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

from bough.errors import ParameterError
from bough.testing.impurity import superclass_twoing, twoing

__all__ = ["ROUNDING", "check_trees", "law"]

Array = npt.NDArray[Any]

ROUNDING = 1e-9

_COLUMNS = ("a", "b", "c", "d")
_BRANCHINGS = ("binary", "one_level", "per_level", "grouped", "intervals")
_BETWEEN_CLASSES = {"gini", "variance", "entropy", "misclassification"}
_WEIGH_COSTS = {"weighted_gini", "weighted_entropy", "expected_cost"}
_MEAN_DROPS = _BETWEEN_CLASSES | _WEIGH_COSTS | {"gain_ratio", "squared_error", "absolute_error"}


class _Way(NamedTuple):
    """A way to grow trees by the criterion."""

    estimator: Any
    branching: str
    alone: bool  # whether nothing but the criterion decides


class _Case(NamedTuple):
    """A table without missing values; scale and offset of its numbers can be changed."""

    columns: dict[str, Array]
    y: Array

    def moved(self) -> dict[str, Array]:
        return {name: x * 4 + 16 if x.dtype.kind == "f" else x for name, x in self.columns.items()}


def law(holds: Any, of: str, what: str) -> None:
    """Raise an AssertionError that says which law is broken."""
    if not bool(holds):
        raise AssertionError(f"broken law of {of}: {what}")


def check_trees(estimator: Any, cases: int, rng: np.random.Generator) -> None:
    """Check the trees that an estimator, and others with its criterion, grow on random tables.

    Parameters
    ----------
    estimator : estimator of bough
    cases : int
        Random tables.
    rng : numpy.random.Generator

    Raises
    ------
    AssertionError
        If a law is broken.
    """
    classes = is_classifier(estimator)
    ways = list(_ways(estimator, _random_case(classes, rng)))
    for _ in range(cases):
        case = _random_case(classes, rng)
        gains: dict[str, float] = {}
        for way in ways:
            fitted = _check_tree(way, case)
            split = fitted.tree_.root.split
            gain = 0.0 if split is None else split.gain
            same = abs(gains.setdefault(way.branching, gain) - gain) <= ROUNDING * (1 + abs(gain))
            law(same, _name(fitted), "both loops find a test of the same gain")
    for way in ways:
        _check_extremes(way, rng)


def _ways(estimator: Any, case: _Case) -> Iterator[_Way]:
    """The estimator as it is, then its criterion alone: with all branchings that it goes with, by both loops."""
    yield _Way(estimator, "as given", alone=False)
    params = estimator.get_params(deep=False)
    if "branching" not in params or "allowed_columns" not in params:
        return  # a named algorithm, whose rules are its own
    alone = clone(estimator).set_params(stopping=None, pruning=None, search="exhaustive")
    alone.set_params(search__zero_gain=False)  # laws are about gains
    if params["criterion"] == "gain_ratio" or hasattr(params["criterion"], "threshold_penalty"):
        alone.set_params(criterion__threshold_penalty=False, criterion__many_valued_share=0.0)
    for branching in _BRANCHINGS:
        for allowed in (None, {(): list(_COLUMNS)}):
            way = clone(alone).set_params(branching=branching, allowed_columns=allowed)
            try:
                clone(way).fit(case.columns, case.y)
            except ParameterError:
                continue  # refused: the criterion is not meant for so many branches
            yield _Way(way, branching, alone=True)


def _random_case(classes: bool, rng: np.random.Generator) -> _Case:
    """Two numbers and two columns of levels; the first of each tells something."""
    rows = int(rng.integers(40, 80))
    x = rng.integers(0, 64, (rows, 2)) / 8.0
    signal = x[:, 0] + rng.normal(scale=2.0, size=rows)
    near = np.digitize(signal + rng.normal(scale=1.5, size=rows), [1.5, 3.5, 5.5])
    columns = {"a": x[:, 0], "b": x[:, 1], "c": np.array(list("pqrs"))[near], "d": rng.choice(list("uvw"), rows)}
    return _Case(columns, np.digitize(signal, [2.0, 5.0]) if classes else np.round(signal * 4) / 4)


def _name(fitted: Any) -> str:
    return str(fitted.tree_.criterion)


def _check_tree(way: _Way, case: _Case) -> Any:
    """Check a tree and the trees of what should make no difference; return it."""
    fitted = clone(way.estimator).fit(case.columns, case.y)
    name = _name(fitted)
    _check_nodes(way, fitted)
    ends = fitted.apply(case.columns)
    moved = clone(way.estimator).fit(case.moved(), case.y)
    law((moved.apply(case.moved()) == ends).all(), name, "tests do not depend on scale and offset")
    if way.alone:
        heavier = clone(way.estimator).fit(case.columns, case.y, sample_weight=np.full(len(case.y), 3.0))
        law((heavier.apply(case.columns) == ends).all(), name, "weights times three change no test")
        _check_thresholds(fitted, case)
    return fitted


def _check_nodes(way: _Way, fitted: Any) -> None:
    name = _name(fitted)
    told = way.alone and not _reweighs(way.estimator, name)
    for node in fitted.tree_:
        law(node.impurity >= -ROUNDING, name, "an impurity is never negative")
        if node.split is None:
            continue
        gain = node.split.gain
        law(gain >= -ROUNDING, name, "a gain is never negative")
        law(node.counts is None or sum(count > 0 for count in node.counts.values()) > 1, name, "a pure node is a leaf")
        if name == "entropy":
            law(gain <= log2(len(node.children)) + ROUNDING, name, "B branches tell at most log2 B bits")
        expected = _gain(name, node) if told else None
        if expected is not None:
            close = abs(gain - expected) <= ROUNDING * (1 + abs(expected))
            law(close, name, f"a gain is what its branches say: {expected:.6g}, not {gain:.6g}")


def _reweighs(estimator: Any, name: str) -> bool:
    """Whether priors, costs or weights of classes change what a row weighs."""
    params = estimator.get_params(deep=True)
    given = {key.rpartition("__")[2] for key, value in params.items() if value is not None}
    return bool(given & {"priors", "class_weight"}) or ("costs" in given and name not in _WEIGH_COSTS)


def _gain(name: str, node: Any) -> float | None:
    """What the branches of a node say that its test gains, from what is kept of them; None if that is not known."""
    if name in _MEAN_DROPS:
        left = sum(child.weight * child.impurity for child in node.children)
        return float(node.impurity - left / node.weight)
    if name == "worst_error":
        return float(node.impurity - max(child.impurity for child in node.children))
    if not name.startswith(("twoing", "chi_squared")):
        return None
    branches = np.array([list(child.counts.values()) for child in node.children])
    if name == "twoing":
        return twoing(branches[0].tolist(), branches[1].tolist())
    if name.startswith("twoing_"):
        return superclass_twoing(branches[0].tolist(), branches[1].tolist(), name.removeprefix("twoing_"))
    expected = np.outer(branches.sum(axis=1), branches.sum(axis=0)) / branches.sum()
    terms = np.divide((branches - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
    return float(terms.sum() / branches.sum())


def _check_thresholds(fitted: Any, case: _Case) -> None:
    """The best thresholds of columns at the root part rows of different classes."""
    name = _name(fitted)
    root = fitted.tree_.root
    if name not in _BETWEEN_CLASSES or root.split is None:
        return
    for split in (root.split, *root.competitors):
        column = case.columns[split.column]
        for edge in split.edges or (() if split.threshold is None else (split.threshold,)):
            below = column < edge if split.side == "lt" else column <= edge
            beside = (column == column[below].max()) | (column == column[~below].min())
            law(len(np.unique(case.y[beside])) > 1, name, "best thresholds part different classes")


def _check_extremes(way: _Way, rng: np.random.Generator) -> None:
    """Zero when pure and where branches are alike, largest at equal shares."""
    classes = is_classifier(way.estimator)
    three = np.repeat([0, 1, 2], 8)

    def root(y: Any, levels: Any = three) -> Any:
        names = np.array(list("xyz"))[levels]
        columns = {"a": levels * 1.0, "b": np.zeros(len(levels)), "c": names, "d": names}
        fitted = clone(way.estimator).fit(columns, y)
        _check_nodes(way, fitted)
        return fitted.tree_.root

    def gained(node: Any) -> bool:
        return node.split is not None and node.split.gain > ROUNDING

    equal = root(three)
    name = str(equal.tree.criterion)
    law(not gained(root(np.tile([0, 0, 0, 0, 1, 1, 1, 2], 3))), name, "nothing is gained where branches are alike")
    if name in _WEIGH_COSTS or _reweighs(way.estimator, name):
        return  # what is given for three classes is not for one, and not all classes count the same
    pure = root(np.full(24, 1 if classes else 2.5))
    law(abs(pure.impurity) <= ROUNDING, name, "the impurity of a pure node is zero")
    law(not gained(pure), name, "nothing is gained at a pure node")
    if classes:
        some = root(np.r_[0, 1, 2, rng.integers(0, 3, 21)])
        law(some.impurity <= equal.impurity + ROUNDING, name, "the impurity is largest at equal shares")
