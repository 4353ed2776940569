"""What nodes ask: tests, each a feature (`bough.model.features`) and a partition of its values; one file a kind.

A new kind is a file here with a class that keeps to `Test`, and a line in `read.py`. Nobody else asks for the kind of a
test: what depends on it is a method. tests/seams/test_kinds.py sees to that.
"""

from bough.model.tests.read import (
    KINDS,
    cuts_of,
    know_every_level,
    levels_parted,
    missing_branch,
    read_test,
    splits_of_edges,
    splits_of_thresholds,
)
from bough.model.tests.test import Test

__all__ = [
    "KINDS",
    "Test",
    "cuts_of",
    "know_every_level",
    "levels_parted",
    "missing_branch",
    "read_test",
    "splits_of_edges",
    "splits_of_thresholds",
]
