"""Why a list of rules answered a row so: the rule that fired and, for each rule before it, the literal that failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.explain.rows import encoded_row
from bough.explain.rule_routes import seen
from bough.model.features import Cell
from bough.model.frame import as_frame
from bough.model.inputs import Rows
from bough.model.rules import Literal, Rule, RuleList
from bough.model.rules.part_list import PartList
from bough.model.text import amount, class_text, plain_number, share
from bough.model.ways import cells_of
from bough.model.wilson import wilson
from bough.table import UNSEEN, Column, format_text, format_value

__all__ = ["Failure", "RuleExplanation", "explain_row", "explain_rows"]


@dataclass(frozen=True)
class Failure:
    """A rule that does not cover the row, and its first literal that fails.

    Attributes
    ----------
    number : int
        Of the rule, as `RuleList.apply` counts them.
    rule : Rule
    literal : Literal
    text : str
        The same in words, with what the row has instead.
    """

    number: int
    rule: Rule
    literal: Literal
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class RuleExplanation:
    """Why a row got its answer; printed, a sentence and a line for each rule that came before.

    Attributes
    ----------
    answer : label, float or None
        None where no rule covers the row and there is no default.
    probabilities : dict or None
        By class, the most probable first; None for numbers.
    intervals : dict or None
        Of the probabilities, by Wilson's score on the training rows that the rule takes in its turn; None where the
        list has no counts of them.
    number : int or None
        Of the rule that fired; None if none did and the default answers.
    rule : Rule or None
        The rule that fired.
    failures : list of Failure
        Of the rules before it, in their order.
    level : float
        Of the intervals.
    """

    answer: Any
    probabilities: dict[Any, float] | None
    intervals: dict[Any, tuple[float, float]] | None
    number: int | None
    rule: Rule | None
    failures: list[Failure]
    level: float
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<RuleExplanation: {self.text}>"


def explain_row(rules: RuleList, rows: Rows, level: float, row: int = 0) -> RuleExplanation:
    """Explain the answer to one of some rows.

    Parameters
    ----------
    rules : RuleList
    rows : Rows
        With every column that rules ask.
    level : float
        Of the intervals.
    row : int, default=0
    """
    given = cells_of(rows.encoded, row)
    cells = seen(rules, given)
    if isinstance(rules, PartList) and any(cells[rules.place(column)] is None for column in _asked(rules)):
        return _in_parts(rules, Rows(rules.schema, encoded_row(rules.schema, given)), level)
    failures: list[Failure] = []
    fired = None
    for number, rule in enumerate(rules.rules):
        failed = next((literal for literal in rule.literals if not literal.holds(cells, rules.place)), None)
        if failed is None:
            fired = number
            break
        text = f"{_called(rule, number)} does not cover it: {failed} fails, {_found(rules, failed, given)}"
        failures.append(Failure(number, rule, failed, text))
    place = rules.n_rules if fired is None else fired
    answered = fired is not None or rules.default is not None
    answer = _answer(rules, place) if answered else None
    probabilities, intervals = _shares(rules, place, level) if answered else (None, None)
    decided = None if fired is None else rules.rules[fired]
    about = (answer, probabilities, intervals, fired, decided, failures, level)
    return RuleExplanation(*about, text=_text(rules, place, RuleExplanation(*about, text="")))


def _asked(rules: RuleList) -> list[Column]:
    return [column for column in rules.schema if column.name in rules.columns_used]


def _in_parts(rules: PartList, row: Rows, level: float) -> RuleExplanation:
    """Why a row was answered so of which several rules may take parts, because it lacks values that they ask for."""
    answer = rules.predict(row).tolist()[0]
    shares = rules.predict_proba(row)[0]
    labels = np.sort(np.asarray(rules.classes)).tolist()
    probabilities = {labels[k]: float(shares[k]) for k in np.argsort(-shares, kind="stable").tolist()}
    number = int(rules.apply(row)[0])
    rule = rules.rules[number]
    called = _called(rule, number)
    text = (
        f"The answer is {class_text(answer)}, with probability {share(probabilities[answer])}: values that rules ask "
        "for are missing, so that several rules may take parts of the row, the largest one "
        f"{called[:1].lower()}{called[1:]}: {rule.body()}."
    )
    return RuleExplanation(answer, probabilities, None, number, rule, [], level, text)


def explain_rows(rules: RuleList, rows: Rows, level: float) -> Any:
    """A data frame with one line for each row.

    Parameters
    ----------
    rules : RuleList
    rows : Rows
    level : float
    """
    found = [explain_row(rules, rows, level, row) for row in range(len(rows))]
    table: dict[str, Any] = {"answer": [each.answer for each in found]}
    if rules.is_classifier:
        told = [(each.probabilities or {}).get(each.answer, np.nan) for each in found]
        ends = [(each.intervals or {}).get(each.answer, (np.nan, np.nan)) for each in found]
        table |= {"probability": told, "low": [low for low, _ in ends], "high": [high for _, high in ends]}
    table |= {
        "rule": [rules.n_rules if each.number is None else each.number for each in found],
        "because": ["" if each.rule is None else each.rule.body() for each in found],
        "failed": ["; ".join(str(failure.literal) for failure in each.failures) for each in found],
        "text": [each.text for each in found],
    }
    return as_frame(table)


def _answer(rules: RuleList, place: int) -> Any:
    if rules.classes is None:
        return float(rules.said[place])
    return np.asarray(rules.classes).tolist()[rules.labels[place]]


def _shares(rules: RuleList, place: int, level: float) -> tuple[Any, Any]:
    """The probabilities of the classes, the largest first, and their intervals where training rows are known."""
    if rules.classes is None:
        return None, None
    labels = np.asarray(rules.classes).tolist()
    shares = rules.said[place]
    order = np.argsort(-shares, kind="stable").tolist()
    probabilities = {labels[k]: float(shares[k]) for k in order}
    if rules.counts is None or not rules.counts[place].any():
        return probabilities, None
    counts = rules.counts[place]
    total = float(counts.sum())
    low, high = wilson(counts / total, total, level)
    low, high = np.minimum(low, shares), np.maximum(high, shares)  # smoothing moves the shares, not the interval
    return probabilities, {labels[k]: (float(low[k]), float(high[k])) for k in order}


def _called(rule: Rule, number: int) -> str:
    return f"Rule {format_text(rule.name)}" if rule.name else f"Rule {number}"


def _found(rules: RuleList, literal: Literal, given: Sequence[Cell]) -> str:
    """What a row has in the columns of a literal that fails."""
    parts = []
    for column in literal.columns:
        cell, name = given[rules.place(column)], format_text(column.name)
        if cell is None:
            parts.append(f"{name} is missing")
        elif column.kind != "numeric" and cell == UNSEEN:
            parts.append(f"{name} has a level never seen")
        else:
            parts.append(f"{name} is {format_value(column, cell)}")
    return " and ".join(parts)


def _text(rules: RuleList, place: int, found: RuleExplanation) -> str:
    lines = [_sentence(rules, place, found)]
    return "\n".join([*lines, *(f"{failure}." for failure in found.failures)])


def _sentence(rules: RuleList, place: int, found: RuleExplanation) -> str:
    if found.rule is None:
        by = "because no rule covers the row" if rules.rules else "as to every row"
    else:
        by = f"by {_called(found.rule, place)[:1].lower()}{_called(found.rule, place)[1:]}: {found.rule.body()}"
    if found.rule is None and rules.default is None:
        return "There is no answer, because no rule covers the row and there is no default."
    if found.probabilities is None:
        return f"The answer is {plain_number(found.answer)}, {by}."
    told = f"The answer is {class_text(found.answer)}, with probability {share(found.probabilities[found.answer])}"
    if found.intervals is not None and rules.counts is not None:
        low, high = found.intervals[found.answer]
        rows = f"training rows of weight {amount(float(rules.counts[place].sum()))}"
        told += f" ({100 * found.level:g} % interval {share(low)} to {share(high)}, Wilson, from {rows})"
    elif rules.counts is not None:
        told += " as its text says (it has no counts)"
    return f"{told}, {by}."
