"""`missing='most_likely'`: the branch of the value that stands for a missing one, written into the splits."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bough import _core
from bough.errors import ParameterError
from bough.model.arrays import arrays_of
from bough.model.tests import read_test
from bough.table import Schema

__all__ = ["send_missing"]


def send_missing(tree: _core.Tree, values: Sequence[Any], schema: Schema) -> _core.Tree:
    """The tree whose tests send a missing value where they send the value that stands for it."""
    if len(tree) == 1:
        return tree
    arrays = tree.to_arrays()
    pool = arrays_of(tree)
    tests = [read_test(pool, split, schema.columns) for split in range(len(pool.split_column))]
    if any(len(test.columns) > 1 for test in tests):
        raise ParameterError(
            "a test of several columns, as forced_splits or initial_tree give it, has one branch for missing values; "
            "that is wrong where one of them is known: missing='most_likely' does not go with it."
        )
    found = [test.branch(values) for test in tests]
    arrays["split_missing"] = np.array([-1 if isinstance(one, str) else one for one in found], dtype=np.int32)
    return _core.Tree.from_arrays(arrays, tree.routing)
