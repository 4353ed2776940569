"""How far to trust a tree: how good it is on rows it has not seen, and what stays of it when the rows change."""

from bough.validate.comparison import Comparison, Pair, compare
from bough.validate.diff import Change, Difference, diff
from bough.validate.effect import Effect, effect
from bough.validate.evaluate import report
from bough.validate.judge import judge
from bough.validate.judgement import Judgement, Judgements
from bough.validate.paired import JudgedPair
from bough.validate.resampled import combined_f_test, corrected_interval, corrected_t_test, holm
from bough.validate.result import Report
from bough.validate.rule_diff import RuleChange, RuleDifference
from bough.validate.rule_stability import RuleReturns, RuleStability
from bough.validate.stability import SplitStability, Stability, stability

__all__ = [
    "Change",
    "Comparison",
    "Difference",
    "Effect",
    "JudgedPair",
    "Judgement",
    "Judgements",
    "Pair",
    "Report",
    "RuleChange",
    "RuleDifference",
    "RuleReturns",
    "RuleStability",
    "SplitStability",
    "Stability",
    "combined_f_test",
    "compare",
    "corrected_interval",
    "corrected_t_test",
    "diff",
    "effect",
    "holm",
    "judge",
    "report",
    "stability",
]
