"""A recipe: one answer to each question, and the kernel's options that follow from all of them together."""

import copy
import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.model import Tree
from bough.model.bins import Bins
from bough.model.inputs import Inputs
from bough.model.routing import unseen_rule
from bough.recipe import parameters as check
from bough.recipe.branching import Branching, OneLevel
from bough.recipe.criterion import AbsoluteError, Criterion
from bough.recipe.leaf import Leaf, Median
from bough.recipe.looking import Search
from bough.recipe.missing import Fractional, Missing
from bough.recipe.part import Facts, Part
from bough.recipe.reading import Reading
from bough.recipe.search import Exhaustive
from bough.recipe.stopping import MinRows, Stopping
from bough.recipe.user import Forgotten
from bough.recipe.work import Pruning
from bough.table import Schema

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """The answers to the six questions, and what happens to levels that a node or the training never met.

    Parameters
    ----------
    branching, criterion, search, stopping, pruning, leaf, missing
        Parts.
    absent : {"missing", "majority", "stop"}, default="missing"
        A level that the node did not meet in training.
    unseen : {"missing", "majority", "stop", "error"}, default="missing"
        A level that no training row held.
    reading : Reading
        What counts of the table.
    """

    branching: Branching
    criterion: Criterion
    search: Search
    stopping: tuple[Stopping, ...]
    pruning: Pruning | None
    leaf: Leaf
    missing: Missing
    absent: str = "missing"
    unseen: str = "missing"
    reading: Reading = field(default_factory=Reading)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts in the order of the slots."""
        pruning = () if self.pruning is None else (self.pruning,)
        ends = (self.leaf, self.missing, self.reading)
        return (self.branching, self.criterion, self.search, *self.stopping, *pruning, *ends)

    @property
    def cp(self) -> float:
        """The relative complexity to grow down to: negative for a tree that is not cut by it."""
        return -1.0 if self.pruning is None else self.pruning.least_cp

    @property
    def tolerance(self) -> float:
        """Weights, gains and probabilities that differ by no more are equal; 0: only rounding is forgiven."""
        if not isinstance(self.search, Exhaustive):
            return 0.0
        return check.share(self.search.label("tolerance"), self.search.tolerance, 0.0, 1.0)

    @property
    def spreads(self) -> bool:
        """Whether cases may end in several leaves, in parts."""
        return isinstance(self.missing, Fractional)

    @property
    def says_its_own(self) -> bool:
        """Whether a leaf that holds numbers says what the criterion measures distances from."""
        return isinstance(self.leaf, Median) == isinstance(self.criterion, AbsoluteError)

    def counting(self, classes: bool) -> str:
        """How the complexities of nodes are counted, for classes or for numbers."""
        return "weakest_link" if self.pruning is None else self.pruning.counting(classes)

    def row(self, weights: npt.NDArray[np.float64] | None) -> float:
        """What one row weighs where chance is judged: 1 for whole weights, as a weight of 3 is three rows.

        Of weights that are relative, or that minima do not count (those that count rows or are shares), it lies between
        the mean weight of a row and that of a unit of weight: the more they differ, the fewer rows carry the sums
        (Kish). The root of Kish's factor keeps most noise out, and leaves boosting, whose weights differ by design, its
        trees.
        """
        used = np.ones(1) if weights is None else weights[weights > 0]
        least: MinRows | None = self.stop(MinRows)
        counted = least is None or least.counts_weights
        if counted and np.array_equal(used, np.round(used)):
            return 1.0
        heaviest = float(used.max())  # weights may be enormous: their squares are taken beside it
        return heaviest * float(np.sqrt(np.mean((used / heaviest) ** 2)))

    @property
    def one_level(self) -> bool:
        """Whether a test of a nominal column singles out one level."""
        return isinstance(self.branching, OneLevel)

    @property
    def value_error(self) -> str:
        """What answers that are numbers are judged by: their distance, or the square of it."""
        return "absolute" if isinstance(self.criterion, AbsoluteError) else "squared"

    @property
    def shown_criterion(self) -> str:
        """What the tree is grown by, in the words of drawings; empty where leaves say something else."""
        return self.criterion.shown() if self.says_its_own else ""

    def frozen(self) -> "Recipe":
        """A recipe that no change of its parts can reach: those of the library are copied."""
        stopping = tuple(_copied(part) for part in self.stopping)
        slots = ("branching", "criterion", "search", "pruning", "leaf", "missing", "reading")
        return dataclasses.replace(self, stopping=stopping, **{slot: _copied(getattr(self, slot)) for slot in slots})

    def model(
        self,
        kernel: _core.Tree,
        schema: Schema,
        bins: Bins | None,
        classes: npt.NDArray[Any] | None,
        costs: npt.NDArray[np.float64] | None,
        target: str,
        incomplete: frozenset[int] | None = None,
    ) -> Tree:
        """The fitted model: a tree that is grown and pruned, with what it expects of a table and what it answers.

        Parameters
        ----------
        kernel : _core.Tree
        schema : Schema
            The columns as a table holds them.
        bins : Bins or None
            Edges by which numeric columns became levels before the tree was grown.
        classes, costs
            The labels in the order of the kernel's class numbers, and what errors cost.
        target : str
            The name of what is predicted.
        incomplete : frozenset of int, optional
            The columns of which some training row lacked the value; None: not known.
        """
        answer = self.leaf.answer(kernel, classes, costs, self.tolerance)
        missing = self.missing
        inputs = Inputs(schema, bins, unseen_rule(kernel), missing.refuses, incomplete, missing.only_asked)
        return Tree(answer.labelled(kernel), inputs, answer, target, self.shown_criterion)

    def stop(self, kind: type[Stopping]) -> Any:
        """The answer of a kind to when a node is a leaf, or None."""
        return next((part for part in self.stopping if isinstance(part, kind)), None)

    def options(self, facts: Facts) -> dict[str, Any]:
        """The kernel's options; arguments that no fit could use are refused with the reason."""
        if self.tolerance > 0.0:
            facts = dataclasses.replace(facts, slack=1.0)
        options: dict[str, Any] = {}
        for part in self.parts:
            options |= part.options(facts)
        if not facts.classes and not self.says_its_own:
            options["leaf"] = "median" if isinstance(self.leaf, Median) else "mean"
        # A test that gains nothing may be what makes the next one possible.
        options.setdefault("zero_gain", not self.stopping or any(part.goes_on for part in self.stopping))
        options["absent"] = check.choice("absent", self.absent, ["missing", "majority", "stop"])
        options["unseen"] = check.choice("unseen", self.unseen, ["missing", "majority", "stop", "error"])
        return options

    def refuse_to_fit(self) -> None:
        """Refuse a criterion of which a model file kept only the name."""
        if isinstance(self.criterion, Forgotten):
            self.criterion.refuse_to_fit()


def _copied(part: Any) -> Any:
    """A part as it is now."""
    return copy.copy(part) if isinstance(part, Part) else part
