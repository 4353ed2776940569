"""Why one case got its answer, as an object and as a paragraph."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bough.explain.intervals import mean_interval, rows_told_by, share_intervals
from bough.explain.path import Condition, merged, path_of
from bough.explain.sum_parts import SumParts, sums_met
from bough.explain.way import Step, Way
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import Cell
from bough.model.spread import deviations, spread_words
from bough.model.text import amount, class_text, share
from bough.model.ways import Ends
from bough.table import format_text

__all__ = ["Explanation", "Route", "explain_way", "route_text"]


@dataclass(frozen=True)
class Route:
    """How a case went on from a node whose test did not know its value, or not all of its values.

    Attributes
    ----------
    node : int
    column : str
        The column that the test asks; of a conjunction, its first; of a sum that filled in some, the first of them.
    state : {"missing", "unseen", "absent"}
        Not there; a level that no training row held; one that no training row held at this node.
    cause : {"own", "surrogate", "majority", "stop", "parts", "mean"}
        What decided: the branch of missing values, another test, the majority of the training rows, nothing (the case
        ends at the node), all branches (the case goes down each in part), the test itself, a sum of columns in which
        those that are not known count as in the average row of the node.
    text : str
        The same in words.
    columns : tuple of str
        All columns that the test asks; of a sum that filled in some, these.
    """

    node: int
    column: str
    state: str
    cause: str
    text: str
    columns: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a case got its answer; printed, a paragraph.

    Attributes
    ----------
    answer : label or float
    probabilities : dict or None
        By class, the most probable first; None in regression.
    intervals : dict or None
        Of the probabilities, by Wilson's score on the training rows of the leaf, scaled as priors and class weights
        scale the shares; those of the ends of a case in parts add up by squares. They say how well the leaf knows its
        shares, given the tree. Rows are taken to weigh alike: a tree keeps no more of them than their number and sum.
    runner_up : label or None
        The most probable of the other classes.
    interval : (float, float) or None
        Regression: of the mean, by Student's t; None for medians and where the spread is not known.
    deviation : float or None
        Regression: how far the training rows of the leaf lie from its answer.
    conditions : list of Condition
        What the case's values meet on its way, one for each column.
    routes : list of Route
        Where a value was missing or not known, and how the case went on or what was counted for it.
    node : int
        Where the case ends; of a case in parts, where its largest part does.
    ends : list of (int, float)
        All nodes where it ends, with shares.
    rows, weight : int, float
        Of the training rows at `node`.
    level : float
        Of the intervals.
    sums : tuple of SumParts
        The sums of columns that were asked on the way, with what each column adds.
    """

    answer: Any
    probabilities: dict[Any, float] | None
    intervals: dict[Any, tuple[float, float]] | None
    runner_up: Any
    interval: tuple[float, float] | None
    deviation: float | None
    conditions: list[Condition]
    routes: list[Route]
    node: int
    ends: list[tuple[int, float]]
    rows: int
    weight: float
    level: float
    text: str
    sums: tuple[SumParts, ...] = ()

    @property
    def rule(self) -> str:
        """The conditions in one line; empty if the case ends at the root."""
        return " and ".join(str(condition) for condition in self.conditions)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Explanation: {self.text}>"


def explain_way(
    asked: Asked,
    way: Way,
    answer: Any,
    shares: Any,
    *,
    level: float = 0.95,
    most_levels: int | None = 8,
    cells: Sequence[Cell] = (),
) -> Explanation:
    """Explain the answer to a case that went a certain way.

    Parameters
    ----------
    asked : Asked
    way : Way
    answer : label or float
        What the model answered.
    shares : array or None
        The probabilities that it gave, in the order of the tree's classes.
    level : float
        Of the intervals.
    most_levels : int or None
        Fold sets with more levels.
    cells : sequence
        The case, to tell what its columns add to sums.
    """
    tree = asked.tree
    end = _largest(way.ends)
    branch = tree.arrays.branch
    unknown = {step.node for step in way.steps if step.cause != "mean"}
    taken = [
        (asked.asked_at(above), int(branch[below]))
        for above, below in itertools.pairwise(path_of(tree, end))
        if above not in unknown
    ]
    conditions = merged(asked, taken, most_levels=most_levels)
    routes = [_route(asked, step, most_levels) for step in way.steps]
    probabilities, intervals, runner_up = _classes(tree, answer, shares, way.ends, level)
    spread = None if tree.is_classifier or len(way.ends) > 1 else deviations(tree, end)
    deviation = None if spread is None else float(spread)
    told = None
    if deviation is not None and tree.criterion == "squared_error":
        told = mean_interval(float(answer), deviation, rows_told_by(tree, end), level)
    about = (answer, probabilities, intervals, runner_up, told, deviation, conditions, routes, end, list(way.ends))
    facts = (int(tree.arrays.rows[end]), float(tree.arrays.weight[end]), level)
    sums = tuple(sums_met(asked, path_of(tree, end)[:-1], cells)) if cells else ()
    found = Explanation(*about, *facts, text="", sums=sums)
    return replace(found, text=_paragraph(tree, way, found))


def _largest(ends: Ends) -> int:
    """The end of the largest part, the first of equal ones, as the kernel chooses."""
    chosen, most = ends[0]
    for node, part in ends[1:]:
        if part > most * (1 + 1e-12):
            chosen, most = node, part
    return chosen


def _classes(
    tree: Tree, answer: Any, shares: Any, ends: Ends, level: float
) -> tuple[dict[Any, float] | None, dict[Any, tuple[float, float]] | None, Any]:
    labels = tree.class_labels
    if labels is None:
        return None, None, None
    order = np.argsort(-np.asarray(shares), kind="stable").tolist()
    probabilities = {labels[number]: float(shares[number]) for number in order}
    low, high = share_intervals(tree, ends, shares, level)
    intervals = {labels[number]: (float(low[number]), float(high[number])) for number in order}
    others = [label for label in probabilities if label != answer]
    return probabilities, intervals, others[0] if others else None


_STATES = {
    "unseen": "{name} has a level that no training row had",
    # Because no training row that came here had it, or because whoever gave the test left it out.
    "absent": "{name} has a {what} that no branch of this test names",
}


def _route(asked: Asked, step: Step, most_levels: int | None) -> Route:
    test = asked.asked_at(step.node)
    branch = asked.tree.arrays.branch
    names = [asked.columns[column].name for column in step.columns or test.columns]
    if step.cause == "mean":
        return Route(step.node, names[0], step.state, step.cause, _filled_text(step.state, names), tuple(names))
    what = "value in a range" if asked.is_binned(test.column) else "level"
    found = test.feature.missing_words()
    if step.state != "missing":
        found = _STATES[step.state].format(name=" or ".join(map(format_text, names)), what=what)
    leads = [asked.describe(test, int(branch[child]), most_levels) for child, _ in step.children]
    if step.cause == "stop":
        text = f"{found}, and nothing stands in for it: the case ends at this node"
    elif step.cause == "parts":
        parts = [f"{share(part)} as {to}" for to, (_, part) in zip(leads, step.children, strict=True)]
        text = f"{found}: the case goes on in parts, {', '.join(parts)}"
    elif step.cause == "own":
        own = "which has a branch of its own" if test.missing_alone else f"which goes with {leads[0]}"
        text = f"{found}, {own}"
    elif step.surrogate is not None:
        told = asked.describe(step.surrogate, int(branch[step.children[0][0]]), most_levels)
        text = f"{found}: {told} stands in for {leads[0]} (surrogate)"
    else:
        text = f"{found}: the case goes with the majority, {leads[0]}"
    return Route(step.node, names[0], step.state, step.cause, text, tuple(names))


def _filled_text(state: str, names: Sequence[str]) -> str:
    """That some columns of a sum are not known, and what stands for them."""
    *others, last = map(format_text, names)
    told = f"{', '.join(others)} and {last}" if others else last
    if state == "unseen":
        found = "have levels that no training row had" if others else "has a level that no training row had"
    else:
        found = "are missing" if others else "is missing"
    return f"{told} {found} and {'count' if others else 'counts'} in the sum as in the average row of the node"


def route_text(asked: Asked, step: Step, most_levels: int | None) -> str:
    """How a case went on from a node whose test did not know it, in words."""
    return _route(asked, step, most_levels).text


def _paragraph(tree: Tree, way: Way, found: Explanation) -> str:
    percent = f"{100 * found.level:g} %"
    rows = f"{found.rows:,} training row{'' if found.rows == 1 else 's'}"
    if found.weight != found.rows:
        rows += f" of weight {amount(found.weight)}"
    if not tree.has_rows:  # written down by someone, not counted
        first = class_text(found.answer) if tree.is_classifier else tree.decimals[0](found.answer)
    elif found.probabilities is None or found.intervals is None:
        first = _value_sentence(tree, found, percent, rows)
    else:
        low, high = found.intervals[found.answer]
        first = (
            f"{class_text(found.answer)}, with probability {share(found.probabilities[found.answer])} "
            f"({percent} interval {share(low)} to {share(high)}, Wilson, from {rows})"
        )
    because = f", because {found.rule}" if found.conditions else ""
    sentences = [f"The answer is {first}{because}."]
    if (
        tree.has_rows
        and found.runner_up is not None
        and found.probabilities is not None
        and found.intervals is not None
    ):
        low, high = found.intervals[found.runner_up]
        sentences.append(
            f"Next is {class_text(found.runner_up)} with {share(found.probabilities[found.runner_up])} "
            f"({share(low)} to {share(high)})."
        )
    sentences.extend(f"{told}." for told in found.sums)
    sentences.extend(f"{route}." for route in found.routes)
    if len(way.ends) > 1:
        largest = max(part for _, part in way.ends)
        sentences.append(
            f"The case ends in {len(way.ends)} nodes, the largest part ({share(largest)}) in that of the conditions "
            "above; the answer is their mean by parts."
        )
    return " ".join(sentences)


def _value_sentence(tree: Tree, found: Explanation, percent: str, rows: str) -> str:
    decimals = tree.decimals[0]
    words = spread_words(tree)
    text = decimals(found.answer)
    if words is None or found.deviation is None:
        return f"{text} (from {rows})"
    told = f"{text}, the {words[0]} of {rows} ({words[1]} {decimals(found.deviation)}"
    if found.interval is not None and np.isfinite(found.interval[0]):
        told += f"; {percent} interval of the mean {decimals(found.interval[0])} to {decimals(found.interval[1])}"
    return told + ")"
