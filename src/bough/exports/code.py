"""What programs in Python, JavaScript and C share: a node is a few tests in a row, and a loop goes from node to node.

No test is nested in another, so that a tree of any depth can be read, compiled and run.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bough.exports.text import comment
from bough.model.program.derived import Addend, Derived
from bough.model.program.program import (
    SPREAD,
    Among,
    Condition,
    Field,
    Missing,
    Program,
    Simple,
    Term,
    Unseen,
    choices_of,
    terms_of,
)

__all__ = ["Style", "Words", "sum_functions", "switch_cases"]

_FEW = 4  # levels that are compared one by one


@dataclass
class Style:
    """How a language writes a condition on the encoded cells of a case.

    Sets of more than a few levels become tables, which `tables` collects: one character for each level, after those of
    unseen and missing ones. So do the numbers that levels count in sums, which `counts` collects.
    """

    program: Program
    both: str = " && "
    either: str = " || "
    equal: str = " == "
    unequal: str = " != "
    tanh: str = "tanh"
    tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    counts: dict[tuple[str, ...], str] = field(default_factory=dict)

    def cell(self, place: int) -> str:
        """The cell of a field, or the call that adds up a sum of fields."""
        own = place - len(self.program.fields)
        return self.column(place) if own < 0 else self.sum_call(own)

    def column(self, place: int) -> str:
        """The cell of a column."""
        return f"x[{place}]"

    def sum_call(self, number: int) -> str:
        """The call that adds up a sum."""
        return f"s{number}(x)"

    def double(self, number: float) -> str:
        """A double; NaN stands for what is missing."""
        raise NotImplementedError

    def known_number(self, term: Addend) -> str:
        """A number less its origin as a double, where it is known."""
        raise NotImplementedError

    def pick(self, test: str, value: str, otherwise: str) -> str:
        """One of two numbers."""
        return f"pick({test}, {value}, {otherwise})"

    def addend(self, derived: Derived, term: Addend) -> str:
        """What a term adds: of levels by a table, which `counts` collects."""
        if term.field >= len(self.program.fields):
            value = self.cell(term.field)
        elif term.values:
            key = tuple(map(self.double, derived.table(term)))
            name = self.counts.setdefault(key, f"V{len(self.counts)}")
            value = f"{name}[{self.cell(term.field)} + 2]"
        else:
            gone = math.nan if derived.whole else term.fill
            known = self.both.join(dict.fromkeys(self.known(factor.field) for factor in term.factors))
            value = self.pick(known, self.product(term), self.double(gone))
        return f"{self.double(term.weight)} * {value}"

    def product(self, term: Addend) -> str:
        """The number of a term, or the product of two, where they are known."""
        if term.other is None:
            return self.known_number(term)
        return " * ".join(
            f"({self.known_number(factor)} {'+' if factor.centre < 0 else '-'} {self.double(abs(factor.centre))})"
            for factor in term.factors
        )

    def all_gone(self, derived: Derived) -> str:
        """The test that no term is known; empty where one that is missing makes the whole sum missing."""
        if derived.whole:
            return ""
        told = []
        for places in derived.gaps():
            ways = []
            for place in places:
                levels = self.program.fields[place].kind == "levels" and derived.unseen == "missing"
                ways.append(f"{self.cell(place)} < 0" if levels else self.missing(place))
            told.append(ways[0] if len(ways) == 1 else f"({self.either.join(ways)})")
        return self.both.join(told)

    def number(self, of: Field | Derived, number: float | int) -> str:
        """A threshold."""
        raise NotImplementedError

    def known(self, place: int) -> str:
        """Whether a number is known."""
        cell = self.cell(place)
        return f"{cell}{self.equal}{cell}"

    def missing(self, place: int) -> str:
        """Whether there is no value."""
        cell = self.cell(place)
        if self.program.asked[place].kind == "levels":
            return f"{cell}{self.equal}-1"
        return f"{cell}{self.unequal}{cell}"

    def guard(self, place: int) -> str:
        """What must hold before a number is compared; empty where a missing one fails every comparison."""
        return ""

    def inside(self, place: int, codes: tuple[int, ...]) -> str:
        """Whether a level is one of many."""
        key = (place, *codes)
        name = self.tables.setdefault(key, f"S{len(self.tables)}")
        return f"{name}[{self.cell(place)} + 2]"

    def test(self, condition: Condition) -> str:
        """A condition."""
        return self.both.join(map(self._term, terms_of(condition)))

    def _term(self, term: Term) -> str:
        """A condition on one field: alternatives in parentheses."""
        told = [self._one(choice) for choice in choices_of(term)]
        if len(told) == 1:
            return told[0]
        return f"({self.either.join(f'({one})' if self.both in one else one for one in told)})"

    def _one(self, condition: Simple) -> str:
        cell = self.cell(condition.field)
        if isinstance(condition, Unseen):
            return f"{cell}{self.equal}-2"
        if isinstance(condition, Missing):
            return self.missing(condition.field)
        if isinstance(condition, Among):
            codes = condition.codes
            if not codes:
                return f"{cell}{self.equal}-9"
            if len(codes) > _FEW:
                return self.inside(condition.field, codes)
            tests = self.either.join(f"{cell}{self.equal}{code}" for code in codes)
            return tests if len(codes) == 1 else f"({tests})"
        of = self.program.asked[condition.field]
        parts = [self.guard(condition.field)] if self.guard(condition.field) else []
        for edge, signs in ((condition.above, (">", ">=")), (condition.below, ("<=", "<"))):
            if edge is not None:
                parts.append(f"{cell} {signs[0] if edge.side == 'le' else signs[1]} {self.number(of, edge.number)}")
        return self.both.join(parts) if condition.above or condition.below else self.known(condition.field)

    def table_text(self, key: Sequence[int]) -> str:
        """A set as zeros and ones: unseen, missing, then the levels."""
        place, *codes = key
        held = set(codes)
        return "00" + "".join("1" if k in held else "0" for k in range(len(self.program.fields[place].levels)))


@dataclass(frozen=True)
class Words:
    """The steps of a program in words, for comments."""

    program: Program

    def head(self, mark: str, more: Sequence[str] = ()) -> Iterator[str]:
        """Lines that say what the program is, and more."""
        kind = "classes" if self.program.is_classifier else "values"
        yield f"{mark} {comment(self.program.title)} that answers {kind} of {comment(self.program.target)}."
        yield f"{mark} It has {len(self.program.steps):,} nodes; written by bough."
        yield from (f"{mark} {line}" for line in more)

    def asks(self, node: int) -> str:
        """What a node asks."""
        return comment(self.program.steps[node].asks)


def sum_functions(style: Style, head: str, start: str, nothing: str) -> list[str]:
    """The functions that add up the sums, in C and in what is written like it.

    `head` has a `{}` for the number of the sum, `start` one for what terms are added to.
    """
    parts = []
    for number, derived in enumerate(style.program.derived):
        gone = style.all_gone(derived)
        lines = [f"  if ({gone}) return {nothing};"] if gone else []
        lines += [f"  s += {style.addend(derived, term)};" for term in derived.terms]
        begin = start.format(style.double(derived.constant))
        end = f"  return {style.tanh}(s);" if derived.squashed else "  return s;"
        body = "\n".join([f"/* {comment(derived.name)} */", f"{head.format(number)} {{", begin, *lines, end])
        parts.append(f"{body}\n}}")
    return parts


def switch_cases(style: Style, words: Words, remark: str) -> list[str]:
    """The `case` of each node that asks something, in C and in what is written like it; `remark` has a `{}`."""
    lines = []
    for node, step in enumerate(style.program.steps):
        if not step.rules and step.otherwise != SPREAD:
            continue
        tests = "".join(f"if ({style.test(rule.when)}) return {rule.then}; " for rule in step.rules)
        lines.append(f"    case {node}: {tests}return {step.otherwise}; {remark.format(words.asks(node))}")
    return lines
