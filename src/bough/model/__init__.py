"""Fitted models as users read them, trees, rules, forests and other ensembles of trees, and their files."""

from bough.model.by_hand import Pruned
from bough.model.ensemble import Ensemble
from bough.model.features import Term
from bough.model.forest import Forest
from bough.model.measures import Measures
from bough.model.node import Node
from bough.model.pruning_log import PruningLog
from bough.model.rules import Rule, RuleList, RuleSet
from bough.model.split import Split
from bough.model.tree import Tree

__all__ = [
    "Ensemble",
    "Forest",
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
