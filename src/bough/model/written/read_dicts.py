"""A plan of nested dicts: each condition with what follows it, an answer or a dict again."""

from collections.abc import Mapping, Sequence
from typing import Any

from bough.errors import ParameterError
from bough.model.tests.grammar import Reader
from bough.model.tests.make import Branch
from bough.model.written.plan import Planned, plain_answer

__all__ = ["read_dicts"]

_ELSE = ("else", "otherwise", "default")


def read_dicts(source: Mapping[str, Any]) -> list[Planned]:
    """The nodes in preorder."""
    plan: list[Planned] = []
    todo: list[tuple[Any, str, int, Any]] = [(source, "the tree", -1, None)]  # with the answer of an `else` above
    while todo:
        given, path, above, otherwise = todo.pop()
        here = len(plan)
        if above >= 0:
            plan[above].children.append(here)
        node = Planned(Reader("", path, is_line=False), answer=otherwise, answered=otherwise is not None)
        plan.append(node)
        if not isinstance(given, Mapping):
            node.answer, node.answered = plain_answer(given, path), True
            continue
        keys = [key for key in given if key != "else"]
        way = []
        for number, key in enumerate(keys):
            if not isinstance(key, str):
                raise ParameterError(f"{path}: the keys are conditions, such as 'age <= 38.5'; got {key!r:.60}.")
            if key.strip().lower() in _ELSE:
                raise ParameterError(f"{path}[{key!r:.80}]: what follows where nothing else holds is called 'else'.")
            reader = Reader(key, f"{path}[{key!r:.80}]", is_line=False)
            way.append(Branch(number, reader.condition(), reader))
            if not reader.done:
                reader.fail("'and', 'or' or the end")
        if len(way) < 2:
            raise ParameterError(_too_few(given, path))
        node.ways.append(way)
        if "else" in given:
            _read_else(node, given["else"], keys, path)
        # The branches in order: those on top of the stack come first.
        below = otherwise if node.to >= 0 else node.answer
        todo.extend((given[key], f"{path}[{key!r:.80}]", here, below) for key in reversed(keys))
    return plan


def _too_few(given: Mapping[str, Any], path: str) -> str:
    if not given:
        return f"{path}: the dict is empty; give conditions and what follows each, or an answer in its place."
    rest = " 'else' is for missing values alone; write the opposite as a condition." if "else" in given else ""
    return f"{path}: a test has at least two conditions, one for each branch; got {list(given)!r:.80}.{rest}"


def _read_else(node: Planned, given: Any, keys: Sequence[str], path: str) -> None:
    if isinstance(given, str) and given in keys:
        node.to, node.answered = keys.index(given), False
    elif isinstance(given, Mapping):
        raise ParameterError(f"{path}['else']: give an answer, or one of the conditions, with which the case goes.")
    else:
        node.answer, node.answered = plain_answer(given, f"{path}['else']"), True
