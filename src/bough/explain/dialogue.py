"""A tree asked one question at a time, as in twenty questions: what to ask next follows from what was told so far.

Nothing is kept but the answers. The way down is walked anew after each of them, up to the first test that is not yet
decided, so that taking one back is to forget it. Where a value is not known the tree goes on as in prediction: another
test is asked in its place, the case goes with the majority, stops, or follows all branches and is asked about each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bough.errors import ParameterError
from bough.explain.explanation import Explanation, explain_way, route_text
from bough.explain.way import Step, Way, filled_in, step_from
from bough.model import Tree
from bough.model.asked import Asked
from bough.model.features import Cell, Number, Unknown
from bough.model.routing import MISSING
from bough.model.tests import Test
from bough.model.tests.cells import Cells, inside, meet, minus
from bough.model.ways import rule_for
from bough.table import Column

__all__ = ["Dialogue", "Question"]


@dataclass(frozen=True)
class Question:
    """What is asked next.

    Attributes
    ----------
    column : Column
        What is asked for, as users have its values.
    place : int
        Its position among the columns.
    codes : tuple of int
        The levels to choose from, by their codes; none for numbers.
    ways : tuple of (int, str)
        Of a number, the branches of the test that are still open, with their conditions; one may be chosen in place of
        the number. None where the test is about several columns, which need their values.
    share : float
        The part of the case that it is about: less than 1 where a case goes down several branches.
    instead : str or None
        The column whose value is not known, in place of which this one is asked.
    needed : bool
        Whether the model takes no missing value, so that not to know is no answer.
    test : Test
    """

    column: Column
    place: int
    codes: tuple[int, ...]
    ways: tuple[tuple[int, str], ...]
    share: float
    instead: str | None
    needed: bool
    test: Test


@dataclass(frozen=True)
class _Told:
    """What is known of a column: the cells in which its value lies, None if that is not known; the value, if said.

    `last`: no more is known than that, so that a test which cannot decide by it finds a missing value.
    """

    cells: Cells | None
    value: Number | None = None
    last: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether all tests would treat the values alike that it may have."""
        return self.cells is None or (len(self.cells) == 1 and self.cells[0][0] == self.cells[0][1])


@dataclass(frozen=True)
class _Need:
    """A column of which a test must be told more, and the branches between which it has to choose."""

    column: int
    open: tuple[int, ...] = ()


class Dialogue:
    """Questions and answers about one case.

    Parameters
    ----------
    tree : Tree

    Examples
    --------
    >>> import bough
    >>> from bough.explain.dialogue import Dialogue
    >>> table = {"age": [25, 31, 36, 41, 52, 60], "job": ["A", "C", "A", "B", "B", "B"]}
    >>> clf = bough.CARTClassifier(min_samples_split=2, min_samples_leaf=1).fit(table, list("nnnyyy"))
    >>> talk = Dialogue(clf.tree_)
    >>> talk.question.column.name, [text for _, text in talk.question.ways]
    ('age', ['age <= 38.5', 'age > 38.5'])
    >>> talk.do_not_know()
    >>> talk.question.column.name, talk.question.instead
    ('job', 'age')
    >>> talk.tell(1)
    >>> talk.question is None, talk.explanation().answer
    (True, 'y')
    """

    def __init__(self, tree: Tree) -> None:
        if tree.answer.columns(tree.kernel):
            raise ParameterError("the leaves of this tree answer sums of columns, which need a whole row: predict it.")
        self.tree = tree
        self._asked = Asked(tree)
        self._grids = dict(enumerate(self._asked.grids()))
        self._told: dict[int, _Told] = {}
        self._before: list[tuple[int, _Told | None]] = []  # what was known before each answer
        self._look()

    @property
    def question(self) -> Question | None:
        """What is asked now; None if the case has come to its end."""
        return self._question

    @property
    def n_answers(self) -> int:
        """How many answers were given and not taken back."""
        return len(self._before)

    @property
    def routes(self) -> list[str]:
        """How the case went on where a value is not known, so far."""
        return [route_text(self._asked, step, most_levels=8) for step in self._steps]

    # Answers

    def tell(self, value: Number) -> None:
        """Say the value: a number as the kernel has it, or the code of a level."""
        question = self._now()
        cell = self._grids[question.place].cell_of(value)
        held = self._cells_of(question.place)
        if not inside(cell, held):
            raise ParameterError(
                f"that is at odds with an earlier answer, {self._grids[question.place].text(held)}: take that one "
                "back, or answer again."
            )
        self._answer(question.place, _Told(((cell, cell),), value))

    def choose(self, branch: int) -> None:
        """Say which branch of the test the value leads to."""
        question = self._now()
        cells = (question.test.cells(branch, self._grids) or {}).get(question.place, ())
        told = _Told(meet(self._cells_of(question.place), cells))
        if self._value_in(question.place, told) is None:
            raise ParameterError(f"no value of {question.column.name!r:.60} lies there; answer otherwise.")
        self._answer(question.place, told)

    def do_not_know(self) -> None:
        """Say that the value is not known."""
        question = self._now()
        if question.needed:
            raise ParameterError(f"the model takes no missing value, and it needs {question.column.name!r:.60} here.")
        before = self._told.get(question.place)
        self._answer(question.place, _Told(None if before is None else before.cells, last=True))

    def back(self) -> bool:
        """Take the last answer back; False if there is none."""
        if not self._before:
            return False
        column, before = self._before.pop()
        if before is None:
            del self._told[column]
        else:
            self._told[column] = before
        self._look()
        return True

    def _answer(self, column: int, told: _Told) -> None:
        self._before.append((column, self._told.get(column)))
        self._told[column] = told
        self._look()

    def _now(self) -> Question:
        if self._question is None:
            raise ParameterError("nothing is asked any more: the case has come to its end.")
        return self._question

    def explanation(self) -> Explanation:
        """The answer and its reason, once nothing is asked any more."""
        if self._question is not None:
            raise ParameterError(f"{self._question.column.name!r:.60} is still asked for.")
        answer = self.tree.answer.at_ends(self.tree.kernel, tuple(self._ends))
        shares = None
        if self.tree.is_classifier:
            nodes, parts = np.array(self._ends).T
            shares = parts @ self.tree.probabilities(nodes.astype(np.int32))
        plain = answer.item() if hasattr(answer, "item") else answer
        return explain_way(self._asked, Way(tuple(self._steps), tuple(self._ends)), plain, shares)

    # The way so far

    def _look(self) -> None:
        """Walk down as far as the answers lead."""
        self._question: Question | None = None
        self._steps: list[Step] = []
        self._ends: list[tuple[int, float]] = []
        parts = [(0, 1.0)]
        while parts:
            node, share = parts.pop()
            test, children = self._asked.place(node)
            if test is None:
                self._ends.append((node, share))
                continue
            found = self._branch(test)
            if isinstance(found, int):
                if not test.has_cells:
                    self._steps += filled_in(self._asked, node, test, self._row(), (children[found], share))
                parts.append((children[found], share))
                continue
            if isinstance(found, _Need):
                self._question = self._about(test, found, share)
                return
            step = self._step(node, test, found, share)
            if step is None:
                return
            self._steps.append(step)
            if not step.children:
                self._ends.append((node, share))
            parts.extend(reversed(step.children))

    def _step(self, node: int, test: Test, state: Unknown, share: float) -> Step | None:
        """How a case goes on whose value is not known; None if a surrogate has to be asked first."""
        if rule_for(self._asked, test, state) == MISSING and test.missing_branch is None:
            for other in self._asked.surrogates(node):
                found = self._branch(other)
                if isinstance(found, int):
                    break
                if isinstance(found, _Need):
                    self._question = self._about(other, found, share, self._asked.columns[test.column].name)
                    return None
        return step_from(self._asked, node, test, state, share, self._branch_or_missing)

    def _branch_or_missing(self, test: Test) -> int | Unknown:
        """Where a surrogate sends the case that needs to be told nothing more."""
        found = self._branch(test)
        return "missing" if isinstance(found, _Need) else found

    def _branch(self, test: Test) -> int | Unknown | _Need:
        """Where a test sends the case, why it does not know, or what it has to be told."""
        if len(test.columns) > 1 or not test.has_cells:
            return self._branch_of_several(test)
        column = test.column
        told = self._told.get(column)
        if told is not None and told.cells is None:
            return "missing"
        held = self._cells_of(column)
        found = {}
        rest = held
        for branch in range(test.n_branches):
            cells = (test.cells(branch, self._grids) or {}).get(column, ())
            if common := meet(held, cells):
                found[branch] = common
                rest = minus(rest, cells)
        if told is None or len(found) > 1 or (found and rest):
            return "missing" if told is not None and told.last else _Need(column, tuple(found))
        return next(iter(found)) if found else "absent"

    def _branch_of_several(self, test: Test) -> int | Unknown | _Need:
        """A test of several columns asks them one by one; a property that fails decides before all are asked."""
        boxes = {branch: test.cells(branch, self._grids) for branch in range(test.n_branches)} if test.has_cells else {}
        for branch, box in boxes.items():
            if box is not None:  # where all properties hold; the other branch is that of the rest
                return self._branch_by_box(test, box, branch)
        open_columns = [column for column in test.columns if not self._is_said(column)]
        return _Need(open_columns[0]) if open_columns else test.branch(self._row())

    def _branch_by_box(self, test: Test, box: Mapping[int, Cells], branch: int) -> int | Unknown | _Need:
        """Whether the case lies in a box, by what is known of each column: also by an interval that was told before."""
        open_columns = []
        unknown = False
        for column in test.columns:
            told = self._told.get(column)
            if told is None:
                open_columns.append(column)
            elif told.cells is not None and not meet(told.cells, box[column]):
                return 1 - branch
            elif told.cells is None or minus(told.cells, box[column]):
                if told.last:
                    unknown = True
                else:
                    open_columns.append(column)
        return _Need(open_columns[0]) if open_columns else "missing" if unknown else branch

    def _is_said(self, column: int) -> bool:
        told = self._told.get(column)
        return told is not None and (told.last or told.value is not None)

    def _about(self, test: Test, need: _Need, share: float, instead: str | None = None) -> Question:
        column = self._asked.columns[need.column]
        codes = tuple(code for first, last in self._cells_of(need.column) for code in range(first, last + 1))
        ways = tuple((branch, self._asked.describe(test, branch, 8)) for branch in need.open)
        levels = column.kind != "numeric"
        needed = self.tree.refuses_missing
        return Question(
            column, need.column, codes if levels else (), () if levels else ways, share, instead, needed, test
        )

    def _cells_of(self, column: int) -> Cells:
        """Where the value may lie, by what was said of it."""
        told = self._told.get(column)
        return self._grids[column].all if told is None or told.cells is None else told.cells

    def _row(self) -> Sequence[Cell]:
        """The case as a test of several columns reads it: known where one value is as good as any other."""
        return [self._value(column) for column in range(len(self.tree.schema))]

    def _value(self, column: int) -> Cell:
        told = self._told.get(column)
        if told is None or (told.last and not told.is_settled):
            return None
        return self._value_in(column, told)

    def _value_in(self, column: int, told: _Told) -> Cell:
        if not told.cells:
            return None
        if self.tree.schema.columns[column].kind != "numeric":  # levels, or bins of numbers
            return told.cells[0][0]
        if told.value is not None:
            return told.value
        cells = (cell for first, last in told.cells for cell in range(first, last + 1))
        values = (self._grids[column].value_in(cell, None) for cell in cells)
        return next((value for value in values if value is not None), None)
