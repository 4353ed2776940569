"""ID3: a branch for every level, the largest information gain, until all is told; numbers are binned before."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bough.errors import DataError, ParameterError
from bough.learn.bins import find_bins
from bough.learn.classifier import ClassificationTree
from bough.learn.target import Target
from bough.learn.texts import described
from bough.learn.training import Training
from bough.model.bins import Bins
from bough.model.inputs import refuse_missing
from bough.recipe import (
    Entropy,
    Exhaustive,
    Fractional,
    Majority,
    MaxDepth,
    MinRows,
    Part,
    PerLevel,
    Reading,
    Refuse,
)
from bough.recipe import parameters as check
from bough.recipe.looking import Search
from bough.recipe.missing import Missing
from bough.recipe.recipe import Recipe

__all__ = ["ID3Classifier"]


@described()
class ID3Classifier(ClassificationTree):
    """A classification tree (ID3).

    Every test asks for a column and has a branch for each of its levels; the column is the one of the largest
    information gain, where none gains anything the first that has several levels left. A node is a leaf when it is pure
    or no column is left. Numbers are cut into bins once, before the tree grows.

    Parameters
    ----------
    bins : {"entropy_mdl", "equal_width", "equal_frequency", None}, default="entropy_mdl"
        How numeric columns become levels: cut where the classes change as far as that shortens their description,
        into `n_bins` of equal width or of equal weight, or not: then numeric columns are refused.
    n_bins : int, default=5
        Of equal width or frequency.
    max_depth : int or None, default=None
    min_samples_split : int or float, default=2
        A node of less weight is a leaf. An int is a sum of sample weights, a float in (0, 1] a share.
    search : "exhaustive" or part, default="exhaustive"
        The name stands for `Exhaustive(zero_gain=True)`; `Exhaustive(zero_gain=False)` makes nodes leaves where nothing
        is gained, as Weka's Id3 does.
    missing : {"refuse", "refuse_asked", "fractional"} or part, default="refuse"
        Missing values are refused, as in the original; only where a test on the way of the row asks for one (training
        rows may lack none); or such cases go down every branch in parts.
    unseen : {"stop", "missing", "error"}, default="stop"
        A level that no training row held: the answer of the node where it is asked for, as if missing (needs
        missing="fractional"), or an error.
    {reading}
    max_competitors : int, default=4
        Runner-up splits kept at each node.
    {categorical_features}
    ordered_features : dict, list or None, default=None
        Columns with ordered levels; the order tells nothing to ID3.
    {work}

    Attributes
    ----------
    tree_ : bough.Tree
        The tree, in which numeric columns have their bins as levels.
    schema_ : Schema
        Name, kind, type and levels of each column of the training table.
    bins_ : tuple of ndarray or None
        The edges between the bins of each column; None for a column that is nominal anyway.
    {classes_and_features}
    pruning_path_ : frame
        The nested subtrees of the tree under cost-complexity, from the root alone to the whole.
    {importances}

    References
    ----------
    J. R. Quinlan, Induction of decision trees, Machine Learning 1, 1986.
    U. Fayyad and K. Irani, Multi-interval discretization of continuous-valued attributes for classification learning,
    IJCAI 1993.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("play_tennis").xy()
    >>> clf = bough.ID3Classifier().fit(X, y)
    >>> clf.tree_.root.split.column
    'Outlook'
    """

    @property
    def bins_(self) -> tuple[Any, ...]:
        """The edges between the bins of each column; None for a column that is nominal anyway."""
        bins = self.model_.inputs.bins
        return (None,) * self.n_features_in_ if bins is None else bins.edges

    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {
        "branching": {"per_level": PerLevel(declared=True)},
        "search": {"exhaustive": Exhaustive(zero_gain=True)},
        "missing": {"refuse": Refuse(), "refuse_asked": Refuse(where="asked"), "fractional": Fractional()},
    }

    def __init__(
        self,
        *,
        bins: str | None = "entropy_mdl",
        n_bins: int = 5,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        search: str | Search = "exhaustive",
        missing: str | Missing = "refuse",
        unseen: str = "stop",
        reading: Reading | None = None,
        max_competitors: int = 4,
        categorical_features: Any = "from_dtype",
        ordered_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bins = bins
        self.n_bins = n_bins
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.search = search
        self.missing = missing
        self.unseen = unseen
        self.reading = reading
        self.max_competitors = max_competitors
        self.categorical_features = categorical_features
        self.ordered_features = ordered_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def _spreads(self) -> bool:
        """Whether missing values are taken."""
        by_name = isinstance(self.missing, str) and self.missing == "fractional"
        return by_name or isinstance(self.missing, Fractional)

    def _check_work(self) -> None:
        super()._check_work()
        check.choice("bins", self.bins, ["entropy_mdl", "equal_width", "equal_frequency", None])
        check.whole("n_bins", self.n_bins, 2)
        self._slot("missing")
        check.choice("unseen", self.unseen, ["stop", "missing", "error"])
        if self.unseen == "missing" and not self._spreads:
            raise ParameterError("unseen='missing' needs missing='fractional': missing values are refused.")

    def _recipe(self) -> Recipe:
        return Recipe(
            branching=PerLevel(declared=True),
            criterion=Entropy(),
            search=self._filled(self._slot("search"), max_competitors=4),
            stopping=(
                self._part(MinRows, "min_samples_split").set_params(min_samples_leaf=0, branches="two"),
                self._part(MaxDepth, "max_depth"),
            ),
            pruning=None,
            leaf=Majority(),
            missing=self._slot("missing"),
            unseen=self.unseen,
            reading=self._reading(),
        )

    def _prepare(self, training: Training, target: Target) -> tuple[Training, Bins | None]:
        table = training.table
        if not self._spreads:
            refuse_missing(table.schema, table.columns, self._advice())
        if self.bins is None:
            for column in table.schema:
                if column.kind == "numeric":
                    raise DataError(
                        f"Column {column.name!r} is numeric, and ID3 asks for levels. Name it in "
                        "categorical_features, or have it cut with bins='entropy_mdl'."
                    )
        bins = find_bins(training, target.fields["label"], str(self.bins), int(self.n_bins))
        binned = bins.table(table)
        if binned.schema == table.schema:  # all columns are nominal as they are
            return training, None
        return Training(binned, training.weights), bins

    def _advice(self) -> str:
        return "ID3 refuses it; fill it in, or set missing='fractional'."
