"""Methods of tree estimators that explain single predictions, and the importance of columns.

They are plain functions here, bound in `TreeEstimator`, so that one class does not fill one long file.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bough.errors import ParameterError
from bough.learn.importance import column_importance
from bough.learn.target import check_lengths, read_classes, read_numbers
from bough.model.frame import as_frame as frame
from bough.model.inputs import Rows
from bough.model.texts import of_change
from bough.recipe import parameters as check
from bough.table import Encoded, weight_array

if TYPE_CHECKING:
    from bough.explain.counterfactual import Counterfactuals
    from bough.explain.interventional import Interventional
    from bough.learn.tree_estimator import TreeEstimator

__all__ = ["counterfactual", "expected_value", "explain", "importance", "shap_values"]

Floats = npt.NDArray[np.float64]


def explain(self: "TreeEstimator", X: Any, *, level: float = 0.95, max_levels: int | None = 8) -> Any:
    """Say why a row got its answer, or each row of a table.

    Parameters
    ----------
    X : row or table
        A row is a dict of single values, of which columns that are left out are not known, a Series, a named tuple,
        or a tuple, flat list or array in the order of the columns. Anything else is a table.
    level : float, default=0.95
        Of the intervals: Wilson's score for probabilities, Student's t for means, both on the training rows of the
        leaf, given the tree. Priors and class weights scale them as they scale the probabilities. Rows count as
        of equal weight: sample weights that differ much make the intervals too narrow.
    max_levels : int or None, default=8
        Fold sets with more levels.

    Returns
    -------
    Explanation or data frame
        Of one row an object that prints as a paragraph: the conditions of its way, merged to one for each column,
        the probabilities with intervals, the runner-up, and what was missing and how the row went on there. Of a
        table a data frame with one line for each row.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy"))
    >>> print(clf.explain({"age": 40, "job": "A"}))
    The answer is y, with probability 100 % (95 % interval 44 % to 100 %, Wilson, from 3 training rows), because
    age > 38.5.
    Next is n with 0 % (0 % to 56 %).
    >>> print(clf.explain({"age": None, "job": "A"}).routes[0])
    age is missing: job in {A, C} stands in for age <= 38.5 (surrogate)
    """
    check_is_fitted(self)
    from bough.explain.explanation import explain_way
    from bough.explain.frame import explain_table
    from bough.explain.rows import as_row
    from bough.explain.way import walk
    from bough.model.asked import Asked
    from bough.model.ways import cells_of

    level = _level(level)
    most = None if max_levels is None else check.whole("max_levels", max_levels, 1)
    row = as_row(X)
    tree = self.tree_
    rows = self._rows(X if row is None else row, every=True)
    threads = self._threads_for(rows)
    answers = tree.predict(rows, n_threads=threads)
    shares = tree.shares(rows, n_threads=threads) if tree.is_classifier else None
    asked = Asked(tree)
    if row is None:
        nodes = tree.apply(rows, n_threads=threads)
        return explain_table(asked, rows.encoded, nodes, answers, shares, level=level, most_levels=most)
    told = None if shares is None else shares[0]
    cells = cells_of(rows.encoded)
    way = walk(asked, cells)
    return explain_way(asked, way, _plain(answers[0]), told, level=level, most_levels=most, cells=cells)


@of_change
def counterfactual(
    self: "TreeEstimator",
    row: Any,
    to: Any = None,
    *,
    fixed: Iterable[str] = (),
    direction: Mapping[str, str] | None = None,
    n: int = 1,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    background: Any = None,
    exact: bool = False,
) -> "Counterfactuals":
    """Return the smallest changes of a row that give it another answer.

    The fewest columns are changed; among changes of as many columns those that move the least in ranks: by the
    number of the tree's thresholds, or edges of bins, on the column between old and new value, of levels in an
    ordered column, 1 for a nominal one and for a value that was missing. No other distance between values is
    assumed. The search is exact, missing values and surrogates included, and the model itself confirms each result.

    {change}
    bounds : dict, optional
        Of a tree that asks weighted sums of columns: the least and the largest number that columns may get, such as
        ``{"age": (18, 90)}``. There changes are measured by what lies between the bounds or, without, by the standard
        deviation that the tree's first sum has of the column; a number without bounds moves at most 1,000 of these.
    background : table, optional
        Of a tree that asks curves: rows such as those of training. From the ten nearest that have the answer the row is
        walked back to, column by column, by halving the way. Without, rows are drawn around what the tree asks.
    exact : bool, default=False
        Whether a tree that asks curves is refused: walks are no search, and there may be a smaller change.

    Returns
    -------
    Counterfactuals
        A sequence, the smallest first; empty if nothing gives the answer. `limits` says what was not searched: of a
        tree of sums, whose changes are found by mixed-integer programming, at most 500 ways to the answer and 60 s; of
        a tree of curves, that it was none.

    Examples
    --------
    >>> import bough
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy"))
    >>> found = clf.counterfactual({"age": 30, "job": "A"}, to="y")
    >>> print(found)
    age 39 instead of 30: y
    >>> found[0].changes[0].condition
    'age > 38.5'
    """
    check_is_fitted(self)
    from bough.explain.counterfactual import counterfactuals
    from bough.explain.rows import encoded_row, only_row, values_of
    from bough.explain.tree_routes import TreeRoutes
    from bough.explain.wanted import bounds_of, directions, names, wanted_answer
    from bough.model.asked import Asked
    from bough.model.ways import cells_of

    given = only_row(self.schema_, row)
    tree = self.tree_
    rows = None
    if background is not None:
        behind = tree.inputs.read_given(background).encoded
        rows = [cells_of(behind, number) for number in range(len(behind[0].data))]
    now = tree.predict(self._rows(given, every=True))[0]
    wanted, about = wanted_answer(tree.class_labels, to, now)

    def answer(changed: Sequence[Any]) -> Any:
        return _plain(tree.predict(Rows(tree.schema, encoded_row(tree.schema, changed)))[0])

    return counterfactuals(
        TreeRoutes(Asked(tree)),
        # As they are given, not as the codes of bins; what is to be warned of, reading has said.
        cells_of(tree.inputs.read_given(given).encoded),
        values_of(given),
        wanted,
        lambda ends: tree.answer.at_ends(tree.kernel, ends),
        answer,
        about=about,
        fixed=names(fixed),
        direction=directions(direction),
        n=check.whole("n", n, 1),
        bounds=bounds_of(bounds),
        rows=rows,
        exact=check.flag("exact", exact),
    )


def shap_values(
    self: "TreeEstimator",
    X: Any,
    *,
    kind: str = "path",
    background: Any = None,
    n_permutations: int | None = None,
    random_state: Any = None,
    with_errors: bool = False,
) -> Any:
    """Return the Shapley values of each row: what each column adds to its answer.

    Those of a row sum to its prediction less `expected_value_`. The game of ``kind="path"``: a node that asks a column
    outside the coalition passes the case on to all its branches by their training weight; one that asks a column inside
    it sends the case where the model sends it, be that by surrogates, which count for the column of the split, or in
    parts. The columns of a conjunction ("a and b") are asked together and share what the pair adds equally. Of a tree
    that asks weighted sums of columns they are not defined, and refused.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
    kind : {"path", "interventional"}, default="path"
        "interventional": columns outside the coalition are those of the background, each of its rows in turn; any tree
        has these values. They sum to the prediction less the mean prediction of the background.
    background : table, optional
        Of "interventional": the rows that stand for what is not known, such as 100 of the training table.
    n_permutations : int, optional
        Of "interventional", where the tree asks more than 12 columns, up to which values are exact: about how many
        orders of the columns are drawn, each with its reverse; by default 200.
    random_state : int, RandomState or None
        For these.
    with_errors : bool, default=False
        Of "interventional": also return the standard errors of the values, 0 where they are exact.

    Returns
    -------
    ndarray of shape (n_rows, n_features) or (n_rows, n_features, n_classes)
        For values, or for the probabilities of the classes in the order of `predict_proba`.
    errors : ndarray of the same shape
        If asked for.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier().fit(X, y)
    >>> values = clf.shap_values(X[:2])
    >>> values.shape
    (2, 7, 3)
    >>> bool(abs(values.sum(axis=1) + clf.expected_value_ - clf.predict_proba(X[:2])).max() < 1e-9)
    True
    """
    from bough.explain.shapley import shapley_values

    check_is_fitted(self)
    if check.choice("kind", kind, ["path", "interventional"]) == "interventional":
        found = _interventional(self, X, background, n_permutations, random_state)
        return (found.values, found.errors) if check.flag("with_errors", with_errors) else found.values
    options = {"background": background, "n_permutations": n_permutations, "random_state": random_state}
    given = [name for name, value in options.items() if value is not None] + ["with_errors"] * bool(with_errors)
    if given:
        raise ParameterError(f"kind='path' is exact and takes no {given[0]}: ask for kind='interventional'.")
    rows = self._rows(X)
    return shapley_values(self.tree_, rows.columns, self._threads_for(rows))[0]


def _interventional(
    self: "TreeEstimator", X: Any, background: Any, n_permutations: int | None, random_state: Any
) -> "Interventional":
    from bough.explain.interventional import interventional_values
    from bough.model.routing import columns_read

    if background is None:
        raise ParameterError(
            "kind='interventional' needs a background: give background=, rows that stand for what is not known, such "
            "as 100 of the training table."
        )
    tree = self.tree_

    def answer(columns: list[Encoded]) -> Floats:
        rows = Rows(tree.schema, columns)
        return np.asarray(tree.predict_proba(rows) if tree.is_classifier else tree.predict(rows), dtype=np.float64)

    count = 200 if n_permutations is None else check.whole("n_permutations", n_permutations, 2)
    seed = check_random_state(random_state).randint(2**31)
    rows, behind = self._rows(X, every=True).encoded, self._rows(background, every=True).encoded
    asked = sorted(columns_read(tree))
    random = np.random.default_rng(seed)
    return interventional_values(answer, rows, behind, asked, n_permutations=count, random=random)


def importance(
    self: "TreeEstimator",
    kind: str = "splits",
    *,
    X: Any = None,
    y: Any = None,
    as_frame: bool = False,
    loss: str | None = None,
    n_repeats: int | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
) -> Any:
    """Return the importance of each column.

    Parameters
    ----------
    kind : {"splits", "surrogates", "permutation"}, default="splits"
        What the splits of a column gained, as a share of all; the same with the credit of its surrogates; or how
        much worse the answers for given rows get when the values of the column are shuffled among them.
    X, y : table and array
        The rows to judge by, best such that the tree was not grown on. These and all that follow are for
        "permutation" alone, and refused with the other kinds, which follow from the tree.
    as_frame : bool, default=False
        Whether to name the columns, the largest importance first.
    loss : str, optional
        For classes "error" (default), "brier" or "log_loss", for numbers "squared_error" (default) or
        "absolute_error".
    n_repeats : int, optional
        How often each column is shuffled; by default 10 times.
    random_state : int, RandomState or None
    sample_weight : array of shape (n_rows,), optional
        Of the rows of X.

    Returns
    -------
    ndarray of shape (n_features,), or data frame
        In the order of the columns; those of splits and surrogates sum to 1, unless the tree has no split. A frame
        has `column`, `importance` and `spread`: the standard deviation over the repeats, NaN for the other kinds.

    Examples
    --------
    >>> import bough
    >>> X = {"x": list(range(40)), "z": [0, 1] * 20}
    >>> clf = bough.CARTClassifier().fit(X, [0] * 20 + [1] * 20)
    >>> clf.importance()
    array([1., 0.])
    >>> frame = clf.importance("permutation", X=X, y=[0] * 20 + [1] * 20, as_frame=True, random_state=0)
    >>> list(frame["column"]), float(frame["importance"][1])
    (['x', 'z'], 0.0)
    """
    check_is_fitted(self)
    names = ["splits", "surrogates", "permutation"]
    if check.choice("kind", kind, names) != "permutation":
        options: dict[str, Any] = {"X": X, "y": y, "loss": loss, "n_repeats": n_repeats}
        options |= {"random_state": random_state, "sample_weight": sample_weight}
        given = [name for name, value in options.items() if value is not None]
        if given:
            raise ParameterError(
                f"kind={kind!r} follows from the tree alone: leave out {', '.join(given)}, or ask for "
                "kind='permutation'."
            )
        total = column_importance(self.tree_.kernel, len(self.tree_.schema), surrogates=kind == "surrogates")
        mean = total / total.sum() if total.sum() > 0 else total
        spread = np.full(len(mean), np.nan)
    else:
        repeats = 10 if n_repeats is None else check.whole("n_repeats", n_repeats, 1)
        drops = _permuted(self, X, y, loss, repeats, check_random_state(random_state), sample_weight)
        mean = drops.mean(axis=1)
        spread = drops.std(axis=1, ddof=1) if repeats > 1 else np.full(len(mean), np.nan)
    if not check.flag("as_frame", as_frame):
        return mean
    order = np.argsort(-mean, kind="stable")
    columns = [self.tree_.schema.names[number] for number in order.tolist()]
    return frame({"column": columns, "importance": mean[order], "spread": spread[order]})


def _permuted(
    self: "TreeEstimator", X: Any, y: Any, loss: str | None, repeats: int, random: Any, sample_weight: Any
) -> Floats:
    from bough.explain.permutation import CLASS_LOSSES, NUMBER_LOSSES, class_loss, number_loss, permuted_losses

    if X is None or y is None:
        raise ParameterError("kind='permutation' judges by rows: give X and y, best such as were not trained on.")
    tree = self.tree_
    known = CLASS_LOSSES if tree.is_classifier else NUMBER_LOSSES
    name = known[0] if loss is None else str(check.choice("loss", loss, list(known)))
    encoded = self._rows(X, every=True).encoded
    n_rows = len(encoded[0].data)
    weights = None if sample_weight is None else weight_array(sample_weight)
    if weights is not None:
        check_lengths(n_rows, weights)
    if tree.classes is None:
        truth = read_numbers(y)
        check_lengths(n_rows, truth)

        def judge(columns: "list[Encoded]") -> float:
            return number_loss(name, truth, tree.predict(Rows(tree.schema, columns)), weights)
    else:
        place = {label: number for number, label in enumerate(tree.class_labels or [])}
        given = read_classes(y)
        numbers = np.array([place.get(label, -1) for label in given.labels.tolist()], dtype=np.int64)
        codes = numbers[given.codes]
        check_lengths(n_rows, codes)

        def judge(columns: "list[Encoded]") -> float:
            rows = Rows(tree.schema, columns)
            answers = np.array([place[label] for label in tree.predict(rows).tolist()], dtype=np.int64)
            return class_loss(name, codes, answers, tree.shares(rows), weights)

    return permuted_losses(tree, encoded, judge, n_repeats=repeats, random=random)


def expected_value(self: "TreeEstimator") -> Any:
    """The answer to a row of which nothing is known, which `shap_values` add to.

    A number, or an array with the probability of each class: the mean over the leaves, by training weight.
    """
    check_is_fitted(self)
    from bough.explain.shapley import no_rows, shapley_values

    base = shapley_values(self.tree_, no_rows(self.tree_.schema))[1]
    return float(base) if base.ndim == 0 else base


def _level(level: Any) -> float:
    told = check.share("level", level, 0.0, 1.0)
    if not 0 < told < 1:
        raise ParameterError(f"level must lie between 0 and 1, such as 0.95; got {level!r}.")
    return told


def _plain(answer: Any) -> Any:
    return answer.item() if hasattr(answer, "item") else answer
