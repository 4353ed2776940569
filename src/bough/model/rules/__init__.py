"""Rules: conjunctions of literals with an answer; lists, in which the first match decides, and sets, which add up."""

from bough.model.rules.editing import Edit
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.model.rules.parse import parse_rules
from bough.model.rules.rule import Distribution, Rule, Says
from bough.model.rules.rule_list import RuleList
from bough.model.rules.rule_model import RuleModel
from bough.model.rules.rule_set import RuleSet
from bough.model.rules.statistics import Statistics

__all__ = [
    "Bound",
    "Distribution",
    "Edit",
    "Interval",
    "Known",
    "Levels",
    "Literal",
    "Missing",
    "Rule",
    "RuleList",
    "RuleModel",
    "RuleSet",
    "Says",
    "Statistics",
    "Sum",
    "SumTerm",
    "parse_rules",
]
