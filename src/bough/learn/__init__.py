"""Estimators: each named algorithm is a recipe of answers to the six questions."""

from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.files import load

__all__ = ["CARTClassifier", "CARTRegressor", "load"]
