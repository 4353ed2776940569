"""Pruning by the global criterion of the texts: what the size of a tree costs, plus how impure its leaves are."""

from typing import Any

from bough.recipe.pruners import of_size, prune_by_size, size_options
from bough.recipe.work import Grown, Pruning, Work

__all__ = ["SizePenalty"]


@of_size
class SizePenalty(Pruning):
    """The subtree of least J = alpha x size + sum of the impurities of the leaves (Duda, Hart and Stork).

    Of all subtrees with the same root none has a smaller J; of equal ones it is the smallest. As a stopping rule the
    same criterion is `GlobalCriterion`, which can only choose among the trees on the way of growing.

    Parameters
    ----------
    {size}
    weighted : bool, default=False
        Whether the impurity of a leaf counts times its share of the rows. As the texts write it, it does not: a small
        leaf counts as much as a large one, and splitting off a few rows hardly pays before all leaves are nearly pure.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> grown = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    >>> [grown.pruned("size_penalty", alpha=alpha, weighted=True).get_n_leaves() for alpha in (0, 0.002, 0.01)]
    [13, 9, 4]
    """

    needs_rows = False
    pruner = staticmethod(prune_by_size)
    says = ("alpha", "size", "weighted")

    def __init__(self, alpha: float = 0.01, size: str = "nodes", weighted: bool = False) -> None:
        self.alpha = alpha
        self.size = size
        self.weighted = weighted

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes."""
        size_options(self.alpha, self.size, self.weighted, self.label)
        return {"alpha": self.alpha, "size": self.size, "weighted": self.weighted}

    def apply(self, kernel: Any, work: Work) -> Grown:
        """The subtree of least J."""
        kernel, log = prune_by_size(kernel, **self.how())
        return Grown(kernel, work.growth.weights, log)
