"""From a tree to its routing program: tests become rules, and so does what happens to values that no test knows."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from bough.errors import ExportError, ParameterError
from bough.model import routing
from bough.model.features.feature import Net, Sum
from bough.model.program.derived import Addend, Derived
from bough.model.program.fields import addend_of, edge_of, field_of, level_numbers
from bough.model.program.program import (
    END,
    FAIL,
    SPREAD,
    Among,
    Between,
    Condition,
    Edge,
    Every,
    Field,
    Program,
    Rule,
    Step,
)
from bough.model.program.program import Unseen as UnseenLevel
from bough.model.tests import Test, conditions

if TYPE_CHECKING:
    from bough.model.node import Node
    from bough.model.tree import Tree

__all__ = ["compile_tree"]

_FINITE = sys.float_info.max  # beyond are the infinite numbers


def compile_tree(tree: "Tree", *, every_rule: bool = False) -> Program:
    """Return the routing program of a tree.

    Parameters
    ----------
    tree : Tree
    every_rule : bool, default=False
        Keep rules that lead where what is left goes anyway, for those who tell why a case goes there: by its value, or
        because nothing knows it.
    """
    return _Compiler(tree, every_rule=every_rule).program()


class _Compiler:
    def __init__(self, tree: "Tree", *, every_rule: bool) -> None:
        self.tree = tree
        self.every_rule = every_rule
        self.inputs = tree.inputs
        self.fields: list[Field] = []
        self.derived: list[Derived] = []
        self._place: dict[int, int] = {}
        self._code: dict[int, list[int]] = {}  # by column: the number of each level of the schema among those seen
        self._edges: dict[int, list[Edge]] = {}  # by column: of bins

    def program(self) -> Program:
        tree = self.tree
        for column in sorted(routing.columns_read(tree)):
            self._add_field(column)
        steps = tuple(self._step(node) for node in tree.nodes)
        about: dict[str, Any] = {
            "schema": self.inputs.schema,
            "fields": tuple(self.fields),
            "steps": steps,
            "derived": tuple(self.derived),
            "target": tree.target,
            "refuses_missing": self.inputs.refuses_anywhere,
            "refuses_unseen": self.inputs.refuses_unseen,
        }
        return Program(**about, **tree.answer.program_fields(tree.kernel))

    def _add_field(self, index: int) -> None:
        field = field_of(self.inputs.schema, index)
        self._place[index] = len(self.fields)
        self.fields.append(field)
        if field.kind == "levels":
            self._code[index] = level_numbers(self.inputs.schema, index)
            return
        if self.inputs.bins is not None:
            edges = self.inputs.bins.edges[index]
            assert edges is not None  # noqa: S101 (every numeric column has bins, if one has)
            self._edges[index] = [edge_of(field, edge) for edge in edges.tolist()]

    # Steps

    def _step(self, node: "Node") -> Step:
        split = node.split
        children = tuple(child.id for child in node.children)
        if split is None:
            return Step()
        _, fallback, absent, unseen = self.tree.routing
        majority = self._majority(node, children)
        last = {routing.MAJORITY: majority, routing.STOP: END, routing.SPREAD: SPREAD}[fallback]
        shares = routing.child_shares(node) if last == SPREAD else ()
        if last == SPREAD and not shares:
            last = END
        own, asked = split.missing_branch, []
        asked_only = self.inputs.only_asked
        if asked_only:
            last, shares = FAIL, ()
        elif own is not None:
            last, shares = children[own], ()
        elif self.tree.routing[0]:
            asked = list(node.surrogates)
        finals = {routing.MAJORITY: majority, routing.STOP: END, routing.ERROR: FAIL}
        test = split.test
        rules = self._known(test, children)
        sizes = [len(rules)]
        if asked_only or absent != routing.MISSING:
            rules += [Rule(when, finals.get(absent, majority)) for when in self._absent(test)]
        if unseen != routing.MISSING:
            rules += [Rule(when, finals[unseen]) for when in self._unseen(test)]
        sizes.append(len(rules) - sizes[0])
        if not asked and not self.every_rule:
            rules, sizes = _without_needless(rules, last, several=len(test.columns) > 1), []
        for other in asked:
            more = self._known(other.test, children)
            rules += more
            sizes.append(len(more))
        words = " | ".join(split.describe(b, most_levels=6) for b in range(min(split.n_branches, 8)))
        return Step(tuple(rules), last, shares, children, words, tuple(sizes))

    def _majority(self, node: "Node", children: Sequence[int]) -> int:
        branch = int(self.tree.arrays.majority[node.id])
        return children[branch] if branch >= 0 else END

    def _known(self, test: Test, children: Sequence[int]) -> list[Rule]:
        """Where the values lead that the test has a branch for."""
        rules = [(rule.when, children[rule.branch]) for rule in test.rules()]
        if not test.has_cells:
            return self._by_sum(test, rules)
        if test.columns[0] in self._edges and len(test.columns) == 1:
            return self._by_bin(test.column, rules)
        made = [Rule(self._condition(when), then) for when, then in rules]
        return [rule for rule in made if not isinstance(rule.when, Among) or rule.when.codes]

    def _by_sum(self, test: Test, rules: Iterable[tuple[conditions.Condition, int]]) -> list[Rule]:
        """Sums of columns are derived fields, which are asked as columns of numbers are."""
        places: dict[int, int] = {}
        made = []
        for when, then in rules:
            terms = when.terms if isinstance(when, conditions.Every) else (when,)
            asked = tuple(self._of_sum(test, term, places) for term in terms)
            made.append(Rule(Every(asked) if len(asked) > 1 else asked[0], then))
        return made

    def _of_sum(self, test: Test, when: conditions.Condition, places: dict[int, int]) -> Between:
        assert isinstance(when, conditions.Between)  # noqa: S101 (numbers are parted by edges)
        expression = when.feature.expression()
        if id(when.feature) not in places:
            if isinstance(expression, Net):
                places[id(when.feature)] = self._network(expression, test)
            else:
                assert isinstance(expression, Sum)  # noqa: S101 (what has no cells is a sum or a network)
                places[id(when.feature)] = self._sum(expression, test, when.feature.words(quoted=False))
        above, below = (None if e is None else Edge(float(e), when.side) for e in (when.above, when.below))
        if isinstance(expression, Sum) and expression.finite:
            above, below = above or Edge(-_FINITE, "lt"), below or Edge(_FINITE)
        return Between(places[id(when.feature)], above, below)

    def _network(self, net: Net, test: Test) -> int:
        """A sum of squashed sums, one for each unit."""
        units = []
        for number, unit in enumerate(net.units, start=1):
            place = self._sum(unit.sum, test, f"unit {number} of {test.title()}")
            self.derived[-1] = replace(self.derived[-1], constant=unit.constant, squashed=True)
            units.append(Addend(place, unit.counts, 0.0))
        self.derived.append(Derived(tuple(units), test.title(), whole=True, constant=net.constant))
        return len(self.fields) + len(self.derived) - 1

    def _sum(self, expression: Sum, test: Test, name: str) -> int:
        """The place of a new derived field."""
        terms = []
        for weight, factors, fill in expression.products:
            places = [self._place[factor.column] for factor in factors]
            many = len(factors) > 1 and any(self.fields[place].kind == "levels" for place in places)
            if many or any(factor.column in self._edges for factor in factors):
                what = "products of levels" if many else "columns that are cut into bins"
                raise ExportError(f"the tree asks {test.title()}: exports know no sums of {what}.")
            told = [
                addend_of(self.fields[place], place, weight, fill, factor.code, int(factor.origin))
                for place, factor in zip(places, factors, strict=True)
            ]
            if len(factors) > 1:
                other = replace(told[1], centre=factors[1].centre)
                told[0] = replace(told[0], centre=factors[0].centre, other=other)
            terms.append(told[0])
        unseen: Literal["missing", "unknown"] = "missing" if expression.unseen_is_missing else "unknown"
        place = len(self.fields) + len(self.derived)
        self.derived.append(Derived(tuple(terms), name, expression.whole, unseen))
        return place

    def _condition(self, when: conditions.Condition) -> Condition:
        """A condition on columns as one on fields."""
        if isinstance(when, conditions.Every):
            return Every(tuple(map(self._simple, when.terms)))
        return self._simple(when)

    def _simple(self, when: conditions.Between | conditions.Among) -> Between | Among:
        """A condition on one column."""
        if isinstance(when, conditions.Among):
            return self._among(when)
        place = self._place[when.feature.columns[0]]
        above, below = (
            None if edge is None else edge_of(self.fields[place], edge, when.side) for edge in (when.above, when.below)
        )
        return Between(place, above, below)

    def _among(self, when: conditions.Among) -> Among:
        """Levels by their numbers among those seen."""
        if when.column in self._edges:
            name = self.tree.schema.names[when.column]
            raise ParameterError(f"column {name!r} is cut into bins inside a conjunction.")
        place = self._place[when.column]
        numbers = {number for code in when.codes if (number := self._code[when.column][code]) >= 0}
        if when.negated:
            numbers = set(range(len(self.fields[place].levels))) - numbers
        return Among(place, tuple(sorted(numbers)))

    def _by_bin(self, index: int, rules: Iterable[tuple[conditions.Condition, int]]) -> list[Rule]:
        """The levels of a column of numbers are its bins."""
        targets: list[int | None] = [None] * (len(self._edges[index]) + 1)
        for when, then in rules:
            assert isinstance(when, conditions.Among)  # noqa: S101 (bins are levels to the tree)
            for code in when.codes:
                targets[code] = then
        return self._by_interval(index, self._edges[index], targets)

    def _by_interval(self, index: int, edges: Sequence[Edge], targets: Sequence[int | None]) -> list[Rule]:
        place = self._place[index]
        rules: list[Rule] = []
        start = 0
        for end in range(1, len(targets) + 1):
            if end < len(targets) and targets[end] == targets[start]:
                continue
            target = targets[start]
            if target is not None:
                above = edges[start - 1] if start else None
                below = edges[end - 1] if end < len(targets) else None
                rules.append(Rule(Between(place, above, below), target))
            start = end
        return rules

    def _absent(self, test: Test) -> list[Condition]:
        """Levels that training rows held, but none at the node."""
        if test.known_codes is None:
            return []
        held, index = set(test.known_codes.tolist()), test.column
        if index in self._edges:
            targets = [None if code in held else 0 for code in range(len(self._edges[index]) + 1)]
            return [rule.when for rule in self._by_interval(index, self._edges[index], targets)]
        codes = tuple(n for code, n in enumerate(self._code[index]) if n >= 0 and code not in held)
        return [Among(self._place[index], codes)] if codes else []

    def _unseen(self, test: Test) -> list[Condition]:
        """Levels that no training row held."""
        return [UnseenLevel(self._place[index]) for index in test.columns if index in self._code]


def _without_needless(rules: list[Rule], last: int, *, several: bool) -> list[Rule]:
    """Leave out rules that lead where what is left goes anyway; the conditions of one column exclude each other."""
    if several and any(isinstance(rule.when, UnseenLevel) for rule in rules):
        return rules
    return [rule for rule in rules if rule.then != last]
