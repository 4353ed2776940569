"""Is a tree that was grown elsewhere the right one? Walk it, and grow each node again by brute force.

Where another split was chosen than the rules prefer, the two gains must be proven equal; the walk then follows the
other tree, so that every node is judged, ties or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isclose

from bough.testing.grow import examine, majority_at_prediction, majority_branch, must_stop, partition
from bough.testing.node import Candidate, Node, Surrogate, describe, expected_costs
from bough.testing.problem import Problem
from bough.testing.search import best_splits, judge, lean
from bough.testing.splits import Levels, Split, Threshold, send
from bough.testing.surrogate import compare, surrogates


@dataclass
class Reading:
    """A node of a tree grown elsewhere, as it describes itself. None means that it says nothing.

    Attributes
    ----------
    split : Threshold or Levels, or None in a leaf
    n_rows, weight, impurity, risk, counts, answer
        What it says of its training rows.
    gain : float
        Of its split.
    competitors : list of (split, gain)
    surrogates : list of Surrogate
    majority : int
        The branch of cases that nothing else decides, -1 if they stop.
    missing : int
        The branch of cases whose value is missing; None where the split has none for them.
    children : list of Reading
    complexity : float
    """

    split: Split | None = None
    n_rows: int | None = None
    weight: float | None = None
    impurity: float | None = None
    risk: float | None = None
    counts: Sequence[float] | None = None
    answer: float | None = None
    gain: float | None = None
    competitors: list[tuple[Split, float]] | None = None
    surrogates: list[Surrogate] | None = None
    majority: int | None = None
    missing: int | None = None
    children: list[Reading] = field(default_factory=list)
    complexity: float | None = None


@dataclass
class Comparison:
    """What a walk found.

    Attributes
    ----------
    root : Node
        The tree that was read, with statistics computed here.
    nodes : int
        How many nodes were judged.
    ties : list of str
        Where another of two equal candidates was taken.
    """

    root: Node
    nodes: int = 0
    ties: list[str] = field(default_factory=list)


def assert_same_tree(
    problem: Problem,
    reading: Reading,
    *,
    tol: float = 1e-9,
    pruned: bool = False,
    unit: Callable[[Node], float] = lambda node: 1.0,
) -> Comparison:
    """Assert that a tree is one that the rules of a problem allow, candidates equal to `tol` being interchangeable.

    Parameters
    ----------
    problem : Problem
    reading : Reading
        The root of the tree to judge.
    tol : float, default=1e-9
        Relative difference below which two numbers count as equal.
    pruned : bool, default=False
        Whether branches may have been cut off, so that a leaf need not have a reason to be one.
    unit : function of a Node, optional
        What a gain is multiplied by to give the gains of the reading.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from bough.testing import Column, Problem, Reading, Threshold, assert_same_tree
    >>> problem = Problem([Column("numeric", [1, 2, 3, 4])], [0, 0, 1, 1])
    >>> assert_same_tree(problem, Reading(Threshold(0, 2.5), children=[Reading(), Reading()])).nodes
    3
    >>> assert_same_tree(problem, Reading(Threshold(0, 1.5), children=[Reading(), Reading()]))
    Traceback (most recent call last):
        ...
    AssertionError: node (): Threshold(column=0, value=1.5, low=0, side='le') scores 0.16666666666666669, but \
Threshold(column=0, value=2.5, low=0, side='le') scores 0.5
    """
    found = Comparison(describe(problem, problem.rows))
    stack = [(reading, found.root)]
    while stack:
        claim, node = stack.pop()
        found.nodes += 1
        judged = _Judge(problem, claim, node, found, tol)
        judged.statistics()
        if claim.split is None:
            judged.leaf(pruned)
            continue
        node.primary = judged.primary(claim.split, unit(node))
        judged.competitors(claim.split, unit(node))
        judged.surrogates(claim.split)
        branches = judged.branches(claim.split)
        for branch, rows in enumerate(branches):
            child = describe(problem, rows, (*node.path, branch))
            node.children.append(child)
            stack.append((claim.children[branch], child))
    return found


@dataclass
class _Judge:
    """One node of the walk: what is claimed of it, and what is true."""

    problem: Problem
    claim: Reading
    node: Node
    found: Comparison
    tol: float

    def require(self, holds: bool, message: str) -> None:
        if not holds:
            raise AssertionError(f"node {self.node.path}: {message}")

    def close(self, one: float, other: float, scale: float = 0.0) -> bool:
        """Equality up to the tolerance, also of differences that are rounding at this scale."""
        return isclose(one, other, rel_tol=self.tol, abs_tol=self.tol * scale)

    def statistics(self) -> None:
        node, claim = self.node, self.claim
        root = self.found.root
        self.require(claim.n_rows in (None, len(node.rows)), f"{claim.n_rows} rows, but {len(node.rows)} reach it")
        for name, scale in (("weight", 0.0), ("impurity", root.impurity), ("risk", root.risk)):
            claimed, true = getattr(claim, name), getattr(node, name)
            same = claimed is None or self.close(claimed, true, scale)
            self.require(same, f"{name} {claimed!r}, but it is {true!r}")
        if claim.counts is not None:
            same = all(self.close(a, b) for a, b in zip(claim.counts, node.counts, strict=True))
            self.require(same, f"counts {claim.counts}, but they are {node.counts}")
        if claim.answer is not None:
            self.require(self.same_answer(claim.answer), f"answer {claim.answer!r}, but it is {node.answer!r}")

    def same_answer(self, answer: float) -> bool:
        """The same number, or a class that costs no more than the cheapest one."""
        if self.problem.is_classification:
            costs = expected_costs(self.problem, self.node.rows)
            return self.close(costs[int(answer)], min(costs))
        return self.close(answer, self.node.answer, max(abs(y) for y in self.problem.y))

    def leaf(self, pruned: bool) -> None:
        candidates = [] if pruned else examine(self.problem, self.node, self.found.root)
        if candidates and not self.close(candidates[0].gain, 0.0, self.node.impurity):
            self.require(False, f"a leaf, but {candidates[0].split} gains {candidates[0].gain!r}")

    def primary(self, split: Split, unit: float) -> Candidate:
        """The split taken must be admissible, and as good as the best one."""
        rules = self.problem.rules
        self.require(not must_stop(self.problem, self.node, self.found.root), f"{split}, but it is a leaf by rule")
        taken = judge(self.problem, self.node.rows, split)
        large_enough = min(taken.sizes) >= rules.min_samples_leaf * (1 - self.tol)
        self.require(large_enough, f"{split} makes branches of {taken.sizes}, at least {rules.min_samples_leaf} asked")
        self.gain(taken, self.claim.gain, unit)
        candidates = best_splits(self.problem, self.node.rows)
        self.require(bool(candidates), f"{split} scores {taken.score!r}, but nothing has a gain")
        self.as_good(taken, candidates[0])
        self.orientation(taken.split)
        share = self.problem.mass(self.node.rows) / self.problem.mass(self.found.root.rows)
        enough = share * taken.gain >= rules.min_impurity_decrease * (1 - self.tol)
        self.require(enough, f"{split} decreases impurity by {share * taken.gain!r} only")
        return taken

    def gain(self, taken: Candidate, claimed: float | None, unit: float) -> None:
        same = claimed is None or self.close(claimed, taken.gain * unit, self.node.impurity * unit)
        self.require(same, f"{taken.split} claims a gain of {claimed!r}, but gains {taken.gain * unit!r}")

    def as_good(self, taken: Candidate, best: Candidate) -> None:
        """The same split; or another one with the same score, which is noted."""
        good = self.close(taken.score, best.score)
        if isinstance(taken.split, Levels) and not taken.split.exact:
            good = taken.score <= best.score * (1 + self.tol)
        self.require(good, f"{taken.split} scores {taken.score!r}, but {best.split} scores {best.score!r}")
        if not self.same_split(taken.split, best.split):
            self.found.ties.append(f"node {self.node.path}: {taken.split} for {best.split}, both {best.score!r}")

    def same_split(self, one: Split, other: Split) -> bool:
        """Whether two splits send the rows of the node the same way and, if numeric, have the same threshold."""
        if one.column != other.column:
            return False
        ways, others = (send(self.problem, split, self.node.rows) for split in (one, other))
        turned = ways == (others[1], others[0])
        if ways != others and not turned:
            return False
        column = self.problem.columns[one.column]
        if isinstance(one, Threshold) and isinstance(other, Threshold) and column.kind == "numeric":
            scale = max(abs(cell) for cell in column.cells if cell is not None)
            self.require(self.close(one.value, other.value, scale), f"threshold of {one}, but {other}")
        return True

    def orientation(self, split: Split) -> None:
        """Branch 0 is the low side, or the one that leans to the first classes or small values."""
        if self.problem.rules.orientation == "answer":
            first, second = (lean(self.problem, branch) for branch in send(self.problem, split, self.node.rows))
            self.require(first < second or self.close(first, second), f"the branches of {split} are exchanged")
        elif isinstance(split, Threshold):
            self.require(split.low == 0, f"low values are in branch 1 of {split}")

    def competitors(self, split: Split, unit: float) -> None:
        """Competitors are the best splits of the other columns, the best one first."""
        if self.claim.competitors is None:
            return
        others = [best for best in best_splits(self.problem, self.node.rows) if best.split.column != split.column]
        # A gain that is rounding may be seen or not.
        sure = [best for best in others if not self.close(best.gain, 0.0, self.node.impurity)]
        limit = self.problem.rules.max_competitors
        number = len(self.claim.competitors)
        columns = [taken.column for taken, _ in self.claim.competitors]
        self.require(len({split.column, *columns}) == number + 1, f"a column twice among competitors {columns}")
        self.require(
            min(limit, len(sure)) <= number <= min(limit, len(others)),
            f"{number} competitors, but {[best.split for best in others]} are possible",
        )
        for (taken, claimed), best in zip(self.claim.competitors, others, strict=False):
            candidate = judge(self.problem, self.node.rows, taken)
            self.gain(candidate, claimed, unit)
            self.as_good(candidate, best)

    def surrogates(self, split: Split) -> None:
        """Surrogates are those that agree best with the split taken, the best one first."""
        best = []
        if self.problem.rules.missing == "surrogate":
            best = surrogates(self.problem, self.node.rows, split)
        self.node.surrogates = best if self.claim.surrogates is None else self.claim.surrogates
        if self.claim.surrogates is None:
            return
        columns = [surrogate.split.column for surrogate in self.claim.surrogates]
        expected = [surrogate.split for surrogate in best]
        self.require(len(columns) == len(best), f"surrogates on {columns}, but expected {expected}")
        self.require(len({split.column, *columns}) == len(columns) + 1, f"a column twice among surrogates {columns}")
        for claimed, wanted in zip(self.claim.surrogates, best, strict=True):
            true = compare(self.problem, self.node.rows, split, claimed.split)
            for name in ("agreement", "adjusted"):
                told, is_so = getattr(claimed, name), getattr(true, name)
                self.require(self.close(told, is_so, 1.0), f"{name} of {claimed.split} {told!r}, but it is {is_so!r}")
            good = self.close(true.agreement, wanted.agreement)
            self.require(good, f"surrogate {claimed.split} agrees {true.agreement!r}, but {wanted} is possible")
            if not self.same_surrogate(claimed.split, wanted.split):
                self.found.ties.append(f"node {self.node.path}: surrogate {claimed.split} for {wanted}")

    def same_surrogate(self, one: Split, other: Split) -> bool:
        ways, others = (send(self.problem, split, self.node.rows) for split in (one, other))
        return one.column == other.column and ways == others

    def branches(self, split: Split) -> tuple[list[int], list[int]]:
        """The rows by branch; the majority branch that is claimed must be the right one, or one of two equal ones."""
        self.node.majority = majority_branch(self.problem, self.node.rows, split)
        left, right = (self.problem.weight(branch) for branch in send(self.problem, split, self.node.rows))
        tie = self.node.majority is not None and self.close(left, right)
        if tie and self.claim.majority in (0, 1):
            self.node.majority = self.claim.majority
        branches = partition(self.problem, self.node)
        self.node.majority = majority_at_prediction(self.problem, self.node, branches)
        if self.claim.majority is not None:
            claimed = None if self.claim.majority < 0 else self.claim.majority
            message = f"majority branch {claimed}, but it is {self.node.majority}: {left!r} and {right!r} are known"
            self.require(claimed == self.node.majority, message)
        return branches
