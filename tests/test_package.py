"""The package as installed: one version, written in pyproject.toml only."""

import importlib.metadata
import importlib.resources
import subprocess
import sys
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


def test_importing_the_package_loads_nothing_large():
    """So that `bough --help` answers at once."""
    code = "import bough, sys; print([name for name in ('sklearn', 'scipy', 'pandas', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "first", ["import bough.like.rpart", "import bough; bough.like", "from bough.like import like"]
)
def test_like_is_the_function_however_it_was_imported(first):
    code = f"{first}\nimport bough, bough.like.weka\nprint(bough.like('rpart', cp=0.5).pruning.cp)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0.5\n"


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="module 'bough' has no attribute 'forest'"):
        _ = bough.forest
