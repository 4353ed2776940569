"""Making the page of a tree, and showing it in a notebook."""

import html
import json
from typing import Any

from bough.errors import ParameterError
from bough.model import Tree
from bough.view.page.bundle import assemble
from bough.view.page.content import content
from bough.view.page.given import given_rows
from bough.view.page.upper import upper_part

__all__ = ["frame", "page"]

_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
_IN_NOTEBOOK = 1000  # nodes: more would make the notebook's file large


def page(
    tree: Tree,
    X: Any = None,
    y: Any = None,
    *,
    name: str | None = None,
    whole: bool = True,
) -> str:
    """Return the page of a tree as text.

    Parameters
    ----------
    tree : Tree
    X, y : table or Rows, and array, optional
        Rows whose distribution is shown at every test; with y, where classes are predicted, by class.
    name : str, optional
        The class of the estimator.
    whole : bool, default=True
        Whether this is all of the tree that the user has.

    Examples
    --------
    >>> import bough
    >>> from bough.view.page import page
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, ["a<b"] * 20 + ["</script>"] * 20)
    >>> text = page(clf.tree_)
    >>> text.startswith("<!doctype html>"), text.count("</script>")
    (True, 2)
    """
    if X is None and y is not None:
        raise ParameterError("y is shown by the rows of X: give both, or X alone.")
    data = content(tree, name, whole=whole)
    if X is not None:
        data["given"] = given_rows(tree, tree.read(X, every=True), y)
    return assemble(as_script_data(data))


def as_script_data(data: Any) -> str:
    """JSON in plain ASCII that is safe inside a script element, whatever the texts are."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(_ESCAPED)


def frame(tree: Tree, name: str | None = None) -> str:
    """Return the page in a frame of its own, for a notebook; of a large tree its upper part."""
    shown = tree if tree.n_nodes <= _IN_NOTEBOOK else upper_part(tree, _IN_NOTEBOOK)
    text = page(shown, name=name, whole=shown is tree)
    label = html.escape(f"Decision tree for {tree.target}"[:200].encode("utf-8", "replace").decode())
    height = 620 if tree.n_nodes > 1 else 420
    return (
        f'<iframe title="{label}" sandbox="allow-scripts" srcdoc="{html.escape(text)}" width="100%" height="{height}" '
        'style="border: 1px solid #8884; border-radius: 6px"></iframe>'
    )
