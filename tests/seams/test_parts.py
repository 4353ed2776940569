"""What a part of a recipe does is a method of it: nobody outside the recipe asks which part it is.

Read from the source, as tests/test_layers.py reads imports.
"""

import ast
from pathlib import Path

import pytest

from bough.recipe.registry import NAMES

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "bough"
PARTS = {part.__name__ for part in NAMES.values()}
# What still asks, and what it asks; to be made shorter, never longer.
STILL_ASK = {
    "cli/predict.py": {"Refuse"},
    "learn/c45.py": {"ErrorBased"},  # gives it the confidence of the estimator
    "learn/cart.py": {"AbsoluteError"},
    "learn/classifier.py": {"Bayes", "Exhaustive"},
    "learn/id3.py": {"Fractional"},
    "learn/named.py": {"Reading"},
    "learn/tree.py": {"AbsoluteError"},
    "learn/tree_estimator.py": {"Refuse"},
}


def parts_asked_for(source):
    """The parts that isinstance is asked about."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    kinds = (call.args[1] for call in calls if getattr(call.func, "id", None) == "isinstance")
    return {name.id for kind in kinds for name in ast.walk(kind) if isinstance(name, ast.Name)} & PARTS


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] != "recipe"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nobody_outside_the_recipe_asks_which_part_it_is(path):
    name = path.relative_to(PACKAGE).as_posix()
    source = path.read_text(encoding="utf-8")
    if "bough.recipe" not in source:
        return
    assert parts_asked_for(source) == STILL_ASK.get(name, set())


def test_the_rule_sees_what_it_is_about():
    source = "isinstance(a, Refuse | Delete) or isinstance(b, (int, Stop))"
    assert parts_asked_for(source) == {"Refuse", "Delete", "Stop"}
