"""Rules: conjunctions of literals with an answer; lists, in which the first match decides, and sets, which add up."""

from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.model.rules.rule import Distribution, Rule, Says
from bough.model.rules.rule_list import RuleList
from bough.model.rules.rule_model import RuleModel
from bough.model.rules.rule_set import RuleSet

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
    "RuleModel",
    "RuleSet",
    "Says",
    "Sum",
    "SumTerm",
]
