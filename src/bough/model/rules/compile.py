"""Rules as a routing program.

Of a list, one step a rule, which ends at its answer or goes on to the next; of a set, a first step that sends a case to
every rule as a whole, where it gets what the rule adds, or nothing.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bough.errors import ExportError
from bough.model.inputs import Inputs
from bough.model.program import Program
from bough.model.program.derived import Derived
from bough.model.program.fields import addend_of, edge_of, field_of, level_numbers
from bough.model.program.program import (
    END,
    FAIL,
    SPREAD,
    Among,
    Between,
    Edge,
    Every,
    Missing,
    Pool,
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
    from bough.model.rules.rule_model import RuleModel
    from bough.model.rules.rule_set import RuleSet

__all__ = ["Fields", "compile_rules", "compile_set"]

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
    about = _about(rules, fields, steps, "An ordered list of rules", covered=last is not None)
    label = rules.labels[said] if rules.is_classifier else None
    return Program(**about, **rules.answer.constant_fields(rules.said[said], label))


def compile_set(rules: "RuleSet") -> Program:
    """Return the program of a set: a case comes to every rule, and what those that cover it add is summed.

    Parameters
    ----------
    rules : RuleSet
    """
    fields = Fields(rules.inputs, (rules.place(column) for rule in rules.rules for column in rule.columns))
    if not rules.rules:
        if rules.default is None:
            raise ExportError("a set without rules and without a default answers no row: there is nothing to export.")
        about = _about(rules, fields, [Step()], "A set of rules", covered=True)
        return Program(**about, **rules.answer.constant_fields(rules.said[-1:], None))
    nothing = np.zeros_like(rules.said[-1])
    steps, added, roots = [Step()], [nothing], []
    if not rules.is_classifier:
        roots.append(len(steps))
        steps.append(Step())
        added.append(nothing if rules.default is None else rules.said[-1])
    for rule, own in zip(rules.rules, rules.evidence, strict=True):
        roots.append(len(steps))
        if rule.literals:
            end = len(steps) + 1
            every = Every(tuple(literal.condition(fields) for literal in rule.literals))
            steps.append(Step((Rule(every, end),), END, (), (end,), f"{rule.body()} | else"))
            added.append(nothing)
        steps.append(Step())
        added.append(own)
    words = " | ".join(f"rule {k + 1} of {len(roots)}" for k in range(min(len(roots), 8)))
    steps[0] = Step((), SPREAD, tuple((root, 1.0) for root in roots), tuple(roots), words)
    about = _about(rules, fields, steps, "A set of rules", covered=rules.default is not None or not rules.is_classifier)
    if not rules.is_classifier:
        return Program(**about, **rules.answer.constant_fields(np.array(added), None))
    besides, more = rules.besides
    total = np.array([np.sum(row) for row in added])
    told = rules.answer.constant_fields(np.array(added), np.zeros(len(steps), dtype=np.intp))
    default = nothing + np.nan if rules.default is None else rules.said[-1]
    rest = rules.answer.constant_fields(np.array([more, default]), np.zeros(2, dtype=np.intp))
    return Program(**about, **told, pool=Pool(total, besides, rest["probabilities"], rest["worth"]))


def _about(rules: "RuleModel", fields: "Fields", steps: Sequence[Step], title: str, *, covered: bool) -> dict[str, Any]:
    """What a program says besides its answers."""
    return {
        "schema": rules.inputs.schema,
        "fields": tuple(fields.fields),
        "steps": tuple(steps),
        "derived": tuple(fields.derived),
        "target": rules.target,
        "refuses_missing": rules.inputs.refuses_anywhere,
        "refuses_unseen": rules.inputs.refuses_unseen,
        "title": title,
        "uncovered": "" if covered else _UNCOVERED,
    }


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
        self.derived: list[Derived] = []

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

    def sum(
        self,
        terms: Iterable[tuple[float, Column, int]],
        words: str,
        above: Cut | None,
        below: Cut | None,
        *,
        missing: bool,
    ) -> Term:
        """A sum of columns between two cuts, or also a missing one, as where one of its terms is."""
        added = []
        for weight, column, code in terms:
            place = self._place[column.name]
            if place in self._bins:
                raise ExportError(f"a rule asks {words}: exports know no sums of columns that are cut into bins.")
            added.append(addend_of(self.fields[place], place, weight, 0.0, code))
        place = len(self.fields) + len(self.derived)
        unseen: Literal["missing", "other"] = "missing" if self._unseen_is_missing else "other"
        self.derived.append(Derived(tuple(added), words, whole=True, unseen=unseen))
        low, high = (None if cut is None else Edge(cut.value, "le" if cut.after else "lt") for cut in (above, below))
        return any_of([Between(place, low, high), *([Missing(place)] if missing else ())])

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
