"""Growing as a recipe says, on the rows that its pruning leaves for it; how it is pruned then, the part knows."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.learn.folds import read_folds
from bough.learn.growth import Growth
from bough.learn.judge import Judge
from bough.learn.progress import fold_counter
from bough.learn.pruning import cross_validate, in_threads
from bough.model import PruningLog
from bough.model.choice import Choices
from bough.model.node_risk import with_links
from bough.model.pruning_path import PruningPath
from bough.recipe import Layers
from bough.recipe.recipe import Recipe
from bough.recipe.work import Grown, Progress, Work

__all__ = ["Grower"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Grower:
    """Grows and prunes."""

    recipe: Recipe
    growth: Growth
    judge: Judge
    random_state: Any  # int, RandomState or None; shuffles folds
    title: str  # of what is shown of the progress
    verbose: int

    def grow(self, progress: Progress) -> Grown:
        """The tree of the recipe."""
        growth, pruning = self.growth, self.recipe.pruning
        layers = self.recipe.stop(Layers)
        if layers is not None:
            growth = self._shallow(growth, self._depth(layers.cv))
        held = None if pruning is None else pruning.held_back(growth)
        judging = None
        if held is not None:
            weights = growth.every(growth.weights)
            judging = np.where(held, weights, 0.0)
            growth = dataclasses.replace(growth, weights=np.where(held, 0.0, weights))
        # Uncut: what is cut from it is to be told.
        refused: list[Any] | None = None if growth.kept is None else []
        choices: list[Any] | None = [] if self.recipe.search.chooses else None
        kernel = growth.grow(self.recipe.cp, progress=progress, cut=False, refused=refused, choices=choices)
        chosen = None if choices is None else Choices.read(kernel, choices, self.recipe.search.kinds)
        grown = Grown(kernel, growth.weights, PruningLog.nothing(kernel))
        if pruning is not None:
            grown = pruning.apply(kernel, self._work(growth, judging, progress))
        if self.recipe.search.refine is not None:
            better = growth.refined(grown.kernel, weights=grown.weights, progress=progress)
            grown = dataclasses.replace(grown, kernel=better, complete=True)
        return dataclasses.replace(grown, refused=refused, choices=chosen)

    @property
    def row(self) -> float:
        """What one row weighs where chance is judged."""
        return self.recipe.row(self.growth.weights)

    def _work(self, growth: Growth, held: Floats | None, progress: Progress) -> Work:
        """What the part that prunes works with."""

        def cross_validated(path: PruningPath, total: float, cv: Any, measure: str) -> PruningPath:
            return self.cross_validated(growth, path, total, cv, measure)

        return Work(
            growth,
            held,
            self.judge.columns,
            self.recipe.tolerance,
            self.recipe.one_level,
            self.recipe.value_error,
            cross_validated,
            self.row,
            progress,
        )

    def cross_validated(self, growth: Growth, path: PruningPath, total: float, cv: Any, measure: str) -> PruningPath:
        """The path with the risks that trees grown on folds have, in the measure that complexities are counted by."""
        folds = read_folds(cv, growth, self.random_state)
        scale = growth.target.get("class_scale")
        cv_risk, cv_se = cross_validate(
            growth,
            path,
            total,
            folds,
            dataclasses.replace(self.judge, measure=measure, row=self.row).along,
            threads=growth.options["threads"],
            counted=None if measure in ("weakest_link", "accounts") else lambda tree: self._counted(tree, measure),
            scale_of=None if scale is None else scale[growth.target["label"]],
            done=fold_counter(self.verbose, self.title, len(folds)),
        )
        return PruningPath(**{**path.columns(), "cv_risk": cv_risk, "cv_se": cv_se})

    def _counted(self, tree: Any, measure: str) -> Any:
        """The tree with complexities in a measure of probabilities."""
        return with_links(tree, measure, self.row)

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
