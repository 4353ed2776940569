"""Lists of rules with literals of every kind, made by chance, and rows to ask them; other tests take them too."""

import numpy as np

from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.inputs import Inputs
from bough.model.rules import Bound, Distribution, Interval, Known, Levels, Missing, Rule, RuleList
from bough.table import Column, Schema

AGE = Column("age", "numeric", "float64")
COUNT = Column("count", "numeric", "int64")
BORN = Column("born", "numeric", "date")
JOB = Column("job", "nominal", "levels", ("A", "B", "it's", "unheld", "é"), unused=(3,))
SIZE = Column("size", "ordered", "levels", ("S", "M", "L", "XL"))
FLAG = Column("flag", "nominal", "levels", (False, True))
IDLE = Column("idle", "numeric", "float64")
SCHEMA = Schema((AGE, COUNT, IDLE, BORN, JOB, SIZE, FLAG))
CLASSES = ("yes", "no", "maybe")

_NUMBERS = {"age": [-1.5, 0.0, 0.1, 2.5, 7.0, 38.5], "count": [-2, -1, 0, 3, 2.5, 9], "born": [-400, 0, 1, 18_321]}


def bounds(rng, column):
    """Two bounds of a column, the lower one first."""
    values = _NUMBERS.get(column.name) or list(range(column.n_levels))
    low, high = sorted(rng.choice(len(values), 2, replace=False))
    low, high = sorted((values[low], values[high]))
    return Bound(low, bool(rng.integers(2))), Bound(high, bool(rng.integers(2)))


def interval(rng, column):
    low, high = bounds(rng, column)
    kind = rng.integers(4)
    or_missing = bool(rng.integers(4) == 0)
    if kind < 2:
        return Interval(column, *((low, None) if kind else (None, high)), or_missing=or_missing)
    return Interval(column, low, high, negated=bool(kind == 3), or_missing=or_missing)


def levels(rng, column):
    size = int(rng.integers(1, column.n_levels))
    codes = tuple(sorted(rng.choice(column.n_levels, size, replace=False).tolist()))
    return Levels(column, codes, negated=bool(rng.integers(2)), or_missing=bool(rng.integers(4) == 0))


def literal(rng):
    """Some literal that asks one column."""
    column = [AGE, COUNT, BORN, JOB, SIZE, FLAG][int(rng.integers(6))]
    kind = int(rng.integers(8))
    if kind < 2:
        return (Missing, Known)[kind](column)
    if column.kind == "nominal" or (column.kind == "ordered" and kind < 4):
        return levels(rng, column)
    return interval(rng, column)


def says(rng, classes):
    if not classes:
        return round(float(rng.normal()), 3)
    if rng.integers(2):
        return classes[int(rng.integers(len(classes)))]
    shares = rng.integers(1, 20, len(classes)).tolist()
    return Distribution(dict(zip(classes, shares, strict=True)))


def rule(rng, classes=CLASSES, most=4):
    return Rule(tuple(literal(rng) for _ in range(int(rng.integers(1, most + 1)))), says(rng, classes))


def rule_list(rules, default="no", *, classes=CLASSES, unseen="missing", **more):
    """The list of some rules for classes, or for numbers if there are none."""
    answer = ClassAnswer(np.array(classes)) if classes else NumberAnswer()
    return RuleList(Inputs(SCHEMA, unseen=unseen), answer, tuple(rules), default, **more)


def made(seed, n_rules=50, *, classes=CLASSES, default=True, most=4, **more):
    """A list of so many rules with literals of every kind."""
    rng = np.random.default_rng(seed)
    rules = [rule(rng, classes, most) for _ in range(n_rules)]
    said = (classes[0] if classes else 0.25) if default else None
    return rule_list(rules, said, classes=classes, **more)


def rows(seed, n=200):
    """Rows with values beside all bounds, missing ones and levels never seen."""
    rng = np.random.default_rng(seed)

    def some(values):
        return [values[k] for k in rng.integers(len(values), size=n)]

    days = np.array([-401, -400, 0, 1, 2, 18_321, 18_322]).astype("M8[D]").tolist()
    return {
        "age": some([None, -2.0, -1.5, -1.0, 0.0, 0.05, 0.1, 1.0, 2.5, 7.0, 8.0, 38.5, 40.0]),
        "count": some([None, -3, -2, -1, 0, 1, 2, 3, 5, 9, 10]),
        "idle": [0.0] * n,
        "born": some([None, *days]),
        "job": some([None, "A", "B", "it's", "é", "unheld", "never"]),
        "size": some([None, "S", "M", "L", "XL", "XXL"]),
        "flag": some([None, False, True]),
    }


def covered(rules, X):
    """By row the number of the rule that decides, by what the literals say one by one."""
    names = rules.schema.names
    encoded = rules.read(X, every=True).encoded
    numbers = []
    for row in range(len(encoded[0].data)):
        cells = []
        for name, column in zip(names, encoded, strict=True):
            value = column.data[row].item()
            gone = value != value or (column.missing is not None and bool(column.missing[row]))
            coded = rules.schema.columns[names.index(name)].kind != "numeric"
            gone = gone or (coded and (value == -1 or (value == -2 and rules.inputs.unseen != "other")))
            cells.append(None if gone else value)
        fired = (k for k, rule in enumerate(rules.rules) if rule.covers(cells, rules.place))
        numbers.append(next(fired, rules.n_rules))
    return numbers
