"""A text in the place of a list: what it leaves as it was keeps its counts, its note and its lock."""

from typing import TYPE_CHECKING

from bough.errors import ParameterError
from bough.model.rules.editing import counts_of
from bough.model.rules.parse import parse_rules
from bough.model.rules.rule import Rule

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["rewritten"]


def rewritten(rules: "RuleList", text: str) -> "RuleList":
    """Return the list that a text says, for the columns and classes of this one.

    A rule that the text has as it was keeps its counts, its note and its lock; one that is locked has to be there.
    """
    new = parse_rules(text, rules)
    if not new.n_rules and new.default is None:
        parse_rules("")  # which says what is missing
    if (new.rules, new.default) == (rules.rules, rules.default):
        return rules
    old: dict[Rule, list[int]] = {}
    for number, rule in enumerate(rules.rules):
        old.setdefault(rule, []).append(number)
    order = [old[rule].pop(0) if old.get(rule) else None for rule in new.rules]
    for number, rule in enumerate(rules.rules):
        if rule.locked and number not in order:
            raise ParameterError(f"rule {number} is locked, and the text does not have it as it was: {rule}.")
    kept = [rule if number is None else rules.rules[number] for rule, number in zip(new.rules, order, strict=True)]
    default = rules.n_rules if new.default == rules.default else None
    return rules.with_rules(kept, new.default, counts_of(rules, [*order, default]))
