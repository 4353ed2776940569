"""Ensembles: a model of many trees whose answers are combined."""

from bough.model.ensemble.ensemble import Ensemble
from bough.model.ensemble.votes import VOTES, Vote

__all__ = ["VOTES", "Ensemble", "Vote"]
