"""C4.5: a branch for every level, gain ratio, fractional cases, error-based pruning."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.errors import ParameterError
from bough.learn.classifier import ClassificationTree
from bough.learn.texts import described
from bough.recipe import (
    Entropy,
    ErrorBased,
    Exhaustive,
    Fractional,
    GainRatio,
    Grouped,
    Laplace,
    Majority,
    MaxDepth,
    MinRows,
    OneLevel,
    Part,
    PerLevel,
    Reading,
    ReducedError,
)
from bough.recipe import parameters as check
from bough.recipe.branching import Branching
from bough.recipe.criterion import Criterion
from bough.recipe.leaf import Leaf
from bough.recipe.looking import Search
from bough.recipe.recipe import Recipe
from bough.recipe.work import Pruning

__all__ = ["C45Classifier"]


@described()
class C45Classifier(ClassificationTree):
    """A classification tree (C4.5, release 8).

    Nominal columns are split by level, numbers at thresholds; the test is the one of the largest gain ratio among those
    whose gain is at least average. Cases without the value of a test go down every branch in parts, in training and in
    prediction. The grown tree is pruned by the upper confidence limits of its errors. Parts come from `bough.recipe`; a
    part says all of its answer, a name stands for C4.5's own. Grid search reaches the arguments: `pruning__raising`.

    Parameters
    ----------
    criterion : {"gain_ratio", "entropy"} or part, default="gain_ratio"
        What columns compete by; thresholds of one column always compete by gain. The names stand for `GainRatio()` and
        `Entropy(choice="above_average", threshold_penalty=True, many_valued_share=0.3)`.
    branching : {"per_level", "one_level", "grouped"} or part, default="per_level"
        Split nominal columns into all levels, into one level and the rest, or join levels into groups, one branch each,
        where that raises the ratio (C4.5's option -s). The names stand for `PerLevel(declared=True)`,
        `OneLevel(declared=True)` and `Grouped()`.
    search : "exhaustive" or part, default="exhaustive"
        Every test of every column; thresholds are values of the training column: `Exhaustive(threshold="data_value")`.
    leaf : {"majority", "laplace"} or part, default="majority"
        What probabilities are: the shares of the classes, or those with one more row of every class in each leaf.
        Classes are chosen without it.
    max_depth : int or None, default=None
    min_samples_leaf : int or float, default=2
        Least weight of at least two branches, counted over rows whose value is known. An int is a sum of sample
        weights, a float in (0, 1] a share of the total. A node of less than twice this weight is a leaf.
    numeric_minimum : {"share", "plain"}, default="share"
        With "share" both sides of a threshold must hold a tenth of the known weight for each class, between
        `min_samples_leaf` and 25; with "plain" only `min_samples_leaf`.
    pruning : {"error_based", "reduced_error"}, part or None, default="error_based"
        How the grown tree is made smaller: where the errors to expect become no more, where the errors on rows kept
        back become no more, or not at all. `ErrorBased(raising=False)` cuts only, `ErrorBased(confidence=None)` only
        collapses subtrees that are no better on the training rows.
    confidence : float, default=0.25
        Of error-based pruning; the smaller, the smaller the tree.
    absent : {"missing", "stop"}, default="missing"
        A level that the node did not meet in training: as if missing, or the answer of the node.
    unseen : {"missing", "stop", "error"}, default="missing"
        A level that no training row held: as if missing, or the answer of the node where it is asked for, or an error.
    {reading}
    {categorical_features}
    ordered_features : dict, list or None, default=None
        Columns with ordered levels: `{"size": ["S", "M", "L"]}`. They are split like numbers.
    {work}

    Attributes
    ----------
    {fitted_classes}
    pruning_log_ : PruningLog
        What pruning did, in order: the node of the grown tree, "leaf" or "raised", the errors expected (or made on the
        rows kept back) before and after. Not kept in files.
    pruning_path_ : frame
        The nested subtrees of the tree under cost-complexity, from the root alone to the whole.
    {importances}

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann, 1993.
    J. R. Quinlan, Improved use of continuous attributes in C4.5, Journal of Artificial Intelligence Research 4, 1996.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.C45Classifier().fit(X, y)
    >>> clf.get_n_leaves()
    9
    """

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "criterion": {
            "gain_ratio": GainRatio(),
            "entropy": Entropy(choice="above_average", threshold_penalty=True, many_valued_share=0.3),
        },
        "branching": {
            "per_level": PerLevel(declared=True),
            "one_level": OneLevel(declared=True),
            "grouped": Grouped(),
        },
        "search": {"exhaustive": Exhaustive(threshold="data_value")},
        "leaf": {"majority": Majority(), "laplace": Laplace()},
        "missing": {"fractional": Fractional()},
        "pruning": {"error_based": ErrorBased(), "reduced_error": ReducedError()},
    }

    def __init__(
        self,
        *,
        criterion: str | Criterion = "gain_ratio",
        branching: str | Branching = "per_level",
        search: str | Search = "exhaustive",
        leaf: str | Leaf = "majority",
        max_depth: int | None = None,
        min_samples_leaf: int | float = 2,
        numeric_minimum: str = "share",
        pruning: str | Pruning | None = "error_based",
        confidence: float = 0.25,
        absent: str = "missing",
        unseen: str = "missing",
        reading: Reading | None = None,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.branching = branching
        self.search = search
        self.leaf = leaf
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.numeric_minimum = numeric_minimum
        self.pruning = pruning
        self.confidence = confidence
        self.absent = absent
        self.unseen = unseen
        self.reading = reading
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_work(self) -> None:
        super()._check_work()
        check.minimum("min_samples_leaf", self.min_samples_leaf, 1, 1.0)

    def _recipe(self) -> Recipe:
        check.choice("absent", self.absent, ["missing", "stop"])
        check.choice("unseen", self.unseen, ["missing", "stop", "error"])
        rows = self._part(MinRows, "min_samples_leaf", "numeric_minimum")
        return Recipe(
            branching=self._slot("branching"),
            criterion=self._slot("criterion"),
            search=self._slot("search"),
            stopping=(rows.set_params(min_samples_split=None, branches="two"), self._part(MaxDepth, "max_depth")),
            pruning=self._pruning(),
            leaf=self._slot("leaf"),
            missing=Fractional(),
            absent=self.absent,
            unseen=self.unseen,
            reading=self._reading(),
        )

    def _pruning(self) -> Pruning | None:
        part: Pruning | None = None if self.pruning is None else self._slot("pruning")
        if isinstance(part, ErrorBased):
            return self._filled(part, confidence=0.25)  # type: ignore[no-any-return]
        if self.confidence != 0.25:
            raise ParameterError(
                f"confidence is of error-based pruning, not of pruning={self.pruning!r:.200}: leave it out."
            )
        return part
