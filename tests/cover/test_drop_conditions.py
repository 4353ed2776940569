"""Conditions are dropped while the errors to expect do not rise; a rule that covers nothing expects them everywhere."""

import numpy as np

from bough import _core
from bough.model.rules import Levels
from bough.model.rules.pool import Pool
from bough.table import build_table, kernel_columns


def test_a_rule_that_covers_no_row_loses_what_keeps_it_from_them():
    table = build_table({"a": [None] * 8 + ["x"] * 8, "b": ["low"] * 8 + ["high"] * 8})
    columns = {column.name: column for column in table.schema}
    bodies = [[Levels(columns["a"], (0,))], [Levels(columns["b"], (columns["b"].levels.index("low"),))]]
    names = list(columns)
    conditions = Pool.of_bodies(bodies, lambda column: names.index(column.name)).kernel()
    label = np.repeat(np.array([1, 0], dtype=np.uint32), 8)
    # IF a = x AND b = low THEN 1: no row is both, and b = low alone is always right.
    done = _core.drop_conditions(
        conditions,
        np.array([0, 2]),
        np.array([0, 1], dtype=np.int32),
        np.array([1], dtype=np.int32),
        kernel_columns(table.schema, table.columns),
        label,
        2,
        None,
    )
    assert done["kept"].tolist() == [0, 1]
    assert (done["weight"].tolist(), done["wrong"].tolist()) == ([8.0], [0.0])
