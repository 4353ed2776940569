"""Checks of a list of rules: overlaps, gaps, rules never reached or of no difference, literals that say nothing.

Each finding has a row that shows it and, where rows are given, the weight of those concerned. All but sums of columns
is exact: cells are compared, nothing is sampled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bough import _core
from bough.model.frame import as_frame
from bough.model.rules.celled import NEVER_SEEN, Celled
from bough.model.rules.cubes import Cube, check_literals, check_rules
from bough.model.rules.planes import without_implied
from bough.model.rules.pool import Pool
from bough.model.rules.rule import Rule, label_of
from bough.model.rules.spell import label_text, name_text

if TYPE_CHECKING:
    from bough.model.rules.rule_list import RuleList

__all__ = ["Finding", "RuleCheck", "check"]

_KINDS = ("overlap", "gap", "unreached", "duplicate", "idle", "implied", "contradiction")
_SHOWN = 20  # findings of a kind in a text


@dataclass(frozen=True)
class Finding:
    """One thing that is worth knowing about some rules.

    Attributes
    ----------
    kind : {"overlap", "gap", "unreached", "duplicate", "idle", "implied", "contradiction"}
    rules : tuple of int
        The numbers of the rules, from 0.
    text : str
        What was found, in words.
    where : str
        The condition under which it is so, in the rule language.
    witness : dict
        A row that shows it, by the columns that matter; None is a missing value, as are columns left out. Empty if no
        row can.
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

    def text(self, *, most: int | None = _SHOWN) -> str:
        """The findings in words, one a line.

        Parameters
        ----------
        most : int or None, default=20
            Of each kind so many, with the number of the others; None for all.
        """
        lines = []
        for kind in _KINDS:
            found = self.of(kind)
            lines += [str(finding) for finding in found[:most]]
            if most is not None and len(found) > most:
                lines.append(f"{kind}: and {len(found) - most:,} more")
        lines = lines or ["Nothing was found."]
        return "\n".join([*lines, *(f"{kind} may be incomplete: {why}" for kind, why in self.stopped.items())])

    def __str__(self) -> str:
        return self.text()


def check(
    self: "RuleList",
    X: Any = None,
    *,
    sample_weight: Any = None,
    missing: bool = False,
    budget: float = 1.0,
    most: int = 1_000,
) -> RuleCheck:
    r"""Look for overlaps with different answers, gaps, rules never reached, duplicates and what makes no difference.

    A rule makes no difference if without it every row is answered the same, by later rules or by the default. That a
    last rule without a condition overlaps with others is its sense, and no finding.

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
    labels = [answers.setdefault(_key(rule.label), len(answers)) for rule in some.rules]
    default = None
    if self.default is not None or len(plain) < self.n_rules:
        default = answers.setdefault(_key(label_of(self.default)), len(answers))
    found = check_rules(
        list(zip(celled.cubes, labels, strict=True)),
        celled.axes,
        within=within,
        default=default,
        most=most,
        budget=budget,
    )
    said = [label_text(rule.label) for rule in self.rules]
    where: list[Cube | None] = [None] * len(findings)

    def add(kind: str, rules: tuple[int, ...], text: str, cube: Cube, row: dict[str, Any], at: str = "") -> None:
        findings.append(Finding(kind, rules, text, at or _where(celled, cube), row))
        where.append(cube)

    cubes = celled.cubes
    last = len(cubes) - 1 if cubes and cubes[-1] == celled.full else -1
    for overlap in found.overlaps:
        if overlap.reached and overlap.second != last:
            one, two = plain[overlap.first], plain[overlap.second]
            at = _where(celled, overlap.cube)
            text = f"rules {one} and {two} answer {said[one]} and {said[two]} where {at}"
            row = _shortest(celled, overlap.witness, celled.asked(overlap.cube), cubes[: overlap.first])
            add("overlap", (one, two), text, overlap.cube, row, at)
    if self.default is None and len(plain) == self.n_rules:
        for gap in found.gaps:
            cube = gap.cube if missing else celled.of_known(gap.cube)
            row = _shortest(celled, gap.witness, celled.asked(cube), cubes)
            add("gap", (), f"no rule covers {_where(celled, cube)}", cube, row)
    for dead in found.unreached:
        by = [plain[number] for number in dead.by]
        takers = f"rule {by[0]} takes" if len(by) == 1 else f"rules {', '.join(map(str, by))} take"
        number = plain[dead.rule]
        text = f"rule {number} is never reached: {takers} all its rows"
        row = celled.row(dead.witness, celled.asked(cubes[dead.rule], *(cubes[taker] for taker in dead.by)))
        add("unreached", (number, *by), text, cubes[dead.rule], row)
    if found.default_unreached and len(plain) == self.n_rules:
        add("unreached", (), "OTHERWISE is never reached: the rules take all rows", celled.full, {})
    for twin in found.duplicates:
        one, two = plain[twin.first], plain[twin.second]
        row = celled.row(twin.witness, celled.asked(cubes[twin.first]))
        add("duplicate", (one, two), f"rules {one} and {two} are the same", cubes[twin.first], row)
    for idle in found.idle if len(plain) == self.n_rules else ():
        text = f"rule {idle.rule} makes no difference: without it its rows are answered {said[idle.rule]}, too"
        add("idle", (idle.rule,), text, cubes[idle.rule], celled.row(idle.witness, celled.asked(cubes[idle.rule])))
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
        row = celled.row(one.witness, {axis for axis, _ in celled.literals[one.rule]})
        yield Finding("implied", (one.rule,), text, str(literal), row)
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


def _shortest(celled: Celled, witness: Any, only: set[int], others: Sequence[Cube]) -> dict[str, Any]:
    """A witness by some columns, if without the others no other rule holds; else by all."""
    cell = celled.lacking(witness, only)
    held = cell is None or any(all(own & mask for own, mask in zip(cell, cube, strict=True)) for cube in others)
    return celled.row(witness, None if held else only)


def _key(label: Any) -> Any:
    return type(label), label


def _shown(value: Any) -> str:
    """A value as the rule language writes it, so that a level called missing is none."""
    if value is None:
        return "missing"
    return str(value) if value is NEVER_SEEN or not isinstance(value, str) else label_text(value)
