"""What the tests of faults share: estimators that grow out, and code that runs in a process of its own."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from bough import CARTClassifier, CARTRegressor

GROWN_OUT = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}

# What code in a process of its own starts with.
PRELUDE = """
import os, sys, threading, time
import numpy as np
from bough import CARTClassifier, CARTRegressor
GROWN_OUT = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1}
"""


@pytest.fixture(params=[CARTClassifier, CARTRegressor])
def estimator(request):
    """Each of the estimators, untouched."""
    return request.param()


@pytest.fixture(params=[CARTClassifier, CARTRegressor])
def grown(request):
    """A function of changed parameters: each of the estimators, set up to grow out."""
    return lambda **parameters: request.param(**GROWN_OUT | parameters)


@pytest.fixture
def classifier():
    """A function of changed parameters: a classifier that grows out."""
    return lambda **parameters: CARTClassifier(**GROWN_OUT | parameters)


@pytest.fixture
def regressor():
    """A function of changed parameters: a regressor that grows out."""
    return lambda **parameters: CARTRegressor(**GROWN_OUT | parameters)


@pytest.fixture
def thresholds():
    """A function of a fitted estimator: the thresholds of its primary splits in the type they are kept in."""

    def read(fitted):
        kernel = fitted.tree_.kernel
        chosen = (kernel.split_kind == 0) & (kernel.split_role == 0)
        payload, types = kernel.split_payload[chosen], kernel.split_value_type[chosen]
        views = [np.float64, np.int64, np.uint64]
        return [bits.view(views[kind]) for bits, kind in zip(payload, types, strict=True)]

    return read


@pytest.fixture
def same_bits():
    """A function of two fitted estimators: they hold the same tree, bit for bit."""

    def compare(one, other):
        a, b = one.tree_.kernel.to_arrays(), other.tree_.kernel.to_arrays()
        assert a.keys() == b.keys()
        assert [name for name in a if a[name].dtype != b[name].dtype or a[name].tobytes() != b[name].tobytes()] == []
        assert one.tree_.kernel.routing == other.tree_.kernel.routing

    return compare


@pytest.fixture
def run():
    """A function of code: run it in a process of its own with a time limit; it must end well. Returns what it printed.

    No module may be imported from the working directory, and a crash, a hang or an error fails the test.
    """

    def run(code, *, seconds=60, returncode=0, environment=None):
        done = subprocess.run(
            [sys.executable, "-P", "-c", PRELUDE + textwrap.dedent(code)],
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, **(environment or {})},
            check=False,
        )
        assert done.returncode == returncode, f"ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout.strip()

    return run
