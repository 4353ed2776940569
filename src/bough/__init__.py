"""Readable decision trees from nominal, numeric, ordered and incomplete data.

Everything a user needs is importable from here.
"""

from bough import datasets, errors, recipe, validate
from bough._core import __version__
from bough.learn import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
    candidates,
    load,
)
from bough.like import like
from bough.model import Tree

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "ID3Classifier",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "candidates",
    "datasets",
    "errors",
    "like",
    "load",
    "recipe",
    "validate",
]
