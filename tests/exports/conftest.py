"""Models to export, made by `makers.py`, which the tests with real engines use too."""

import runpy
from pathlib import Path

import pytest

MAKERS = runpy.run_path(str(Path(__file__).with_name("makers.py")))
_MADE = {}


def pytest_generate_tests(metafunc):
    if "classifier_on" in metafunc.fixturenames:
        # Every kind on every third table, in turn: tests/engines has all pairs.
        pairs = [
            (kind, name)
            for i, kind in enumerate(MAKERS["CLASSIFIERS"])
            for j, name in enumerate(MAKERS["TABLES"])
            if (i + j) % 3 == 0
        ]
        metafunc.parametrize("classifier_on", pairs, ids="-".join, indirect=True)
    if "regressor_on" in metafunc.fixturenames:
        pairs = [(kind, name) for kind in MAKERS["REGRESSORS"] for name in MAKERS["NUMBERS"]]
        metafunc.parametrize("regressor_on", pairs, ids="-".join, indirect=True)


def _made(key, make):
    if key not in _MADE:
        _MADE[key] = make(*key[1:])
    return _MADE[key]


@pytest.fixture
def classifier_on(request):
    """A fitted classifier: every kind, on tables in turn."""
    return _made(("class", *request.param), MAKERS["fitted"])


@pytest.fixture
def regressor_on(request):
    """A fitted regressor: every kind on every table."""
    return _made(("value", *request.param), MAKERS["fitted_numbers"])


@pytest.fixture(scope="session")
def make_classifier():
    return lambda kind, name: _made(("class", kind, name), MAKERS["fitted"])


@pytest.fixture(scope="session")
def makers():
    return MAKERS


@pytest.fixture
def without_engines(monkeypatch):
    """As on a machine without node, compilers and DuckDB."""
    import importlib
    import shutil

    real = importlib.import_module

    def no_module(name, *rest):
        if name in ("duckdb", "onnxruntime"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(shutil, "which", lambda *_: None)
    monkeypatch.setattr(importlib, "import_module", no_module)
