"""Rules as the texts have them: a tree as logic (text 0), rules of a tree and their pruning, linear rules (text 4)."""

import numpy as np
import pytest

import bough
from bough.testing.covering import rule_gain

FRUIT = {
    "color = green": {"size = big": "Watermelon", "size = medium": "Apple", "size = small": "Grape"},
    "color = yellow": {
        "shape = round": {"size = big": "Grapefruit", "size = small": "Lemon"},
        "shape = thin": "Banana",
    },
    "color = red": {"size = medium": "Apple", "size = small": {"taste = sweet": "Cherry", "taste = sour": "Grape"}},
}


def fruit_rules():
    tree = bough.tree_from(FRUIT)
    return tree.rules(missing="known", leaves_only=True, by="class")


def test_apple_is_medium_and_not_yellow():
    """Text 0: Apple = (green AND medium) OR (red AND medium) = medium AND NOT yellow."""
    shorter = fruit_rules().simplify(order="none", free="missing")
    apple = [rule for rule in shorter.rules if rule.label == "Apple"]
    assert [set(map(str, rule.literals)) for rule in apple] == [{"color != yellow", "size = medium"}]
    assert shorter.how == "exact"


def test_the_two_gaps_of_the_fruit_tree_are_reported():
    gaps = {finding.where for finding in fruit_rules().check().gaps}
    assert gaps == {"color = red AND size = big", "color = yellow AND size = medium AND shape = round"}


def test_linear_conditions_that_follow_from_others_go():
    """Text 4: of four linear conditions only the first and the last are needed."""
    text = (
        "IF 0.40 * x1 + 0.16 * x2 < 0.11 AND 0.27 * x1 - 0.44 * x2 < -0.02 AND 0.96 * x1 - 1.77 * x2 < -0.45 "
        "AND 5.43 * x1 - 13.33 * x2 < -6.03 THEN a\nOTHERWISE b"
    )
    rules = bough.parse_rules(text)
    (rule,) = rules.simplify().rules
    assert rule.literals == (rules[0].literals[0], rules[0].literals[3])


def test_the_rule_base_of_the_text_with_its_supports():
    """Text 3: five rules of a regression tree, each with the share of the rows that it covers."""
    tree = bough.tree_from(
        {
            "age > 38.5": {"years > 2.5": 0.8, "years <= 2.5": 0.6},
            "age <= 38.5": {"job = A": 0.4, "job = B": 0.3, "job = C": 0.2},
        }
    )
    rules = tree.rules()
    assert str(rules).splitlines()[2] == "IF age <= 38.5 AND job = A THEN 0.4"
    X = {"age": [50.0, 50.0, 20.0, 20.0], "years": [3.0, 1.0, 3.0, 3.0], "job": ["A", "B", "C", "C"]}
    found = rules.statistics(X, [0.8, 0.6, 0.2, 0.2])
    assert found.alone.support.tolist() == [0.25, 0.25, 0.0, 0.0, 0.5]


def test_a_condition_goes_from_one_rule_and_stays_in_another():
    """Text 2: pruning rules one by one can drop a test near the root from one path alone."""
    rng = np.random.default_rng(0)
    X = {name: rng.integers(0, 2, 400).astype(str) for name in ("a", "b", "c")}
    y = np.where((X["b"] == "1") | ((X["a"] == "1") & (X["c"] == "1")), "yes", "no")
    clf = bough.C45RulesClassifier().fit(X, y)
    bodies = [{str(literal) for literal in rule.literals} for rule in clf.rules_]
    assert bodies == [{'b = "0"', 'c = "0"'}, {'b = "0"', 'a = "0"'}]
    assert clf.score(X, y) == 1.0


@pytest.mark.parametrize(
    ("column", "level", "label", "gain"),
    [
        ("Outlook", "Overcast", "Yes", 2.550),
        ("Humidity", "Normal", "Yes", 2.490),
        ("Wind", "Weak", "Yes", 1.334),
        ("Humidity", "High", "No", 2.712),
        ("Outlook", "Sunny", "No", 2.245),
    ],
)
def test_foil_gain_on_play_tennis(column, level, label, gain):
    """Worked example 15: s (log2 p'/t' - log2 p/t)."""
    days = bough.datasets.load_play_tennis()
    rows = list(zip(days.columns[column], days.target, strict=True))
    positive = sum(answer == label for _, answer in rows)
    covered = [answer == label for value, answer in rows if value == level]
    now, then = (positive, len(rows)), (sum(covered), len(covered))
    assert rule_gain(now, then) == pytest.approx(gain, abs=5e-4)
