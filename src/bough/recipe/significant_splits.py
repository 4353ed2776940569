"""Pruning by significance: what may well be chance is cut, unless something below it is not."""

from typing import Any

from bough.recipe.pruners import prune_insignificant, significance_options
from bough.recipe.work import Grown, Pruning, Work

__all__ = ["SignificantSplits"]


class SignificantSplits(Pruning):
    """Cut subtrees none of whose splits is significant (critical value pruning).

    The p-value of a split says how often chance alone would make its branches differ as much. A split that may well be
    chance stays where one below it is not: that is what stopping by `Significance` cannot see. Rows that are given to
    `pruned` need not be those the tree was grown on. Other rows give honest p-values; by the training rows each split
    is the best of many, and looks more significant than it is.

    Parameters
    ----------
    level : float, default=0.05
        The largest p-value of a split that is significant. The smaller, the smaller the tree.
    test : {"pearson", "one_sided"}, default="pearson"
        As for `Significance`: Pearson's sum over classes and branches (for numbers: Fisher's F between the branches),
        or the sum over the classes of the first of two branches alone, as Duda, Hart and Stork have it. Rows count
        whose value is known, or for which the test has a branch of its own.
    bonferroni : bool, default=False
        Multiply p-values by the number of columns.

    References
    ----------
    J. R. Quinlan, Induction of decision trees, Machine Learning 1, 1986, 81-106.
    J. Mingers, Expert systems: rule induction with statistical data, Journal of the Operational Research Society 38,
    1987, 39-47.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> grown = bough.CARTClassifier(pruning=None, min_samples_split=2, min_samples_leaf=1).fit(X, y)
    >>> [grown.pruned("significant_splits", X, y, level=level).get_n_leaves() for level in (0.05, 0.001)]
    [12, 10]
    """

    pruner = staticmethod(prune_insignificant)
    says = ("level", "test", "bonferroni")

    def __init__(self, level: float = 0.05, test: str = "pearson", bonferroni: bool = False) -> None:
        self.level = level
        self.test = test
        self.bonferroni = bonferroni

    def how(self) -> dict[str, Any]:
        """The options of the function that prunes."""
        significance_options(self.level, self.test, self.bonferroni, self.label)
        return {"level": self.level, "test": self.test, "bonferroni": self.bonferroni}

    def apply(self, kernel: Any, work: Work) -> Grown:
        """Cut what may well be chance."""
        # Rows that a test does not decide go where growing sent them.
        kernel = work.growth.with_surrogates(kernel)
        kernel, log = prune_insignificant(kernel, work.growth, **self.how(), progress=work.progress)
        return Grown(kernel, work.growth.weights, log, complete=True)
