"""Forests: many trees in a few flat arrays, which answer together; each can be taken out and read."""

from bough.model.forest.forest import Forest

__all__ = ["Forest"]
