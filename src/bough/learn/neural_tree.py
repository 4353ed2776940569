"""Neural trees: nodes that hold enough rows ask a small network, the others a sum of columns."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.learn.classifier import ClassificationTree
from bough.learn.oblique import CLASS_CRITERIA, OBLIQUE_ANSWERS, OBLIQUE_TEXT, oblique_recipe
from bough.learn.texts import described
from bough.recipe import Network, Part, Reading, SparseLogistic
from bough.recipe.criterion import Criterion
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.work import Pruning

__all__ = ["NeuralTreeClassifier"]


@described(oblique=OBLIQUE_TEXT)
class NeuralTreeClassifier(ClassificationTree):
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
    _recipe = oblique_recipe

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gini",
        search: str | Search = "network",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        pruning: float | str | Pruning | None = "cross_validated",
        missing: str | Missing = "majority_branch",
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.search = search
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.missing = missing
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
