"""Pictures with matplotlib, which is imported when the first one is drawn. Every function returns the axes."""

from bough.plot.tree import tree

__all__ = ["tree"]
