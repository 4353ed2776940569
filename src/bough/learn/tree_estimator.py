"""A tree estimator: a fitted tree behind scikit-learn's conventions, and what only trees have.

`fit.py` says how it is fitted, `named.py` how parameters are read as answers, `explain_methods.py` how predictions are
explained; their functions are bound here.
"""

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bough.errors import ParameterError
from bough.learn import explain_methods, named
from bough.learn import fit as fitting
from bough.learn.estimator import Estimator, without_nan
from bough.learn.fitted import Fitted
from bough.learn.expert import expert_options, name_fault
from bough.learn.target import Target
from bough.learn.texts import of_rows
from bough.learn.training import Training
from bough.model import PruningLog, Tree
from bough.model.arrays import risk_total
from bough.model.bins import Bins
from bough.model.frame import as_frame
from bough.model.pruning_path import PruningPath, pruning_path
from bough.model.validation_log import ValidationLog
from bough.model.writing import hand_over
from bough.recipe import CostComplexity, Part, Refuse
from bough.recipe import parameters as check
from bough.recipe.parameters import is_number
from bough.recipe.pruners import cut_weak
from bough.recipe.recipe import Recipe
from bough.table import Schema, warn

__all__ = ["TreeEstimator"]

Floats = npt.NDArray[np.float64]
AnyPart = TypeVar("AnyPart", bound=Part)


class TreeEstimator(Estimator):
    """A fitted tree behind scikit-learn's conventions; subclasses have a docstring, parameters and `_recipe`."""

    model_kind: ClassVar[type[Tree]] = Tree

    # Set by fit.
    model_: Tree
    fitted_: Fitted
    cp_: float
    pruning_log_: PruningLog
    validation_log_: ValidationLog

    # The answers that an estimator named after an algorithm knows, each with the part that its name stands for.
    # Questions without a parameter, which the algorithm answers in one way, are among them: others name who has it.
    answers: ClassVar[Mapping[str, Mapping[str, Part]]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.answers and cls.__module__.startswith("bough."):
            named.add_named(cls)

    def __new__(cls, *_: Any, **parameters: Any) -> Self:
        """Say of a parameter that belongs to a part where it goes."""
        named.refuse_arguments(cls, parameters)
        made: Self = super().__new__(cls)
        return made

    @property
    def tree_(self) -> Tree:
        """The fitted model, which is a tree."""
        check_is_fitted(self)
        return self.model_

    # How it is fitted

    fit = fitting.fit
    _check_for = fitting.check_for
    _slot = named.slot
    _filled = named.filled
    _reading = named.reading

    def _recipe(self) -> Recipe:
        """The answers to the six questions, made of the parameters."""
        raise NotImplementedError

    def _part(self, kind: type[AnyPart], *same: str, **other: str) -> AnyPart:
        """A part made of parameters of the estimator, by whose names its errors speak: "max_depth", level="alpha"."""
        parameters = {**{name: name for name in same}, **other}
        made = kind(**{argument: getattr(self, parameter) for argument, parameter in parameters.items()})
        return made.called(**parameters)

    def _read_target(self, y: Any, n_rows: int, weights: Floats | None) -> Target:
        """What is to be learned, row by row, once the table and the weights are read."""
        raise NotImplementedError

    def _prepare(self, training: Training, target: Target) -> tuple[Training, Bins | None]:
        """The table as it is grown on, and the bins that its numbers were cut into, if any."""
        return training, None

    def _expert(self, schema: Schema) -> dict[str, Any]:
        """Options of the kernel that are answers to none of the questions."""
        asked = [getattr(self, name, None) for name in ("forced_splits", "allowed_columns", "initial_tree")]
        return expert_options(schema, *asked) if any(given is not None for given in asked) else {}

    def _fault(self, fault: str, schema: Schema) -> str:
        """What the kernel refuses, in the user's words."""
        expert = self._expert(schema)
        named = name_fault(fault, expert, schema) if expert else None
        return named or f"these arguments of {type(self).__name__} do not go together: {fault}."

    def _advice(self) -> str:
        """What to do about a missing value that is refused."""
        return "missing='refuse' takes none; fill it in, or choose another answer to missing, such as 'surrogates'."

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to grow; judged even where this fit does not ask them."""
        check.jobs("n_jobs", self.n_jobs)
        check.seed("random_state", getattr(self, "random_state", None))
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        missing = getattr(self, "missing", None)
        refuses = isinstance(missing, Refuse) or (isinstance(missing, str) and missing.startswith("refuse"))
        return without_nan(tags) if refuses else tags

    def _meant(self, slot: str, given: Any) -> Any:
        if slot == "pruning" and is_number(given):
            return CostComplexity(given)
        if isinstance(given, str) and slot in self.answers:
            known = self.answers[slot].get(given)
            return None if known is None else copy.copy(known)
        return super()._meant(slot, given)

    # Why a row is answered as it is

    explain = explain_methods.explain
    counterfactual = explain_methods.counterfactual
    shap_values = explain_methods.shap_values
    importance = explain_methods.importance
    expected_value_ = property(explain_methods.expected_value)

    # The tree

    @of_rows
    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the number of the node in which each row ends.

        Mostly a leaf; a case may also stop at an inner node, if a value is missing and nothing decides.

        {rows}
        ndarray of shape (n_rows,)
        """
        rows = self._rows(X)
        return self.model_.apply(rows, n_threads=self._threads_for(rows)).astype(np.int64)

    @of_rows
    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes.

        {rows}
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
        """
        rows = self._rows(X)
        indptr, indices = self.model_.decision_path(rows, n_threads=self._threads_for(rows))
        ones = np.ones(len(indices), dtype=np.int64)
        return sparse.csr_matrix((ones, indices, indptr), shape=(len(indptr) - 1, self.model_.n_nodes))

    def get_depth(self) -> int:
        """Return the largest number of tests between the root and a leaf."""
        check_is_fitted(self)
        return int(self.tree_.depth)

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return int(self.tree_.n_leaves)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each column in the impurity drops of the tree's splits."""
        shares: Floats = self.importance("splits")
        return shares

    @property
    def pruning_path_(self) -> Any:
        """The nested sequence of subtrees as a data frame, from the root alone to the whole tree."""
        check_is_fitted(self)
        return as_frame(self._path().columns())

    def cp_table(self) -> Any:
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
        path = self._path().columns()
        root = float(path["risk"][0]) or 1.0
        names = {"rel error": "risk", "xerror": "cv_risk", "xstd": "cv_se"}
        relative = {name: path[column] / root for name, column in names.items()}
        return as_frame({"CP": path["cp"], "nsplit": path["n_splits"], **relative})

    def _path(self) -> PruningPath:
        path = self.fitted_.path
        if path is not None:
            return path
        kernel = self.tree_.kernel
        return pruning_path(kernel, self._total(), self.cp_, self.fitted_.risk(kernel))

    def _total(self) -> float:
        return risk_total(self.tree_.kernel)

    def pruned(
        self,
        how: Any = None,
        X: Any = None,
        y: Any = None,
        *,
        cp: float | None = None,
        alpha: float | None = None,
        n_leaves: int | None = None,
        sample_weight: Any = None,
        **options: Any,
    ) -> Self:
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
            self._refuse_without_rows()
        if how is not None:
            from bough.learn.repruning import pruned, says

            for name, given in (("cp", cp), ("alpha", alpha), ("n_leaves", n_leaves)):
                if given is None:
                    continue
                if name != "cp" and name not in says(how):
                    raise ParameterError(f"{name} chooses a tree of pruning_path_: leave out {name}, or {how!r:.60}.")
                options[name] = given
            other: Self = pruned(self, how, X, y, sample_weight, options)
            return other
        odd = [name for name, given in (("X", X), ("y", y), ("sample_weight", sample_weight)) if given is not None]
        if sum(given is not None for given in (cp, alpha, n_leaves)) != 1 or odd or options:
            more = "".join(f" {name} is for another way to prune: name it first." for name in [*odd, *options][:1])
            raise ParameterError(
                "pruned() takes exactly one of cp, alpha and n_leaves, or the way to prune, such as 'reduced_error'."
                + more
            )
        whole_path, total = self._path(), self._total()
        path = whole_path.up_to(self.get_n_leaves())
        root_risk = float(self.fitted_.risk(self.tree_.kernel)[0])
        if n_leaves is not None:
            most = check.whole("n_leaves", n_leaves, 1)
            self._refuse_cut_off(whole_path, int(np.flatnonzero(whole_path.n_leaves <= most)[-1]))
            self._warn_of_size(most, path)
            level = float(path.alpha[path.n_leaves <= most][-1]) * total
        else:
            name, given, unit = ("alpha", alpha, total) if cp is None else ("cp", cp, root_risk)
            level = check.share(name, given, 0.0, np.inf) * unit
            above = np.flatnonzero(whole_path.alpha * total > level * (1 + 1e-9))
            self._refuse_cut_off(whole_path, min(len(above), len(whole_path) - 1))
        return self._cut_at(level, path, root_risk)

    def cross_validate_path(self, X: Any, y: Any, cv: Any = 10, *, sample_weight: Any = None) -> Any:
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
        path = fitting.cross_validate_path(twin, X, y, sample_weight, fitted, self.tree_.kernel, self._path(), cv)
        self.fitted_ = dataclasses.replace(fitted, path=path)
        return self.pruning_path_

    def pruning_curve(
        self,
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
        from bough.learn.repruning import pruning_curve

        return pruning_curve(self, how, X, y, sample_weight, validation, max_points, options)

    def _refuse_cut_off(self, path: PruningPath, row: int) -> None:
        """Refuse a row of the path that is larger than what was kept of the tree when it was fitted."""
        kept = self.get_n_leaves()
        if path.n_leaves[row] > kept:
            cp = float(np.sqrt(path.cp[row] * path.cp[row - 1])) or float(path.cp[row - 1]) / 2
            raise ParameterError(
                f"the tree was cut to {kept} leaves when it was fitted, so its subtree with {path.n_leaves[row]} is "
                f"gone. Fit {type(self).__name__}({self._pruning_at(cp)}) to get it, or pruning=None and prune later."
            )

    def _pruning_at(self, cp: float) -> str:
        """The parameter that cuts at a relative complexity."""
        if self.fitted_.complexity in ("brier", "deviance"):
            return f"pruning=CostComplexity({cp:.6g}, risk={self.fitted_.complexity!r})"
        return f"pruning={cp:.6g}" if self.answers else f"pruning=CostComplexity({cp:.6g})"

    def _refuse_without_rows(self) -> None:
        """Refuse to choose among subtrees of a tree that was written, not grown: no node is worth anything."""
        if self.tree_.n_nodes > 1 and not self.tree_.arrays.weight[0] > 0:
            raise ParameterError(
                "the tree knows no rows, so that none of its tests is worth more than another: prune it by rows, such "
                "as pruned('reduced_error', X, y), or grow on it with initial_tree."
            )

    def _warn_of_size(self, n_leaves: int, path: PruningPath) -> None:
        """Say why there are fewer leaves than were asked for."""
        kept = self.get_n_leaves()
        if n_leaves > kept:
            why = f", because it was cut at the relative complexity {self.cp_:.6g}" if self.cp_ > 0 else ""
            instead = " Fit with pruning=None to choose among larger subtrees." if self.cp_ > 0 else ""
            warn(f"n_leaves={n_leaves}: this tree has {kept} leaves{why}.{instead}")
        elif n_leaves not in path.n_leaves:
            sizes = path.n_leaves
            below, above = int(sizes[sizes < n_leaves][-1]), int(sizes[sizes > n_leaves][0])
            warn(
                f"n_leaves={n_leaves}: the nested sequence goes from {below} leaves to {above} at once; the tree with "
                f"{below} is taken. pruning_path_ lists the sizes that there are."
            )

    def _cut_at(self, level: float, path: PruningPath, root_risk: float) -> Self:
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

    def to_html(self, path: Any = None, X: Any = None, y: Any = None) -> str:
        """Write the fitted tree as a page: one file that needs no network, to look at, search and ask.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write it, too.
        X : table of shape (n_rows, n_features), optional
            Rows, such as those of training: the page then shows how the tested columns lie in them.
        y : array of shape (n_rows,), optional
            Their classes, to show the rows of X by class.

        Returns
        -------
        str
            The page.

        Examples
        --------
        >>> import bough
        >>> X, y = bough.datasets.load("penguins").xy()
        >>> clf = bough.CARTClassifier().fit(X, y)
        >>> clf.to_html(X=X, y=y)[:15]
        '<!doctype html>'
        """
        check_is_fitted(self)
        from bough.view.page import page

        rows = None if X is None else self._rows(X, every=True)
        return hand_over(page(self.tree_, rows, y, name=type(self).__name__), path, "page")

    def _repr_html_inner(self) -> str:
        """What notebooks show: the box of scikit-learn with the parameters, and below it the page of a fitted tree."""
        box = str(super()._repr_html_inner())
        if not self.__sklearn_is_fitted__():
            return box
        from bough.view.page import frame

        return box + frame(self.tree_, type(self).__name__)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle and self.__sklearn_is_fitted__():
            bundle["text/html"] = self._repr_html_inner()
        return bundle
