"""Docstrings: the examples run, and every public class and function has one."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import bough

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(bough.__path__, "bough.") if module.name != "bough._core"
)
PUBLIC = [name for name in bough.__all__ if inspect.isclass(getattr(bough, name)) or callable(getattr(bough, name))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, tmp_path, monkeypatch):
    if name.endswith("__main__"):
        pytest.skip("importing it would run the program")
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    failures, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert failures == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_have_an_example(name):
    assert ">>>" in (inspect.getdoc(getattr(bough, name)) or ""), f"bough.{name} has no example in its docstring"
