"""The package as installed: one version, written in pyproject.toml only."""

import importlib.metadata
import importlib.resources
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

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


@pytest.mark.parametrize("first", ["import bough.compat.rpart", "import bough; bough.like", "import bough.compat as c"])
def test_like_is_the_function_however_it_was_imported(first):
    code = f"{first}\nimport bough, bough.compat.weka\nprint(bough.like('rpart', cp=0.5).pruning.cp)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0.5\n"


def test_no_public_name_hides_a_module_of_the_package():
    """The import system would bind the module over it."""
    modules = {module.name for module in pkgutil.iter_modules(bough.__path__)}
    assert all(inspect.ismodule(getattr(bough, name)) for name in modules & set(bough.__all__))


def test_the_package_is_a_plain_module_that_worker_processes_take():
    """A worker is sent a function of a script together with the modules that it names."""
    assert type(bough) is ModuleType
    script = """
import bough, joblib
def leaves(depth):
    X, y = bough.datasets.load("penguins").xy()
    return bough.CARTClassifier(max_depth=depth).fit(X, y).get_n_leaves()
if __name__ == "__main__":
    print(joblib.Parallel(n_jobs=2)(joblib.delayed(leaves)(depth) for depth in (1, 2)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[2, 4]\n"


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="module 'bough' has no attribute 'forest'"):
        _ = bough.forest
