"""The command line: from a table in a file to a tree, its predictions, its judgement and its other forms."""

from bough.cli.main import main

__all__ = ["main"]
