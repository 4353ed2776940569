"""Fault 61, mutated model files: refused, or read as a tree that works; no crash, no hang, no wild allocation.

A budget of 2 makes 10,000 mutants; of forests 20 does.
"""

import copy
import json
import random
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import bough
from bough.errors import BoughError, ModelFormatError
from bough.model.files import Limits, load_model, save_model
from bough.model.mapped import read_mapped, write_mapped
from bough.model.ways import cells_of

MUTANTS = 5000
SECONDS = 2.0  # of the processor
ROWS = {
    "age": [30.0, 40.0, np.nan, np.inf, -0.0],
    "job": ["A", "B", None, "never", "D"],
    "size": ["S", "L", None, "M", "XXL"],
    "born": np.array(["2020-01-01", "NaT", "1677-01-01", "2020-03-01", "9999-01-01"], "datetime64[D]"),
    "count": np.array([0, 1, 2**63, 2**64 - 1, 5], "u8"),
    "color": ["red", "green", None, "blue", "never"],
    "shape": ["round", None, "long", "round", "long"],
}
NUMBERS = [
    0,
    1,
    -1,
    2,
    255,
    256,
    2**31 - 1,
    2**31,
    -(2**31),
    2**63 - 1,
    2**63,
    2**64,
    10**30,
    1e308,
    -1e308,
    5e-324,
    0.5,
    -0.0,
]
VALUES = [*NUMBERS, None, True, "", "inf", [], {}, [[]], "\ud800", "x" * 1000]


def mutate_bytes(data, rng):
    """One to four bytes changed; every seventh mutant is cut off."""
    edited = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        edited[rng.randrange(len(edited))] = (
            rng.randrange(256) if rng.random() < 0.5 else rng.choice(b'0123456789-.,[]{}":e')
        )
    return bytes(edited[: rng.randrange(len(edited))] if rng.random() < 0.15 else edited)


def places(value):
    """All lists and objects of a JSON value."""
    todo, found = [value], []
    while todo:
        item = todo.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            todo.extend(item.values() if isinstance(item, dict) else item)
    return found


def mutate_values(data, rng):
    """One to three values exchanged, doubled or dropped: what random bytes rarely reach behind the parser."""
    content = json.loads(data)
    for _ in range(rng.randint(1, 3)):
        target = rng.choice(places(content))
        key = rng.choice(list(target)) if isinstance(target, dict) else rng.randrange(len(target))
        what = rng.random()
        if what < 0.6:
            old = target[key]
            near = isinstance(old, int) and not isinstance(old, bool) and rng.random() < 0.5
            target[key] = old + rng.choice([-1, 1]) if near else copy.deepcopy(rng.choice(VALUES))
        elif what < 0.8:
            del target[key]
        elif isinstance(target, list):
            target.insert(rng.randrange(len(target) + 1), target[key])
    return json.dumps(content, separators=(",", ":")).encode()


def use(tree):
    """Everything that walks a tree."""
    try:
        nodes = tree.apply({name: values for name, values in ROWS.items() if name in tree.schema.names})
    except (BoughError, ValueError, TypeError):  # another schema, or unseen levels are errors: refused, not crashed
        nodes = np.zeros(1, "i4")
    assert ((nodes >= 0) & (nodes < tree.n_nodes)).all()
    if tree.is_classifier:
        shares = tree.probabilities(nodes)
        assert np.isfinite(shares).all()
        assert np.allclose(shares.sum(axis=1), 1)
    else:
        assert np.isfinite(tree.values(nodes)).all()
    assert str(tree)
    assert tree.listing()
    assert tree.cut([tree.n_nodes // 2]).n_nodes <= tree.n_nodes


def use_rules(rules):
    """Everything that reads a list of rules."""
    assert str(rules).count("IF ") >= rules.n_rules
    assert len(rules.said) == rules.n_rules + 1
    assert all(len(figures.turn.support) == rules.n_rules + 1 for figures in rules.stats.values())
    try:
        read = rules.read({name: values for name, values in ROWS.items() if name in rules.schema.names})
    except (BoughError, ValueError, TypeError):
        return
    for row in range(len(read)):
        cells = cells_of(read.encoded, row)
        assert {rule.covers(cells, rules.place) for rule in rules} <= {True, False}


def mutate_arrays(data, rng):
    """One to three numbers of arrays exchanged, or an array longer or shorter; checksums are those of the mutant."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        content = read_mapped(file, Limits())
    held = content["forest"]
    arrays = {name: value.copy() for name, value in held.items() if isinstance(value, np.ndarray)}
    for _ in range(rng.randint(1, 3)):
        name = rng.choice([name for name, array in arrays.items() if len(array)])
        array, at = arrays[name], rng.randrange(len(arrays[name]))
        what = rng.random()
        if what < 0.4:
            array.view(np.uint8)[rng.randrange(array.nbytes)] ^= 1 << rng.randrange(8)
        elif what < 0.7:
            array[at] = rng.choice(array.tolist())
        elif what < 0.8:
            arrays[name] = np.delete(array, at)
        elif what < 0.9:
            arrays[name] = np.insert(array, at, array[at])
        elif len(array):
            bits = rng.choice([0, 1, 2**31, 2**32 - 1, 2**52, 0x7FF << 52, 2**64 - 1])
            array.view(np.uint32 if array.itemsize == 4 else np.uint64)[at] = bits % 2 ** (8 * array.itemsize)
    if rng.random() < 0.2:
        held["wide"] = not held["wide"]
    with tempfile.TemporaryDirectory() as folder:
        write_mapped(Path(folder, "m"), {**content, "forest": {**held, **arrays}}, json.dumps)
        return Path(folder, "m").read_bytes()


def use_forest(forest):
    """All that walks a forest."""
    assert str(forest)
    assert len(forest.columns_used) <= len(forest.inputs.schema)
    numbers = [0.5, np.nan, np.inf, -np.inf, 1 + 2.0**-39]
    try:
        rows = forest.read(
            {
                column.name: numbers if column.levels is None else [None, *(4 * column.levels)[:4]]
                for column in forest.inputs.schema
            }
        )
        said, leaves = forest.votes(rows), forest.apply(rows)
    except (BoughError, ValueError, TypeError):
        return
    assert np.isfinite(said).all()
    assert (leaves < np.diff(forest.kernel.begin.astype(np.int64))).all()
    assert forest[0].n_nodes == forest.kernel.begin[1]


def judge(mutate, models, use, tmp_path, budget, *, watch_every=1, suffix=""):
    """Mutants of the files of some models are refused with a place, or are read as models that work.

    Memory is watched at every so many mutants only, since that takes most of the time.
    """
    seeds = []
    for k, model in enumerate(models):
        path = tmp_path / f"{k}{suffix}"
        save_model(path, {"params": {"a": [1, "b", None]}}, model)
        seeds.append(path.read_bytes())
    rng = random.Random(20261115)
    path = tmp_path / "mutant"
    refused = accepted = 0
    for number in range(max(1, round(MUTANTS * budget / 2))):
        data = mutate(rng.choice(seeds), rng)
        path.write_bytes(data)
        start = time.process_time()
        if number % watch_every == 0:
            tracemalloc.start()
        try:
            _, model = load_model(path)
        except ModelFormatError as error:
            refused += error.place.startswith("$")
        else:
            accepted += 1
            use(model)
        if tracemalloc.is_tracing():
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 64 * 2**20 + 40 * len(data), f"mutant {number} took {peak} bytes"
        assert time.process_time() - start < SECONDS, f"mutant {number} took too long"
    assert refused + accepted == number + 1  # every refusal names its place
    assert refused > accepted  # most mutants break a promise
    assert accepted > 0


@pytest.mark.filterwarnings("ignore:.*levels that no training row held")  # a mutant has other levels than our rows
@pytest.mark.timeout(3600)  # a large budget takes its time; single mutants have a limit of their own
@pytest.mark.parametrize("mutate", [mutate_bytes, mutate_values])
def test_61_mutants_are_refused_or_work(mutate, small, make_small, make_kinds, make_chain, tmp_path, budget):
    trees = [small, make_small((False, 2, 1, 3), costs=np.ones((3, 3))), make_chain(4), make_chain(0)]
    judge(mutate, [*trees, make_kinds(), make_kinds((True, 4, 0, 0))], use, tmp_path, budget)


@pytest.fixture(scope="module")
def forests():
    """Levels, missing values, thresholds of floats and of a table, many columns."""
    X, y = bough.datasets.load("penguins").xy()
    rng = np.random.default_rng(0)
    close = {"a": 1 + rng.integers(0, 9, 40) * 2.0**-40, "b": rng.normal(size=40)}
    broad = {f"x{k}": rng.normal(size=12) for k in range(256)}
    grown = [
        bough.RandomForestClassifier(n_estimators=2, max_depth=4).fit(X, y),
        bough.ExtraTreesRegressor(n_estimators=2, max_depth=4).fit(close, 2.0**39 * close["a"] + close["b"]),
        bough.RandomForestClassifier(n_estimators=1, max_depth=2, vote="majority").fit(broad, broad["x0"] > 0),
    ]
    return [one.forest_ for one in grown]


@pytest.mark.filterwarnings("ignore:.*levels that no training row held")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mutate", [mutate_bytes, mutate_arrays])
def test_61_mutants_of_forests_are_refused_or_work(mutate, forests, tmp_path, budget):
    judge(mutate, forests, use_forest, tmp_path, budget / 10, watch_every=20, suffix=".bough")


@pytest.mark.filterwarnings("ignore:.*levels that no training row held")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mutate", [mutate_bytes, mutate_values])
def test_61_mutants_of_rules_are_refused_or_work(mutate, rule_lists, tmp_path, budget):
    judge(mutate, rule_lists, use_rules, tmp_path, budget, watch_every=20)
