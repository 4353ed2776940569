"""The command line: `bough fit` grows a tree from a table in a file, `bough predict` applies it."""

from bough.cli.main import main

__all__ = ["main"]
