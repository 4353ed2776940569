"""The tree of a plan: what its nodes answer, and the arrays in preorder."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.model.answer.labels import class_array, sorted_labels
from bough.model.routing import MAJORITY, MISSING, STOP
from bough.model.tests.grammar import Reader, Text
from bough.model.tests.make import Labels, TestMaker, read_label, read_number
from bough.model.tests.spell import label_words
from bough.model.written.plan import Planned, Said, plain_answer
from bough.table import Label

__all__ = ["Answers", "build"]

_SURROGATE = 2  # the role of a split, as the kernel writes it


class Answers:
    """What the nodes of a plan say: the number of a class, or a value."""

    def __init__(self, plan: Sequence[Planned], classes: Sequence[Any] | None, regression: bool | None) -> None:
        given = [node.answer for node in plan if node.answered]
        if regression is None:
            regression = classes is None and all(isinstance(answer, float) for answer in given)
        self.classes: npt.NDArray[Any] | None = None
        if regression:
            if classes is not None:
                raise ParameterError("numbers are answered, which have no classes.")
            return
        if classes is not None:
            labels: list[Label] = [plain_answer(label, "classes") for label in classes]
        else:
            found = [read_label(answer) if isinstance(answer, Text) else answer for answer in given]
            labels = sorted_labels(found)
        self.classes = class_array(labels)
        self._labels = Labels(labels)
        self._known = ", ".join(map(label_words, labels[:10]))

    def of(self, node: Planned) -> float:
        """The answer of a node, as the kernel has it."""
        answer, reader = node.answer, node.reader
        if self.classes is None:
            number = read_number(answer) if isinstance(answer, Text) else answer
            if isinstance(number, int | float) and not isinstance(number, bool) and np.isfinite(number):
                return float(number)
            return _refuse(reader, answer, "expected a finite number as answer")
        found = self._labels.find(answer) if isinstance(answer, Text) else self._labels.place(answer)
        if found is None:
            return _refuse(reader, answer, f"expected one of the classes {self._known}")
        return found


def _refuse(reader: Reader, answer: Said, problem: str) -> NoReturn:
    at, told = (answer.at, answer.text) if isinstance(answer, Text) else (0, answer)
    reader.refuse(at, f"{problem}; found {told!r:.60}.")


def build(plan: Sequence[Planned], maker: TestMaker, answers: Answers) -> _core.Tree:
    """The arrays, in preorder."""
    order = list(_preorder(plan))
    said = _said(plan, order, answers)
    surrogates = any(len(node.ways) > 1 for node in plan)
    scale = [] if answers.classes is None else [1.0] * len(answers.classes)
    goes_on = any(node.to >= 0 for node in plan)  # else every case that nothing decides stops, which is said once
    builder = _core.TreeBuilder(scale, (surrogates, MAJORITY if goes_on else STOP, MISSING, MISSING))
    number: dict[int, int] = {}
    for here, above, branch in order:
        node = plan[here]
        answer = said[here]
        told = {"value": answer} if answers.classes is None else {"label": int(answer), "counts": [(int(answer), 1.0)]}
        tests = [maker.make(way, len(node.children) if role else None) for role, way in enumerate(node.ways)]
        own_way = bool(tests) and tests[0].missing_branch is not None  # which decides before anything else
        number[here] = builder.add_node(number.get(above, -1), branch, **told, majority=-1 if own_way else node.to)
        for role, test in enumerate(tests):
            test.write(builder, role=_SURROGATE if role else 0)
    return builder.freeze()


def _preorder(plan: Sequence[Planned]) -> Iterator[tuple[int, int, int]]:
    """Each node, the one above it and the branch."""
    todo = [(0, -1, 0)]
    while todo:
        here, above, branch = todo.pop()
        yield here, above, branch
        below = [(child, here, branch) for branch, child in enumerate(plan[here].children)]
        todo.extend(reversed(below))


def _said(plan: Sequence[Planned], order: Sequence[tuple[int, int, int]], answers: Answers) -> dict[int, float]:
    """What each node answers: where it is not said, the class of most leaves below, or the mean of their values."""
    said = {here: answers.of(node) for here, node in enumerate(plan) if node.answered}
    numbers = answers.classes is None
    size = 1 if answers.classes is None else len(answers.classes)
    sums: dict[int, npt.NDArray[np.float64]] = {}
    leaves: dict[int, int] = {}
    for here, above, _ in reversed(order):
        if plan[here].is_leaf:
            leaves[here] = 1
            sums[here] = np.zeros(size)
            sums[here][0 if numbers else int(said[here])] = said[here] if numbers else 1.0
        elif here not in said:
            said[here] = sums[here][0] / leaves[here] if numbers else float(sums[here].argmax())
        if above >= 0:
            leaves[above] = leaves.get(above, 0) + leaves[here]
            sums[above] = sums.get(above, 0.0) + sums.pop(here)
    return said
