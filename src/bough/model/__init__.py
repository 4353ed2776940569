"""The fitted tree as users read it, and its files."""

from bough.model.arrays import risk_total
from bough.model.by_hand import Pruned
from bough.model.features import Term
from bough.model.files import Limits, load_model, save_model
from bough.model.given import tree_of
from bough.model.node import Node
from bough.model.pruning_log import PruningLog
from bough.model.split import Split
from bough.model.tree import Tree

__all__ = [
    "Limits",
    "Node",
    "Pruned",
    "PruningLog",
    "Split",
    "Term",
    "Tree",
    "load_model",
    "risk_total",
    "save_model",
    "tree_of",
]
