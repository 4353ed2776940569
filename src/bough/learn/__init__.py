"""Estimators: each named algorithm is a recipe of answers to the six questions."""

from bough.learn.bagging import BaggedTreesClassifier, BaggedTreesRegressor
from bough.learn.boosting import BoostedTreesClassifier
from bough.learn.c45 import C45Classifier
from bough.learn.c45_rules import C45RulesClassifier
from bough.learn.candidates import candidates
from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.cart_lc import CARTLCClassifier
from bough.learn.chaid import CHAIDClassifier
from bough.learn.cn2 import CN2Classifier
from bough.learn.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from bough.learn.fact import FACTClassifier
from bough.learn.files import load
from bough.learn.forest import RandomForestClassifier, RandomForestRegressor
from bough.learn.id3 import ID3Classifier
from bough.learn.irep import IREPClassifier
from bough.learn.lda_tree import LDATreeClassifier
from bough.learn.lmdt import LMDTClassifier
from bough.learn.neural_tree import NeuralTreeClassifier
from bough.learn.oblique_regressor import ObliqueTreeRegressor
from bough.learn.oc1 import OC1Classifier
from bough.learn.omnivariate_tree import OmnivariateTreeClassifier
from bough.learn.part import PARTClassifier
from bough.learn.quest import QUESTClassifier
from bough.learn.ripper import RIPPERClassifier
from bough.learn.rule_regressor import RuleRegressor
from bough.learn.sphere_tree import SphereTreeClassifier
from bough.learn.tree import TreeClassifier, TreeRegressor

__all__ = [
    "BaggedTreesClassifier",
    "BaggedTreesRegressor",
    "BoostedTreesClassifier",
    "C45Classifier",
    "C45RulesClassifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CN2Classifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FACTClassifier",
    "ID3Classifier",
    "IREPClassifier",
    "LDATreeClassifier",
    "LMDTClassifier",
    "NeuralTreeClassifier",
    "OC1Classifier",
    "ObliqueTreeRegressor",
    "OmnivariateTreeClassifier",
    "PARTClassifier",
    "QUESTClassifier",
    "RIPPERClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleRegressor",
    "SphereTreeClassifier",
    "TreeClassifier",
    "TreeRegressor",
    "candidates",
    "load",
]
