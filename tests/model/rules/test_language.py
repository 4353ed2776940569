"""The rule language: what it says, what it means, and what is told of a text that is none."""

import datetime as dt

import pandas as pd
import pytest

import bough
from bough.errors import ParameterError
from bough.model.inputs import Inputs
from bough.model.rules import Bound, Distribution, Interval, Levels, Rule, Sum, SumTerm
from bough.table import Column, OtherLabel, Schema

AGE = Column("age", "numeric", "float64")
JOB = Column("job", "nominal", "levels", ("A", "B", "C"))
SIZE = Column("size", "ordered", "levels", ("S", "M", "L"))
BORN = Column("born", "numeric", "date")
COUNT = Column("count", "numeric", "uint64")
SCHEMA = Schema((AGE, JOB, SIZE, BORN, COUNT))
BASE = """
IF age > 38.5 AND years > 2.5 THEN 0.8
IF age > 38.5 AND years <= 2.5 THEN 0.6
IF age <= 38.5 AND job = A THEN 0.4
IF age <= 38.5 AND job = B THEN 0.3
IF age <= 38.5 AND job = C THEN 0.2
"""


def fired(rules, **row):
    """The first rule that covers a row of cells."""
    cells = [row.get(name) for name in rules.schema.names]
    return next((number for number, rule in enumerate(rules) if rule.covers(cells, rules.place)), None)


# What it says


def test_the_rule_base_of_the_worked_example():
    rules = bough.parse_rules(BASE)
    assert str(rules) == BASE.strip()
    assert rules.schema.names == ("age", "years", "job")
    assert not rules.is_classifier
    assert [rule.says for rule in rules] == [0.8, 0.6, 0.4, 0.3, 0.2]
    rows = [(40, 3, 0), (40, 2.5, 2), (38.5, 9, 0), (30, 9, 1), (30, None, 2)]
    assert [fired(rules, age=age, years=years, job=job) for age, years, job in rows] == [0, 1, 2, 3, 4]
    assert fired(rules, age=None, years=3, job=0) is None
    assert bough.parse_rules(str(rules)) == rules


def test_keywords_are_read_in_any_case_and_lines_may_break_anywhere():
    text = "rule first: If age\n > 3 aNd job iN {A,B}\n oR missing tHen yes # why\n\n otherwise\tno"
    rules = bough.parse_rules("\ufeff" + text.replace("\n", "\r\n"), SCHEMA)
    assert str(rules) == "RULE first: IF age > 3 AND job IN {A, B} OR MISSING THEN yes\nOTHERWISE no"


def test_a_disjunction_becomes_rules_of_one_answer():
    rules = bough.parse_rules("RULE r: IF job = A AND age > 3 OR MISSING OR size = S OR age < 1 THEN yes", SCHEMA)
    assert [str(rule) for rule in rules] == [
        "RULE r: IF job = A AND age > 3 OR MISSING THEN yes",
        "RULE r: IF size = S THEN yes",
        "RULE r: IF age < 1 THEN yes",
    ]


def test_a_rule_without_conditions_and_a_list_of_a_default_alone():
    assert bough.parse_rules("IF TRUE THEN yes", SCHEMA)[0].literals == ()
    rules = bough.parse_rules("OTHERWISE {yes: 0.25, no: 0.75}", SCHEMA)
    assert len(rules) == 0
    assert rules.default == Distribution({"yes": 0.25, "no": 0.75})


def test_sums_have_signs_and_names_without_a_weight():
    (rule,) = bough.parse_rules("IF age - 2 * count + -0.5 * [job = B] >= -1 THEN yes", SCHEMA)
    terms = (SumTerm(1.0, AGE), SumTerm(-2.0, COUNT), SumTerm(-0.5, JOB, 1))
    assert rule.literals == (Sum(terms, low=Bound(-1, True)),)
    assert str(rule) == "IF 1.0 * age - 2.0 * count - 0.5 * [job = B] >= -1.0 THEN yes"


def test_numbers_dates_and_ordered_levels_are_bounded():
    text = 'IF size > S AND size IN [S, L) AND born < DATE "2020-02-29" AND count = 18446744073709551615 THEN 1'
    (rule,) = bough.parse_rules(text, SCHEMA)
    assert rule.literals == (
        Interval(SIZE, low=Bound(0, False)),
        Interval(SIZE, Bound(0, True), Bound(2, False)),
        Interval(BORN, high=Bound(18321, False)),
        Interval(COUNT, Bound(2**64 - 1, True), Bound(2**64 - 1, True)),
    )
    assert str(rule) == text


@pytest.mark.parametrize(
    ("column", "bound", "text"),
    [
        (BORN, Bound(18321.5, True), 'born <= DATE "2020-02-29"'),
        (BORN, Bound(18321.5, False), 'born <= DATE "2020-02-29"'),
        (BORN, Bound(18321.0, False), 'born < DATE "2020-02-29"'),
        (SIZE, Bound(0.5, False), "size <= S"),
        (BORN, Bound(-(2**63), True), "born <= DATE -9223372036854775808"),
        (BORN, Bound(float("inf"), True), "born <= DATE inf"),
        (Column("at", "numeric", "datetime64[ns]"), Bound(1_582_979_400_123_456_789, True),
         'at <= DATE "2020-02-29 12:30:00.123456789"'),
        (Column("at", "numeric", "datetime64[us, Europe/Paris]"), Bound(1_582_979_400_000_000, True),
         'at <= DATE "2020-02-29 13:30:00+01:00"'),
        (Column("took", "numeric", "timedelta64[ms]"), Bound(-93_600_500, True), 'took <= DATE "-1d 2h 0.5s"'),
        (Column("at", "numeric", "time"), Bound(48_600_000_000, True), 'at <= DATE "13:30:00"'),
    ],
)  # fmt: skip
def test_bounds_are_exact_to_the_tick(column, bound, text):
    literal = Interval(column, high=bound)
    assert str(literal) == text
    (rule,) = bough.parse_rules(f"IF {text} THEN 1", Schema((column,)))
    assert rule.literals == (literal,)


def test_labels_of_every_type_stay_apart():
    levels = ("1", 1, True, 1.5, b"1", dt.date(2020, 2, 29), dt.datetime(2020, 2, 29), dt.time(1, 2), dt.timedelta(1),
              dt.datetime(2020, 2, 29, tzinfo=dt.UTC), OtherLabel("Interval", "(0, 1]"))  # fmt: skip
    column = Column("x", "nominal", "levels", levels)
    texts = [str(Levels(column, (code,))) for code in range(len(levels))]
    assert texts == [
        'x = "1"', "x = 1", "x = TRUE", "x = 1.5", 'x = BYTES "1"', 'x = DATE "2020-02-29"',
        'x = DATE "2020-02-29T00:00:00"',
        'x = DATE "01:02:00"', 'x = DATE "1d"', 'x = DATE "2020-02-29T00:00:00+00:00"', 'x = TYPED "Interval" "(0, 1]"',
    ]  # fmt: skip
    for code, text in enumerate(texts):
        (rule,) = bough.parse_rules(f"IF {text} THEN a", Schema((column,)))
        assert rule.literals[0].codes == (code,)


def test_equal_rules_are_written_alike():
    answers = [1, True, 1.0, "1", b"1", Distribution({1: 1}), Distribution({True: 1})]
    rules = [Rule((), says) for says in answers]
    assert len(set(rules)) == len(rules)
    assert all((a == b) == (i == j) for i, a in enumerate(rules) for j, b in enumerate(rules))
    columns = [Column("x", "nominal", "levels", (level,)) for level in (1, True, 1.0, "1")]
    assert len({Levels(column, (0,)) for column in columns}) == 4
    assert Interval(AGE, high=Bound(1, True)) != Interval(AGE, high=Bound(1.0, True))
    assert Rule((), "a") != "a"


# What it means


@pytest.mark.parametrize(
    ("literal", "known", "other", "missing"),
    [
        ("job = A", True, False, False),
        ("job != B", True, True, False),
        ("job NOT IN {B, C}", True, True, False),
        ("job NOT IN {B, C} OR MISSING", True, True, True),
        ("job IN {A, C} OR MISSING", True, False, True),
        ("job IS KNOWN", True, True, False),
        ("job IS MISSING", False, False, True),
        ("1 * [job = A] > 0.5", True, False, False),
        ("1 * [job = A] > 0.5 OR MISSING", True, False, True),
    ],
)
def test_a_literal_on_a_missing_value_fails_unless_it_asks_for_that(literal, known, other, missing):
    rules = bough.parse_rules(f"IF {literal} THEN yes", SCHEMA)
    held = [fired(rules, job=code) == 0 for code in (0, -2, None)]
    assert held == [known, other, missing]


def test_what_is_inferred_says_so_and_takes_other_levels_as_known():
    rules = bough.parse_rules("IF job != A AND n = 3 AND x IS KNOWN AND f = TRUE THEN yes")
    assert rules.inputs.inferred
    assert rules.inputs.unseen == "other"
    assert [(column.kind, column.levels) for column in rules.schema] == [
        ("nominal", ("A",)), ("numeric", None), ("nominal", ()), ("nominal", (True,)),
    ]  # fmt: skip
    assert "as the text names them" in repr(rules)
    assert Inputs.from_json(rules.inputs.to_json(), "$.inputs") == rules.inputs
    assert bough.parse_rules("IF job != A THEN yes", unseen="missing").inputs.unseen == "missing"
    assert not bough.parse_rules("IF job != A THEN yes", SCHEMA).inputs.inferred


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("x > 1", "float64"),
        ("x = 1.5 AND x < 2", "float64"),
        (f"x > {2**60}", "int64"),
        (f"x > {2**63}", "uint64"),
        (f"x > {2**64}", "float64"),
        ('x > DATE "2020-02-29"', "date"),
        ('x > DATE "2020-02-29" AND x < DATE "2020-02-29 13:30"', "datetime64[us]"),
        ('x > DATE "2020-02-29 13:30:00.123456789"', "datetime64[ns]"),
        ('x > DATE "2020-02-29T13:30:00+01:00"', "datetime64[us, UTC]"),
        ('x != DATE "13:30"', "time"),
        ('x > DATE "1d 2h"', "timedelta64[us]"),
    ],
)
def test_types_are_inferred_from_what_is_compared(text, dtype):
    rules = bough.parse_rules(f"IF {text} THEN 1")
    assert rules.schema.columns[0].dtype == dtype
    assert bough.parse_rules(str(rules)) == rules


def test_answers_are_numbers_or_the_classes_that_are_named():
    def classes(text, **given):
        rules = bough.parse_rules(text, SCHEMA, **given)
        return None if rules.classes is None else rules.classes.tolist()

    assert classes("IF age > 1 THEN 2 OTHERWISE 0.5") is None
    assert classes("IF age > 1 THEN 2 OTHERWISE 1", classes=[2, 1, 3]) == [2, 1, 3]
    assert classes("IF age > 1 THEN b OTHERWISE {c: 1, a: 2}") == ["a", "b", "c"]
    assert classes("IF age > 1 THEN TRUE OTHERWISE FALSE") == [False, True]
    assert classes("IF age > 1 THEN b OTHERWISE 1") == [1, "b"]


def test_a_model_or_table_says_what_there_is():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.CARTClassifier(pruning=0.01).fit(X, y)
    text = "IF island = Biscoe AND flipper_length_mm > 206.5 THEN Gentoo OTHERWISE Adelie"
    for given in (clf, clf.tree_):
        rules = bough.parse_rules(text, given)
        assert rules.schema == clf.tree_.schema
        assert rules.classes.tolist() == clf.classes_.tolist()
        assert rules.target == clf.tree_.target
    assert bough.parse_rules(text, X).schema.names == clf.tree_.schema.names
    assert bough.parse_rules("IF fit = A THEN yes", pd.DataFrame({"fit": ["A"], "model_": [1]})).n_rules == 1
    again = bough.parse_rules(str(rules), rules)
    assert again == rules
    assert bough.parse_rules(text, clf, target="kind").target == "kind"
    numbers = bough.CARTRegressor().fit(X[["island"]], X["flipper_length_mm"].fillna(200))
    assert not bough.parse_rules("IF island = Biscoe THEN 217", numbers).is_classifier


def test_rules_ask_for_the_bins_of_a_model_that_has_bins():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 5, "z": list("abab") * 5})
    clf = bough.ID3Classifier().fit(X, (X["x"] > 2.5).map({True: "yes", False: "no"}))
    column = clf.model_.inputs.asked.columns[0]
    rule = Rule((Levels(column, (0,)),) if column.kind == "nominal" else (Interval(column, high=Bound(0, True)),), "no")
    assert bough.parse_rules(str(rule), clf)[0] == rule


# What is told


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("", "1:1", "expected a rule, such as IF age > 38.5 THEN yes; but the text ends here."),
        ("age > 3", "1:1", "expected IF, RULE or OTHERWISE; found 'age'."),
        ("IF aeg > 3 THEN yes", "1:4", "there is no column 'aeg'; did you mean 'age'?"),
        ("IF qqq > 3 THEN yes", "1:4", "there is no column 'qqq'; there are 'age', 'job', 'size', 'born', 'count'."),
        (
            "IF age > 3\nAND job = 'A' THEN yes",
            "2:11",
            "expected a name, a number or a sign; found \"'A' THEN yes\". Write \" instead of '.",
        ),
        ("IF job = AA THEN yes", "1:10", "'job' has no level 'AA'; did you mean A?"),
        ("IF job = Z THEN yes", "1:10", "'job' has no level 'Z'; its levels: A, B, C."),
        ("IF job > A THEN yes", "1:4", "the levels of 'job' have no order: ask for them by =, != or IN."),
        ("IF job IN {A, A} THEN yes", "1:15", "the level A of 'job' is named twice."),
        ("IF job IN A THEN yes", "1:11", "expected levels in braces, {A, B}, or an interval, (2.5, 7.0]; found 'A'."),
        ("IF age IN {1, 2} THEN yes", "1:15", "'age' is numeric: ask for one number by =, or for an interval, [1, 2]."),
        ("IF age IN (2, 1] THEN yes", "1:4", "no value of 'age' lies between 2 and 1."),
        ("IF age THEN yes", "1:8", "expected a comparison (=, !=, <, <=, >, >=), IN, NOT IN or IS; found 'THEN'."),
        (
            "IF age > 3 THEN",
            "1:16",
            "expected an answer: a class, a number or {class: share, ...}; but the text ends here.",
        ),
        ("IF age > 3 job THEN yes", "1:12", "expected AND, OR or THEN; found 'job'."),
        (
            "IF missing > 3 THEN yes",
            "1:4",
            "expected a column; a word of the language is a name only in quotes; found 'missing'.",
        ),
        ("IF age IS KNOWN OR MISSING THEN yes", "1:4", "age IS KNOWN OR MISSING always holds: leave it out."),
        (
            "IF born > 2020 THEN yes",
            "1:11",
            "expected a date such as DATE \"1970-01-01\", to compare 'born' (date) with; found 2020.",
        ),
        (
            'IF born > DATE "2020-02-30" THEN yes',
            "1:11",
            'expected a date such as DATE "1970-01-01", to compare \'born\' (date) with; found DATE "2020-02-30".',
        ),
        (
            'IF job = DATE "soon" THEN yes',
            "1:10",
            'DATE "soon" is no date, time or duration, such as 2020-02-29, 13:30:00 or 1d 2h.',
        ),
        ("IF 2 * job > 3 THEN yes", "1:8", "'job' has levels: a sum asks for one of them, as in [name = A]."),
        ("IF 2 * [age = 1] > 3 THEN yes", "1:9", "'age' is numeric: a sum takes it as it is."),
        (
            "IF inf * age > 3 THEN yes",
            "1:4",
            "expected a column; a word of the language is a name only in quotes; found 'inf'.",
        ),
        ("IF age > 1e999 THEN yes", "1:10", "1e999 is beyond all doubles: write inf if that is meant."),
        ('IF age > 3 THEN "yes', "1:17", "expected a closing quote (\"); found '\"yes'."),
        ('IF age > 3 THEN "\\x"', "1:17", '"\\x" is no JSON string: its escapes are such as \\n, \\" and \\u00e9.'),
        ("IF age > 3 THEN {a: 1, a: 2}", "1:17", "a class occurs twice in a distribution."),
        ("IF age > 3 THEN {a: -1}", "1:17", "the shares of classes are numbers of at least 0, not all of them 0."),
        (
            "OTHERWISE yes\nIF age > 3 THEN no",
            "2:1",
            "expected the end of the text, since OTHERWISE comes last; found 'IF'.",
        ),
    ],
)
def test_a_fault_is_told_with_its_place(text, place, told):
    with pytest.raises(ParameterError) as refused:
        bough.parse_rules(text, SCHEMA)
    line, column = place.split(":")
    assert str(refused.value) == f"line {line}, column {column}: {told}"


def test_classes_that_are_not_known_are_refused():
    with pytest.raises(ParameterError, match=r"column 17: there is no class yess; did you mean yes\?"):
        bough.parse_rules("IF age > 3 THEN yess", SCHEMA, classes=["yes", "no"])
    with pytest.raises(ParameterError, match="column 17: there is no class 1; the classes are TRUE, FALSE"):
        bough.parse_rules("IF age > 3 THEN 1", SCHEMA, classes=[True, False])
    numbers = bough.parse_rules("IF age > 3 THEN 1", SCHEMA)
    with pytest.raises(ParameterError, match="column 17: expected a number as answer, which a double holds; found yes"):
        bough.parse_rules("IF age > 3 THEN yes", numbers)
    with pytest.raises(ParameterError, match="each once"):
        bough.parse_rules("IF age > 3 THEN 1", SCHEMA, classes=[1, 1.0])
    with pytest.raises(ParameterError, match="unseen must be one of"):
        bough.parse_rules("IF age > 3 THEN 1", SCHEMA, unseen="majority")
    with pytest.raises(ParameterError, match="reads a text; got list"):
        bough.parse_rules(["IF age > 3 THEN 1"])


# How it is shown


def test_digits_are_for_people():
    rules = bough.parse_rules("IF x <= 1234.5678 AND c IN {0.123456, z} THEN {a: 0.33333, b: 0.66667}\nOTHERWISE a")
    assert rules.text(digits=2).splitlines() == [
        "# Numbers are rounded to 2 significant digits: this does not read back exactly.",
        "IF x <= 1235 AND c IN {0.123456, z} THEN {a: 0.33, b: 0.67}",
        "OTHERWISE a",
    ]
    assert bough.parse_rules(rules.text(digits=2)).n_rules == 1
    assert bough.parse_rules("IF x > 1 THEN 0.123456").text(digits=3).endswith("THEN 0.123")
    with pytest.raises(ParameterError, match="digits must be"):
        rules.text(digits=0)


def test_a_frame_has_a_row_a_rule():
    text = "RULE r: IF age > 3 AND job = A THEN yes\nIF TRUE THEN {no: 3, yes: 1}\nOTHERWISE no"
    rules = bough.parse_rules(text, SCHEMA)
    frame = rules.to_frame()
    assert frame.columns.tolist() == ["rule", "name", "condition", "literals", "locked", "answer", "p[no]", "p[yes]"]
    assert frame["condition"].tolist() == ["age > 3 AND job = A", "TRUE", "OTHERWISE"]
    assert frame["literals"].tolist() == [2, 0, 0]
    assert frame["answer"].tolist() == ["yes", "no", "no"]
    assert frame["p[no]"].tolist() == [0.0, 0.75, 1.0]
    assert len(bough.parse_rules("IF age > 3 THEN 1.5", SCHEMA).to_frame()) == 1


def test_a_notebook_shows_a_table_in_which_nothing_is_markup():
    rules = bough.parse_rules('RULE "<b>": IF "<i>" > 1 THEN "<u>"\n' + "IF x > 1 THEN a\n" * 300 + "OTHERWISE a")
    shown = rules._repr_html_()
    assert "&lt;b&gt;" in shown
    assert not any(mark in shown for mark in ("<b>", "<i>", "<u>"))
    assert "101 more rules" in shown
    assert shown.count("<tr>") == 203


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("IF age == 3 THEN yes", "Write = instead of ==."),
        ("IF age => 3 THEN yes", "Write >= instead of =>."),
        ("IF age =< 3 THEN yes", "Write <= instead of =<."),
        ("IF age <> 3 THEN yes", "Write != instead of <>."),
        ("IF age > 3 && job = A THEN yes", "Write AND instead of &&."),
        ("IF age > 3 || job = A THEN yes", "Write OR instead of ||."),
        ("IF age > 3 THEN yes ELSE no", "Write OTHERWISE instead of ELSE."),
        ("IF job = 'A' THEN yes", "Write \" instead of '."),
    ],
)
def test_what_other_languages_write_is_hinted_at(text, hint):
    with pytest.raises(ParameterError) as caught:
        bough.parse_rules(text)
    assert str(caught.value).endswith(hint)


def test_names_that_are_nearly_right_are_hinted_at():
    X, y = bough.datasets.load("penguins").xy()
    clf = bough.RIPPERClassifier().fit(X, y)
    for call, hint in (
        (lambda: clf.counterfactual(X.iloc[0], fixed=["iland"]), "did you mean 'island'"),
        (lambda: clf.counterfactual(X.iloc[0], to="Gento"), "did you mean 'Gentoo'"),
        (lambda: bough.RIPPERClassifier(forbidden=["iland"]).fit(X, y), "forbidden: .* did you mean 'island'"),
    ):
        with pytest.raises(ParameterError, match=hint):
            call()
