"""Checks of a list of rules: overlaps, gaps, rules never reached, duplicates, literals that say nothing or contradict.

Each finding has a row that shows it and, where rows are given, the weight of those concerned. All but sums of columns
is exact: cells are compared, nothing is sampled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bough import _core
from bough.model.frame import as_frame
from bough.model.rules.celled import Celled
from bough.model.rules.cubes import Cube, check_literals, check_rules
from bough.model.rules.planes import without_implied
from bough.model.rules.pool import Pool
from bough.model.rules.rule import Rule
from bough.model.rules.spell import label_text, name_text

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Finding", "RuleCheck", "check"]

_KINDS = ("overlap", "gap", "unreached", "duplicate", "implied", "contradiction")


@dataclass(frozen=True)
class Finding:
    """One thing that is worth knowing about some rules.

    Attributes
    ----------
    kind : {"overlap", "gap", "unreached", "duplicate", "implied", "contradiction"}
    rules : tuple of int
        The numbers of the rules, from 0.
    text : str
        What was found, in words.
    where : str
        The condition under which it is so, in the rule language.
    witness : dict
        A row that shows it, by the columns that matter; None is a missing value. Empty if no row can.
    weight : float or None
        The weight of the given rows that are concerned; None without rows.
    """

    kind: str
    rules: tuple[int, ...]
    text: str
    where: str
    witness: dict[str, Any]
    weight: float | None = None

    def __str__(self) -> str:
        row = ", ".join(f"{name_text(name)} = {_shown(value)}" for name, value in self.witness.items())
        told = f"; such as {row}" if row else ""
        rows = "" if self.weight is None else f" ({self.weight:g} of the rows)"
        return f"{self.kind}: {self.text}{rows}{told}"


@dataclass(frozen=True)
class RuleCheck:
    """What `RuleList.check` found.

    Attributes
    ----------
    findings : tuple of Finding
    stopped : dict
        For each kind that may be incomplete, why.
    """

    findings: tuple[Finding, ...]
    stopped: dict[str, str]

    def of(self, kind: str) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    @property
    def overlaps(self) -> tuple[Finding, ...]:
        """Rules with different answers that hold for the same rows."""
        return self.of("overlap")

    @property
    def gaps(self) -> tuple[Finding, ...]:
        """Rows that no rule covers, if there is no default."""
        return self.of("gap")

    @property
    def unreached(self) -> tuple[Finding, ...]:
        """Rules whose rows all go to earlier ones."""
        return self.of("unreached")

    def to_frame(self) -> Any:
        """A data frame with one row a finding: pandas, else polars, else a dict of columns."""
        return as_frame(
            {
                "kind": [finding.kind for finding in self.findings],
                "rules": [", ".join(map(str, finding.rules)) for finding in self.findings],
                "text": [finding.text for finding in self.findings],
                "where": [finding.where for finding in self.findings],
                "weight": [np.nan if finding.weight is None else finding.weight for finding in self.findings],
            }
        )

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        lines = [str(finding) for finding in self.findings] or ["Nothing was found."]
        lines += [f"{kind} may be incomplete: {why}" for kind, why in self.stopped.items()]
        return "\n".join(lines)


def check(
    self: "RuleList",
    X: Any = None,
    *,
    sample_weight: Any = None,
    missing: bool = False,
    budget: float = 1.0,
    most: int = 1_000,
) -> RuleCheck:
    r"""Look for overlaps with different answers, gaps, rules never reached, duplicates and idle literals.

    Parameters
    ----------
    X : table, optional
        Rows, such as those of training: each finding then says how much weight is concerned.
    sample_weight : array, optional
    missing : bool, default=False
        Whether gaps are also looked for among rows with missing values and levels never seen.
    budget : float, default=1.0
        Seconds for all of it, counted in steps; each kind of finding has its part.
    most : int, default=1000
        The most findings of a kind.

    Returns
    -------
    RuleCheck

    Examples
    --------
    >>> import bough
    >>> rules = bough.parse_rules("IF age > 40 THEN old\nIF age > 30 THEN young\nIF age > 50 THEN young")
    >>> print(rules.check())
    overlap: rules 0 and 1 answer old and young where age > 40; such as age = 50.0
    overlap: rules 0 and 2 answer old and young where age > 50; such as age = 51.0
    gap: no rule covers age <= 30; such as age = 30.0
    unreached: rule 2 is never reached: rule 0 takes all its rows; such as age = 51.0
    """
    findings = [*_literal_findings(self)]
    plain = [number for number, rule in enumerate(self.rules) if all(literal.has_cells for literal in rule.literals)]
    some = self if len(plain) == self.n_rules else self.with_rules([self.rules[number] for number in plain])
    celled = Celled(some)
    within = None if missing else celled.known
    answers: dict[Any, int] = {}
    labels = [answers.setdefault(_key(rule), len(answers)) for rule in some.rules]
    found = check_rules(
        list(zip(celled.cubes, labels, strict=True)), celled.axes, within=within, most=most, budget=budget
    )
    said = [label_text(rule.label) for rule in self.rules]
    where: list[Cube | None] = [None] * len(findings)

    def add(kind: str, rules: tuple[int, ...], text: str, cube: Cube, witness: Any) -> None:
        findings.append(Finding(kind, rules, text, _where(celled, cube), celled.row(witness)))
        where.append(cube)

    for overlap in found.overlaps:
        if overlap.reached:
            one, two = plain[overlap.first], plain[overlap.second]
            at = _where(celled, overlap.cube)
            text = f"rules {one} and {two} answer {said[one]} and {said[two]} where {at}"
            add("overlap", (one, two), text, overlap.cube, overlap.witness)
    if self.default is None and len(plain) == self.n_rules:
        for gap in found.gaps:
            cube = gap.cube if missing else celled.of_known(gap.cube)
            add("gap", (), f"no rule covers {_where(celled, cube)}", cube, gap.witness)
    for dead in found.unreached:
        by = [plain[number] for number in dead.by]
        takers = f"rule {by[0]} takes" if len(by) == 1 else f"rules {', '.join(map(str, by))} take"
        number = plain[dead.rule]
        text = f"rule {number} is never reached: {takers} all its rows"
        add("unreached", (number, *by), text, celled.cubes[dead.rule], dead.witness)
    for twin in found.duplicates:
        one, two = plain[twin.first], plain[twin.second]
        add("duplicate", (one, two), f"rules {one} and {two} are the same", celled.cubes[twin.first], twin.witness)
    stopped = dict(found.stopped)
    if len(plain) < self.n_rules:
        stopped["overlaps, gaps, unreached"] = "rules with sums of columns have no cells to compare"
    if X is not None:
        findings = _weighed(self, celled, findings, where, X, sample_weight)
    order = {kind: place for place, kind in enumerate(_KINDS)}
    return RuleCheck(tuple(sorted(findings, key=lambda finding: order[finding.kind])), stopped)


def _literal_findings(rules: "RuleList") -> Iterator[Finding]:
    """Literals that say nothing beside the others of their rule, and those that never hold together."""
    plain = [Rule(tuple(literal for literal in rule.literals if literal.has_cells), rule.says) for rule in rules.rules]
    celled = Celled(rules.with_rules(plain))
    implied, contradictory = check_literals(celled.literals, celled.axes)
    for one in implied:
        literal = plain[one.rule].literals[one.literal]
        text = f"rule {one.rule}: {literal} says nothing beside the other literals"
        yield Finding("implied", (one.rule,), text, str(literal), celled.row(one.witness))
    for other in contradictory:
        literals = [str(plain[other.rule].literals[place]) for place in other.literals]
        yield Finding(
            "contradiction", (other.rule,), f"rule {other.rule} never holds: {' AND '.join(literals)}", "", {}
        )
    for number, rule in enumerate(rules.rules):
        kept = without_implied(rule)
        if kept is None:
            yield Finding("contradiction", (number,), f"rule {number} never holds: its sums contradict", "", {})
            continue
        for literal in rule.literals:
            if not literal.has_cells and literal not in kept.literals:
                text = f"rule {number}: {literal} follows from the other literals"
                yield Finding("implied", (number,), text, str(literal), {})


def _weighed(
    rules: "RuleList", celled: Celled, findings: list[Finding], where: list[Cube | None], X: Any, sample_weight: Any
) -> list[Finding]:
    """The findings with the weight of the rows concerned."""
    rows = rules.read(X)
    weights = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    cubes = [cube for cube in where if cube is not None]
    bodies = [Rule(celled.conjunction(cube), 0) for cube in cubes]
    kernel = Pool.of(bodies, rules.place).kernel()
    covered = _core.rules_cover(kernel, rows.columns, int(rules.inputs.unseen == "other"), 1)
    sums = iter((weights @ covered).tolist())
    return [
        finding
        if cube is None
        else Finding(finding.kind, finding.rules, finding.text, finding.where, finding.witness, next(sums))
        for finding, cube in zip(findings, where, strict=True)
    ]


def _where(celled: Celled, cube: Cube) -> str:
    return " AND ".join(map(str, celled.conjunction(cube))) or "any row"


def _key(rule: Rule) -> Any:
    return type(rule.label), rule.label


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)
