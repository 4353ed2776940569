"""The digest of a table: equal for equal tables in whatever library, different for any difference."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bough import _core
from bough.table import build_table, table_digest

Y = build_table({"y": ["a", "b", "a", "b"]})
TARGET = Y.schema.columns[0], Y.columns[0]


def digest(X, target=TARGET, weights=None, **how):
    return table_digest(build_table(X, **how), target, weights)


DATES = np.array(["2026-01-31", "1970-01-01", "NaT", "2020-02-29"], "M8[D]")
PLAIN = {
    "n": [1.5, np.nan, -3.0, 1e300],
    "k": [3, 1, 2, 2**40],
    "s": ["b", "a", None, "b"],
    "t": [True, False, True, True],
}


def test_a_table_has_one_digest_in_every_library():
    pandas = pd.DataFrame(PLAIN)
    polars = pl.DataFrame(PLAIN, strict=False).with_columns(pl.col("n").fill_nan(None))
    arrow = pa.Table.from_pandas(pandas)
    numpy = {name: np.array(column, dtype=object if name == "s" else None) for name, column in PLAIN.items()}
    assert len({digest(one) for one in (pandas, polars, arrow, numpy, PLAIN)}) == 1


def test_whole_numbers_with_a_gap_are_the_floats_that_pandas_makes_of_them():
    whole = pl.DataFrame({"k": [1, None, 3, 4]})
    assert digest(whole) == digest(whole.to_pandas())
    assert whole.to_pandas()["k"].dtype == np.float64


def test_times_count_whatever_their_unit():
    assert len({digest({"d": DATES.astype(f"M8[{unit}]")}) for unit in ("D", "s", "ms", "us", "ns")}) == 1
    assert digest({"d": DATES}) == digest(pl.DataFrame({"d": DATES}))


def test_categories_count_by_those_that_occur():
    strings = digest({"s": ["b", "a", "c", "b"]})
    declared = pd.Categorical(["b", "a", "c", "b"], categories=["unused", "c", "b", "a"])
    assert digest(pd.DataFrame({"s": declared})) == strings
    assert digest(pl.DataFrame({"s": pl.Series(["b", "a", "c", "b"], dtype=pl.Categorical)})) == strings


def test_the_order_of_ordered_levels_counts():
    X = {"s": ["b", "a", "c", "b"]}
    orders = [digest(X, ordered_features={"s": list(order)}) for order in itertools.permutations("abc")]
    assert len({*orders, digest(X)}) == 7


def test_labels_that_are_numbers_count_as_numbers_do():
    whole = {"k": [1, 2, 2, 5]}
    floats = {"k": [1.0, 2.0, 2.0, 5.0]}
    assert digest(whole, categorical_features=["k"]) == digest(floats, categorical_features=["k"])
    assert digest(whole, categorical_features=["k"]) != digest(whole)


@pytest.mark.parametrize("big", [2**53 + 1, 2**63 - 1, 2**64 - 1])
def test_whole_numbers_that_doubles_do_not_tell_apart_are_told_apart(big):
    kind = np.uint64 if big >= 2**63 else np.int64
    assert digest({"k": np.array([1, 2, 3, big], kind)}) != digest({"k": np.array([1, 2, 3, big - 1], kind)})


def test_every_difference_gives_another_digest():
    rng = np.random.default_rng(0)
    X = {"a": rng.normal(size=40), "b": rng.integers(0, 5, 40), "c": rng.choice(list("xyz"), 40)}
    y = build_table({"y": rng.choice(["p", "q"], 40)})
    target = y.schema.columns[0], y.columns[0]
    found = [digest(X, target)]
    for name, at in itertools.product(X, range(0, 40, 7)):
        changed = {key: column.copy() for key, column in X.items()}
        changed[name][at] = {"a": 0.0, "b": 9, "c": "w"}[name]
        found.append(digest(changed, target))
    found.append(digest({"a2" if key == "a" else key: column for key, column in X.items()}, target))
    found.append(digest({key: X[key] for key in ("b", "a", "c")}, target))
    found.append(digest({key: column[::-1] for key, column in X.items()}, target))
    found.append(digest(X, target, np.ones(40)))
    found.append(digest(X, target, np.r_[2.0, np.ones(39)]))
    swapped = build_table({"y": np.where(y.columns[0].data == 0, "q", "p")})
    found.append(digest(X, (swapped.schema.columns[0], swapped.columns[0])))
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (5, 70_000), (40_000, 69_999)])
def test_signs_of_two_cells_do_not_cancel(first, second):
    x = np.random.default_rng(1).normal(size=80_000)
    y = np.zeros(80_000)
    about = build_table({"y": y})
    target = about.schema.columns[0], about.columns[0]
    flipped = x.copy()
    flipped[[first, second]] *= -1
    exchanged = x.copy()
    exchanged[[first, second]] = x[[second, first]]
    assert len({digest({"x": one}, target) for one in (x, flipped, exchanged)}) == 3


def test_missing_is_missing_whatever_bits_it_has():
    x = np.array([1.0, np.nan, 3.0, 4.0])
    odd = x.copy()
    odd.view(np.uint64)[1] = 0xFFF8000000000007
    assert np.isnan(odd[1])
    assert digest({"x": x}) == digest({"x": odd})


def test_the_layout_in_memory_does_not_count():
    Z = np.random.default_rng(2).normal(size=(4, 3))
    wide = np.asfortranarray(Z)
    assert digest(Z) == digest(wide) == digest({f"x{j}": Z[:, j] for j in range(3)})


def xxhash(words):
    """XxHash64, seed 0, of 64-bit words, as its specification has it."""
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5, full = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, 2**64 - 1

    def rotated(x, by):
        return (x << by | x >> (64 - by)) & full

    def entered(lane, word):
        return rotated((lane + word * p2) & full, 31) * p1 & full

    done, found = 0, p5
    if len(words) >= 4:
        lanes = [(p1 + p2) & full, p2, 0, -p1 & full]
        for done in range(4, len(words) + 1, 4):
            lanes = [entered(lane, word) for lane, word in zip(lanes, words[done - 4 : done], strict=True)]
        found = sum(map(rotated, lanes, (1, 7, 12, 18))) & full
        for lane in lanes:
            found = ((found ^ entered(0, lane)) * p1 + p4) & full
    found = (found + 8 * len(words)) & full
    for word in words[done:]:
        found = (rotated(found ^ entered(0, word), 27) * p1 + p4) & full
    found = (found ^ found >> 33) * p2 & full
    found = (found ^ found >> 29) * p3 & full
    return found ^ found >> 32


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 8, 31])
def test_a_column_is_hashed_as_the_specification_says(n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    words = x.view(np.uint64).tolist()
    assert _core.hash_column((x, None, 0)) == xxhash(words)
    wide = np.stack([x, x + 1], axis=1)
    assert _core.hash_column((wide[:, 0], None, 0)) == xxhash(words)
    small = x.astype(np.float32)
    assert _core.hash_column((small, None, 0)) == xxhash(small.astype(float).view(np.uint64).tolist())
    for kind in (np.int32, np.int64, np.uint64):
        whole = rng.integers(0, 1000, n).astype(kind)
        assert _core.hash_column((whole, None, 0)) == xxhash(whole.astype(float).view(np.uint64).tolist())
        assert _core.hash_column((whole, None, 0), counts=True, scale=7) == xxhash((7 * whole.astype(int)).tolist())
        gone = rng.random(n) < 0.5
        words = np.where(gone, np.nan, whole).view(np.uint64).tolist()
        assert _core.hash_column((whole, gone, 0)) == xxhash(words)
        counts = [2**63 if lost else value for lost, value in zip(gone, whole.tolist(), strict=True)]
        assert _core.hash_column((whole, gone, 0), counts=True) == xxhash(counts)


def test_the_plain_version_knows_the_published_hash_of_nothing():
    assert xxhash([]) == 0xEF46DB3751D8E999


def test_a_digest_is_the_same_for_good():
    assert digest({"n": [1.5, 2.5, np.nan, 4.0], "s": ["b", "a", None, "b"]}) == "9220727046122964cbf0b52bd0a59252"
