"""Fitted models as users read them, trees and rules, and their files."""

from bough.model.by_hand import Pruned
from bough.model.features import Term
from bough.model.measures import Measures
from bough.model.node import Node
from bough.model.pruning_log import PruningLog
from bough.model.rules import Rule, RuleList, RuleSet
from bough.model.split import Split
from bough.model.tree import Tree

__all__ = [
    "Measures",
    "Node",
    "Pruned",
    "PruningLog",
    "Rule",
    "RuleList",
    "RuleSet",
    "Split",
    "Term",
    "Tree",
]
