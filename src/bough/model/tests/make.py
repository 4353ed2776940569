"""Tests made of what is written: the conditions of the branches of a node become a partition of one feature.

The conditions must part the values: where none of them holds for some value, or two do, that is said, with the value.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from bough.model.features import AllOf, ColumnValue, Number
from bough.model.features.feature import Property, Side
from bough.model.hints import no_column, no_level
from bough.model.tests.cells import Cut
from bough.model.tests.grammar import Atom, Reader, Text
from bough.model.tests.holds import Holds
from bough.model.tests.intervals import Intervals
from bough.model.tests.levels import Levels
from bough.model.tests.spell import label_words, name_words, number_words
from bough.model.tests.test import Test
from bough.model.tests.threshold import Threshold
from bough.table import Column, Label, Schema, label_key, sorted_order
from bough.table.temporal import parse_temporal

__all__ = ["Branch", "Labels", "TestMaker", "infer_schema", "read_label", "read_number"]

Disjunction: TypeAlias = list[list[Atom]]

_WHOLE = re.compile(r"[+-]?\d+")


class Branch(NamedTuple):
    """What leads to a branch: its number, the condition, and who read it, for messages."""

    number: int
    when: Disjunction
    reader: Reader


# Values


def read_label(text: Text) -> Label:
    """A level or class as it is written: quoted text, a number, True or False, else text."""
    if text.quoted:
        return text.text.encode("latin-1") if text.is_bytes else text.text
    if text.text in ("True", "False"):
        return text.text == "True"
    number = read_number(text)
    return text.text if number is None else number


def read_number(text: Text) -> Number | None:
    """A number, or None: a whole one stays whole."""
    if text.quoted:
        return None
    if _WHOLE.fullmatch(text.text):
        whole = int(text.text)
        return whole if -(2**63) <= whole < 2**64 else float(whole)
    try:
        number = float(text.text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


class Labels:
    """Levels or classes that are known, to be found as they are written.

    Parameters
    ----------
    labels : sequence of labels
    """

    def __init__(self, labels: Sequence[Label]) -> None:
        self._keys = {label_key(label): place for place, label in enumerate(labels)}
        self._texts = {label_words(label): place for place, label in reversed(list(enumerate(labels)))}

    def place(self, label: Label) -> int | None:
        """The place of a label; None if there is no such."""
        return self._keys.get(label_key(label))

    def find(self, text: Text) -> int | None:
        """The place of what is written so; None if there is no such."""
        found = self._keys.get(label_key(read_label(text)))
        return self._texts.get(text.text) if found is None and not text.quoted else found


# Columns


def infer_schema(branches: Iterable[Branch], names: Sequence[str] | None = None) -> Schema:
    """The columns that conditions speak of: numbers where they are compared by size, else the levels that are named.

    Parameters
    ----------
    branches : iterable of Branch
    names : sequence of str, optional
        All columns in their order; by default those of the conditions, in the order in which they come.
    """
    levels: dict[str, dict[object, Label]] = {}
    dtypes: dict[str, str] = {}
    found: list[str] = list(names or ())
    for branch in branches:
        for atom in (atom for some in branch.when for atom in some):
            name = atom.column.text
            if name not in found:
                if names is not None:
                    branch.reader.refuse(atom.column.at, no_column(name, names))
                found.append(name)
            if atom.sign in ("=", "!=", "in"):
                own = levels.setdefault(name, {})
                for value in atom.values:
                    label = read_label(value)
                    own.setdefault(label_key(label), label)
            elif atom.values:
                dtypes.setdefault(name, _dtype_of(atom, branch.reader))
            if name in levels and name in dtypes:
                branch.reader.refuse(
                    atom.column.at,
                    f"{name!r:.60} is compared by size and by its levels: say by columns= what it is.",
                )
    return Schema(tuple(_column(name, levels.get(name), dtypes.get(name, "float64")) for name in found))


def _column(name: str, levels: Mapping[object, Label] | None, dtype: str) -> Column:
    if levels is None:
        return Column(name, "numeric", dtype)
    held = list(levels.values())
    return Column(name, "nominal", "levels", tuple(held[place] for place in sorted_order(held)))


def _dtype_of(atom: Atom, reader: Reader) -> str:
    """The type of a column that is compared by size with what is written."""
    (value,) = atom.values
    if read_number(value) is not None:
        return "float64"
    for dtype in ("date", "datetime64[us]"):
        meaning = parse_temporal(dtype)
        whole = dtype != "date" or len(value.text) == 10
        if whole and not value.quoted and meaning is not None and meaning.parse(value.text) is not None:
            return dtype
    return reader.refuse(
        value.at,
        f"{atom.column.text!r:.60} is compared by size with {value.text!r:.60}, which is no number: if it is a level "
        "of an ordered column, say so by columns=, a table or schema.",
    )


# Tests


_SIZES = ("<", "<=", ">", ">=")


class TestMaker:
    """Makes tests of conditions.

    Parameters
    ----------
    schema : Schema
        The columns that they speak of.
    """

    __test__ = False  # no test of pytest's

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._place = {name: number for number, name in enumerate(schema.names)}
        self._levels: dict[int, Labels] = {}

    def make(self, branches: Sequence[Branch], n_branches: int | None = None) -> Test:
        """The test whose branches have these conditions.

        Parameters
        ----------
        branches : sequence of Branch
        n_branches : int, optional
            Of a surrogate, how many branches its node has: it need not lead to all of them.
        """
        known: list[Branch] = []
        missing: int | None = None
        for branch in branches:
            left = [some for some in branch.when if not (len(some) == 1 and some[0].sign == "missing")]
            if len(left) < len(branch.when):
                if missing is not None:
                    branch.reader.refuse(0, "missing values lead to two branches; let them lead to one.")
                missing = branch.number
            if left:
                known.append(branch._replace(when=left))
        for branch in branches:  # also where only what is missing is asked for
            self._columns_of([branch])
        asked = self._columns_of(known)
        if not asked:
            branches[0].reader.refuse(0, "a test asks for values, too, not only whether they are missing.")
        two = n_branches in (None, 2)
        test = self._holds(known, missing) if len(asked) > 1 else self._parts(known, asked[0], missing, two)
        for branch in branches:
            if n_branches is None and branch.number not in test.leads and branch.number != missing:
                branch.reader.refuse(_start(branch), "no value leads to this branch.")
        return test

    def _columns_of(self, branches: Sequence[Branch]) -> list[int]:
        return list(dict.fromkeys(self._column(atom, b.reader) for b in branches for some in b.when for atom in some))

    def _column(self, atom: Atom, reader: Reader) -> int:
        found = self._place.get(atom.column.text)
        if found is None:
            reader.refuse(atom.column.at, no_column(atom.column.text, self.schema.names))
        return found

    def _code(self, value: Text, place: int, reader: Reader) -> int:
        column = self.schema.columns[place]
        levels = column.levels or ()
        if place not in self._levels:
            self._levels[place] = Labels(levels)
        found = self._levels[place].find(value)
        if found is None:
            reader.refuse(value.at, no_level(column.name, value.text, [label_words(level) for level in levels]))
        return found

    # One column

    def _parts(self, branches: Sequence[Branch], place: int, missing: int | None, two: bool) -> Test:
        """A threshold, intervals or sets of levels."""
        column = self.schema.columns[place]
        feature = ColumnValue(place, column)
        if column.kind == "numeric":
            return _cut(branches, feature, missing, two)
        labels = column.levels or ()

        def level(code: int) -> str:
            return f"{name_words(column.name)} = {label_words(labels[code])}"

        branch_of = _assigned(branches, len(labels), lambda atom, reader: self._held(atom, place, reader), level)
        if column.kind == "nominal":
            codes = np.array(sorted(branch_of), dtype=np.int32)
            return Levels(feature, codes, np.array([branch_of[code] for code in sorted(branch_of)], np.int32), missing)
        _refuse_gap(branches, branch_of, len(labels), level)
        cuts = [Cut(code, after=True) for code in range(len(labels) - 1)]
        return _ordered(feature, cuts, branch_of, missing, two)

    def _held(self, atom: Atom, place: int, reader: Reader) -> Iterable[int]:
        """The codes of the levels that have a property."""
        column = self.schema.columns[place]
        every = range(column.n_levels)
        codes = [self._code(value, place, reader) for value in atom.values]
        if atom.sign in ("=", "in"):
            return codes
        if atom.sign == "!=":
            return [code for code in every if code not in codes]
        if column.kind == "nominal":
            reader.refuse(atom.column.at, f"{column.name!r:.60} is nominal: its levels have no order; ask by = or in.")
        end = codes[0] + (atom.sign in ("<=", ">"))
        return every[:end] if atom.sign in ("<", "<=") else every[end:]

    # Several columns

    def _holds(self, branches: Sequence[Branch], missing: int | None) -> Test:
        """A conjunction, and its opposite."""
        if len(branches) != 2:
            branches[0].reader.refuse(
                0, "a test of several columns has two branches: what holds together, and its opposite."
            )
        for held, other in (branches, branches[::-1]):
            if len(held.when) > 1:
                continue
            terms = [self._term(atom, held.reader) for atom in held.when[0]]
            opposite = sorted(term._replace(negated=not term.negated) for term in terms)
            fails = [self._term(atom, other.reader) for some in other.when for atom in some]
            if all(len(some) == 1 for some in other.when) and sorted(fails) == opposite:
                return Holds(AllOf(terms, self.schema.columns), held.number, missing)
        held = next((branch for branch in branches if len(branch.when) == 1), branches[0])
        if len(held.when) > 1:
            held.reader.refuse(0, "expected one branch whose properties hold all together, joined by 'and'.")
        other = branches[1] if held is branches[0] else branches[0]
        opposites = [self._opposite(self._term(atom, held.reader)) for atom in held.when[0]]
        return other.reader.refuse(
            _start(other), f"expected the opposite of the other branch: {' or '.join(opposites)}."
        )

    def _term(self, atom: Atom, reader: Reader) -> Property:
        """A property of one of the columns: a level or any other, or a side of an edge."""
        place = self._column(atom, reader)
        column = self.schema.columns[place]
        if column.kind == "numeric" and atom.sign in _SIZES:
            side: Side = "le" if atom.sign in ("<=", ">") else "lt"
            return Property(place, -1, atom.sign in (">", ">="), _threshold(atom.values[0], column, reader), side)
        if column.kind == "ordered" and atom.sign not in ("known", "missing"):
            held, every = sorted(self._held(atom, place, reader)), list(range(column.n_levels))
            if 0 < len(held) < len(every) and held in (every[: len(held)], every[-len(held) :]):
                above = held[0] > 0
                return Property(place, -1, above, held[0] - 1 if above else held[-1])
        if column.kind != "nominal" or len(atom.values) != 1 or atom.sign not in ("=", "!=", "in"):
            reader.refuse(
                atom.column.at,
                "a test of several columns asks each for one level of a nominal column, by = or !=, or for one side of "
                "a threshold of another.",
            )
        return Property(place, self._code(atom.values[0], place, reader), atom.sign == "!=")

    def _opposite(self, term: Property) -> str:
        opposite = AllOf([term._replace(negated=not term.negated)], self.schema.columns)
        return opposite.words(exact=True)


def _start(branch: Branch) -> int:
    return branch.when[0][0].column.at


def _assigned(
    branches: Sequence[Branch],
    size: int,
    held: Callable[[Atom, Reader], Iterable[int]],
    where: Callable[[int], str],
) -> dict[int, int]:
    """The branch of each level, or cell of numbers, for which some condition holds; for none do two."""
    branch_of: dict[int, int] = {}
    for branch in branches:
        own: set[int] = set()
        for some in branch.when:
            alike = set(range(size))
            for atom in some:
                if atom.sign == "missing":
                    branch.reader.refuse(atom.column.at, "what is missing has no value: join the two by 'or'.")
                if atom.sign != "known":
                    alike &= set(held(atom, branch.reader))
            own |= alike
        for cell in sorted(own):
            if branch_of.setdefault(cell, branch.number) != branch.number:
                branch.reader.refuse(
                    _start(branch),
                    f"where {where(cell)}, this condition holds and that of another branch, too; a case takes one.",
                )
    return branch_of


def _refuse_gap(
    branches: Sequence[Branch], branch_of: Mapping[int, int], size: int, where: Callable[[int], str]
) -> None:
    for cell in range(size):
        if cell not in branch_of:
            last = branches[-1]
            last.reader.refuse(
                _start(last), f"where {where(cell)}, no condition holds: one more is needed, or a wider one."
            )


def _cut(branches: Sequence[Branch], feature: ColumnValue, missing: int | None, two: bool) -> Test:
    """A threshold or intervals: each property is a cut of the numbers, and each cell between cuts takes a branch."""
    column = feature.column
    cut_of: dict[tuple[int, Atom], Cut] = {}
    for branch in branches:
        for atom in (atom for some in branch.when for atom in some if atom.sign not in ("known", "missing")):
            if atom.sign not in _SIZES:
                branch.reader.refuse(atom.column.at, f"{column.name!r:.60} is numeric: ask by <, <=, > or >=.")
            number = _threshold(atom.values[0], column, branch.reader)
            cut_of[id(branch.reader), atom] = Cut(number, after=atom.sign in ("<=", ">"))
    cuts = sorted(set(cut_of.values()))
    place = {cut: number for number, cut in enumerate(cuts)}
    cells = range(len(cuts) + 1)

    def held(atom: Atom, reader: Reader) -> Iterable[int]:
        end = place[cut_of[id(reader), atom]] + 1
        return cells[:end] if atom.sign in ("<", "<=") else cells[end:]

    def where(cell: int) -> str:
        return _range(column, cuts, cell)

    branch_of = _assigned(branches, len(cells), held, where)
    _refuse_gap(branches, branch_of, len(cells), where)
    sides = {cuts[n].after for n in range(len(cuts)) if branch_of[n] != branch_of[n + 1]}
    if len(sides) > 1:
        branches[0].reader.refuse(
            0, f"the edges of {column.name!r:.60} must all belong below (<= and >) or all above (< and >=)."
        )
    return _ordered(feature, cuts, branch_of, missing, two)


def _ordered(
    feature: ColumnValue, cuts: Sequence[Cut], branch_of: Mapping[int, int], missing: int | None, two: bool
) -> Test:
    """The intervals that part cells so or, where that may be a test with two branches, the threshold."""
    kept = [number for number in range(len(cuts)) if branch_of[number] != branch_of[number + 1]]
    edges = [cuts[number].value for number in kept]
    branches = [branch_of[0], *(branch_of[number + 1] for number in kept)]
    kind = Threshold if two and len(edges) == 1 and sorted(branches) == [0, 1] else Intervals
    return kind(feature, edges, branches, "lt" if kept and not cuts[kept[0]].after else "le", missing)


def _threshold(value: Text, column: Column, reader: Reader) -> Number:
    meaning = parse_temporal(column.dtype)
    found = read_number(value)
    if found is None and meaning is not None and not value.quoted:
        found = meaning.parse(value.text)
    if found is None:
        what = "a number" if meaning is None else f"a {meaning.family} ({column.dtype})"
        reader.refuse(value.at, f"expected {what} to compare {column.name!r:.60} with; found {value.text!r:.60}.")
    return found


def _range(column: Column, cuts: Sequence[Cut], cell: int) -> str:
    """The numbers of a cell, as a condition."""
    name = name_words(column.name)
    texts = []
    if cell > 0:
        low = cuts[cell - 1]
        texts.append(f"{name} {'>' if low.after else '>='} {number_words(column, low.value, 'le')}")
    if cell < len(cuts):
        high = cuts[cell]
        texts.append(f"{name} {'<=' if high.after else '<'} {number_words(column, high.value, 'le')}")
    return " and ".join(texts) or f"{name} is known"
