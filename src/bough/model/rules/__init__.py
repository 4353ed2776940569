"""Rules: conjunctions of literals with an answer; lists, in which the first match decides, and their language."""

from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.model.rules.parse import parse_rules
from bough.model.rules.rule import Distribution, Rule, Says
from bough.model.rules.rule_list import RuleList

__all__ = [
    "Bound",
    "Distribution",
    "Interval",
    "Known",
    "Levels",
    "Literal",
    "Missing",
    "Rule",
    "RuleList",
    "Says",
    "Sum",
    "SumTerm",
    "parse_rules",
]
