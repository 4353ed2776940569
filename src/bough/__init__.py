"""Readable decision trees from nominal, numeric, ordered and incomplete data.

Everything a user needs is importable from here.
"""

from bough import datasets, errors
from bough._core import __version__

__all__ = ["__version__", "datasets", "errors"]
