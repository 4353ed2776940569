"""What `RuleList.check` finds, and how it says so."""

import random

import pandas as pd

import bough


def found(text, schema=None, **how):
    return str(bough.parse_rules(text, schema).check(**how)).splitlines()


def test_an_otherwise_that_no_row_reaches_is_found():
    text = "IF age > 50 THEN old\nIF age <= 50 OR MISSING THEN mid\nOTHERWISE young"
    assert found(text) == ["unreached: OTHERWISE is never reached: the rules take all rows"]
    assert found(text.replace(" OR MISSING", "")) == ["Nothing was found."]


def test_a_rule_that_repeats_what_comes_after_it_makes_no_difference():
    line = "idle: rule 1 makes no difference: without it its rows are answered young, too; such as age = "
    assert found("IF age > 50 THEN old\nIF age < 30 THEN young\nOTHERWISE young") == [f"{line}29.0"]
    assert found("IF age > 50 THEN old\nIF age < 30 THEN young\nIF TRUE THEN young") == [f"{line}29.0"]
    between = "IF age > 50 THEN old\nIF age < 30 THEN young\nIF age < 40 THEN mid\nOTHERWISE young"
    assert not [one for one in found(between) if one.startswith("idle")]


def test_the_last_rule_overlaps_with_all_by_its_sense():
    assert found("IF age > 40 THEN old\nIF TRUE THEN young") == ["Nothing was found."]


def test_a_witness_has_only_the_columns_concerned():
    text = "IF job = A AND size > 1 THEN x\nIF age > 40 THEN old\nIF age > 30 AND age < 50 THEN mid\nOTHERWISE young"
    assert "overlap: rules 1 and 2 answer old and mid where age IN (40, 50); such as age = 49.0" in found(text)


def test_levels_are_quoted_as_in_conditions():
    table = pd.DataFrame({"job": ["missing", "B C", "A"]})
    lines = found('IF job = A THEN x\nIF job = "B C" THEN y', table, missing=True)
    assert lines == ['gap: no rule covers job = "missing" OR MISSING; such as job = "missing"']


def test_without_an_idle_rule_every_row_is_answered_the_same():
    rng = random.Random(0)
    X = {"a": [0.5, 1.5, 2.5, 3.5, None] * 5, "b": [value for value in (0.5, 1.5, 2.5, 3.5, None) for _ in range(5)]}
    kinds = set()
    for _ in range(150):
        lines = [
            f"IF {rng.choice('ab')} {rng.choice(['<=', '>'])} {rng.randint(1, 3)} AND "
            f"{rng.choice('ab')} {rng.choice(['<=', '>'])} {rng.randint(1, 3)} THEN {rng.choice('xy')}"
            for _ in range(4)
        ]
        rules = bough.parse_rules("\n".join([*lines, "OTHERWISE x"]), {"a": [0.5], "b": [0.5]}, classes=["x", "y"])
        idle = {finding.rules[0] for finding in rules.check().of("idle")}
        reached = set(rules.apply(X).tolist())
        for number in range(rules.n_rules):
            same = (rules.drop(number).predict(X) == rules.predict(X)).all()
            kinds.add((number in idle, bool(same)))
            if number in idle:
                assert same
            elif number in reached:
                assert not same
    assert (True, True) in kinds


def test_a_text_lists_twenty_of_a_kind():
    text = "\n".join(f"IF x{number} > 1 THEN {'ab'[number % 2]}" for number in range(12))
    check = bough.parse_rules(text).check()
    many = check.of("overlap")
    lines = [line for line in str(check).splitlines() if line.startswith("overlap")]
    assert len(many) > 20
    assert len(lines) == 21
    assert lines[-1] == f"overlap: and {len(many) - 20} more"
    assert len(check.text(most=None).splitlines()) == len(check) == len(check.to_frame())
