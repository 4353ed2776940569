"""What trees of different sizes make of one numeric column: steps through the rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.model.given import tree_of
from bough.model.text import counted
from bough.plot.axes import STYLES, begin, diagram, finish, key
from bough.plot.values import check_rows, column_values, predict_at
from bough.view.palette import CLASSES, LINE

__all__ = ["fit"]


@diagram
def fit(models: Any, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Draw the answers of regression trees on one numeric column, with the rows.

    Parameters
    ----------
    models : fitted estimator or Tree, a sequence of them, or a mapping from names to them
        Trees for one numeric column, such as those for several thresholds of the error.
    X, y : table and array
        The rows to show.
    {axes}

    Examples
    --------
    >>> import bough, numpy as np
    >>> x = np.linspace(0, 6, 80)
    >>> y = np.sin(x) + np.random.default_rng(0).normal(0, 0.2, 80)
    >>> trees = {f"{n} leaves": bough.CARTRegressor(max_leaf_nodes=n, pruning=None).fit({"x": x}, y) for n in (2, 5)}
    >>> ax = bough.plot.fit(trees, {"x": x}, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['2 leaves', '5 leaves']
    """
    if isinstance(models, Mapping):
        named = {str(name): tree_of(model) for name, model in models.items()}
    elif isinstance(models, Sequence):
        trees = [tree_of(model) for model in models]
        named = {f"{number + 1}: {counted(tree.n_leaves, 'leaf')}": tree for number, tree in enumerate(trees)}
    else:
        tree = tree_of(models)
        named = {counted(tree.n_leaves, "leaf"): tree}
    if not named:
        raise ParameterError("plot.fit needs at least one model.")
    for tree in named.values():
        if tree.is_classifier or len(tree.schema) != 1 or tree.schema.columns[0].kind != "numeric":
            raise ParameterError("plot.fit draws regression trees that were fitted on one numeric column.")
    column = next(iter(named.values())).schema.columns[0]
    x = column_values(X, column.name, 0).astype(np.float64)
    target = np.asarray(y, dtype=np.float64).ravel()
    check_rows(len(x), target)
    ax = begin(ax, 6.0, 3.6)
    ax.plot(x, target, linestyle="", marker="o", markersize=3, markerfacecolor=LINE, markeredgecolor="none", alpha=0.7)
    low, high = float(np.nanmin(x)), float(np.nanmax(x))
    handles = []
    for number, tree in enumerate(named.values()):
        tests = [node.split.test for node in tree if node.split is not None]
        cuts = np.unique([cut.value for test in tests for own in test.cuts.values() for cut in own] or [low])
        edges = np.unique(np.concatenate([[low], cuts[(cuts > low) & (cuts < high)], [high]]))
        middles = (edges[:-1] + edges[1:]) / 2 if len(edges) > 1 else edges
        values = tree.values(predict_at(tree, {column.name: middles}))
        look = {"color": CLASSES[(0, 6, 2, 4, 7, 1)[number % 6]], "linestyle": STYLES[number % len(STYLES)]}
        handles += ax.plot(np.repeat(edges, 2)[1:-1], np.repeat(values, 2), linewidth=1.6, **look)
    key(ax, handles, list(named))
    return finish(ax, column.name, next(iter(named.values())).target)
