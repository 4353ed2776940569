"""A fitted tree in the language of another program, scored against the tree before it is handed over."""

from bough.exports.export import Export, export
from bough.exports.verify import Report

__all__ = ["Export", "Report", "export"]
