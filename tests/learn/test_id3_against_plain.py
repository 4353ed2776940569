"""like("Id3") gives the trees that the plain version gives, node by node, on random tables."""

import numpy as np
import pandas as pd
from hypothesis import given

import bough
from bough.testing.c45 import Id3, Table, cases_of, read_tree
from bough.testing.c45.strategies import tables


def frame_of(table_columns):
    """Columns as a frame; levels are categories, also those that do not occur."""
    data = {}
    for column in table_columns:
        if column.numeric:
            data[column.name] = np.array([np.nan if cell is None else cell for cell in column.cells])
        else:
            codes = [-1 if cell is None else cell for cell in column.cells]
            data[column.name] = pd.Categorical.from_codes(codes, list(column.levels))
    return pd.DataFrame(data)


def target_of(table):
    return pd.Series(pd.Categorical.from_codes(table.y, list(table.classes)))


def assert_same_nodes(ours, theirs, path=()):
    stack = [(ours, theirs, path)]
    while stack:
        ours, theirs, path = stack.pop()
        assert ours.split == theirs.split, path
        np.testing.assert_allclose(ours.counts, theirs.counts, atol=1e-9, err_msg=str(path))
        assert len(ours.children) == len(theirs.children), path
        stack += [(a, b, (*path, i)) for i, (a, b) in enumerate(zip(ours.children, theirs.children, strict=True))]


@given(tables(numeric=False, missing=False))
def test_id3_is_as_in_the_plain_version(table):
    unweighted = Table(table.columns, table.y, table.classes)
    plain = Id3(unweighted, tie=1e-12)
    estimator = bough.like("Id3").fit(frame_of(table.columns), target_of(table))
    assert_same_nodes(read_tree(estimator.tree_.kernel), plain.root)
    rows = frame_of(table.columns)
    shares = pd.DataFrame(estimator.predict_proba(rows), columns=estimator.classes_)[list(table.classes)]
    np.testing.assert_allclose(shares, [plain.probabilities(case) for case in cases_of(rows)], atol=1e-9)
