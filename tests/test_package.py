"""The package as installed: one version, written in pyproject.toml only."""

import importlib.metadata
import importlib.resources

import bough


def test_the_extension_was_built_from_this_version():
    assert bough.__version__ == importlib.metadata.version("bough")


def test_the_package_is_typed():
    assert (importlib.resources.files("bough") / "py.typed").is_file()


def test_every_public_name_exists():
    assert all(hasattr(bough, name) for name in bough.__all__)
