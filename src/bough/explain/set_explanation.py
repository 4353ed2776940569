"""Why a set of rules answers as it does: the rules that cover a row, what each adds, and what that comes to."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bough.model.frame import as_frame
from bough.model.inputs import Rows
from bough.model.rules import Rule, RuleSet
from bough.model.rules.rule_set import TOLD
from bough.model.text import amount, class_text, plain_number, share

__all__ = ["SetExplanation", "explain_set"]


@dataclass(frozen=True, repr=False)
class SetExplanation:
    """Why a row got its answer from a set of rules; printed, a sentence and a line for each rule that covers it.

    Attributes
    ----------
    answer : label or float
    probabilities : dict or None
        By class, the most probable first; None for numbers.
    numbers : tuple of int
        Of the rules that cover the row.
    rules : tuple of Rule
        These rules.
    adds : list
        What each of them adds: a dict of what it adds to each class, or a number.
    """

    answer: Any
    probabilities: dict[Any, float] | None
    numbers: tuple[int, ...]
    rules: tuple[Rule, ...]
    adds: list[Any]
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<SetExplanation: {self.text}>"


def explain_set(rules: RuleSet, rows: Rows, *, one: bool) -> Any:
    """Explain the answer to one row, or to each of some in a data frame.

    Parameters
    ----------
    rules : RuleSet
    rows : Rows
    one : bool
        Whether the rows are a single one that was given as such.
    """
    answers = rules.predict(rows).tolist()
    shares = rules.predict_proba(rows) if rules.is_classifier else None
    covered = rules.covers(rows)
    found = [
        _explained(rules, answer, None if shares is None else shares[row], np.flatnonzero(covered[row]).tolist())
        for row, answer in enumerate(answers)
    ]
    if one:
        return found[0]
    table: dict[str, Any] = {"answer": [each.answer for each in found]}
    if rules.is_classifier:
        table["probability"] = [(each.probabilities or {})[each.answer] for each in found]
    table["rules"] = [", ".join(map(str, each.numbers)) for each in found]
    table["text"] = [each.text for each in found]
    return as_frame(table)


def _explained(rules: RuleSet, answer: Any, shares: Any, numbers: list[int]) -> SetExplanation:
    adds: list[Any] = [float(rules.evidence[number]) for number in numbers] if rules.classes is None else []
    probabilities = None
    if rules.classes is not None:
        labels = np.asarray(rules.classes).tolist()
        adds = [dict(zip(labels, rules.evidence[number].tolist(), strict=True)) for number in numbers]
        order = np.argsort(-shares, kind="stable").tolist()
        known = np.sort(np.asarray(rules.classes)).tolist()
        probabilities = {known[place]: float(shares[place]) for place in order}
    told = plain_number(answer) if probabilities is None else class_text(answer)
    sentence = f"The answer is {told}"
    if probabilities is not None:
        sentence += f", with probability {share(probabilities[answer])}"
    sentence += f": {TOLD[rules.combine]}." if numbers else ", because no rule covers the row."
    lines = [f"{_called(rules, number)} covers it: {rules.rules[number].body()}; it adds {_added(add)}."
             for number, add in zip(numbers, adds, strict=True)]  # fmt: skip
    if rules.combine == "sum" and rules.default is not None:
        lines.append(f"Every row begins with {plain_number(float(rules.said[-1]))}.")
    covering = tuple(rules.rules[number] for number in numbers)
    return SetExplanation(answer, probabilities, tuple(numbers), covering, adds, "\n".join([sentence, *lines]))


def _called(rules: RuleSet, number: int) -> str:
    name = rules.rules[number].name
    return f"Rule {name}" if name else f"Rule {number}"


def _added(add: Any) -> str:
    if not isinstance(add, dict):
        return plain_number(add)
    return ", ".join(f"{amount(weight)} to {class_text(label)}" for label, weight in add.items() if weight) or "nothing"
