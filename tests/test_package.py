"""The package as installed: one version, written in pyproject.toml only."""

import importlib.metadata
import importlib.resources
from pathlib import Path

import pytest

import bough


def test_the_extension_was_built_from_this_version():
    assert bough.__version__ == importlib.metadata.version("bough")


def test_the_package_is_typed():
    assert (importlib.resources.files("bough") / "py.typed").is_file()


def test_every_public_name_exists():
    assert all(hasattr(bough, name) for name in bough.__all__)


def test_the_citation_names_this_version():
    citation = Path(__file__).resolve().parent.parent / "CITATION.cff"
    if not citation.exists():
        pytest.skip("only in a clone")
    assert f"\nversion: {bough.__version__}\n" in citation.read_text(encoding="utf-8")
