"""A list of rules as a routing program: one step a rule, which ends at its answer or goes on to the next."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bough.errors import ExportError
from bough.model.inputs import Inputs
from bough.model.program import Program
from bough.model.program.fields import edge_of, field_of, level_numbers
from bough.model.program.program import (
    FAIL,
    Among,
    Between,
    Edge,
    Every,
    Missing,
    Rule,
    Simple,
    Step,
    Term,
    Unseen,
    any_of,
)
from bough.model.rules.rest import covers_all
from bough.model.tests.cells import Cut, runs_of
from bough.table import Column

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Fields", "compile_rules"]

_UNCOVERED = "no rule covers this case, and there is no default"


def compile_rules(rules: "RuleList") -> Program:
    """Return the program of a list: what no rule covers is told the default or, without one, has no answer.

    Parameters
    ----------
    rules : RuleList
    """
    asked, last = _reached(rules)
    fields = Fields(rules.inputs, (rules.place(column) for rule in rules.rules[:asked] for column in rule.columns))
    steps: list[Step] = []
    said: list[int] = []  # by node: whose answer it says, of those that ask a rule that of the default
    for number, rule in enumerate(rules.rules[:asked]):
        end, following = len(steps) + 1, len(steps) + 2
        terms = tuple(literal.condition(fields) for literal in rule.literals)
        ways = (end, following) if last is not None or number + 1 < asked else (end,)
        then = ways[-1] if len(ways) > 1 else FAIL
        steps += [Step((Rule(Every(terms), end),), then, (), ways, f"{rule.body()} | else"), Step()]
        said += [0 if last is None else last, number]
    if last is not None:
        steps.append(Step())
        said.append(last)
    about: dict[str, Any] = {
        "schema": rules.inputs.schema,
        "fields": tuple(fields.fields),
        "steps": tuple(steps),
        "target": rules.target,
        "refuses_missing": rules.inputs.refuses_anywhere,
        "refuses_unseen": rules.inputs.refuses_unseen,
        "title": "An ordered list of rules",
        "uncovered": "" if last is not None else _UNCOVERED,
    }
    label = rules.labels[said] if rules.is_classifier else None
    return Program(**about, **rules.answer.constant_fields(rules.said[said], label))


def _reached(rules: "RuleList") -> tuple[int, int | None]:
    """How many rules a row may come past, and who answers then: a rule for all rows, or the default, by its number."""
    for number, rule in enumerate(rules.rules):
        if not rule.literals:
            return number, number
    if rules.default is not None:
        return rules.n_rules, rules.n_rules
    if not rules.rules:
        raise ExportError("a list without rules and without a default answers no row: there is nothing to export.")
    return (rules.n_rules - 1, rules.n_rules - 1) if covers_all(rules) else (rules.n_rules, None)


class Fields:
    """The columns that rules ask as fields of a program, and what literals say as conditions on them.

    Parameters
    ----------
    inputs : Inputs
    places : iterable of int
        Where the columns stand that rules ask.
    """

    def __init__(self, inputs: Inputs, places: Iterable[int]) -> None:
        asked = sorted(set(places))
        self.fields = [field_of(inputs.schema, index) for index in asked]
        self._place = {field.name: place for place, field in enumerate(self.fields)}
        self._numbers = {
            place: level_numbers(inputs.schema, field.index)
            for place, field in enumerate(self.fields)
            if field.kind == "levels"
        }
        bins = () if inputs.bins is None else inputs.bins.edges
        self._bins = {
            place: [edge_of(field, edge) for edge in edges.tolist()]
            for place, field in enumerate(self.fields)
            if bins and (edges := bins[field.index]) is not None
        }
        self._unseen_is_missing = inputs.unseen != "other"

    def number(self, column: Column, above: Cut | None, below: Cut | None, *, outside: bool, missing: bool) -> Term:
        """A number between two cuts or outside of them, or also a missing one."""
        place = self._place[column.name]
        low, high = (None if cut is None else self._edge(place, cut) for cut in (above, below))
        choices: list[Simple] = [Between(place, low, high)]
        if outside:
            choices = [Between(place, None, low), Between(place, high, None)]
        return any_of([*choices, *([Missing(place)] if missing else ())])

    def levels(self, column: Column, codes: Sequence[int], *, unseen: bool, missing: bool) -> Term:
        """A level of some codes, or also one never seen, or a missing one."""
        place = self._place[column.name]
        if place in self._bins:
            return self._binned(place, codes, missing=missing)
        numbers = self._numbers[place]
        held = tuple(numbers[code] for code in codes if numbers[code] >= 0)
        choices: list[Simple] = [Among(place, held)] if held else []
        choices += [Missing(place)] if missing else []
        choices += [Unseen(place)] if (missing if self._unseen_is_missing else unseen) else []
        return any_of(choices or [Among(place, ())])

    def missing(self, column: Column) -> Term:
        """No value."""
        place = self._place[column.name]
        return self.levels(column, (), unseen=False, missing=True) if place in self._numbers else Missing(place)

    def _binned(self, place: int, codes: Sequence[int], *, missing: bool) -> Term:
        """A number whose bin has one of some codes."""
        edges = self._bins[place]

        def edge(number: int) -> Edge | None:
            return edges[number] if 0 <= number < len(edges) else None

        choices: list[Simple] = [Between(place, edge(first - 1), edge(last)) for first, last in runs_of(codes)]
        return any_of([*choices, *([Missing(place)] if missing else ())])

    def _edge(self, place: int, cut: Cut) -> Edge:
        """A place between values: above its number or, that number included, below."""
        return edge_of(self.fields[place], cut.value, "le" if cut.after else "lt")
