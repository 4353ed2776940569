"""What depends on the kind of a test is a method of it: nobody else asks for the kind, so a new kind is one new file.

Read from the source, as tests/test_layers.py reads imports.
"""

import ast
from pathlib import Path

import pytest

from bough.model.features import DERIVED, ColumnValue
from bough.model.tests import KINDS

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "bough"

# Where kinds are at home. The oracle of bough.testing reads the kernel's arrays by itself, on purpose.
HOMES = ("model/tests/", "model/features/", "testing/")
# What still asks, and what it asks; to be made shorter, never longer.
STILL_ASK = {
    "model/arrays.py": {"split_kind"},  # names the arrays
    "model/tree_content.py": {"split_kind"},  # writes and reads them in files
}
FEATURES = "bough.model.features."
CLASSES = {"Threshold", "Levels", "Intervals", "Holds", "Ordered", ColumnValue.__name__} | {f.__name__ for f in DERIVED}


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def literals(node):
    return {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def is_kind_of_a_test(node):
    """Whether an expression is the `kind` of something that may be a test: a field of an export has kinds too."""
    if not (isinstance(node, ast.Attribute) and node.attr == "kind"):
        return False
    owner = ast.unparse(node.value)
    return not (owner in ("field", "of") or owner.endswith((".field", "]", ".fields")))


def compares(node):
    """Whether the kind of a test is compared with one of its names, here or by way of a table."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        of_kinds = [side for side in sides if literals(side) & set(KINDS) or getattr(side, "id", "").isupper()]
        return any(map(is_kind_of_a_test, sides)) and bool(of_kinds)
    if isinstance(node, ast.Match):
        return is_kind_of_a_test(node.subject)
    return isinstance(node, ast.Dict) and literals(node) >= {"levels", "conjunction"}


def names_array(node):
    """Whether the array of the kinds is named."""
    return "split_kind" in (getattr(node, "attr", None), getattr(node, "value", None), getattr(node, "id", None))


def what_asks(source):
    """The ways in which a text asks for the kind of a test."""
    asked = set()
    for node in ast.walk(ast.parse(source)):
        if compares(node):
            asked.add("kind")
        elif names_array(node):
            asked.add("split_kind")
        elif isinstance(node, ast.Name) and node.id.strip("_") in ("CONJUNCTION", "HOLDS"):
            asked.add(node.id)
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(("bough.model.tests.", FEATURES)):
            asked |= {alias.name for alias in node.names} & CLASSES
    return asked


def sources():
    return [path for path in sorted(PACKAGE.rglob("*.py")) if not name_of(path).startswith(HOMES)]


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_a_module_does_not_ask_for_the_kind_of_a_test(path):
    asked = what_asks(path.read_text(encoding="utf-8"))
    more = asked - STILL_ASK.get(name_of(path), set())
    assert not more, f"asks for the kind of a test by {', '.join(sorted(more))}: make what it wants a method of Test"


def test_what_still_asks_is_listed_no_longer_than_it_does():
    for name, listed in STILL_ASK.items():
        assert listed == what_asks((PACKAGE / name).read_text(encoding="utf-8")) & listed, f"take {name} off the list"


@pytest.mark.parametrize(
    "line",
    [
        "if split.kind == 'levels': pass",
        "if 'threshold' != self.test.kind: pass",
        "if question.kind in ('threshold', 'intervals'): pass",
        "names = {'levels': 1, 'conjunction': 2}.get(split.kind)",
        "if split.kind in _CUT_KINDS: pass",
        "if arrays.split_kind[split] == 3: pass",
        "kinds = arrays['split_kind']",
        "if kind == _CONJUNCTION: pass",
        "from bough.model.tests.levels import Levels",
        "match test.kind:\n    case 'levels': pass",
    ],
)
def test_every_way_to_ask_is_seen(line):
    assert what_asks(line)


@pytest.mark.parametrize(
    "line", ["if column.kind == 'numeric': pass", "if field.kind == 'levels': pass", "if part.kind == 'leaf': pass"]
)
def test_kinds_of_other_things_may_be_asked_for(line):
    assert not what_asks(line)


# Answers are at home in model/answer; the tree makes those of trees by hand, and the leaf parts those of fits.
ANSWER_HOMES = ("model/answer/", "model/tree.py", "recipe/leaf.py")
ANSWERS = {"ClassAnswer", "NumberAnswer", "LinearAnswer"}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=name_of)
def test_a_module_does_not_ask_for_the_kind_of_an_answer(path):
    if name_of(path).startswith(ANSWER_HOMES):
        return
    named = {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not named & ANSWERS, "make what it wants a method of Answer"
