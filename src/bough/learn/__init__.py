"""Estimators: each named algorithm is a recipe of answers to the six questions."""

from bough.learn.c45 import C45Classifier
from bough.learn.c45_rules import C45RulesClassifier
from bough.learn.candidates import candidates
from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.chaid import CHAIDClassifier
from bough.learn.cn2 import CN2Classifier
from bough.learn.files import load
from bough.learn.id3 import ID3Classifier
from bough.learn.irep import IREPClassifier
from bough.learn.part import PARTClassifier
from bough.learn.ripper import RIPPERClassifier
from bough.learn.rule_regressor import RuleRegressor
from bough.learn.tree import TreeClassifier, TreeRegressor

__all__ = [
    "C45Classifier",
    "C45RulesClassifier",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CN2Classifier",
    "ID3Classifier",
    "IREPClassifier",
    "PARTClassifier",
    "RIPPERClassifier",
    "RuleRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "candidates",
    "load",
]
