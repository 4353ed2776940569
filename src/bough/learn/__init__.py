"""Estimators: each named algorithm is a recipe of answers to the six questions."""

from bough.learn.cart import CARTClassifier, CARTRegressor

__all__ = ["CARTClassifier", "CARTRegressor"]
