"""Members of an ensemble: trees of one estimator on one table that is read once, each by weights of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import check_random_state

from bough.learn.fit import Given, given_provenance, grow_member, read_given, recipe_to_fit
from bough.learn.training import Training
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Tree
from bough.model.provenance import Provenance
from bough.recipe.recipe import Recipe
from bough.recipe.work import Progress
from bough.table import Encoded, Table

__all__ = ["Source", "grow_each", "seed_of"]

Floats = npt.NDArray[np.float64]


class _Stopped(Exception):  # noqa: N818 (no error: nobody waits for the tree any more)
    """A member is given up."""


def seed_of(random_state: Any) -> int:
    """What the draws of a fit begin with; None is a fixed key, so that fits are repeatable."""
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


@dataclass(frozen=True)
class Source:
    """What all members are grown from: the recipe of an estimator, and a table with its target, read once."""

    estimator: TreeEstimator
    recipe: Recipe
    given: Given

    @classmethod
    def read(
        cls, owner: Any, estimator: TreeEstimator, X: Any, y: Any, sample_weight: Any, n_jobs: int | None = 1
    ) -> "Source":
        """Read a table for members of an ensemble that are grown with so many threads each."""
        member = clone(estimator).set_params(n_jobs=n_jobs, verbose=0)
        recipe = recipe_to_fit(member)
        return cls(member, recipe, read_given(member, recipe, X, y, sample_weight, type(owner).__name__))

    @property
    def training(self) -> Training:
        """The table and the weights of its rows."""
        return self.given.training

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return self.training.table.n_rows

    @property
    def codes(self) -> npt.NDArray[np.uint32] | None:
        """The number of each row's class; None where numbers are learned."""
        codes: npt.NDArray[np.uint32] | None = getattr(self.given.y, "codes", None)
        return codes

    @property
    def truth(self) -> npt.NDArray[Any]:
        """The target of each row."""
        codes = self.codes
        truth: npt.NDArray[Any] = self.given.y if codes is None else np.asarray(self.given.y.labels)[codes]
        return truth

    def provenance(self, owner: Any) -> Provenance:
        """Where the ensemble comes from."""
        return given_provenance(self.estimator, self.given, owner)

    def tree(
        self,
        seed: int,
        weights: Floats,
        *,
        columns: npt.NDArray[np.int64] | None = None,
        kept_scale: Floats | None = None,
        progress: Progress = None,
    ) -> Tree:
        """A member.

        Parameters
        ----------
        seed : int
            Of what its recipe draws.
        weights : ndarray of shape (n_rows,)
            What the rows count for it.
        columns : ndarray of int, optional
            Those that it may ask, by position.
        kept_scale : ndarray of shape (n_classes,), optional
            What classes count besides in its probabilities.
        progress : callable, optional
            Gets the share of its rows that are settled.
        """
        member = self.estimator
        if "random_state" in member.get_params(deep=False):
            member = clone(member).set_params(random_state=seed & 0x7FFFFFFF)
        table = self.training.table if columns is None else _blanked(self.training.table, columns)
        training = Training(table, None if (weights == 1).all() else weights)
        tree = grow_member(member, self.recipe, replace(self.given, training=training, kept_scale=kept_scale), progress)
        # What some training row lacked is said of the table, not of the rows drawn: so the trees read rows alike.
        inputs = replace(tree.inputs, incomplete=self.training.incomplete)
        return Tree(tree.kernel, inputs, tree.answer, tree.target, tree.criterion)


def _blanked(table: Table, columns: npt.NDArray[np.int64]) -> Table:
    """The table in which all other columns hold one value, so that no test can ask them."""
    asked = set(columns.tolist())
    blank = [
        column if place in asked else Encoded(np.zeros_like(column.data), None)
        for place, column in enumerate(table.columns)
    ]
    return replace(table, columns=blank)


def grow_each(
    grow: Callable[[int, Progress], Tree],
    numbers: range,
    workers: int,
    done: Callable[[], None] | None = None,
) -> tuple[list[Tree], bool]:
    """Grow members by their numbers.

    Parameters
    ----------
    grow : callable(number, progress) -> Tree
        Depends on nothing else, so that neither the order nor the number of threads matters.
    numbers : range
    workers : int
        Threads.
    done : callable(), optional
        Called after each member.

    Returns
    -------
    trees : list of Tree
        In order; after an interrupt those before the first that is not finished.
    interrupted : bool
    """
    stop = threading.Event()

    def watch(_: float) -> None:
        if stop.is_set():
            raise _Stopped

    def one(number: int) -> Tree:
        watch(0.0)
        tree = grow(number, watch)
        if done is not None:
            done()
        return tree

    trees: list[Tree] = []
    if workers == 1 or len(numbers) < 2:
        try:
            for number in numbers:
                trees.append(one(number))  # noqa: PERF401 (what is finished is kept)
        except KeyboardInterrupt:
            return trees, True
        return trees, False
    with ThreadPoolExecutor(min(workers, len(numbers))) as pool:
        running = [pool.submit(one, number) for number in numbers]
        interrupted = False
        try:
            # Short waits, because some systems do not answer Ctrl-C in a long one.
            while wait(running, timeout=0.1, return_when=FIRST_EXCEPTION).not_done:
                if any(future.done() and future.exception() is not None for future in running):
                    break
        except KeyboardInterrupt:
            interrupted = True
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    for future in running:
        if future.cancelled() or isinstance(future.exception(), _Stopped):
            break
        trees.append(future.result())  # the first error is raised
    return trees, interrupted
