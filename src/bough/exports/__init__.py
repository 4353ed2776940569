"""A fitted tree in the language of another program, scored against the tree before it is handed over."""

from bough.exports.export import Export, export

__all__ = ["Export", "export"]
