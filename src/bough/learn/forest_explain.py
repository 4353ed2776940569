"""Methods of forests that say what columns contribute: importance with standard errors, and Shapley values.

They are plain functions here, bound in `ForestEstimator`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from bough import _core
from bough.errors import ParameterError
from bough.learn.forest_replay import Replay, replay
from bough.learn.forest_shadows import gain_shares, shadow_differences
from bough.learn.members import seed_of
from bough.model.text import counted
from bough.recipe import parameters as check

if TYPE_CHECKING:
    from bough.explain.importance import Importance
    from bough.learn.forest_estimator import ForestEstimator

__all__ = ["expected_value", "importance", "shap_values"]

Floats = npt.NDArray[np.float64]

_ASKS = {  # what each kind is told, besides the forest
    "splits": (),
    "corrected": ("X", "y", "sample_weight", "groups", "random_state"),
    "permutation": ("X", "y", "sample_weight", "groups", "loss", "n_repeats", "by_case", "random_state"),
    "shapley": ("X", "by_case"),
}


def importance(
    self: "ForestEstimator",
    kind: str = "splits",
    *,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    loss: str | None = None,
    n_repeats: int | None = None,
    by_case: bool | None = None,
    random_state: Any = None,
    as_frame: bool = False,
) -> Any:
    """Return the importance of each column, with its standard error. The model is never changed by it.

    Parameters
    ----------
    kind : {"splits", "corrected", "permutation", "shapley"}, default="splits"
        "splits": the share of the column in the decrease of impurity, mean over the trees. It favours columns with many
        values, noise among them.

        "corrected": that share, less the share of the column's shadow: the same values in another order of the rows,
        which tells what they gain by chance. A forest of its own is grown for it, of as many trees, in which columns
        and shadows are drawn alike. Near 0, and below as often as above, for columns that do not matter.

        "permutation": how much worse a tree answers the rows out of its bag when the values of the column are shuffled
        among them, mean over the trees, not scaled.

        "shapley": how far the column moves the answers to the rows of X, up or down: the mean size of their Shapley
        values, for classes the mean over these. It takes a while where trees are large.
    X, y, sample_weight, groups
        For "corrected" and "permutation" those of the fit, as the bags are drawn again; for "shapley" any X, alone.
        What a kind does not ask for is refused, as nothing would come of it.
    loss : str, optional
        For "permutation": of classes "error" (default) or "brier", of numbers "squared_error" (default) or
        "absolute_error".
    n_repeats : int, optional
        For "permutation": how often each column is shuffled in each tree; by default once.
    by_case : bool, optional
        For "permutation" and "shapley": whether to tell it row by row, too. By default not.
    random_state : int, RandomState or None
        For "corrected" and "permutation": of the shuffles; None is a fixed key.
    as_frame : bool, default=False
        Whether to return `to_frame()` of the importance: the columns by name, the largest first.

    Returns
    -------
    Importance or data frame
        `print` it, `to_frame()` it, `bough.plot.importance` draws it. The standard error is that over the trees, which
        more trees make smaller, and for "shapley" that over the rows. It does not tell what another sample would give.

    References
    ----------
    L. Breiman, Random forests, Machine Learning 45, 2001: permutation. S. Nembrini, I. R. Koenig, M. N. Wright, The
    revival of the Gini importance?, Bioinformatics 34, 2018: corrected.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=50).fit(X, y)
    >>> clf.importance("permutation", X=X, y=y).ranking[-1] in ("sex", "year")
    True
    >>> bool(abs(clf.importance().mean.sum() - 1) < 1e-9)
    True
    """
    check_is_fitted(self)
    check.choice("kind", kind, list(_ASKS))
    framed = check.flag("as_frame", as_frame)
    options = {"X": X, "y": y, "sample_weight": sample_weight, "groups": groups, "loss": loss}
    options |= {"n_repeats": n_repeats, "by_case": by_case, "random_state": random_state}
    found = _importance(self, kind, options)
    return found.to_frame() if framed else found


def _importance(self: "ForestEstimator", kind: str, options: dict[str, Any]) -> "Importance":
    X, y, loss, n_repeats, by_case, random_state = (
        options[name] for name in ("X", "y", "loss", "n_repeats", "by_case", "random_state")
    )
    idle = [name for name, value in options.items() if value is not None and name not in _ASKS[kind]]
    if idle:
        asked = ", ".join(_ASKS[kind]) or "the forest alone"
        raise ParameterError(f"kind={kind!r} follows from {asked}: leave out {', '.join(idle)}.")
    if kind == "splits":
        return _of_trees(self, kind, "share in the decrease of impurity", gain_shares(self.model_.kernel))
    if X is None or (y is None and kind != "shapley"):
        wanted = "the rows to explain: give X." if kind == "shapley" else "the rows of the fit: give X and y."
        raise ParameterError(f"kind={kind!r} asks for {wanted}")
    rows_too = check.flag("by_case", False if by_case is None else by_case)
    if kind == "shapley":
        return _shapley(self, X, by_case=rows_too)
    again = replay(self, X, y, options["sample_weight"], options["groups"])
    if kind == "corrected":
        again.check_bags()
        found = shadow_differences(type(self)(**self.fitted_.params), again, seed_of(random_state))
        about = "share in the decrease of impurity, less that of the same values in another order"
        return _of_trees(self, kind, about, found)
    again.need_out_of_bag("kind='permutation'")
    shuffling = {"seed": seed_of(random_state), "by_case": rows_too}
    shuffling["repeats"] = 1 if n_repeats is None else check.whole("n_repeats", n_repeats, 1)
    return _permuted(self, again, loss, shuffling)


def _of_trees(self: "ForestEstimator", kind: str, about: str, told: Floats) -> "Importance":
    """From what is told by tree and column."""
    from bough.explain.importance import Importance, mean_and_error

    mean, error = mean_and_error(told)
    if kind == "splits":  # a tree without a split has no shares
        total = mean.sum() or 1.0
        mean, error = mean / total, error / total
    return Importance(kind, f"{about}, mean over {counted(len(told), 'tree')}", self.schema_.names, mean, error)


def _permuted(self: "ForestEstimator", again: Replay, loss: str | None, shuffling: dict[str, Any]) -> "Importance":
    from bough.explain.importance import Importance

    model, target = self.model_, again.grown.target
    known = ("squared_error", "absolute_error") if target.classes is None else ("error", "brier")
    name = known[0] if loss is None else str(check.choice("loss", loss, list(known)))
    judged: dict[str, Any] = {}
    if again.grown.training.weights is not None:
        judged["weight"] = again.grown.training.weights
    if target.classes is None:
        judged |= {"value": target.fields["value"], "squared": name == "squared_error"}
    else:
        judged |= {"label": target.fields["label"], "cost": _cost_of_answers(self, name).ravel()}
    mean, error, cases = _core.forest_permuted(
        model.kernel, again.grown.columns, again.bags.of_all(len(model)), judged, shuffling, again.threads
    )
    about = (
        f"rise of the {name.replace('_', ' ')} out of bag when the column is shuffled, mean over "
        f"{counted(len(model), 'tree')}"
    )
    more: dict[str, Any] = {"by_case": cases} if shuffling["by_case"] else {}
    if target.classes is not None:
        order = np.argsort(target.classes, kind="stable")
        more |= {"classes": target.classes[order], "class_mean": mean[1 + order], "class_error": error[1 + order]}
    return Importance("permutation", about, self.schema_.names, mean[0], error[0], **more)


def _cost_of_answers(self: "ForestEstimator", loss: str) -> Floats:
    """By answer of a leaf and true class: whether a tree errs, or its Brier score."""
    kernel, answer = self.model_.kernel, self.model_.answer
    shares = kernel.answer.reshape(-1, kernel.classes)
    if loss == "brier":
        brier: Floats = (shares**2).sum(axis=1, keepdims=True) - 2 * shares + 1
        return brier
    wrong = np.ones(shares.shape)
    wrong[np.arange(len(shares)), answer.decide(shares[:, : len(np.asarray(answer.classes))])] = 0.0
    return wrong


def _shapley(self: "ForestEstimator", X: Any, *, by_case: bool) -> "Importance":
    from bough.explain.importance import Importance, mean_and_error

    sizes = np.abs(self.shap_values(X))
    more: dict[str, Any] = {}
    if sizes.ndim == 3:
        mean, error = mean_and_error(sizes)
        more = {"classes": self.classes_, "class_mean": mean.T, "class_error": error.T}
        sizes = sizes.mean(axis=2)
    mean, error = mean_and_error(sizes)
    about = f"mean size of the Shapley values of {counted(len(sizes), 'row')}"
    if by_case:
        more["by_case"] = sizes
    return Importance("shapley", about, self.schema_.names, mean, error, **more)


def shap_values(self: "ForestEstimator", X: Any) -> Floats:
    """Return the Shapley values of each row: what each column adds to its answer, exact for each tree, mean over all.

    Those of a row sum to its prediction less `expected_value_`. The game is that of a single tree. Every tree is opened
    for it, which takes about a second for 100,000 nodes, and every leaf is looked at for every row: ask for few rows
    where trees are large.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)

    Returns
    -------
    ndarray of shape (n_rows, n_features) or (n_rows, n_features, n_classes)
        For values, or for the probabilities of the classes in the order of `predict_proba`.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.RandomForestClassifier(n_estimators=10, max_depth=3).fit(X, y)
    >>> values = clf.shap_values(X[:5])
    >>> values.shape
    (5, 7, 3)
    >>> bool(abs(values.sum(axis=1) + clf.expected_value_ - clf.predict_proba(X[:5])).max() < 1e-9)
    True
    """
    from bough.explain.shapley import forest_shapley_values

    rows = self._rows(X)
    return forest_shapley_values(self.model_, rows.columns, self._threads_for(rows))[0]


def expected_value(self: "ForestEstimator") -> Any:
    """The answer to a row of which nothing is known, which `shap_values` add to.

    A number, or an array with the probability of each class: the mean over the trees.
    """
    check_is_fitted(self)
    from bough.explain.shapley import forest_shapley_values, no_rows

    base = forest_shapley_values(self.model_, no_rows(self.schema_))[1]
    return float(base) if base.ndim == 0 else base
