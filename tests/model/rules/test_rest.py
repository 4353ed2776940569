"""Whether rules leave rows without an answer: told exactly, over the cells that their literals tell apart."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from bough.model.program.cases import edge_cases
from bough.model.program.cells import table_of
from bough.model.rules import Bound, Interval, Known, Levels, Missing, Rule, Sum, SumTerm
from bough.model.rules.rest import covers_all

MADE = runpy.run_path(str(Path(__file__).with_name("rule_makers.py")))
AGE, COUNT, JOB, FLAG = (MADE[name] for name in ("AGE", "COUNT", "JOB", "FLAG"))
rule_list = MADE["rule_list"]

pytestmark = pytest.mark.filterwarnings("ignore::bough.errors.DataWarning")


def covered(*bodies, **more):
    return covers_all(rule_list([Rule(body, "yes") for body in bodies], None, **more))


def test_what_is_missing_counts():
    low, high = Interval(AGE, high=Bound(3.0, closed=True)), Interval(AGE, low=Bound(3.0, closed=False))
    assert not covered((low,), (high,))
    assert covered((low,), (high,), (Missing(AGE),))
    assert covered((low.or_if_missing(),), (high,))
    assert not covered((low.or_if_missing(),), (Interval(AGE, low=Bound(4.0, closed=False)),))
    assert covered((Known(COUNT), Known(AGE)), (Missing(COUNT),), (Missing(AGE),))
    assert not covered((Known(COUNT), Known(AGE)), (Missing(COUNT),))


def test_levels_never_seen_count_where_they_are_not_missing():
    bodies = (Levels(JOB, (0, 1)),), (Levels(JOB, (2, 4), or_missing=True),)  # 3 was never seen
    assert covered(*bodies)
    assert not covered(*bodies, unseen="other")
    assert covered(*bodies, (Levels(JOB, (0,), negated=True),), unseen="other")


def test_a_rule_for_all_rows_leaves_none():
    assert covered((Known(AGE),), ())
    assert not covered()


def test_of_sums_nothing_is_known():
    total = (SumTerm(1.0, AGE), SumTerm(1.0, COUNT))
    low, high = Sum(total, high=Bound(3.0, closed=True), or_missing=True), Sum(total, low=Bound(3.0, closed=False))
    assert not covered((low,), (high,))


@pytest.mark.parametrize("unseen", ["missing", "other"])
def test_it_is_what_rows_at_all_edges_say(unseen, budget):
    told = set()
    for seed in range(max(6, round(30 * budget))):
        rng = np.random.default_rng(seed)
        rules = [MADE["rule"](rng, most=1) for _ in range(8)]
        found = rule_list(rules, None, unseen=unseen)
        program = rule_list(rules, "no", unseen=unseen).program()
        numbers = found.apply(table_of(program, edge_cases(program, 1500).cells))
        told.add(covers_all(found))
        assert covers_all(found) == bool((numbers < len(rules)).all()), seed
    assert told == {True, False}
