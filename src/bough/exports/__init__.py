"""A fitted model in the language of another program, scored against the model before it is handed over."""

from bough.exports.hand_over import Export, export

__all__ = ["Export", "export"]
