"""Import rules that import-linter cannot see: it reads only .py files, so that the extension is invisible to it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "bough"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")

# Layers that talk to the kernel; the command line and the rest go through them.
MAY_USE_THE_EXTENSION = {"table", "model", "explain", "recipe", "learn"}
# Parts that must stand alone: the example tables, and the oracle that the kernel is tested against.
STAND_ALONE = {"datasets", "testing"}


def layer_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path):
    """The top-level parts of bough that a file imports; "" is the package itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports inside bough are absolute"
            names = [f"bough.{alias.name}" for alias in node.names] if node.module == "bough" else [node.module]
        else:
            continue
        for name in names:
            if name == "bough" or name.startswith("bough."):
                yield (name.split(".") + [""])[1]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_layer_may(path):
    layer, parts = layer_of(path), set(imported_parts(path))
    assert "" not in parts, "import the module that defines the name, not the package: that would be a cycle"
    if layer not in MAY_USE_THE_EXTENSION:
        assert "_core" not in parts, f"bough.{layer} must not call the kernel directly"
    if layer in STAND_ALONE:
        assert parts <= {"errors", layer}, f"bough.{layer} stands alone: it may import bough.errors only"
