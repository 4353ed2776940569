"""Methods of tree estimators that prune what is fitted, and show the nested sequence of its subtrees.

They are plain functions here, bound in `TreeEstimator`, so that one class does not fill one long file.
"""

import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bough.errors import ParameterError
from bough.learn import fit as fitting
from bough.model.arrays import risk_total
from bough.model.frame import as_frame
from bough.model.pruning_path import PruningPath, pruning_path
from bough.model.text import counted
from bough.recipe import parameters as check
from bough.recipe.pruners import cut_weak
from bough.table import warn

if TYPE_CHECKING:
    from bough.learn.tree_estimator import TreeEstimator

__all__ = ["cp_table", "cross_validate_path", "pruned", "pruning_curve", "pruning_frame"]

Tree_ = TypeVar("Tree_", bound="TreeEstimator")


def pruning_frame(self: "TreeEstimator") -> Any:
    """The nested sequence of subtrees as a data frame, from the root alone to the whole tree."""
    check_is_fitted(self)
    return as_frame(_path(self).columns())


def cp_table(self: "TreeEstimator") -> Any:
    """Return `pruning_path_` in the units of rpart's `printcp`: relative to the risk of the root.

    Returns
    -------
    frame
        `CP`, `nsplit`, `rel error`, `xerror` and `xstd`; the last two are NaN before `cross_validate_path`, or
        before a fit with folds such as `like("rpart", xval=10)`.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> bough.like("rpart").fit(X, y).cp_table()[["CP", "nsplit", "rel error"]].round(3)
          CP  nsplit  rel error
    0  0.630       0      1.000
    1  0.281       1      0.370
    2  0.026       2      0.089
    3  0.010       3      0.062
    """
    check_is_fitted(self)
    path = _path(self).columns()
    root = float(path["risk"][0]) or 1.0
    names = {"rel error": "risk", "xerror": "cv_risk", "xstd": "cv_se"}
    relative = {name: path[column] / root for name, column in names.items()}
    return as_frame({"CP": path["cp"], "nsplit": path["n_splits"], **relative})


def _path(self: "TreeEstimator") -> PruningPath:
    path = self.fitted_.path
    if path is not None:
        return path
    kernel = self.tree_.kernel
    return pruning_path(kernel, _total(self), self.cp_, self.fitted_.risk(kernel))


def _total(self: "TreeEstimator") -> float:
    return risk_total(self.tree_.kernel)


def pruned(
    self: Tree_,
    how: Any = None,
    X: Any = None,
    y: Any = None,
    *,
    cp: float | None = None,
    alpha: float | None = None,
    n_leaves: int | None = None,
    sample_weight: Any = None,
    **options: Any,
) -> Tree_:
    """Return a smaller tree as a new fitted estimator, with a log of what was cut and why; nothing is grown again.

    One of `cp`, `alpha` and `n_leaves` chooses a tree of the nested sequence of `pruning_path_`; `how` names
    another way to prune.

    Parameters
    ----------
    how : str or part, optional
        Another way to prune: "cost_complexity", "merge_leaves", "size_penalty", "reduced_error",
        "significant_splits", "error_based" or "description_length" with options, or a part with its arguments, such
        as `ErrorBased(confidence=0.1)`. The last four look at rows; the last two are for classes.
    X, y : table and array, optional
        For "reduced_error" rows that the tree was not grown on; for "significant_splits" those, or the training
        rows; for the other two the training rows. They are not kept in the estimator or in files, so they are to be
        given again. Elsewhere none is looked at, and rows are refused.
    cp : float, optional
        Relative complexity, as in `pruning_path_`: nodes up to it become leaves.
    alpha : float, optional
        The same in units of risk. With "size_penalty": what one unit of size costs.
    n_leaves : int, optional
        The largest subtree of the sequence with at most so many leaves.
    sample_weight : array of shape (n_rows,), optional
        Of the rows of X.
    **options
        Of a name, called as in its part. "cost_complexity": `cp`. "merge_leaves": `max_increase`, `weighted`,
        `max_leaves`. "size_penalty": `alpha`, `size`, `weighted`. "significant_splits": `level`, `test`,
        `bonferroni`. "reduced_error": `strict`, `value_error`, `tolerance`. "error_based": `confidence`, `raising`,
        `collapse`, `tolerance`. "description_length": `exceptions`, `one_level`, `tree_weight`. Without `cp` or
        `max_increase` all is cut, step by step. Errors that differ by no more than `tolerance` are equal; by
        default it is that of the estimator's search. See docs/algorithms/pruning.md.

    Returns
    -------
    estimator of the same class
        With the attribute `pruning_log_`.

    Raises
    ------
    ParameterError
        If a subtree of the path is asked for that is larger than the tree: what cross-validation cut when the tree
        was fitted is gone.

    Examples
    --------
    >>> import bough
    >>> from bough.recipe import ErrorBased
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> grown = bough.CARTClassifier(pruning=None).fit(X, y)
    >>> grown.get_n_leaves(), grown.pruned(n_leaves=3).get_n_leaves()
    (10, 3)
    >>> grown.pruned("merge_leaves", max_increase=0.05).get_n_leaves()
    8
    >>> grown.pruned(ErrorBased(confidence=0.01), X, y).get_n_leaves()
    6
    """
    check_is_fitted(self)
    if X is None:
        _refuse_without_rows(self)
    if how is not None:
        from bough.learn import repruning

        for name, given in (("cp", cp), ("alpha", alpha), ("n_leaves", n_leaves)):
            if given is None:
                continue
            if name != "cp" and name not in repruning.says(how):
                raise ParameterError(f"{name} chooses a tree of pruning_path_: leave out {name}, or {how!r:.60}.")
            options[name] = given
        other: Tree_ = repruning.pruned(self, how, X, y, sample_weight, options)
        return other
    odd = [name for name, given in (("X", X), ("y", y), ("sample_weight", sample_weight)) if given is not None]
    if sum(given is not None for given in (cp, alpha, n_leaves)) != 1 or odd or options:
        more = "".join(f" {name} is for another way to prune: name it first." for name in [*odd, *options][:1])
        raise ParameterError(
            "pruned() takes exactly one of cp, alpha and n_leaves, or the way to prune, such as 'reduced_error'." + more
        )
    whole_path, total = _path(self), _total(self)
    path = whole_path.up_to(self.get_n_leaves())
    root_risk = float(self.fitted_.risk(self.tree_.kernel)[0])
    if n_leaves is not None:
        most = check.whole("n_leaves", n_leaves, 1)
        _refuse_cut_off(self, whole_path, int(np.flatnonzero(whole_path.n_leaves <= most)[-1]))
        _warn_of_size(self, most, path)
        level = float(path.alpha[path.n_leaves <= most][-1]) * total
    else:
        name, given, unit = ("alpha", alpha, total) if cp is None else ("cp", cp, root_risk)
        level = check.share(name, given, 0.0, np.inf) * unit
        above = np.flatnonzero(whole_path.alpha * total > level * (1 + 1e-9))
        _refuse_cut_off(self, whole_path, min(len(above), len(whole_path) - 1))
    return _cut_at(self, level, path, root_risk)


def cross_validate_path(self: "TreeEstimator", X: Any, y: Any, cv: Any = 10, *, sample_weight: Any = None) -> Any:
    """Fill in the cross-validated risks of `pruning_path_`, and cut nothing.

    Each fold grows and prunes as the fit did and judges the nested subtrees on rows that it has not seen: rpart's
    `xval` and `printcp`. Their risks are what the path counts: for classes under pruning="auto" the deviance.

    Parameters
    ----------
    X, y : table and array
        The rows that the tree was fitted to, which a model does not keep.
    cv : int, splitter or iterable, default=10
        Folds; a number of them is stratified and shuffled.
    sample_weight : array of shape (n_rows,), optional
        As in the fit.

    Returns
    -------
    frame
        `pruning_path_`, whose columns cv_risk and cv_se are filled in from now on.

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> clf = bough.CARTClassifier(pruning=0.01).fit(X, y)
    >>> path = clf.cross_validate_path(X, y, cv=5)
    >>> bool((path["cv_risk"] >= path["risk"]).all())
    True
    """
    check_is_fitted(self)
    fitted, twin = self.fitted_, type(self)(**self.fitted_.params)
    path = fitting.cross_validate_path(twin, X, y, sample_weight, fitted, self.tree_.kernel, _path(self), cv)
    self.fitted_ = dataclasses.replace(fitted, path=path)
    return pruning_frame(self)


def pruning_curve(
    self: "TreeEstimator",
    how: Any = "cost_complexity",
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    validation: tuple[Any, ...] | None = None,
    max_points: int = 100,
    **options: Any,
) -> Any:
    """Return size and error of the tree while it is pruned, as a data frame ready to be plotted.

    Parameters
    ----------
    how, X, y, sample_weight, **options
        As for `pruned`.
    validation : (X, y) or (X, y, sample_weight), optional
        Rows to judge each smaller tree by.
    max_points : int, default=100
        Of more steps, so many are shown.

    Returns
    -------
    frame
        `step`, `n_leaves`, `training_error`, `validation_error` (NaN without validation rows), from the whole tree
        on. Errors are mean costs of answers for classes (the error rate if nothing else is said), mean squared or
        absolute errors for numbers.
    """
    check_is_fitted(self)
    from bough.learn import repruning

    return repruning.pruning_curve(self, how, X, y, sample_weight, validation, max_points, options)


def _refuse_cut_off(self: "TreeEstimator", path: PruningPath, row: int) -> None:
    """Refuse a row of the path that is larger than what was kept of the tree when it was fitted."""
    kept = self.get_n_leaves()
    if path.n_leaves[row] > kept:
        cp = float(np.sqrt(path.cp[row] * path.cp[row - 1])) or float(path.cp[row - 1]) / 2
        raise ParameterError(
            f"the tree was cut to {counted(kept, 'leaf')} when it was fitted, so its subtree with "
            f"{path.n_leaves[row]} is gone. Fit {type(self).__name__}({_pruning_at(self, cp)}) to get it, or "
            "pruning=None and prune later."
        )


def _pruning_at(self: "TreeEstimator", cp: float) -> str:
    """The parameter that cuts at a relative complexity."""
    if self.fitted_.complexity in ("brier", "deviance"):
        return f"pruning=CostComplexity({cp:.6g}, risk={self.fitted_.complexity!r})"
    return f"pruning={cp:.6g}" if self.answers else f"pruning=CostComplexity({cp:.6g})"


def _refuse_without_rows(self: "TreeEstimator") -> None:
    """Refuse to choose among subtrees of a tree that was written, not grown: no node is worth anything."""
    if self.tree_.n_nodes > 1 and not self.tree_.arrays.weight[0] > 0:
        raise ParameterError(
            "the tree knows no rows, so that none of its tests is worth more than another: prune it by rows, such "
            "as pruned('reduced_error', X, y), or grow on it with initial_tree."
        )


def _warn_of_size(self: "TreeEstimator", n_leaves: int, path: PruningPath) -> None:
    """Say why there are fewer leaves than were asked for."""
    kept = self.get_n_leaves()
    if n_leaves > kept:
        why = f", because it was cut at the relative complexity {self.cp_:.6g}" if self.cp_ > 0 else ""
        instead = " Fit with pruning=None to choose among larger subtrees." if self.cp_ > 0 else ""
        warn(f"n_leaves={n_leaves}: this tree has {counted(kept, 'leaf')}{why}.{instead}")
    elif n_leaves not in path.n_leaves:
        sizes = path.n_leaves
        below, above = int(sizes[sizes < n_leaves][-1]), int(sizes[sizes > n_leaves][0])
        warn(
            f"n_leaves={n_leaves}: the nested sequence goes from {counted(below, 'leaf')} to {above:,} at once; "
            f"the tree with {below:,} is taken. pruning_path_ lists the sizes that there are."
        )


def _cut_at(self: Tree_, level: float, path: PruningPath, root_risk: float) -> Tree_:
    """The estimator whose nodes of complexity up to `level` are leaves, with the path that is left."""
    kernel = self.tree_.kernel
    kernel, log = cut_weak(kernel, level, measure=self.fitted_.measure, risk=self.fitted_.risk(kernel))
    tree = self.tree_.with_kernel(kernel) if len(log) else self.tree_
    path = path.up_to(tree.n_leaves)
    total = risk_total(kernel)
    # The last row is the tree that is left, known down to the level it was cut at and no further than it was grown.
    alpha = np.r_[path.alpha[:-1], max(path.alpha[-1], level / total)]
    path = dataclasses.replace(path, alpha=alpha, cp=alpha * total / root_risk if root_risk > 0 else alpha)
    fitted = dataclasses.replace(self.fitted_, path=path)
    return self._with(tree, fitted_=fitted, cp_=float(path.cp[-1]), pruning_log_=log)
