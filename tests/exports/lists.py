"""Ordered lists of rules as programs made by hand, and a model that answers by its program."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from bough.model.answer import ClassAnswer, NumberAnswer
from bough.model.inputs import Inputs
from bough.model.program.cells import cells_of_frame
from bough.model.program.fields import edge_of, field_of
from bough.model.program.interpret import run
from bough.model.program.program import END, FAIL, Among, Between, Either, Every, Missing, Program, Rule, Step, Unseen
from bough.table import Column, Schema

SCHEMA = Schema(
    (
        Column("age", "numeric", "float64"),
        Column("unread", "numeric", "float64"),
        Column("job", "nominal", "levels", ("A", "it's", "C", "D", "é"), unused=(3,)),
        Column("born", "numeric", "date"),
        Column("count", "numeric", "int64"),
        Column("flag", "nominal", "levels", (False, True)),
    )
)
AGE, JOB, BORN, COUNT, FLAG = range(5)  # fields, in the order of the columns that are read
FIELDS = tuple(field_of(SCHEMA, index) for index in (0, 2, 3, 4, 5))


def between(field, above=None, below=None, side="le"):
    edges = (None if number is None else edge_of(FIELDS[field], number, side) for number in (above, below))
    return Between(field, *edges)


RULES = (
    Every((between(AGE, 30.5), Among(JOB, (0, 2)))),
    Every((between(AGE, 20, 50, "lt"), between(COUNT, below=3), Among(FLAG, (1,)))),
    Every((Unseen(JOB), between(BORN, 18_321))),
    Among(JOB, (1,)),
    Every((between(AGE, 10), between(AGE, below=25), Among(JOB, (0, 1, 2)), Among(JOB, (2, 3)))),
    Every((between(COUNT), between(AGE, below=0.1))),
    between(BORN, -5, 5),
)
WITH_ALTERNATIVES = (
    Every((Missing(AGE), Among(JOB, (0, 1)))),
    Every((Either((between(AGE, below=10), between(AGE, 40, side="lt"))), Either((Among(FLAG, (1,)), Missing(FLAG))))),
    Every((Either((Among(JOB, (1, 2)), Unseen(JOB))), between(COUNT, 4), Either((between(BORN, 0), Missing(BORN))))),
    Either((between(COUNT, -2, -1), between(COUNT, 7, 9), Missing(COUNT))),
    Every((Either((Missing(JOB), Unseen(JOB))), between(AGE, 20))),
    Every((Missing(BORN), Missing(FLAG))),
    Missing(JOB),
    Either((between(BORN, below=-100), between(BORN, 100))),
    Unseen(JOB),
)


class ProgramModel:
    """A model that answers by its program, as the interpreter runs it."""

    kind = "made by hand"
    target = "y"

    def __init__(self, program):
        self._program = program
        self.inputs = Inputs(program.schema, refuses_missing=program.refuses_missing)
        self.answer = ClassAnswer(np.array(program.classes)) if program.is_classifier else NumberAnswer()

    def program(self):
        return self._program

    def _run(self, X):
        answers = run(self._program, cells_of_frame(self._program, X))
        if answers.failed.any():
            raise ValueError("a row has no answer")
        return answers

    def read(self, X, *, every=False, reader="the model"):
        return self.inputs.read(X, reader=reader)

    def predict(self, X, *, n_threads=1):
        answers = self._run(X)
        return np.array(answers.labels) if self._program.is_classifier else answers.values

    def predict_proba(self, X, *, n_threads=1):
        return self._run(X).probabilities

    def to_content(self):
        raise NotImplementedError

    @classmethod
    def from_content(cls, content, limits):
        raise NotImplementedError


def listed(conditions, *, classes=("no", "yes", "maybe"), fails=(), **more):
    """The program of a list: each condition leads to an end of its own, or to no answer; a default comes last."""
    n = len(conditions)
    steps = []
    for k, condition in enumerate(conditions):
        following = 2 * k + 2
        then = FAIL if k in fails else following - 1
        steps += [Step((Rule(condition, then),), following, (), (following - 1, following), f"rule {k + 1} | else")]
        steps += [Step()]
    steps.append(Step())
    about = {"schema": SCHEMA, "fields": FIELDS, "steps": tuple(steps), "target": "y", **more}
    if not classes:
        return Program(values=np.arange(2 * n + 1) / 3.0, **about)
    label = np.arange(2 * n + 1) // 2 % len(classes)
    shares = np.full((2 * n + 1, len(classes)), 0.1)
    shares[np.arange(2 * n + 1), label] += np.arange(2 * n + 1) + 1.0
    shares /= shares.sum(axis=1, keepdims=True)
    return Program(
        classes=tuple(classes),
        label=label,
        probabilities=shares,
        worth=shares,
        order=tuple(range(len(classes))),
        **about,
    )


def _alternatives(terms):
    """Those of one field."""
    own = tuple(dict.fromkeys(term for term in terms if term.field == terms[0].field))
    return Either(own) if len(own) > 1 else own[0]


NUMBERS = st.sampled_from([-1.5, 0, 1, 2.5, 7])
SIMPLE = st.one_of(
    st.builds(
        lambda field, pair, one, side: between(field, *((min(pair), max(pair)) if one is None else one), side),
        st.sampled_from([AGE, BORN, COUNT]),
        st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] != pair[1]),
        st.one_of(st.none(), NUMBERS.map(lambda x: (x, None)), NUMBERS.map(lambda x: (None, x)), st.just((None, None))),
        st.sampled_from(["le", "lt"]),
    ),
    st.builds(
        lambda field, codes: Among(field, tuple(sorted(code for code in codes if code < len(FIELDS[field].levels)))),
        st.sampled_from([JOB, FLAG]),
        st.sets(st.integers(0, 3), min_size=1, max_size=3),
    ),
    st.builds(Unseen, st.just(JOB)),
    st.builds(Missing, st.sampled_from([AGE, JOB, BORN, COUNT, FLAG])),
)
EITHER = st.lists(SIMPLE, min_size=2, max_size=12).map(_alternatives)
TERMS = st.one_of(SIMPLE, EITHER)
CONDITIONS = st.one_of(TERMS, st.lists(TERMS, min_size=1, max_size=4).map(lambda terms: Every(tuple(terms))))


@st.composite
def random_lists(draw):
    """A list of up to twelve rules for classes or numbers."""
    conditions = draw(st.lists(CONDITIONS, min_size=1, max_size=12))
    return listed(conditions, classes=draw(st.sampled_from([("no", "yes", "maybe"), ()])))


@st.composite
def random_steps(draw):
    """One step of several rules, which may overlap, to three ends or to itself."""
    targets = st.sampled_from([1, 2, 3, END])
    rules = draw(st.lists(st.builds(Rule, CONDITIONS, targets), min_size=2, max_size=8))
    step = Step(tuple(rules), draw(targets), (), (1, 2, 3, 4), "one | two | three | never")
    return replace(listed(RULES[:2]), steps=(step, Step(), Step(), Step(), Step()))
