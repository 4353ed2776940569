"""`model_of` and `tree_of`: from what a user passes (estimator, model, tree) to the model, or a refusal."""

from typing import TYPE_CHECKING, Any

from bough.errors import ParameterError
from bough.model.kinds import Model

if TYPE_CHECKING:
    from bough.model.tree import Tree

__all__ = ["model_of", "tree_of"]


def model_of(given: Any) -> Model:
    """Return the model of a fitted estimator, or the model that was given.

    Parameters
    ----------
    given : fitted estimator or Model

    Returns
    -------
    Model
    """
    if isinstance(given, Model) and not hasattr(given, "fit"):
        return given
    model = getattr(given, "model_", None)
    if isinstance(model, Model):
        return model
    if hasattr(given, "best_estimator_"):
        raise ParameterError(f"give the estimator that this {type(given).__name__} has chosen: its best_estimator_.")
    if hasattr(given, "steps"):
        raise ParameterError(
            f"this {type(given).__name__} is a chain of steps: give its last one, pipeline[-1]; what its model asks "
            "are the columns that the other steps make."
        )
    ours = any(base.__module__.startswith("bough.") for base in type(given).__mro__)
    if ours and hasattr(given, "fit"):
        raise ParameterError(f"this {type(given).__name__} has no model yet: fit it first.")
    raise ParameterError(
        f"expected a fitted estimator of bough or a model, such as a bough.Tree; got {type(given).__name__}."
    )


def tree_of(given: Any) -> "Tree":
    """Return the tree of a fitted estimator, or the tree that was given; a model of another kind is refused.

    Parameters
    ----------
    given : fitted estimator or Tree

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
    from bough.model.tree import Tree  # which has the rules of a tree, and these ask for models, too

    model = model_of(given)
    if not isinstance(model, Tree):
        many = model.kind in ("forest", "ensemble")
        instead = "take one of its trees, model[0]" if many else "str(model) shows it as text"
        raise ParameterError(f"this needs a tree; a model of the kind {model.kind!r} is none: {instead}.")
    return model
