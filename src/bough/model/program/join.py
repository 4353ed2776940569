"""One program of several: the mean of what they answer, as a first step that sends a row to all of them in fractions.

Everything that knows fractions, from the writers of exports to the cases of verification, so knows means of models.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bough.errors import ParameterError
from bough.model.program.derived import Addend, Derived
from bough.model.program.program import SPREAD, Condition, Every, Field, Program, Rule, Step, Term, any_of, choices_of

__all__ = ["mean_of"]


def mean_of(programs: Sequence[Program], weights: Sequence[float] | None = None) -> Program:
    """Return the program that answers the mean of others: of their values, or of probabilities and what decides.

    Parameters
    ----------
    programs : sequence of Program
        They predict the same from the same columns, and refuse the same rows; each may read columns of its own.
    weights : sequence of float, optional
        What each counts, above 0; by default the same.

    Returns
    -------
    Program
        Node 0 leads to the first node of each; the others follow in their order.

    Examples
    --------
    >>> import bough
    >>> X = {"x": list(range(40))}
    >>> trees = [bough.CARTRegressor().fit(X, [0.0] * k + [1.0] * (40 - k)).tree_ for k in (10, 30)]
    >>> mean = mean_of([tree.program() for tree in trees], [3, 1])
    >>> mean.steps[0].shares
    ((1, 0.75), (4, 0.25))
    """
    _check(programs)
    parts = _parts(len(programs), weights)
    fields = _fields(programs)
    place = {field.index: number for number, field in enumerate(fields)}
    steps: list[Step] = [Step()]
    derived: list[Derived] = []
    roots = []
    for program in programs:
        roots.append(len(steps))
        own = [place[field.index] for field in program.fields]
        own += [len(fields) + len(derived) + k for k in range(len(program.derived))]
        steps += [_moved(step, len(steps), own) for step in program.steps]
        derived += [_summing(one, own) for one in program.derived]
    words = " | ".join(f"member {k + 1} of {len(roots)}" for k in range(min(len(roots), 8)))
    steps[0] = Step((), SPREAD, tuple(zip(roots, parts, strict=True)), tuple(roots), words)
    first = programs[0]
    answers = {name: _together(programs, parts, name) for name in ("values", "probabilities", "worth")}
    about: dict[str, Any] = {"fields": fields, "steps": tuple(steps), "derived": tuple(derived)}
    about["title"] = f"A mean of {len(roots):,} models"
    if not first.is_classifier:
        return replace(first, values=answers["values"], **about)
    # No row ends at the root; it says the class of what it says.
    label = np.concatenate([[np.argmax(answers["probabilities"][0])], *(program.label for program in programs)])
    return replace(first, label=label, probabilities=answers["probabilities"], worth=answers["worth"], **about)


def _check(programs: Sequence[Program]) -> None:
    if not programs:
        raise ParameterError("a mean needs one program at least.")
    for name in ("schema", "target", "classes", "order", "tolerance", "refuses_missing", "refuses_unseen"):
        held = [getattr(program, name) for program in programs]
        for number, other in enumerate(held):
            if other != held[0]:
                raise ParameterError(
                    f"the models of a mean must be of one {name}; that of model {number} is {other!r:.120}, that of "
                    f"model 0 is {held[0]!r:.120}."
                )


def _parts(count: int, weights: Sequence[float] | None) -> list[float]:
    """What each counts, as shares of 1."""
    given = [1.0] * count if weights is None else [float(weight) for weight in weights]
    if len(given) != count or not all(math.isfinite(weight) and weight > 0 for weight in given):
        raise ParameterError(f"weights must be {count} numbers above 0, one for each program; got {weights!r:.120}.")
    total = math.fsum(given)
    return [weight / total for weight in given]


def _fields(programs: Sequence[Program]) -> tuple[Field, ...]:
    """The columns that any of them reads."""
    held: dict[int, Field] = {}
    for program in programs:
        for field in program.fields:
            if held.setdefault(field.index, field) != field:
                raise ParameterError(f"the models of a mean know other levels of the column {field.name!r:.60}.")
    return tuple(held[index] for index in sorted(held))


def _moved(step: Step, by: int, place: Sequence[int]) -> Step:
    """A step whose nodes are counted from another one on and whose fields stand elsewhere."""

    def node(target: int) -> int:
        return target + by if target >= 0 else target

    return replace(
        step,
        rules=tuple(Rule(_asking(rule.when, place), node(rule.then)) for rule in step.rules),
        otherwise=node(step.otherwise),
        shares=tuple((node(child), share) for child, share in step.shares),
        children=tuple(map(node, step.children)),
    )


def _summing(derived: Derived, place: Sequence[int]) -> Derived:
    """A sum whose fields stand elsewhere."""
    return replace(derived, terms=tuple(_counting(term, place) for term in derived.terms))


def _counting(term: Addend, place: Sequence[int]) -> Addend:
    other = None if term.other is None else _counting(term.other, place)
    return replace(term, field=place[term.field], other=other)


def _asking(condition: Condition, place: Sequence[int]) -> Condition:
    def moved(term: Term) -> Term:
        return any_of([replace(choice, field=place[choice.field]) for choice in choices_of(term)])

    return Every(tuple(map(moved, condition.terms))) if isinstance(condition, Every) else moved(condition)


def _together(programs: Sequence[Program], parts: Sequence[float], name: str) -> Any:
    """What the nodes say: the root the mean of the first nodes, then all in their order."""
    tables = [getattr(program, name) for program in programs]
    if not len(tables[0]):
        return tables[0]
    root = sum(part * table[0] for part, table in zip(parts, tables, strict=True))
    return np.concatenate([np.asarray(root)[None], *tables])
