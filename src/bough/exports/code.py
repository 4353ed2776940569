"""What programs in Python, JavaScript and C share: a node is a few tests in a row, and a loop goes from node to node.

No test is nested in another, so that a tree of any depth can be read, compiled and run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bough.exports.text import comment
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

__all__ = ["Style", "Words", "switch_cases"]

_FEW = 4  # levels that are compared one by one


@dataclass
class Style:
    """How a language writes a condition on the encoded cells of a case.

    Sets of more than a few levels become tables, which `tables` collects: one character for each level, after those of
    unseen and missing ones.
    """

    program: Program
    both: str = " && "
    either: str = " || "
    equal: str = " == "
    unequal: str = " != "
    tables: dict[tuple[int, ...], str] = field(default_factory=dict)

    def cell(self, place: int) -> str:
        """The cell of a field."""
        return f"x[{place}]"

    def number(self, of: Field, number: float | int) -> str:
        """A threshold."""
        raise NotImplementedError

    def known(self, place: int) -> str:
        """Whether a number is known."""
        cell = self.cell(place)
        return f"{cell}{self.equal}{cell}"

    def missing(self, place: int) -> str:
        """Whether there is no value."""
        cell = self.cell(place)
        if self.program.fields[place].kind == "levels":
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
        of = self.program.fields[condition.field]
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


def switch_cases(style: Style, words: Words, remark: str) -> list[str]:
    """The `case` of each node that asks something, in C and in what is written like it; `remark` has a `{}`."""
    lines = []
    for node, step in enumerate(style.program.steps):
        if not step.rules and step.otherwise != SPREAD:
            continue
        tests = "".join(f"if ({style.test(rule.when)}) return {rule.then}; " for rule in step.rules)
        lines.append(f"    case {node}: {tests}return {step.otherwise}; {remark.format(words.asks(node))}")
    return lines
