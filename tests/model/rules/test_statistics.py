"""Statistics of rules: what is counted agrees with a count by brute force, and what follows from it is what it says."""

import math
import random

import numpy as np
import pytest

import bough
from bough.errors import DataError
from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.inputs import Inputs
from bough.model.rules import Bound, Distribution, Interval, Known, Levels, Missing, Rule, RuleList
from bough.model.wilson import wilson
from bough.table import Column, Schema
from bough.testing.rules import count_rules, cover, first_rules

X1 = Column("x", "numeric", "float64")
K = Column("k", "nominal", "levels", ("a", "b", "c"))
SIZE = Column("size", "ordered", "levels", ("S", "M", "L"))
LABELS = ["no", "yes", "maybe"]


def literal(rng):
    bound = Bound(rng.choice([0.0, 0.5, 1.0]), rng.random() < 0.5)
    return rng.choice(
        [
            Interval(X1, low=bound, or_missing=rng.random() < 0.3),
            Interval(X1, high=bound),
            Interval(X1, Bound(0.25, False), Bound(0.75, True), negated=rng.random() < 0.5),
            Levels(K, tuple(sorted(rng.sample(range(3), rng.randint(1, 2)))), negated=rng.random() < 0.5),
            Interval(SIZE, high=Bound(1, True), or_missing=rng.random() < 0.5),
            Missing(K),
            Known(X1),
        ]
    )


def drawn(rng, *, classes):
    """A list and rows for it, as a table and as cells."""

    def says():
        if not classes:
            return rng.choice([1, 2.5, -3.0])
        return rng.choice([*LABELS, Distribution({"yes": 0.7, "no": 0.3})])

    rules = tuple(Rule(tuple(literal(rng) for _ in range(rng.randint(0, 3))), says()) for _ in range(rng.randint(0, 5)))
    answer = ClassAnswer(np.array(LABELS)) if classes else NumberAnswer()
    unseen = rng.choice(["missing", "other"])
    made = RuleList(Inputs(Schema((X1, K, SIZE)), unseen=unseen), answer, rules, rng.choice([None, says()]))
    n = rng.randint(1, 40)
    x = [rng.choice([math.nan, 0.0, 0.25, 0.3, 0.5, 1.0, 2.0]) for _ in range(n)]
    k = [rng.choice(["a", "b", "c", None, "new"]) for _ in range(n)]
    size = [rng.choice(["S", "M", "L", None]) for _ in range(n)]
    code = {"a": 0, "b": 1, "c": 2, None: None, "new": -2 if unseen == "other" else None, "S": 0, "M": 1, "L": 2}
    cells = [[None if a != a else a, code[b], code[c]] for a, b, c in zip(x, k, size, strict=True)]
    table = {"x": x, "k": np.array(k, dtype=object), "size": np.array(size, dtype=object)}
    y = [rng.choice(LABELS) if classes else rng.choice([0.0, 1.0, 5.0]) for _ in range(n)]
    weight = [rng.choice([0.0, 0.5, 1.0, 3.0]) for _ in range(n)] if rng.random() < 0.5 else [1.0] * n
    return made, table, cells, y, weight


@pytest.mark.filterwarnings("ignore:.*levels that no training row held")
@pytest.mark.parametrize("classes", [True, False])
def test_statistics_agree_with_brute_force(classes, budget):
    for seed in range(max(1, round(80 * budget))):
        rules, table, cells, y, weight = drawn(random.Random(seed), classes=classes)
        found = rules.statistics(table, y, weight)
        covered = cover(rules.rules, cells, rules.place)
        assert rules.apply(table).tolist() == first_rules(covered)
        assert rules.covers(table).tolist() == covered
        said = [rule.label for rule in rules] + [getattr(rules.default, "label", rules.default)]
        for way, turn in ((found.alone, False), (found.turn, True)):
            told = count_rules(covered, said, y, weight, turn=turn, classes=LABELS if classes else ())
            told = told if turn else told[:-1]
            for name in told[0] if told else ():
                ours = np.asarray(getattr(way, name), dtype=float)
                assert np.allclose(ours, np.array([one[name] for one in told], dtype=float), equal_nan=True), name
        taken = rules.rows(table)
        assert sorted(np.concatenate(taken).tolist()) == list(range(len(y)))
        alone = rules.rows(table, alone=True)
        assert [row.tolist() for row in alone[:-1]] == [
            [row for row in range(len(y)) if covered[row][number]] for number in range(rules.n_rules)
        ]
        assert alone[-1].tolist() == taken[-1].tolist()


def test_score_gives_the_probabilities_of_the_rows_that_a_rule_takes():
    rules = bough.tree_from({"age > 38.5": "yes", "age <= 38.5": "no"}).rules()
    X, y = {"age": [20, 30, 40, 50, 60]}, ["no", "no", "no", "yes", "yes"]
    scored = rules.score(X, y)
    assert scored.predict_proba({"age": [45, 10]}).tolist() == [[1 / 3, 2 / 3], [1.0, 0.0]]
    assert scored == rules  # what was counted is not compared
    low, high = scored.stats["scored"].turn.interval()
    assert (low[0], high[0]) == tuple(end.item() for end in wilson(2 / 3, 3))
    heavy = rules.score(X, y, [5.0] * 5, name="growing").stats["growing"]
    assert heavy.turn.interval()[0][0] == low[0]  # the scale of weights tells nothing
    assert heavy.turn.laplace[0] == 11 / 17
    assert heavy.turn.lift[0] == pytest.approx((2 / 3) / (2 / 5))
    assert heavy.turn.recall[:2].tolist() == [1.0, 2 / 3]
    frame = scored.stats["scored"].to_frame()
    assert list(frame["rule"]) == ["IF age > 38.5 THEN yes", "IF age <= 38.5 THEN no", "OTHERWISE"]
    assert list(frame["support"])[:2] == [0.6, 0.4]


def test_what_cannot_be_counted_is_named():
    rules = bough.tree_from({"age > 38.5": "yes", "age <= 38.5": "no"}).rules()
    numbers = bough.tree_from({"age > 38.5": 1.0, "age <= 38.5": 0.0}).rules()
    for call, message in (
        (lambda: rules.statistics({"age": [1]}, ["none"]), "row 0, which is none of the classes"),
        (lambda: rules.statistics({"age": [1]}, ["no", "no"]), "X has 1 rows"),
        (lambda: rules.statistics({"age": [1]}, ["no"], [-1.0]), "at least 0; row 0 does not"),
        (lambda: rules.statistics({"age": [1]}, ["no"], [1.0, 2.0]), "sample_weight has the shape"),
        (lambda: numbers.statistics({"age": [1]}, ["a"]), "y must hold numbers"),
        (lambda: numbers.statistics({"age": [1]}, [np.inf]), "finite numbers; row 0"),
    ):
        with pytest.raises(DataError, match=message):
            call()
