"""A list of rules as text, as a data frame and as a table for notebooks."""

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from bough.errors import ParameterError
from bough.model.frame import as_frame
from bough.model.rules.rule import label_of, says_text
from bough.model.text import class_text

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList
    from bough.model.rules.rule_model import RuleModel
    from bough.model.rules.rule_set import RuleSet

__all__ = ["rules_frame", "rules_html", "rules_text", "set_frame"]

_MOST_SHOWN = 200  # rules in a notebook
_DIGITS = 6  # of numbers there


def rules_text(rules: "RuleModel", digits: int | None, note: str) -> str:
    """See `RuleList.text`; a note is the first line."""
    if digits is not None and (type(digits) is not int or digits < 1):
        raise ParameterError(f"digits must be a whole number of at least 1, or None for all; got {digits!r:.60}.")
    number = not rules.is_classifier
    lines = [rule.text(digits, number=number) for rule in rules.rules]
    if rules.default is not None:
        lines.append(f"OTHERWISE {says_text(rules.default, digits, number=number)}")
    if note:
        lines.insert(0, f"# {' '.join(note.split())}")
    if digits is not None:
        lines.insert(0, f"# Numbers are rounded to {digits} significant digits: this does not read back exactly.")
    return "\n".join(lines)


def rules_frame(rules: "RuleList", *, probabilities: bool) -> Any:
    """See `RuleList.to_frame`."""
    size = rules.n_rules + (rules.default is not None)
    columns = _first_columns(rules)
    if rules.classes is None:
        return as_frame({**columns, "answer": rules.said[:size]})
    columns["answer"] = np.asarray(rules.classes)[rules.labels[:size]]
    if probabilities:
        names = [class_text(label) for label in rules.classes.tolist()]
        columns |= {f"p[{name}]": rules.said[:size, number] for number, name in enumerate(names)}
    return as_frame(columns)


def set_frame(rules: "RuleSet") -> Any:
    """See `RuleSet.to_frame`."""
    said = [rule.label for rule in rules.rules] + ([] if rules.default is None else [label_of(rules.default)])
    return as_frame({**_first_columns(rules), "answer": np.array(said)})


def _first_columns(rules: "RuleModel") -> dict[str, Any]:
    """What is told of each rule before its answer, and of the default if there is one."""
    size = rules.n_rules + (rules.default is not None)
    bodies = [rule.body() for rule in rules.rules] + ["OTHERWISE"]
    return {
        "rule": np.arange(size),
        "name": [*(rule.name for rule in rules.rules), ""][:size],
        "condition": bodies[:size],
        "literals": np.array([*(rule.size for rule in rules.rules), 0][:size], dtype=np.int64),
        "locked": np.array([*(rule.locked for rule in rules.rules), False][:size], dtype=bool),
    }


def rules_html(rules: "RuleList") -> str:
    """A table with a row a rule."""
    number = not rules.is_classifier
    named = any(rule.name for rule in rules.rules)
    rows = [
        [str(place), *([rule.name] if named else []), rule.body(_DIGITS), says_text(rule.says, _DIGITS, number=number)]
        for place, rule in enumerate(rules.rules[:_MOST_SHOWN])
    ]
    if rules.n_rules > _MOST_SHOWN:
        rows.append(["…", *([""] if named else []), f"{rules.n_rules - _MOST_SHOWN:,} more rules", ""])
    if rules.default is not None:
        told = says_text(rules.default, _DIGITS, number=number)
        rows.append([str(rules.n_rules), *([""] if named else []), "OTHERWISE", told])
    heads = ["rule", *(["name"] if named else []), "if", rules.target]
    note = "<p>Columns and levels are those that the text names.</p>" if rules.inputs.inferred else ""
    body = "".join(_row("td", row) for row in rows)
    return f"<table><thead>{_row('th', heads)}</thead><tbody>{body}</tbody></table>{note}"


def _row(tag: str, texts: list[str]) -> str:
    cells = (f'<{tag} style="text-align: left">{html.escape(text)}</{tag}>' for text in texts)
    return f"<tr>{''.join(cells)}</tr>"
