"""The tables that records are kept for are those that the programs were given."""

import pandas as pd


def test_tables_made_here_equal_the_shared_ones(records, shared_records):
    for name in records.names:
        for ours, theirs in zip(records.table(name), shared_records.table(name), strict=True):
            (pd.testing.assert_frame_equal if ours.ndim == 2 else pd.testing.assert_series_equal)(ours, theirs)
        pd.testing.assert_frame_equal(records.masked(name), shared_records.masked(name))


def test_records_kept_here_equal_the_shared_ones(records, shared_records):
    for family in ("rpart", "weka", "part", "c50", "ctree", "folds", "schema"):
        for name in records.names:
            assert records.facts(family, name) == shared_records.facts(family, name), (family, name)
    assert records.rpart_trees() == shared_records.rpart_trees()
