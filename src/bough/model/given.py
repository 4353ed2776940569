"""What is given where a tree is needed: a fitted estimator or the tree itself."""

from typing import Any

from bough.errors import ParameterError
from bough.model.tree import Tree

__all__ = ["tree_of"]


def tree_of(model: Any) -> Tree:
    """Return the tree of a fitted estimator, or the tree that was given.

    Parameters
    ----------
    model : fitted estimator or Tree

    Returns
    -------
    Tree

    Examples
    --------
    >>> import bough
    >>> from bough.model.given import tree_of
    >>> clf = bough.CARTClassifier().fit({"x": list(range(40))}, [0] * 20 + [1] * 20)
    >>> tree_of(clf) is clf.tree_ is tree_of(clf.tree_)
    True
    """
    if isinstance(model, Tree):
        return model
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if hasattr(model, "best_estimator_"):
        raise ParameterError(f"give the estimator that this {type(model).__name__} has chosen: its best_estimator_.")
    if hasattr(model, "steps"):
        raise ParameterError(
            f"this {type(model).__name__} is a chain of steps: give its last one, pipeline[-1]; what its tree asks "
            "are the columns that the other steps make."
        )
    if hasattr(model, "fit") and tree is None:
        raise ParameterError(f"this {type(model).__name__} has no tree yet: fit it first.")
    raise ParameterError(f"expected a fitted tree estimator of bough or a bough.Tree; got {type(model).__name__}.")
