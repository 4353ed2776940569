"""The fitted tree as users read it, and its files."""

from bough.model.tree import Tree

__all__ = ["Tree"]
