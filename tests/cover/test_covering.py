"""What every covering promises: limits hold in the result, counts are those of the rows, threads and copies of rows
change nothing, and rules that are given are kept.
"""

import numpy as np
import pytest

from bough import _core

WAYS = {
    "RIPPER": {},
    "IREP": {"slack": float("inf"), "rounds": 0, "reduce": False, "max_error": 2.0, "max_pruning_error": 0.5},
    "all literals": {"allow": ["=", "!=", "in", "<=", ">", "missing"], "deletions": "single", "stratified": False},
    "without pruning": {"prune": False, "gain": "laplace", "min_positive": 2.0},
}


def table_of(columns):
    levels = [0 if kind == 0 else int(data.max()) + 1 for data, _, kind in columns]
    return _core.rank_table(columns, levels, None, 1)


def random_data(seed, rows=600, classes=3):
    rng = np.random.default_rng(seed)
    x = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(size=rows))
    few = rng.integers(0, 9, rows)
    code = rng.integers(-1, 5, rows).astype(np.int32)
    size = rng.integers(0, 4, rows).astype(np.int32)
    columns = [(x, None, 0), (few, None, 0), (code, None, 2), (size, None, 1)]
    label = (np.nan_to_num(x) > 0.3).astype(int) + ((code == 2) & (few > 4)) * (classes > 2)
    label = np.where(rng.random(rows) < 0.1, rng.integers(0, classes, rows), label % classes)
    return columns, label.astype(np.uint32), rng


def learn(columns, label, weight=None, **options):
    return _core.cover(table_of(columns), label, int(label.max()) + 1, weight, options)


def same(a, b):
    for name, array in a["rules"].to_arrays().items():
        np.testing.assert_array_equal(array, b["rules"].to_arrays()[name], err_msg=name)
    for name in ("rule_class", "class_weight", "growing", "pruning", "initial", "class_order"):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("way", WAYS)
def test_weights_of_classes_are_those_of_the_rows_that_come_to_a_rule_first(way):
    columns, label, rng = random_data(1)
    for weight in (None, rng.integers(0, 4, len(label)).astype(float), rng.random(len(label))):
        found = learn(columns, label, weight, **WAYS[way])
        first = _core.rules_apply(found["rules"], columns)
        counted = np.zeros_like(found["class_weight"])
        np.add.at(counted, (first, label), 1.0 if weight is None else weight)
        np.testing.assert_allclose(found["class_weight"], counted, atol=1e-9)
        assert len(found["rules"]) == len(found["rule_class"]) == len(counted) - 1
        found["rules"].check([0, 0, 2, 1], [0, 0, 5, 4])


@pytest.mark.parametrize("way", WAYS)
def test_limits_hold_in_the_result(way, budget):
    for seed in range(max(1, int(6 * budget))):
        columns, label, rng = random_data(seed, 400)
        weight = rng.choice([0.5, 1.0, 2.0], len(label))
        found = learn(
            columns,
            label,
            weight,
            **WAYS[way],
            min_weight=15.0,
            min_precision=0.7,
            max_literals=2,
            max_rules=3,
            seed=seed,
        )
        assert len(found["rules"]) <= 3
        assert np.diff(found["rules"].to_arrays()["rule_begin"]).max(initial=0) <= 2
        taken = found["class_weight"][:-1]
        right = taken[np.arange(len(taken)), found["rule_class"]]
        assert (taken.sum(axis=1) >= 15).all()
        assert (right >= 0.7 * taken.sum(axis=1)).all()


@pytest.mark.parametrize("way", WAYS)
def test_threads_and_the_same_key_give_the_same_bits(way):
    columns, label, _ = random_data(3, 60_000)
    once = learn(columns, label, **WAYS[way], seed=2**64 - 1)
    same(once, learn(columns, label, **WAYS[way], seed=2**64 - 1, threads=3))


def test_another_key_draws_other_rows():
    columns, label, _ = random_data(4)
    growing = [learn(columns, label, seed=seed)["growing"].tolist() for seed in (0, 1)]
    assert growing[0] != growing[1]


@pytest.mark.parametrize("way", WAYS)
def test_a_row_three_times_is_a_row_of_weight_three(way):
    columns, label, rng = random_data(5, 300)
    held_out = (rng.random(len(label)) < 1 / 3).astype(np.uint8)
    copied = [(np.repeat(data, 3), None, kind) for data, _, kind in columns]
    heavy = learn(columns, label, np.full(len(label), 3.0), **WAYS[way], held_out=held_out)
    copies = learn(copied, np.repeat(label, 3), **WAYS[way], held_out=np.repeat(held_out, 3))
    same(heavy, copies)
    eighths = learn(columns, label, np.full(len(label), 3.0) * (1 + 2**-40), **WAYS[way], held_out=held_out)
    np.testing.assert_array_equal(eighths["rules"].to_arrays()["column"], heavy["rules"].to_arrays()["column"])


def test_forbidden_columns_and_literals_are_not_used():
    columns, label, _ = random_data(6)
    found = learn(columns, label, forbidden=[1, 0, 0, 1], allow=["!=", "<="], prune=False, max_error=2.0)
    arrays = found["rules"].to_arrays()
    assert len(arrays["kind"]) > 0
    assert set(arrays["column"].tolist()) <= {1, 2}
    assert arrays["negated"][arrays["kind"] == 0].all()
    assert not arrays["low_bound"].any()


@pytest.mark.parametrize("sign", [1, -1])
def test_monotone_columns_are_asked_in_one_direction(sign, budget):
    """The second class gets likelier with the column: its rules ask for large values, those of the first for small."""
    asked = 0
    for seed in range(max(2, int(10 * budget))):
        columns, label, _ = random_data(seed, 300, classes=2)
        if seed % 2:
            label = (1 - label).astype(np.uint32)
        found = learn(columns, label, monotone=[sign, sign, 0, sign], seed=seed)
        arrays = found["rules"].to_arrays()
        up = sign if found["class_order"][0] == 1 else -sign
        cuts = arrays["kind"] == 1
        asked += cuts.sum()
        assert (arrays["low_bound" if up < 0 else "high_bound"][cuts] == 0).all()
        apart = np.repeat(columns[1][0][:50], 9), np.tile(np.arange(9), 50)
        moved = [
            (np.repeat(data[:50], 9) if i != 1 else apart[1], None, kind) for i, (data, _, kind) in enumerate(columns)
        ]
        first = _core.rules_apply(found["rules"], moved)
        answer = np.where(first < len(found["rules"]), found["class_order"][0], found["class_order"][1]).reshape(50, 9)
        assert (np.diff(answer, axis=1) * sign >= 0).all()
    assert asked > 0


def test_locked_rules_come_first_and_stay(make_rules):
    columns, label, _ = random_data(7)
    given = make_rules(
        [
            [{"kind": "interval", "column": 1, "low": ("[", 2), "high": ("]", 3), "negated": True}],
            [{"kind": "levels", "column": 2, "codes": [0, 3], "or_missing": True}],
        ]
    )
    start = {"initial": given, "initial_class": np.array([0, 2], np.uint32)}
    locked = _core.cover(table_of(columns), label, 3, None, {}, **start, initial_locked=np.array([1, 1], np.uint8))
    for name in ("kind", "column", "negated", "or_missing", "low_bits", "high_bits"):
        np.testing.assert_array_equal(locked["rules"].to_arrays()[name][:2], given.to_arrays()[name])
    assert locked["rule_class"][:2].tolist() == [0, 2]
    assert locked["initial"].tolist() == [0, 1] + [-1] * (len(locked["rules"]) - 2)
    assert np.isnan(locked["growing"][:2]).all()


def test_rules_that_may_be_revised_begin_their_class_or_go(make_rules):
    columns, label, _ = random_data(8)
    rare = int(np.bincount(label).argmin())
    good = [{"kind": "levels", "column": 2, "codes": [2]}, {"kind": "interval", "column": 1, "low": ("(", 4)}]
    useless = [{"kind": "interval", "column": 1, "high": ("]", 0)}]
    start = {"initial": make_rules([good, useless]), "initial_class": np.array([rare, rare], np.uint32)}
    found = _core.cover(table_of(columns), label, 3, None, {}, **start, initial_locked=np.zeros(2, np.uint8))
    assert 1 not in found["initial"].tolist()
    default = int(found["class_order"][-1])
    with pytest.raises(_core.InvalidInput, match=r"initial\[0\]: a rule for the default class"):
        _core.cover(
            table_of(columns),
            label,
            3,
            None,
            {},
            initial=make_rules([good]),
            initial_class=np.array([default], np.uint32),
            initial_locked=np.zeros(1, np.uint8),
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gains": "foil"}, "an option is not known"),
        ({"gain": "gini"}, "gain: unknown choice gini"),
        ({"allow": []}, "allow: expected at least one"),
        ({"allow": ["<"]}, "allow: unknown kind of literal <"),
        ({"folds": 1}, "folds: expected at least 2"),
        ({"monotone": [1, 0, 0, 0]}, r"monotone\[0\]: is for two classes"),
        ({"forbidden": [1]}, "forbidden: expected 4 entries"),
        ({"min_weight": float("nan")}, "min_weight: expected a number of at least 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message):
    columns, label, _ = random_data(9, 50)
    with pytest.raises(_core.InvalidInput, match=message):
        learn(columns, label, **options)


def test_many_classes_and_hardly_any_rows():
    rng = np.random.default_rng(10)
    label = np.arange(3000, dtype=np.uint32) % 300
    columns = [(label + 0.3 * rng.random(3000), None, 0), (rng.normal(size=3000), None, 0)]
    found = learn(columns, label)
    assert len(set(found["rule_class"].tolist())) > 290
    lone = learn([(np.array([1.0]), None, 0)], np.array([0], np.uint32))
    assert len(lone["rules"]) == 0
    assert lone["class_weight"].tolist() == [[1.0]]


def test_a_caller_may_end_it():
    columns, label, _ = random_data(11, 50_000)

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.cover(table_of(columns), label, 3, None, {"rounds": 50}, progress=stop)
