"""The kernel's PART: the rules that Weka printed, its probabilities, and the plain version on random tables."""

import math

import numpy as np
import pytest
from hypothesis import given

from bough import _core
from bough.testing.c45 import Column, Options, Part, Table, cases_of, read_rules, rules_text, strategies, table_of


def columns_of(table, cells=None):
    """The columns as the kernel takes them; `cells` replaces those of the table."""
    cells = [column.cells for column in table.columns] if cells is None else cells
    return [
        (np.array([math.nan if x is None else x for x in of_column]), None, 0)
        if column.numeric
        else (np.array([-1 if x is None else x for x in of_column], dtype=np.int32), None, 2)
        for column, of_column in zip(table.columns, cells, strict=True)
    ]


def learn(table, options=Options(), **more):  # noqa: B008 (frozen)
    """The rules of the kernel, as arrays."""
    labels = np.array([0 if label is None else label for label in table.y], dtype=np.uint32)
    weights = np.where([label is None for label in table.y], 0.0, table.weights)
    levels = [len(column.levels or ()) for column in table.columns]
    ranked = _core.rank_table(columns_of(table), levels, None, 1)
    confidence = np.float32(options.confidence)
    return _core.part(
        ranked,
        labels,
        len(table.classes),
        None if (weights == 1).all() else weights,
        min_weight=options.minimum,
        confidence=float(confidence),
        complement=float(np.float32(1) - confidence),
        pruned=not options.unpruned,
        binary_levels=options.binary,
        mdl=options.penalty,
        actual_value=options.data_value,
        **more,
    )


def text_of(table, arrays, options=Options()):  # noqa: B008 (frozen)
    return rules_text(table, read_rules(arrays, binary=options.binary), binary=options.binary)


def answers(table, arrays, cases):
    cells = list(zip(*cases, strict=True)) if cases else [[] for _ in table.columns]
    return _core.fractional_probabilities(arrays, columns_of(table, cells))


# Weka


def differences(name, records):
    """What differs from the record of a table, as sentences; None if there is no record."""
    fits = records.facts("part", name)
    if not fits:
        return None
    X, y = records.table(name)
    table, record = table_of(X, y), fits["PART"]
    arrays = learn(table)
    found = [] if text_of(table, arrays) == record["text"] else [f"{name}: another text"]
    for rows, what in ((X, "pred_train"), (records.masked(name), "pred_masked")):
        if what in record:
            off = np.abs(answers(table, arrays, cases_of(rows)) - np.array(record[what])).max()
            found += [f"{name}, {what}: off by {off:.3g}"] if off > 1e-9 else []
    return found


def test_rules_of_our_own_tables_are_those_of_weka(records):
    assert [difference for name in records.names for difference in differences(name, records)] == []


def test_rules_of_all_recorded_tables_are_those_of_weka(shared_records, record_property):
    found = {name: differences(name, shared_records) for name in shared_records.names}
    compared = [told for told in found.values() if told is not None]
    wrong = [difference for told in compared for difference in told]
    record_property("summary", f"parity with PART: {len(compared)} tables compared, {len(wrong)} differences")
    assert len(compared) == 25
    assert wrong == []


@pytest.mark.parametrize("name", ["weather_numeric", "contact_lenses", "watermelon3", "iris", "penguins"])
def test_the_plain_version_gives_the_rules_of_weka(records, name):
    X, y = records.table(name)
    plain, record = Part(table_of(X, y)), records.facts("part", name)["PART"]
    assert plain.text() == record["text"]
    for rows, what in ((X, "pred_train"), (records.masked(name), "pred_masked")):
        ours = [plain.probabilities(case) for case in cases_of(rows)]
        np.testing.assert_allclose(ours, record[what], atol=1e-9)


# The plain version


def assert_same_rules(ours, plain):
    """The same conditions, with weights up to rounding: a text may differ where a count is half-way of two decimals."""
    assert [conditions(rule) for rule in ours] == [conditions(rule) for rule in plain]
    for one, other in zip(ours, plain, strict=True):
        np.testing.assert_allclose(one.counts, other.counts, rtol=0, atol=1e-9)
        shares = [[literal.share for literal in rule.literals] for rule in (one, other)]
        np.testing.assert_allclose(*shares, rtol=0, atol=1e-9)


def conditions(rule):
    return [(one.split.column, one.split.threshold, one.split.level, one.branch) for one in rule.literals]


@given(strategies.tables(), strategies.options())
def test_rules_of_random_tables_are_those_of_the_plain_version(table, options):
    plain, arrays = Part(table, options), learn(table, options)
    assert_same_rules(read_rules(arrays, binary=options.binary), plain.rules)
    cases = list(zip(*(column.cells for column in table.columns), strict=True))
    cases.append((None,) * len(table.columns))
    np.testing.assert_allclose(
        answers(table, arrays, cases), [plain.probabilities(case) for case in cases], rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("seed", range(4))
def test_long_columns_of_two_classes_are_searched_as_short_ones(seed):
    """Many values of a column are looked at box by box; the plain version looks at each."""
    random = np.random.default_rng(seed)
    x = random.permutation(300) / 8
    y = (random.random(300) < np.where(x > 20, 0.7, 0.4)).astype(int)
    gaps = random.random(300) < 0.1
    columns = [Column("x", [None if gap else value for value, gap in zip(x.tolist(), gaps, strict=True)])]
    columns.append(Column("z", random.integers(0, 3, 300).tolist(), list("abc")))
    table = Table(columns, y.tolist(), ["p", "q"])
    assert_same_rules(read_rules(learn(table)), Part(table).rules)


# What the kernel promises


def big_table(rows=20_000):
    random = np.random.default_rng(1)
    x = random.normal(size=(rows, 8)).round(2)
    x[random.random(x.shape) < 0.02] = math.nan
    y = (np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 1]) * np.nan_to_num(x[:, 2]) > random.normal(size=rows)).astype(
        np.uint32
    )
    return _core.rank_table([(column, None, 0) for column in x.T], [0] * 8, None, 1), y


def test_any_number_of_threads_gives_the_same_bits():
    ranked, y = big_table()
    one, two = (_core.part(ranked, y, 2, min_weight=200.0, threads=threads) for threads in (1, 2))
    for name, array in one.items():
        assert array.tobytes() == two[name].tobytes(), name


def test_progress_rises_and_an_error_in_it_ends_the_call():
    ranked, y = big_table()
    told = []
    _core.part(ranked, y, 2, min_weight=200.0, progress=told.append)
    assert told == sorted(told)

    def stop(share):
        raise KeyboardInterrupt

    ranked, y = big_table(200_000)  # progress is told every 50 ms: enough work for that on any processor
    with pytest.raises(KeyboardInterrupt):
        _core.part(ranked, y, 2, min_weight=1.0, progress=stop)


def test_a_million_levels_and_a_small_node_cost_no_table_of_levels():
    codes = np.arange(40, dtype=np.int32) * 20_000
    ranked = _core.rank_table([(codes, None, 2), (np.arange(40.0), None, 0)], [1_000_000, 0], None, 1)
    rules = _core.part(ranked, (np.arange(40) >= 20).astype(np.uint32), 2)
    assert rules["column"].tolist() == [1]


def test_a_table_without_weight_gives_one_rule_that_says_the_first_class():
    ranked = _core.rank_table([(np.arange(3.0), None, 0)], [0], None, 1)
    rules = _core.part(ranked, np.array([1, 1, 0], dtype=np.uint32), 2, np.zeros(3))
    assert rules["rule_begin"].tolist() == [0, 0]
    assert rules["label"].tolist() == [0]
    assert rules["printed"].tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"min_weight": 0.0}, "min_weight: must be above the tolerance"),
        ({"min_weight": math.nan}, "min_weight: must be above the tolerance"),
        ({"confidence": 0.0}, "confidence: expected a number between 0 and 1"),
        ({"complement": 0.5}, "complement: expected 1 - confidence"),
        ({"labels": np.array([0, 5], dtype=np.uint32)}, "labels: class 5 of 2"),
        ({"labels": np.array([0], dtype=np.uint32)}, "labels: one for each row is needed"),
        ({"weights": np.ones(3)}, "weights: one for each row is needed"),
        ({"weights": np.array([1.0, -1.0])}, "weights: expected finite numbers that are not negative"),
        ({"n_classes": 0}, "n_classes: at least one is needed"),
    ],
)
def test_what_part_refuses(given, sentence):
    ranked = _core.rank_table([(np.arange(2.0), None, 0)], [0], None, 1)
    arguments = {"labels": np.array([0, 1], dtype=np.uint32), "n_classes": 2, **given}
    with pytest.raises(ValueError, match=sentence):
        _core.part(ranked, **arguments)
