"""Covering: rules for one class after the other, each grown on some rows and pruned on others, until they cover enough.

One loop of the kernel (`cover/covering`) serves IREP, IREP*, RIPPER and JRip; a learner named after one of them says
which parts it is made of. This is the way from its parameters to that loop and back to rules.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough import _core
from bough.errors import ParameterError
from bough.learn.row_text import row_text
from bough.learn.rule_estimator import RuleClassifier, RuleTraining
from bough.learn.target import target_name
from bough.model.hints import no_column
from bough.model.rules import Rule, RuleList
from bough.model.rules.parse import parse_rules
from bough.model.rules.pool import Pool
from bough.recipe import parameters as check
from bough.recipe.draws import read_draws
from bough.table import Schema

__all__ = ["CoveringClassifier"]

_LITERALS = ("=", "!=", "in", "<=", ">", "missing")
_MOST = 2**32 - 1


class CoveringClassifier(RuleClassifier):
    """A classifier of rules learnt by covering; subclasses have a docstring, parameters and `_parts`."""

    # Parameters that every subclass has.
    allow: Any
    cut_at: Any
    folds: Any
    min_weight: Any
    min_precision: Any
    max_literals: Any
    max_rules: Any
    forbidden: Any
    required: Any
    monotonic_cst: Any
    initial_rules: Any
    draws: Any
    random_state: Any

    def _parts(self) -> dict[str, Any]:
        """Options of the loop that make the named learner."""
        raise NotImplementedError

    def _check(self) -> None:
        check.choice("unseen", self.unseen, ["missing", "other", "error"])
        check.choice("cut_at", self.cut_at, ["midpoint", "data_value"])
        check.whole("folds", self.folds, 2)
        check.share("min_weight", self.min_weight, 0.0, np.inf)
        check.share("min_precision", self.min_precision, 0.0, 1.0)
        check.whole("max_literals", self.max_literals, 1, none=_MOST)
        check.whole("max_rules", self.max_rules, 0, none=_MOST)
        check.share("smoothing", self.smoothing, 0.0, np.inf)
        if isinstance(self.allow, str) or not isinstance(self.allow, Sequence) or not self.allow:
            raise ParameterError(f"allow must list kinds of literals, out of {_listed()}; got {self.allow!r:.80}.")
        for kind in self.allow:
            if kind not in _LITERALS:
                raise ParameterError(f"allow names {kind!r:.40}, which is no kind of literal: there are {_listed()}.")
        both = set(_names(self.forbidden)) & set(_names(self.required))
        if both:
            raise ParameterError(f"the column {min(both)!r:.60} is both forbidden and required.")
        self._drawing()
        self._parts()

    def _drawing(self) -> Any:
        return read_draws(self.draws)

    def _learn(self, read: RuleTraining) -> RuleList:
        model = RuleList(self._inputs(read), self._answer(read), (), None, target_name(read.given[1]))
        initial = self._initial(model)
        options = {**self._options(read), **self._parts()}
        found = _core.cover(
            read.ranked(),
            read.codes,
            len(read.labels),
            read.weights,
            options,
            *_flat(initial, model, read.labels),
            progress=read.progress,
        )
        return self._listed(model, read, found, initial)

    def _options(self, read: RuleTraining) -> dict[str, Any]:
        """What all coverings are asked."""
        schema = read.schema
        n_rows = len(read.codes)
        return {
            "allow": list(self.allow),
            "cut_at": self.cut_at,
            "folds": self.folds,
            "min_weight": float(self.min_weight),
            "min_precision": float(self.min_precision),
            "max_literals": _MOST if self.max_literals is None else int(self.max_literals),
            "max_rules": _MOST if self.max_rules is None else int(self.max_rules),
            "forbidden": _flags("forbidden", self.forbidden, schema),
            "required": _flags("required", self.required, schema),
            "monotone": _monotone(self.monotonic_cst, schema, len(read.labels)),
            "threads": read.threads,
            **self._drawing().cover_options(self.random_state, lambda row: row_text(read, row), n_rows),
        }

    def _initial(self, model: RuleList) -> RuleList | None:
        """The rules to begin with, in the columns and classes of the table."""
        given = self.initial_rules
        if given is None:
            return None
        if not isinstance(given, str | RuleList | list | tuple) or not all(
            isinstance(rule, Rule) for rule in (given if isinstance(given, list | tuple) else ())
        ):
            raise ParameterError(
                f"initial_rules must be a text of rules, a RuleList or a list of Rule; got {type(given).__name__}."
            )
        text = given if isinstance(given, str) else "\n".join(map(str, given))
        read = parse_rules(text, schema=model.schema, classes=np.asarray(model.classes).tolist())
        if isinstance(given, str):
            return read
        marked = [
            Rule(new.literals, new.says, old.name, old.note, old.locked, old.origin or "expert")
            for old, new in zip(given, read, strict=True)
        ]
        return read.with_rules(marked)

    def _listed(self, model: RuleList, read: RuleTraining, found: dict[str, Any], initial: RuleList | None) -> RuleList:
        """The kernel's rules as ours, with the counts of the rows that each takes in its turn."""
        bodies = read.literals(found["rules"])
        names = read.labels.tolist()
        first: Sequence[Rule] = () if initial is None else initial.rules
        rules = [
            _rule(body, names[label], type(self).__name__, first[begun] if begun >= 0 else None)
            for body, label, begun in zip(bodies, found["rule_class"].tolist(), found["initial"].tolist(), strict=True)
        ]
        default = names[int(found["class_order"][-1])]
        listed = model.with_rules(rules, default)
        return listed.with_rules(rules, default, _counts(listed, read))


def _rule(body: tuple[Any, ...], label: Any, learner: str, begun: Rule | None) -> Rule:
    """A rule; one that was there before keeps its name and note."""
    if begun is None:
        return Rule(body, label, origin=learner)
    same = body == begun.literals
    return Rule(body, label, begun.name, begun.note, begun.locked, begun.origin if same else learner)


def _counts(rules: RuleList, read: RuleTraining) -> npt.NDArray[np.float64]:
    """The weights of the classes among the rows that each rule takes; priors count, costs do not."""
    taken = _core.rules_apply(rules.kernel, read.columns, 0, read.threads)
    given = read.training.weights
    weights = read.decisions.class_scale[read.codes] * (1.0 if given is None else given)
    shape = rules.n_rules + 1, len(read.labels)
    place = np.ravel_multi_index((taken, read.codes), shape)
    return np.bincount(place, weights, shape[0] * shape[1]).astype(np.float64, copy=False).reshape(shape)


def _flat(initial: RuleList | None, model: RuleList, labels: npt.NDArray[Any]) -> tuple[Any, Any, Any]:
    """Rules to begin with as the kernel takes them: bodies, classes and locks."""
    if initial is None:
        return None, None, None
    number = {label: code for code, label in enumerate(labels.tolist())}
    classes = np.array([number[rule.label] for rule in initial], dtype=np.uint32)
    return Pool.of(initial.rules, model.place).kernel(), classes, np.array([rule.locked for rule in initial], np.uint8)


def _flags(parameter: str, given: Any, schema: Schema) -> list[int]:
    """A flag a column."""
    names = _names(given)
    for name in names:
        if name not in schema.names:
            raise ParameterError(f"{parameter}: {no_column(str(name), schema.names)}")
    return [int(name in names) for name in schema.names] if names else []


def _names(given: Any) -> list[Any]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _monotone(given: Any, schema: Schema, n_classes: int) -> list[int]:
    """A sign a column."""
    if given is None:
        return []
    signs = check.by_column("monotonic_cst", given, schema, 0.0)
    if n_classes != 2 and signs.any():
        raise ParameterError(f"monotonic_cst says when the second of two classes gets likelier; there are {n_classes}.")
    if not np.isin(signs, (-1, 0, 1)).all():
        raise ParameterError(f"monotonic_cst takes -1, 0 and 1; got {signs.tolist()}.")
    return [int(sign) for sign in signs]


def _listed() -> str:
    return ", ".join(map(repr, _LITERALS))
