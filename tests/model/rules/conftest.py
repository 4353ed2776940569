"""Random lists of rules over hostile tables: names, levels of every type, times and numbers at their limits."""

import datetime as dt
import math
import random
import struct

import pytest

from bough.errors import ParameterError
from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.answer.labels import class_array
from bough.model.inputs import Inputs
from bough.model.rules import (
    Bound,
    Distribution,
    Interval,
    Known,
    Levels,
    Missing,
    Rule,
    RuleList,
    Sum,
    SumTerm,
)
from bough.table import Column, OtherLabel, Schema, label_key

WORDS = (
    "age", "years", "job", "A", "x1", "_", "Größe", "名前", "e5", "x²", "ª", "if", "THEN", "And", "missing",
    "TRUE", "Inf", "nan", "false", "DATE", "bytes", "Other", "rule", "otherwise", "else", "is", "in", "not",
    "known", "or", "\u212anown", "\u0130f",
)  # fmt: skip
SIGNS = (
    "", " ", "years in job", "1", "-1", "1.0", "0x1f", "1e5", ".5", '"', '""', "\\", "\\u0041", 'a"b\\', "a = b",
    "a # b",
    "#", "{", "}", "[a, b]", "a\nb", "\r", "\t", "\0", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "a.b",
    "a-b", "'", "x" * 300,
    "\u200f", "\u202eabc", "\u200b", "\U0001f600", "\U0010ffff", "e\u0301", "שלום", "مرحبا",
    "\ud800", "\udc00", "\ud83d\ude00", "\ude00\ud83d",
)  # fmt: skip
NAMES = WORDS + SIGNS
WHOLE = [0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]
REAL = [0.0, -0.0, 1.0, 0.1, 38.5, 1 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e22, 1e16, math.inf]
NUMBERS = ["float64", "float32", "int64", "uint64", "null"]
TIMES = ["date", "time", *(f"datetime64[{unit}{zone}]" for unit in ("s", "ms", "us", "ns")
                           for zone in ("", ", UTC", ", Europe/Paris", ", No/Where")),
         *(f"timedelta64[{unit}]" for unit in ("s", "ms", "us", "ns"))]  # fmt: skip
TICKS = [0, 1, -1, 18321, 86_399_999_999, 1_582_934_400, 1_582_934_400_123_456, 1_582_934_400_123_456_789, -719_162,
         -62_135_596_800, 253_402_300_799, 2_932_896, 2_932_897, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]  # fmt: skip


class Dice(random.Random):
    """Random pieces of rules."""

    def double(self):
        pick = self.random()
        if pick < 0.4:
            return self.choice(REAL) * self.choice((1, -1))
        if pick < 0.7:
            return round(self.gauss(0, 100), self.randrange(4))
        bits = struct.unpack("<d", self.randbytes(8))[0]
        return 0.5 if math.isnan(bits) else bits

    def integer(self):
        return self.choice((self.choice(WHOLE), self.randrange(-50, 50), self.randrange(-(2**63), 2**63)))

    def text(self):
        if self.random() < 0.7:
            return self.choice(NAMES)
        ranges = ((32, 127), (0, 256), (0x300, 0x2100), (0xD7F0, 0xE010), (0x10000, 0x110000))
        return "".join(chr(self.randrange(*self.choice(ranges))) for _ in range(self.randrange(1, 6)))

    def moment(self):
        whole = dt.datetime.min + dt.timedelta(
            microseconds=self.randrange(1, (dt.datetime.max - dt.datetime.min) // dt.timedelta(microseconds=1))
        )
        return self.choice(
            (whole, whole.replace(microsecond=0), whole.replace(hour=0, minute=0, second=0, microsecond=0))
        )

    def label(self):
        kinds = (
            self.text, self.text, self.integer, lambda: self.double() + 0.0, lambda: self.random() < 0.5,
            lambda: self.choice((2**70, -(10**50), 1 << 3000)), lambda: self.randbytes(self.randrange(4)),
            lambda: self.moment().date(), self.moment, lambda: self.moment().replace(tzinfo=dt.UTC),
            lambda: self.moment().time(),
            lambda: dt.timedelta(microseconds=self.choice((0, 1, -1, self.randrange(-(10**15), 10**15)))),
            lambda: self.choice((dt.timedelta.min, dt.timedelta.max)),
            lambda: OtherLabel(self.choice(("Interval", "Color", "datetime64[ns]", self.text())), self.text()),
        )  # fmt: skip
        return self.choice(kinds)()

    def labels(self, most, alike=False):
        first = type(self.label())
        found = {}
        for _ in range(self.randrange(1, most + 1)):
            label = self.label()
            if not alike or type(label) is first:
                found.setdefault(label_key(label), label)
        return tuple(found.values()) or ("A",)

    def schema(self):
        columns = {}
        for _ in range(self.randrange(1, 6)):
            name, kind = self.text(), self.choice(("numeric", "times", "ordered", "nominal"))
            if kind in ("numeric", "times"):
                columns[name] = Column(name, "numeric", self.choice(NUMBERS if kind == "numeric" else TIMES))
            else:
                levels = self.labels(6)
                unused = tuple(code for code in range(len(levels)) if self.random() < 0.1)
                columns[name] = Column(name, kind, "levels", levels, unused)
        return Schema(tuple(columns.values()))

    def bound(self, column):
        if column.levels is not None:
            value = self.randrange(len(column.levels)) + self.choice((0, 0, 0.0, 0.5))
        elif column.dtype in TIMES:
            value = self.choice((self.choice(TICKS), self.integer(), self.choice(TICKS) + 0.5, self.double()))
        else:
            value = self.choice((self.integer, self.double))()
            if column.dtype == "uint64" and self.random() < 0.3:
                value = 2**64 - 1
        return Bound(value, self.random() < 0.5)

    def literal(self, schema):
        column = self.choice(schema.columns)
        or_missing = self.random() < 0.2
        pick = self.random()
        if pick < 0.1:
            return Missing(column)
        if pick < 0.2:
            return Known(column)
        if pick < 0.35:
            terms = []
            for _ in range(self.randrange(1, 4)):
                one = self.choice(schema.columns)
                weight = self.choice((self.double(), float(self.randrange(-3, 4))))
                terms.append(SumTerm(weight, one, -1 if one.levels is None else self.randrange(len(one.levels))))
            side = self.choice(("low", "high"))
            return Sum(tuple(terms), **{side: Bound(self.double(), self.random() < 0.5)}, or_missing=or_missing)
        if column.kind == "nominal" or (column.kind == "ordered" and pick < 0.6):
            some = self.sample(range(column.n_levels), self.randrange(1, column.n_levels + 1))
            return Levels(column, tuple(sorted(some)), self.random() < 0.3, or_missing)
        low, high = self.bound(column), self.bound(column)
        if pick < 0.55:
            return Interval(column, low, or_missing=or_missing)
        if pick < 0.75:
            return Interval(column, high=high, or_missing=or_missing)
        if pick < 0.8:
            high = low = low._replace(closed=True)
        return Interval(column, low, high, self.random() < 0.3, or_missing)

    def literals(self, schema):
        found = []
        for _ in range(self.choice((0, 1, 1, 2, 3, 5))):
            try:
                found.append(self.literal(schema))
            except ParameterError:  # no value lies between the bounds, or no column has such a number
                continue
        return tuple(found)

    def answer(self):
        """What rules may say, and how to draw it."""
        if self.random() < 0.3:
            return NumberAnswer(), lambda: self.choice((self.double, self.integer))()
        classes = self.labels(5, alike=self.random() < 0.5)

        def says():
            if self.random() < 0.6:
                return self.choice(classes)
            some = self.sample(classes, self.randrange(1, len(classes) + 1))
            return Distribution([(label, self.choice((0.1, 1 / 3, 1e-300, 7, 5e-324))) for label in some])

        return ClassAnswer(class_array(classes)), says

    def rule_list(self):
        schema = self.schema()
        answer, says = self.answer()
        rules = [
            Rule(self.literals(schema), says(), self.text() if self.random() < 0.2 else "")
            for _ in range(self.randrange(1, 6))
        ]
        default = says() if self.random() < 0.7 else None
        inputs = Inputs(schema, unseen=self.choice(("missing", "other", "error")))
        return RuleList(inputs, answer, tuple(rules), default, self.choice(("y", self.text())))


@pytest.fixture(scope="session")
def dice():
    """Dice that fall the same way for the same seed."""
    return Dice
