"""Parts of a covering that a user writes: those that say what a named one says give its rules; others change them."""

import pickle

import numpy as np
import pandas as pd
import pytest

import bough
from bough.errors import DataWarning, ParameterError


def foil(p, t, P, T):
    return p * (np.log2(p) - np.log2(t) - (np.log2(P) - np.log2(T)))


def laplace_gain(p, t, P, T):
    return p * (np.log2(p + 1) - np.log2(t + 1) - (np.log2(P + 1) - np.log2(T + 1)))


def laplace(p, n, P, N):
    return (p + 1) / (p + n + 2)


def accuracy(p, n, P, N):
    return (p + (N - n)) / (P + N)


def difference(p, n, P, N):
    return np.divide(p - n, p + n, out=np.full_like(p, -1.0), where=p + n > 0)


def bits_alone(bits, p, n, P, N):
    return bits


def long_enough(rule):
    return rule.bits > rule.shortest + 64


def wrong_on_most(rule):
    return rule.pruned_n / (rule.pruned_p + rule.pruned_n) > 0.5


def table(seed):
    rng = np.random.default_rng(seed)
    n = 300
    X = pd.DataFrame({"x": rng.normal(size=n).round(2), "z": rng.integers(0, 30, n), "c": rng.choice(list("abcde"), n)})
    y = np.where((X.x > 0.3) & X.c.isin(["a", "b"]), "in", np.where(X.z < 8, "low", "out"))
    X.loc[rng.random(n) < 0.1, "x"] = np.nan
    return X, np.where(rng.random(n) < 0.1, rng.permutation(y), y), rng.random(n) + 0.1


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("named", "written"),
    [
        ({}, {"gain": foil}),
        ({}, {"gain": foil, "min_weight": 0}),
        ({"gain": "laplace"}, {"gain": laplace_gain}),
        ({"allow": ("in", "<=", ">")}, {"allow": ("in", "<=", ">"), "gain": foil}),
        ({}, {"prune_value": laplace, "optimise_value": accuracy}),
        ({"prune_value": "difference"}, {"prune_value": difference, "optimise": bits_alone}),
        ({"slack": 64.0}, {"slack": None, "stop": long_enough}),
    ],
)
def test_a_written_part_is_the_named_one(named, written, weighted, budget):
    for seed in range(max(1, round(2 * budget))):
        X, y, weights = table(seed)
        given = weights if weighted else None
        want = bough.RIPPERClassifier(**named).fit(X, y, sample_weight=given).rules_
        found = bough.RIPPERClassifier(**written).fit(X, y, sample_weight=given).rules_
        assert str(found) == str(want)


@pytest.mark.parametrize("deletions", ["last", "single"])
def test_a_written_irep_is_the_named_one(deletions, budget):
    for seed in range(max(1, round(2 * budget))):
        X, y, _ = table(seed)
        want = bough.IREPClassifier(deletions=deletions).fit(X, y).rules_
        own = {"gain": foil, "prune_value": difference, "max_error": 1.0, "stop": wrong_on_most}
        assert str(bough.IREPClassifier(deletions=deletions, **own).fit(X, y).rules_) == str(want)


def test_a_part_of_ones_own_changes_the_rules():
    X, y, _ = table(0)
    assert bough.RIPPERClassifier(stop=lambda rule: rule.earlier == 1).fit(X, y).rules_.n_rules <= 2
    assert bough.RIPPERClassifier(gain=lambda p, t, P, T: p - t).fit(X, y).rules_.n_rules == 0
    pure = bough.RIPPERClassifier(gain=lambda p, t, P, T: p / t - P / T, k=0).fit(X, y)
    assert str(pure.rules_) != str(bough.RIPPERClassifier(k=0).fit(X, y).rules_)
    # Where all variants cost the same the old rules stay.
    as_built = bough.RIPPERClassifier(optimise=lambda bits, p, n, P, N: 0 * bits, k=1).fit(X, y)
    assert as_built.rules_.n_rules <= bough.RIPPERClassifier(k=0).fit(X, y).rules_.n_rules + 1


def test_any_number_of_threads_gives_the_same_rules():
    X, y, _ = table(1)
    found = {str(bough.RIPPERClassifier(gain=foil, n_jobs=jobs).fit(X, y).rules_) for jobs in (1, 2, 4)}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ({"gain": "best"}, "gain must be one of 'foil', 'laplace', or a function of"),
        ({"optimise": None}, "optimise must be one of 'bits', or a function of"),
        ({"stop": True}, "stop must be a function of a NewRule"),
        ({"stop": lambda rule: None}, "what stop returns"),
        ({"gain": lambda p, t, P, T: 1.0}, r"gain must return one number for each candidate: shape \(\d+,\)"),
        ({"prune_value": lambda p, n, P, N: p * np.nan}, "prune_value must return finite numbers; entry 0"),
        ({"optimise": lambda *figures: "a"}, "optimise must return an array of numbers"),
    ],
)
def test_a_part_that_makes_no_sense_is_refused(own, says):
    X, y, _ = table(0)
    with pytest.raises(ParameterError, match=says):
        bough.RIPPERClassifier(**own).fit(X, y)


def test_what_a_part_raises_comes_through():
    def broken(p, t, P, T):
        raise ZeroDivisionError("of my own")

    X, y, _ = table(0)
    with pytest.raises(ZeroDivisionError, match="of my own"):
        bough.RIPPERClassifier(gain=broken).fit(X, y)


def test_models_with_written_parts_are_kept(tmp_path):
    X, y, _ = table(0)
    clf = bough.RIPPERClassifier(gain=foil).fit(X, y)
    assert str(pickle.loads(pickle.dumps(clf)).rules_) == str(clf.rules_)
    with pytest.warns(DataWarning, match="gain cannot be written"):
        clf.save(tmp_path / "rules.json")
    assert str(bough.load(tmp_path / "rules.json").rules_) == str(clf.rules_)
