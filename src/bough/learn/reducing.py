"""Grow and prune as a recipe says: which pruner is called, on which rows, and what it returns."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.learn.editable import same_tests
from bough.learn.folds import read_folds
from bough.learn.growth import Growth
from bough.learn.judge import Judge
from bough.learn.progress import fold_counter
from bough.learn.pruners import cut_weak, merge_leaves, prune_by_description, prune_error_based, reduce_errors
from bough.learn.pruning import (
    PruningPath,
    choose_row,
    cross_validate,
    in_threads,
    pruning_path,
    risk_total,
)
from bough.learn.regrowing import prune_and_regrow
from bough.model import PruningLog
from bough.recipe import (
    CostComplexity,
    CrossValidated,
    DescriptionLength,
    ErrorBased,
    Layers,
    MergeLeaves,
    OneLevel,
    ReducedError,
)
from bough.recipe.recipe import Recipe
from bough.recipe.rows import kept_back

__all__ = ["Grower", "Grown"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Grown:
    """What growing and pruning gave.

    Parameters
    ----------
    kernel : _core.Tree
    weights : ndarray or None
        Of the rows that it was grown on.
    path : PruningPath or None
        The nested subtrees, if they were looked at.
    log : PruningLog
        What was cut and why.
    complete : bool
        Whether it has its surrogates already.
    """

    kernel: Any
    weights: Floats | None
    log: PruningLog
    path: PruningPath | None = None
    complete: bool = False


@dataclass(frozen=True)
class Grower:
    """Grows and prunes.

    Parameters
    ----------
    recipe : Recipe
    growth : Growth
    judge : Judge
    random_state : int, RandomState or None
        Shuffles folds.
    title : str
        Of what is shown of the progress.
    verbose : int
    """

    recipe: Recipe
    growth: Growth
    judge: Judge
    random_state: Any
    title: str
    verbose: int

    def grow(self, progress: Progress | None) -> Grown:
        """The tree of the recipe."""
        growth, pruning = self.growth, self.recipe.pruning
        layers = self.recipe.stop(Layers)
        if layers is not None:
            growth = self._shallow(growth, self._depth(layers.cv))
        if isinstance(pruning, ReducedError):
            return self._reduce_errors(pruning, growth, progress)
        # Uncut: what is cut from it is to be told.
        kernel = growth.grow(self.recipe.cp, progress=progress, cut=False)
        if isinstance(pruning, CrossValidated):
            return self._cross_validate(pruning, growth, kernel)
        if isinstance(pruning, CostComplexity) and pruning.cp is not None:
            level = float(pruning.cp) * float(kernel.risk[0])
            grown = "; nodes of no more risk than that were not split at all" if level > 0 else ""
            kernel, log = cut_weak(kernel, level, accounts=pruning.method == "accounts", grown=grown)
            return Grown(kernel, growth.weights, log)
        if isinstance(pruning, ErrorBased):
            how = pruning.how()
            if pruning.regrow:
                regrown = prune_and_regrow(
                    kernel,
                    growth,
                    self.judge.columns,
                    confidence=how["confidence"],
                    global_pruning=pruning.global_pruning,
                )
                return Grown(regrown, growth.weights, _regrown_log(kernel, regrown))
            # Rows that are sent anew to a raised branch go where prediction sends them.
            kernel = growth.with_surrogates(kernel)
            kernel, log = prune_error_based(kernel, growth, **how, tolerance=self.recipe.tolerance, progress=progress)
            return Grown(kernel, growth.weights, log, complete=True)
        if isinstance(pruning, MergeLeaves):
            kernel, log = merge_leaves(kernel, growth, **pruning.how())
            return Grown(kernel, growth.weights, log)
        if isinstance(pruning, DescriptionLength):
            one_level = isinstance(self.recipe.branching, OneLevel)
            kernel, log = prune_by_description(kernel, growth, **pruning.how(), one_level=one_level)
            return Grown(kernel, growth.weights, log)
        return Grown(kernel, growth.weights, PruningLog.nothing(kernel))

    def _reduce_errors(self, pruning: ReducedError, growth: Growth, progress: Progress | None) -> Grown:
        weights = growth.every(growth.weights)
        used = weights > 0 if growth.kept is None else (weights > 0) & ~growth.kept
        codes = growth.target.get("label", np.zeros(len(weights), dtype=np.uint32))
        kept = kept_back(pruning.kept(), codes, used)
        growing, judging = np.where(kept, 0.0, weights), np.where(kept, weights, 0.0)
        kernel = growth.grow(-1.0, weights=growing, progress=progress)
        kernel, log = reduce_errors(
            kernel,
            dataclasses.replace(growth, weights=growing),
            holdout=judging,
            **pruning.how(),
            value_error="absolute" if self.judge.absolute else "squared",
            tolerance=self.recipe.tolerance,
            progress=progress,
        )
        return Grown(kernel, growing, log)

    def _cross_validate(self, pruning: CrossValidated, growth: Growth, kernel: Any) -> Grown:
        """The subtree that cross-validation prefers."""
        total = risk_total(kernel)
        path = pruning_path(kernel, total, 0.0)
        if len(path) == 1:
            kernel, log = cut_weak(kernel, 0.0)
            return Grown(kernel, growth.weights, log, path)
        folds = read_folds(pruning.cv, growth, self.random_state)
        scale = growth.target.get("class_scale")
        cv_risk, cv_se = cross_validate(
            growth,
            path,
            total,
            folds,
            self.judge.along,
            threads=growth.options["threads"],
            scale_of=None if scale is None else scale[growth.target["label"]],
            done=fold_counter(self.verbose, self.title, len(folds)),
        )
        path = PruningPath(**{**path.columns(), "cv_risk": cv_risk, "cv_se": cv_se})
        row = choose_row(path, pruning.rule)
        kernel, log = cut_weak(
            kernel, float(path.alpha[row]) * total, chosen=f", chosen by cross-validation and the rule {pruning.rule!r}"
        )
        return Grown(kernel, growth.weights, log, path)

    def _depth(self, cv: Any) -> int:
        """The depth at which trees grown on the folds err least on the rows that they were not grown on."""
        folds = read_folds(cv, self.growth, self.random_state)
        weights = self.growth.every(self.growth.weights)
        threads = self.growth.options["threads"]
        workers = min(threads, len(folds))
        growth = dataclasses.replace(
            self.growth, options={**self.growth.options, "threads": max(1, threads // workers)}
        )

        def one_fold(fold: Any, _: Any) -> Floats:
            train, test = fold
            inside = np.zeros(len(weights))
            inside[train] = weights[train]
            test = test[weights[test] > 0]
            tree = growth.grow(-1.0, weights=inside)
            if growth.may_ask:
                tree = growth.with_surrogates(tree, weights=inside)
            depths = tree.depths()
            costs = []
            for depth in range(int(depths.max()) + 1):
                cut = np.flatnonzero((depths == depth) & (np.diff(tree.child_begin) > 0)).astype(np.int32)
                costs.append(self.judge.of(tree.cut(cut)[0] if len(cut) else tree, test) @ weights[test])
            return np.array(costs)

        parts = in_threads(one_fold, folds, workers)
        deepest = max(map(len, parts))
        # A tree that ends earlier stays as it is.
        sums = np.sum([np.r_[part, np.full(deepest - len(part), part[-1])] for part in parts], axis=0)
        return int(np.argmax(sums <= sums.min() + abs(sums.min()) * 1e-12))

    @staticmethod
    def _shallow(growth: Growth, depth: int) -> Growth:
        most = growth.options.get("max_depth", -1)
        return dataclasses.replace(
            growth, options={**growth.options, "max_depth": depth if most < 0 else min(depth, most)}
        )


def _regrown_log(kernel: Any, regrown: Any) -> PruningLog:
    """What regrowing did to a tree, which may be nothing."""
    if not same_tests(kernel, regrown):
        return PruningLog.regrown("error_based", kernel, regrown)
    why = "no subtree had to give way to a leaf or to its largest branch"
    return PruningLog.nothing(kernel, "error_based", "training risk", why)
