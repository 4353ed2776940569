"""What C4.5 and ID3 share: a branch for every level, cases that go down several branches in parts, no costs."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.learn.advice import warn_of_identifiers
from bough.learn.classifier import ClassTree, classes_of_rows
from bough.learn.growth import Growth, thread_count
from bough.learn.progress import progress_of
from bough.learn.target import Target, target_name
from bough.learn.training import Training, read_training
from bough.model import Tree
from bough.recipe import parameters as check
from bough.table import Table, choose_kinds

__all__ = ["MultiwayClassifier", "first_largest"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class MultiwayClassifier(ClassTree):
    """The recipe of the family of ID3: read, grow with fractional cases, prune; subclasses give the options."""

    def _fit(self, X: Any, sample_weight: Any, read_target: Callable[[int, Floats | None], Target]) -> Self:
        self._check_work()
        training = read_training(
            X,
            sample_weight,
            categorical_features=self.categorical_features,
            ordered_features=self.ordered_features,
        )
        warn_of_identifiers(training.table, training.weights)
        target = read_target(training.table.n_rows, training.weights)
        threads = thread_count(self.n_jobs)
        training, found = self._prepare(training, target)
        options = {**self._options(training), "threads": threads}
        growth = Growth(training.ranked(threads), target.fields, options, training.weights)
        with progress_of(self.verbose, type(self).__name__) as progress:
            kernel, done = self._grow_and_prune(growth, progress)
        tree = Tree(kernel, training.table.schema, target.classes, None, target.name)
        self._become(tree, None, 0.0, **found, **done)
        return self

    def _prepare(self, training: Training, target: Target) -> tuple[Training, dict[str, Any]]:
        """The table as it is grown on, and what of its making is remembered."""
        return training, {}

    def _grow_and_prune(self, growth: Growth, progress: Callable[[float], None] | None) -> tuple[Any, dict[str, Any]]:
        """The kernel's tree, and what of its making is remembered."""
        return growth.grow(-1.0, progress=progress), {}

    def _options(self, training: Training) -> dict[str, Any]:
        """The options of the kernel by name."""
        raise NotImplementedError

    def _check_work(self) -> None:
        """The parameters that say how to work, not what to grow."""
        check.choice("class_order", self.class_order, ["sorted", "declared"])
        check.choice("unused_classes", self.unused_classes, ["drop", "keep"])
        check.jobs("n_jobs", self.n_jobs)
        check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)

    def _check_for(self, tree: Tree) -> None:
        """Judge the parameters that came with a tree in a file as a fit to its columns and classes would."""
        self._check_work()
        choose_kinds(tree.schema.names, self.categorical_features, self.ordered_features)
        self._options(Training(Table(tree.schema, [], tree.root.rows), None))

    def _read_target(self, y: Any, n_rows: int, weights: Floats | None) -> Target:
        declared, unused = self.class_order == "declared", self.unused_classes == "keep"
        classes = classes_of_rows(y, n_rows, weights, declared=declared, unused=unused)
        ones = np.ones(len(classes.labels))
        fields = {"classes": len(ones), "label": classes.codes, "growth_scale": ones, "class_scale": ones}
        return Target(fields, classes.labels, None, target_name(y))

    def predict(self, X: Any) -> Array:
        """Return the class of each row: the most probable one, smoothing aside.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        shares = self._spread(X, smooth=False)
        best = first_largest(shares, self._tolerance())
        return np.asarray(self.tree_.classes)[best]

    def _shares(self, X: Any) -> Floats:
        return self._spread(X, smooth=True)

    def _spread(self, X: Any, *, smooth: bool) -> Floats:
        """Probabilities of the tree's classes."""
        columns = self._columns(X)
        kernel = self.tree_.kernel
        smoothing = self._smoothing() if smooth else 0.0
        equal = np.full(len(kernel.class_scale), 1.0 / len(kernel.class_scale))
        return _core.spread_probabilities(kernel, columns, thread_count(self.n_jobs), smoothing, equal)

    def _smoothing(self) -> float:
        """The weight of equal shares of the classes in every leaf."""
        return 0.0

    def _tolerance(self) -> float:
        """Probabilities that differ by no more are equal."""
        return 1e-12


def first_largest(shares: Floats, tolerance: float) -> npt.NDArray[np.intp]:
    """The first class that no later one exceeds by more than the tolerance, in each row."""
    best = np.zeros(len(shares), dtype=np.intp)
    most = shares[:, 0].copy()
    for label in range(1, shares.shape[1]):
        better = shares[:, label] > most + tolerance
        best[better] = label
        most[better] = shares[better, label]
    return best
