"""Neural trees: nodes that hold enough rows ask a small network, the others a sum of columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, ObliqueTree
from bough.learn.texts import described
from bough.recipe import Network, Part, SparseLogistic
from bough.recipe.looking import Search

__all__ = ["NeuralTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
@dataclass(eq=False, repr=False, kw_only=True)
class NeuralTreeClassifier(ObliqueTree, ClassificationTree):
    """A tree whose nodes may ask a small network of the columns (a neural tree).

    Every node asks for the best test of one column or for a threshold of a network of one hidden layer, which is a
    curve across several columns, whichever gains more; nodes of few rows ask for a sum of columns in its place. It pays
    where classes are parted by curves and rows are many. It cannot be read as other trees can: a node says what its
    network reads, and only `describe(exact=True)` all of its weights.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "twoing", "misclassification"} or part, default="gini"
    search : {"network", "sparse_logistic"} or part, default="network"
        `Network` has what else is to choose. "sparse_logistic": sums of few columns, by logistic regression.
    {oblique}
    {classes}

    Notes
    -----
    Weights come from an optimiser that may round otherwise on another machine; on one machine the same table and seed
    give the same tree. Exports: C, JavaScript, Python, ONNX and JSON.

    References
    ----------
    H. Guo and S. B. Gelfand, Classification trees with neural network feature extraction, IEEE Transactions on Neural
    Networks 3, 1992.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("circle", n=400, random_state=0).xy()
    >>> clf = bough.NeuralTreeClassifier(pruning=None, random_state=0).fit(X, y)
    >>> clf.tree_.root.split.found, sorted(clf.tree_.root.split.columns)
    ('network', ['x1', 'x2'])
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": CLASS_CRITERIA,
        "search": {"network": Network(), "sparse_logistic": SparseLogistic()},
        **OBLIQUE_ANSWERS,
    }

    search: str | Search = "network"
