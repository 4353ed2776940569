"""The same forest, bit for bit, whoever grows which part of it, and what happens when the work is interrupted."""

import os
import signal
import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest
from sklearn.base import clone

import bough
from bough.errors import DataError, DataWarning, ParameterError
from bough.recipe import Sampling

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and processes")


@pytest.fixture(scope="module")
def table():
    """Numbers closer than floats are, missing values and levels: whatever a join could get wrong."""
    rng = np.random.default_rng(0)
    n = 400
    close = 1 + rng.integers(0, 50, n) * 2.0**-45
    number = np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n))
    X = {"close": close, "number": number, "level": rng.choice(list("abcdef"), n)}
    return X, np.where(close * 2.0**44 % 7 + np.nan_to_num(number) > 3, "yes", "no")


def bits(estimator):
    return {name: array.tobytes() for name, array in estimator.forest_.kernel.arrays().items()}


def grow(table, **changed):
    return bough.RandomForestClassifier(**{"n_estimators": 21, "random_state": 5, "n_jobs": 1} | changed).fit(*table)


@pytest.fixture(scope="module")
def whole(table):
    return bits(grow(table))


@pytest.mark.parametrize("n_jobs", [2, 7])
def test_any_number_of_threads(table, whole, n_jobs):
    assert bits(grow(table, n_jobs=n_jobs)) == whole


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_backends_of_joblib(table, whole, backend):
    with joblib.parallel_config(backend=backend, n_jobs=2, max_nbytes=1000):  # so that arrays are mapped
        assert bits(grow(table, n_jobs=None)) == whole
        drawn = {"sampling": "balanced", "n_estimators": 5}
        assert bits(grow(table, n_jobs=None, **drawn)) == bits(grow(table, **drawn))
        X, _ = table
        numbers = bough.ExtraTreesRegressor(n_estimators=5).fit(X, X["close"])
    assert bits(numbers) == bits(bough.ExtraTreesRegressor(n_estimators=5).fit(X, X["close"]))


def test_a_warm_start_in_three(table, whole):
    clf = grow(table, n_estimators=3, warm_start=True)
    clf.set_params(n_estimators=10, n_jobs=2).fit(*table)
    with joblib.parallel_config(backend="loky", n_jobs=2, max_nbytes=1000):  # the workers of the test before
        clf.set_params(n_estimators=21, n_jobs=None).fit(*table)
    assert bits(clf) == whole


@pytest.mark.parametrize("kind", [bough.RandomForestClassifier, bough.BaggedTreesClassifier])
def test_a_warm_start_goes_on_with_what_the_trees_were_grown_by(table, kind):
    groups = np.arange(400) // 4
    clf = kind(n_estimators=2, warm_start=True).fit(*table, groups=groups)
    clf.set_params(n_estimators=3, n_jobs=2, vote="majority").fit(*table, groups=groups)
    with pytest.raises(DataError, match="other draws of these rows: give the groups of the fit"):
        clf.fit(*table)
    for name, value in {"max_features": 1, "random_state": 3, "sampling": Sampling(share=0.5)}.items():
        with pytest.raises(ParameterError, match=f"{name}=.*set it back, or warm_start=False"):
            clone(clf).set_params(random_state=1).fit(*table).set_params(**{name: value}).fit(*table)
    own = np.random.default_rng(0).integers(0, 3, (4, 400))
    clf = kind(n_estimators=2, warm_start=True, sampling=own[:2]).fit(*table)
    assert len(clf.set_params(n_estimators=4, sampling=own).fit(*table)) == 4
    with pytest.raises(ParameterError, match="sampling=array"):
        clf.set_params(sampling=own[::-1]).fit(*table)


@posix
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_keeps_finished_trees_and_a_warm_start_goes_on(n_jobs):
    rng = np.random.default_rng(1)
    table = rng.normal(size=(20_000, 8)), rng.integers(0, 2, 20_000)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start jobs with it ignored
    clf = grow(table, n_estimators=1, warm_start=True, n_jobs=n_jobs)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        with pytest.warns(DataWarning, match=r"interrupted: \d+ trees? of 100,000 are grown and kept"):
            clf.set_params(n_estimators=100_000).fit(*table)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    size = len(clf)
    clf.set_params(n_estimators=size + 1).fit(*table)
    assert bits(clf) == bits(grow(table, n_estimators=size + 1))


# What loky does with its workers is seen from a process of its own.
ENDED = """
import os, signal, threading, time
from pathlib import Path
import joblib, numpy as np, bough

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start jobs with it ignored

def read(*parts):
    try:
        return Path(*parts).read_bytes()
    except OSError:  # threads and processes come and go while others look at them
        return b""

def workers():
    children = b" ".join(read(task, "children") for task in Path("/proc/self/task").iterdir())
    return [int(pid) for pid in children.split() if b"popen_loky" in read("/proc", pid.decode(), "cmdline")]

# Fits many trees, does something to the workers meanwhile, and waits until they are gone.
def fit_while(act):
    seen, times = [], []
    def watch():
        while len(workers()) < 2:
            time.sleep(0.01)
        seen.extend(workers())
        time.sleep(0.5)
        times.append(time.monotonic())
        act(seen)
    threading.Thread(target=watch, daemon=True).start()
    clf.set_params(n_estimators=40_000)
    try:
        with joblib.parallel_config(backend="loky", n_jobs=2):
            clf.fit(*table)
    except BaseException as error:
        print(type(error).__name__, error)
    print("seconds:", time.monotonic() - times[0])
    deadline = time.monotonic() + 30
    while any(Path("/proc", str(pid)).exists() for pid in seen) and time.monotonic() < deadline:
        time.sleep(0.02)
    print("orphans:", sum(Path("/proc", str(pid)).exists() for pid in seen))

rng = np.random.default_rng(0)
table = rng.normal(size=(20_000, 8)), rng.integers(0, 2, 20_000)
clf = bough.RandomForestClassifier(n_estimators=4, warm_start=True)
with joblib.parallel_config(backend="loky", n_jobs=2):
    clf.fit(*table)
fit_while(lambda seen: os.kill(os.getpid(), signal.SIGINT))
size = len(clf)
print("kept:", size)
clf.set_params(n_estimators=size + 1).fit(*table)
whole = bough.RandomForestClassifier(n_estimators=size + 1).fit(*table)
bits = [[array.tobytes() for array in one.forest_.kernel.arrays().values()] for one in (clf, whole)]
print("same:", bits[0] == bits[1])
fit_while(lambda seen: os.kill(seen[0], signal.SIGKILL))
print("more:", len(clf) - size)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_loky_answers_ctrl_c_and_a_worker_that_is_killed_without_orphans():
    done = subprocess.run([sys.executable, "-P", "-c", ENDED], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    seconds, orphans, kept, same, error, _, none, more = done.stdout.splitlines()
    assert (
        float(seconds.removeprefix("seconds: ")) < 60
    )  # a second on an idle machine; the trees asked for take minutes
    assert orphans == none == "orphans: 0"
    assert 4 <= int(kept.removeprefix("kept: ")) < 40_000
    assert same == "same: True"
    assert error.startswith("BoughError a worker of joblib's LokyBackend ended before it had grown its trees")
    assert more == "more: 1"
