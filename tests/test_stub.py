"""The hand-written types of the extension name exactly what the extension has, with the same arguments.

mypy's stubtest cannot read nanobind's functions, so that this compares names through their own signatures.
"""

import ast
from pathlib import Path

import pytest

import bough
from bough import _core

STUB = Path(bough.__file__).parent / "_core.pyi"
BLOCKS = ast.parse(STUB.read_text(encoding="utf-8")).body
CLASSES = {node.name: node for node in BLOCKS if isinstance(node, ast.ClassDef)}
# What every class and module has, or what pickle alone calls.
EVERYWHERE = {"__getstate__", "__init__", "__module__", "__new__", "__setstate__"} | set(dir(type("Any", (), {})))


def declared(body):
    """The public names that a block of the stub defines, with the arguments of functions."""
    names = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            is_property = any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)
            names[node.name] = None if is_property else arguments(node)
        elif isinstance(node, ast.ClassDef):
            names[node.name] = None
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = None
    return names


def arguments(function):
    """The names of the arguments; one that can only be given by position has no name that matters: "/"."""
    by_position = [place.arg if place.arg == "self" else "/" for place in function.args.posonlyargs]
    names = by_position + [place.arg for place in [*function.args.args, *function.args.kwonlyargs]]
    return [name for name in names if name != "self"]


def split_at_top_level(text):
    """Split at commas outside brackets and quotes' types: nanobind's types are not always Python expressions."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def runtime_arguments(function):
    """The names of a nanobind function's arguments, from the signature it carries."""
    signature = function.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    names = [part.split(":")[0].split("=")[0].strip() for part in split_at_top_level(inside)]
    names = [name for name in names if name not in {"", "self", "*"}]
    by_position = names.index("/") if "/" in names else 0
    return ["/"] * by_position + names[by_position:][by_position > 0 :]


def present(members):
    """The names that the extension defines, with the arguments of functions."""
    return {
        name: runtime_arguments(value) if hasattr(value, "__nb_signature__") else None
        for name, value in members.items()
    }


def test_the_module_has_the_declared_names():
    names = {name: value for name, value in vars(_core).items() if not name.startswith("__") or name == "__version__"}
    assert present(names) == declared(BLOCKS)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_the_declared_members(name):
    members = {key: value for key, value in vars(getattr(_core, name)).items() if key not in EVERYWHERE}
    expected = {key: value for key, value in declared(CLASSES[name].body).items() if key not in EVERYWHERE}
    assert present(members) == expected
