"""Single faults at any place of a tree: made-up cases find nearly all that some case could find."""

import dataclasses
import math

import numpy as np
import pytest

import bough
from bough.model.program.cases import edge_cases
from bough.model.program.interpret import parts_of
from bough.model.program.program import END, SPREAD, Among, Between, Edge, Rule
from bough.model.program.reach import Reach, has
from bough.recipe import Surrogates


def changed(edge, kind):
    if edge is None:
        return None
    if kind == "other side at equality":
        return Edge(edge.number, "lt" if edge.side == "le" else "le")
    return Edge(math.nextafter(edge.number, math.inf), edge.side)


def faults(program):
    """Steps of a program with one fault each."""
    for node, step in enumerate(program.steps):
        for field in {rule.when.field for rule in step.rules if isinstance(rule.when, Between)}:
            for kind in ("other side at equality", "one bit more"):
                rules = tuple(
                    Rule(Between(field, changed(r.when.above, kind), changed(r.when.below, kind)), r.then)
                    if isinstance(r.when, Between) and r.when.field == field
                    else r
                    for r in step.rules
                )
                yield kind, node, dataclasses.replace(step, rules=rules)
        for k, rule in enumerate(step.rules):
            if isinstance(rule.when, Among):
                for code in rule.when.codes:
                    less = Rule(Among(rule.when.field, tuple(c for c in rule.when.codes if c != code)), rule.then)
                    rules = (*step.rules[:k], less, *step.rules[k + 1 :])
                    yield "one level forgotten", node, dataclasses.replace(step, rules=rules)
        if step.rules and step.otherwise not in (END, SPREAD):
            yield "missing stops", node, dataclasses.replace(step, otherwise=END)


class Cases:
    """Cases with their answers, by the nodes above those in which they end."""

    def __init__(self, program, budget):
        self.program = program
        cells = edge_cases(program, budget).cells
        self.rows = [cells.row(case) for case in range(cells.n_cases)]
        self.ends = [parts_of(program, row) for row in self.rows]
        self.through = {}
        for case, ends in enumerate(self.ends):
            for node in {above for end, _ in ends or () for above in program.path(end)}:
                self.through.setdefault(node, []).append(case)

    def said(self, ends):
        if ends is None:
            return None
        told = self.program.probabilities
        return tuple(np.round(sum(share * told[node] for node, share in ends), 9))

    def find(self, node, step):
        steps = (*self.program.steps[:node], step, *self.program.steps[node + 1 :])
        wrong = dataclasses.replace(self.program, steps=steps)
        cases = self.through.get(node, ())
        return any(self.said(parts_of(wrong, self.rows[case])) != self.said(self.ends[case]) for case in cases)


def some_faults(program, count):
    every = list(faults(program))
    chosen = np.random.default_rng(0).permutation(len(every))[: max(20, round(count))]
    return [every[k] for k in sorted(chosen)]


def noise(n, surrogates):
    rng = np.random.default_rng(0)
    X = {name: rng.normal(size=n) for name in "abe"}
    X["d"] = np.array([f"level {k}" for k in range(12)])[rng.integers(0, 12, n)]
    grown = bough.CARTClassifier(
        pruning=None, min_samples_split=2, min_samples_leaf=1, missing=Surrogates(max_surrogates=surrogates)
    )
    return grown.fit(X, rng.integers(0, 2, n)).model_.program()


@pytest.mark.parametrize("n", [400, 1500])
def test_nearly_every_single_fault_of_a_large_tree_is_found(n, budget):
    program = noise(n, 0)
    cases = Cases(program, None)
    tried = some_faults(program, 150 * budget)
    found = sum(cases.find(node, step) for _, node, step in tried)
    assert found >= 0.97 * len(tried)


def test_nearly_every_fault_of_surrogates_is_found_that_many_more_cases_find(budget):
    program = noise(250, 5)
    cases, more = Cases(program, None), Cases(program, 10_000)
    tried = some_faults(program, 150 * budget)
    found = [(cases.find(node, step), more.find(node, step)) for _, node, step in tried]
    assert sum(a for a, _ in found) >= 0.93 * sum(a or b for a, b in found) > 20


def test_every_test_of_a_tree_is_tried_and_every_end_reached():
    program = noise(1500, 0)
    made = edge_cases(program)
    assert made.tried == made.tests == sum(1 for step in program.steps if step.rules) > 400
    assert made.reached == made.ends == len(program.ends)
    assert made.cells.n_cases < 3 * len(program.steps)
    fewer = edge_cases(program, 300)
    assert fewer.cells.n_cases <= 320
    assert fewer.tried < made.tried


def test_cases_go_where_the_program_sends_them(classifier_on):
    """What is said to be reached is reached: keys and values are one reading of the same rules."""
    program = classifier_on.model_.program()
    cells = edge_cases(program, 200).cells
    reach = Reach(program)
    for case in range(cells.n_cases):
        row = cells.row(case)
        keys = [reach.key(field, cell) for field, cell in enumerate(row)]
        assert [reach.cell(field, key) for field, key in enumerate(keys)] == list(row)
        ends = parts_of(program, row)
        if ends is not None:
            assert all(map(has, reach.domains, keys))
            assert {node for node, then, _ in reach.passed(keys) if then == END} == {node for node, _ in ends}
