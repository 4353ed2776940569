"""parse(print(rules)) is the same object, and a text that is no rules gives a place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bough
from bough.errors import ParameterError
from bough.model.rules.rule import Distribution
from bough.model.rules.spell import label_text, name_text, number_text
from bough.model.rules.tokens import Tokens

PLACE = re.compile(r"line (\d+), column \d+: (?!line \d).*[.?]", re.DOTALL)


def read(text, schema=None):
    """The rules of a text, or what is told of it."""
    try:
        return bough.parse_rules(text, schema)
    except ParameterError as error:
        return str(error)


def exactly(value):
    """All of a value, with its types, in which 0.0 is not -0.0."""
    if isinstance(value, Distribution):
        return exactly(list(value.items()))
    if isinstance(value, tuple | list):
        return [exactly(one) for one in value]
    if hasattr(value, "__dataclass_fields__"):
        return [type(value), *(exactly(getattr(value, name)) for name in value.__dataclass_fields__)]
    return type(value), str(value) if not isinstance(value, int) else value


def test_lists_read_back_as_they_were(dice, budget):
    for seed in range(round(300 * budget)):
        rules = dice(seed).rule_list()
        text = str(rules)
        assert "\n".join(text.splitlines()) == text  # a name never breaks a line
        again = bough.parse_rules(text, rules)
        assert again == rules, seed
        assert exactly([rule.literals for rule in again]) == exactly([rule.literals for rule in rules]), seed
        assert exactly([rule.says for rule in again]) == exactly([rule.says for rule in rules]), seed
        assert exactly(again.default) == exactly(rules.default), seed
        assert str(again) == text


def test_lists_read_back_by_a_schema_and_classes(dice, budget):
    for seed in range(round(100 * budget)):
        rules = dice(seed).rule_list()
        known = None if rules.classes is None else rules.classes.tolist()
        if known is None and rules.default is None and not rules.rules:
            continue
        again = bough.parse_rules(
            str(rules), rules.schema, classes=known, target=rules.target, unseen=rules.inputs.unseen
        )
        assert again == rules, seed


def test_what_is_inferred_is_inferred_again(dice, budget):
    n_read = 0
    for seed in range(round(200 * budget)):
        rules = read(str(dice(seed).rule_list()))
        if isinstance(rules, str):  # an ordered column, say, cannot be told from the text
            assert PLACE.fullmatch(rules), seed
            continue
        assert bough.parse_rules(str(rules)) == rules, seed
        assert rules.inputs.inferred
        n_read += 1
    assert n_read > 20 * budget


def mutated(text, dice):
    """A text with a few faults in it."""
    words = (
        "IF", " THEN ", "OR", "AND", "MISSING", "TRUE", "NOT", "IN", "IS", "inf", "nan", "DATE", "BYTES",
        "TYPED", "RULE", "OTHERWISE",
    )  # fmt: skip
    signs = ("{", "}", "(", "[", '"', "\\", ",", ":", "*", "-", "+", "<=", "!", "=", "\n", "#", "\0", "\u202e")
    pieces = (*words, *signs, "1", "1e999", "0x", "9" * 400, "x", "é", "\ud800")
    for _ in range(dice.randrange(1, 4)):
        at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + dice.randrange(12))
        how = dice.randrange(5)
        piece = (dice.choice(pieces), "", text[at:end] * 2, text[at:end][::-1], text[:0])[how]
        text = text[:at] + piece + text[end:] if how < 4 else text[:end]
    return text


def test_faults_are_named_with_their_place(dice, budget):
    refused = 0
    for seed in range(round(300 * budget)):
        roll = dice(seed)
        rules = roll.rule_list()
        text = mutated(str(rules), roll)
        for told in (read(text, rules), read(text)):
            if isinstance(told, str):
                found = PLACE.fullmatch(told)
                assert found, (seed, told)
                assert int(found[1]) <= len(re.split("\r\n|\r|\n", text))
                refused += 1
    assert refused > 300 * budget


@given(st.text(st.characters(codec=None)))
def test_any_name_reads_back(name):
    tokens = Tokens(name_text(name) + " ")
    assert tokens.name("a name").value == name
    assert tokens.next.kind == "end"


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.integers(-(1 << 5000), 1 << 5000)))
def test_any_number_reads_back(number):
    again = Tokens(number_text(number)).number("a number").value
    assert (type(again), again) == (type(number), number)
    assert number_text(again) == number_text(number)


@given(
    st.one_of(
        st.text(st.characters(codec=None)), st.booleans(), st.integers(), st.binary(), st.dates(), st.datetimes(),
        st.times(), st.timedeltas(), st.floats(allow_nan=False),
    )
)  # fmt: skip
def test_any_class_reads_back(label):
    rules = bough.parse_rules(f"IF x > 1 THEN {label_text(label)}", classes=[label, "another class"])
    assert (type(rules[0].says), rules[0].says) == (type(label), label)


@given(st.text(st.sampled_from('IFTHENANDORif then x1.5<>=!{}[]():,+*-#"\\\n')))
def test_any_text_is_rules_or_refused_with_a_place(text):
    told = read(text)
    assert not isinstance(told, str) or PLACE.fullmatch(told)


@pytest.mark.parametrize(
    "piece", ["(", "[", "{", "IF ", "- ", '"', "\\", "#", "\n", "a OR ", "1+", "9", "é", "IF x>1 THEN {"]
)
@pytest.mark.parametrize("before", ["", "IF ", "IF x IN {", "IF x > 1 THEN {a: 1, "])
def test_a_megabyte_of_anything_is_refused(before, piece):
    with pytest.raises(ParameterError) as refused:
        bough.parse_rules(before + piece * (1_000_000 // len(piece)))
    assert PLACE.fullmatch(str(refused.value))
    assert len(str(refused.value)) < 400
