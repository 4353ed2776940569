"""The fitted tree as users read it, and its files."""

from bough.model.files import load_model, save_model
from bough.model.tree import Tree

__all__ = ["Tree", "load_model", "save_model"]
