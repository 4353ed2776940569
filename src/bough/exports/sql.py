# ruff: noqa: S608 (writing queries is what this is for; names and labels pass through the dialect)
"""SQL: a query that reads a table and answers each of its rows; no expression is nested deeper than a few steps.

A tree of few steps is one CASE, and so is a list of rules. A deeper tree is walked by a recursive query, some steps at
a time; what spreads cases over branches is walked with a share for each part, and the parts of a row are summed.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from bough.errors import ExportError
from bough.exports.sql_options import answer_columns, options_of
from bough.exports.target import Options
from bough.exports.text import check_labels, refuse_networks, unique_names
from bough.model.program.derived import Addend, Derived
from bough.model.program.program import (
    END,
    FAIL,
    SPREAD,
    Among,
    Between,
    Condition,
    Missing,
    Pool,
    Program,
    Simple,
    Unseen,
    choices_of,
    terms_of,
)

__all__ = ["write_sql"]

_SINGLE = 8  # a tree no deeper than this is one expression
_BLOCK = 5  # steps of a deeper one that are taken at once
_FORGOTTEN = ("true", "false")  # names that SQLite does not keep for columns of a subquery


def write_sql(program: Program, options: Options) -> str:
    """The query."""
    return "".join(f"-- {line}\n" for line in options.head) + _Writer(program, options).query()


class _Own:
    """Names of our own, quoted: they begin as no name of the user's does."""

    def __init__(self, taken: Sequence[str]) -> None:
        numbers = (f"bough{k or ''}_" for k in (0, *range(2, len(taken) + 3)))
        self._begin = next(one for one in numbers if not any(name.lower().startswith(one) for name in taken))

    def __getattr__(self, name: str) -> str:
        return f'"{self._begin}{name}"'


class _Writer:
    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.dialect, self.table, self.key = options_of(program, options)
        check_labels(program, self.dialect.title)
        refuse_networks(program, self.dialect.title)
        names = [field.name for field in program.fields]
        if len(unique_names(names)) != len(names) or unique_names(names) != names:
            raise ExportError(
                f"two columns differ in upper and lower case only, which {self.dialect.title} does not tell apart: "
                "rename one before training."
            )
        self.prediction, self.shares = answer_columns(program, options, self.key)
        self.own = _Own([*names, *self.key, *self.shares, *self.table, self.prediction or ""])
        self.fields = [self._inside(name, f"field_{place}") for place, name in enumerate(names)]
        self.carried = {column: self._carried(column, place) for place, column in enumerate(self.key)}
        self.beside = [name for name in self.carried.values() if name not in self.fields]
        self.fields += [str(getattr(self.own, f"sum_{number}")) for number in range(len(program.derived))]
        self.n = len(program.steps)

    def query(self) -> str:
        if self.program.spreads:
            return self._spread_query()
        if self.program.depth <= _SINGLE or self.program.is_list:
            return self._single_query()
        return self._walk_query()

    # Parts of all forms

    def _inside(self, column: str, ours: str) -> str:
        """Under which name a column of the table is known in the query: its own, unless SQLite would forget that."""
        name = self.dialect.named(column)
        return str(getattr(self.own, ours)) if column.lower() in _FORGOTTEN else name

    def _carried(self, column: str, number: int) -> str:
        """Under which name a column of the key is carried: beside the one that is compared, where that is changed."""
        name = self.dialect.named(column)
        for place, field in enumerate(self.program.fields):
            if field.name == column:
                changed = self.dialect.cleaned(field, name) != name
                return str(getattr(self.own, f"key_{place}")) if changed else self.fields[place]
        return self._inside(column, f"beside_{number}")

    def _cases(self, more: Sequence[str] = ()) -> str:
        """The table with NULL for what is missing, and nothing that is not needed."""
        own = self.own
        columns = list(more)
        for field, name in zip(self.program.fields, self.fields, strict=False):
            given = f"t.{self.dialect.named(field.name)}"
            cleaned = self.dialect.cleaned(field, given)
            columns.append(given if cleaned == f"t.{name}" else f"{cleaned} AS {name}")
        for column, name in self.carried.items():
            given = self.dialect.named(column)
            if name in self.beside:
                columns.append(f"t.{given}" if name == given else f"t.{given} AS {name}")
        listed = ",\n    ".join(columns or [f"1 AS {own.none}"])
        source = f"SELECT {listed}\n  FROM {self.dialect.path(self.table)} AS t\n)"
        if not self.program.derived:
            return f"{own.cases} AS (\n  {source}"
        names = self.fields[len(self.program.fields) :]
        sums = ",\n    ".join(
            f"{self._sum(derived)} AS {name}" for derived, name in zip(self.program.derived, names, strict=True)
        )
        return f"{own.given} AS (\n  {source},\n{own.cases} AS (\n  SELECT *,\n    {sums}\n  FROM {own.given}\n)"

    def _sum(self, derived: Derived) -> str:
        """A sum of columns in the order of its terms, NULL where it is missing or no number."""
        terms, unknown = [], []
        for term in derived.terms:
            weight = term.weight
            number = self._counted(derived, term) if term.values else self._product(term)
            if not derived.whole and not term.values:
                number = f"COALESCE({number}, {self.dialect.double(term.fill)})"
            terms.append(f"{self.dialect.double(weight)} * {number}")
        if not derived.whole:
            told = [[self._gone(derived, place) for place in places] for places in derived.gaps()]
            unknown.append(" AND ".join(ways[0] if len(ways) == 1 else f"({' OR '.join(ways)})" for ways in told))
        total = self.dialect.without_nan(" + ".join(terms))
        return f"CASE WHEN {' OR '.join(unknown)} THEN NULL ELSE {total} END" if unknown else total

    def _product(self, term: Addend) -> str:
        """The number of a term, or the product of two; NULL where one is missing."""
        counted = []
        for factor in term.factors:
            field, name = self.program.fields[factor.field], self.fields[factor.field]
            number = self.dialect.counted(field, name, factor.origin)
            sign = "+" if factor.centre < 0 else "-"
            counted.append(number if term.other is None else f"({number} {sign} {self._double(abs(factor.centre))})")
        return counted[0] if term.other is None else f"({' * '.join(counted)})"

    def _double(self, number: float) -> str:
        return self.dialect.double(number)

    def _gone(self, derived: Derived, place: int) -> str:
        """That a column is missing, or has a level never seen that counts as missing."""
        field, name = self.program.fields[place], self.fields[place]
        if field.kind != "levels" or derived.unseen != "missing" or not field.levels:
            return f"{name} IS NULL"
        return f"({name} IS NULL OR {self._simple(Unseen(place))})"

    def _counted(self, derived: Derived, term: Addend) -> str:
        """What the level of a column counts in a sum."""
        field, name = self.program.fields[term.field], self.fields[term.field]
        unseen, gone, *values = derived.table(term)
        groups: dict[float, list[str]] = {}
        for level, value in zip(field.levels, values, strict=True):
            groups.setdefault(value, []).append(self.dialect.label(level))
        written = [(value, labels) for value, labels in groups.items() if value != unseen]
        ways = [f"WHEN {name} IN ({', '.join(labels)}) THEN {self._count(value)}" for value, labels in written]
        ways = [f"WHEN {name} IS NULL THEN {self._count(gone)}", *ways]
        return f"CASE {' '.join(ways)} ELSE {self._count(unseen)} END"

    def _count(self, value: float) -> str:
        return "NULL" if math.isnan(value) else self.dialect.double(value)

    def _key(self, prefix: str = "") -> list[str]:
        named = [(self.dialect.named(column), name) for column, name in self.carried.items()]
        return [f"{prefix}{name}" if name == given else f"{prefix}{name} AS {given}" for given, name in named]

    def _when(self, condition: Condition) -> str:
        told = [[self._simple(choice) for choice in choices_of(term)] for term in terms_of(condition)]
        return " AND ".join(choices[0] if len(choices) == 1 else f"({' OR '.join(choices)})" for choices in told)

    def _simple(self, condition: Simple) -> str:
        dialect = self.dialect
        name, field = self.fields[condition.field], self.program.asked[condition.field]
        if isinstance(condition, Between):
            parts = []
            if condition.above is not None:
                sign = ">" if condition.above.side == "le" else ">="
                parts.append(f"{name} {sign} {dialect.number(field, condition.above.number)}")
            if condition.below is not None:
                sign = "<=" if condition.below.side == "le" else "<"
                parts.append(f"{name} {sign} {dialect.number(field, condition.below.number)}")
            return " AND ".join(parts) or f"{name} IS NOT NULL"
        if isinstance(condition, Among):
            labels = [dialect.label(field.levels[code]) for code in condition.codes]
            if not labels:
                return "1 = 0"
            return f"{name} = {labels[0]}" if len(labels) == 1 else f"{name} IN ({', '.join(labels)})"
        if isinstance(condition, Missing):
            return f"{name} IS NULL"
        labels = [dialect.label(level) for level in field.levels]
        return f"{name} NOT IN ({', '.join(labels)})" if labels else f"{name} IS NOT NULL"

    def _refused(self) -> str:
        """When a case has no answer, whatever the steps say."""
        parts = []
        for field, name in zip(self.program.fields, self.fields, strict=False):
            if self.program.refuses_missing:
                parts.append(f"{name} IS NULL")
            if self.program.refuses_missing and field.kind == "real":  # such a model takes no infinity
                parts.append(f"{name} IN ({self.dialect.double(math.inf)}, {self.dialect.double(-math.inf)})")
            if self.program.refuses_unseen and field.kind == "levels" and field.levels:
                labels = ", ".join(self.dialect.label(level) for level in field.levels)
                parts.append(f"{name} NOT IN ({labels})")
        return " OR ".join(parts)

    def _expression(self, root: int, inside: Callable[[int], bool], say: Callable[[int, int], str]) -> str:
        """The steps from a node on while `inside` says so; `say(node, target)` writes what is beyond."""
        steps = self.program.steps
        order, todo = [], [root]
        while todo:
            node = todo.pop()
            order.append(node)
            todo += [child for child in steps[node].children if inside(child)]
        written: dict[int, str] = {}
        for node in reversed(order):
            step = steps[node]

            def go(target: int, node: int = node) -> str:
                return written[target] if target in written else say(node, target)

            clauses: list[tuple[str, int]] = []
            for rule in step.rules:
                when = self._when(rule.when)
                if clauses and clauses[-1][1] == rule.then:
                    clauses[-1] = (f"({clauses[-1][0]}) OR ({when})", rule.then)
                else:
                    clauses.append((when, rule.then))
            targets = [then for _, then in clauses] + [step.otherwise]
            repeated = any(targets.count(t) > 1 and t in written and steps[t].rules for t in set(targets))
            if not clauses:
                written[node] = go(step.otherwise)
            elif repeated:
                distinct = list(dict.fromkeys(targets))
                number = {target: k for k, target in enumerate(distinct)}
                inner = " ".join(f"WHEN {when} THEN {number[then]}" for when, then in clauses)
                ways = " ".join(f"WHEN {number[target]} THEN {go(target)}" for target in distinct)
                written[node] = f"CASE CASE {inner} ELSE {number[step.otherwise]} END {ways} END"
            else:
                ways = " ".join(f"WHEN {when} THEN {go(then)}" for when, then in clauses)
                written[node] = f"CASE {ways} ELSE {go(step.otherwise)} END"
        return written[root]

    def _answers(self) -> str:
        """A table of what the nodes answer in which a case can end."""
        own = self.own
        columns = [own.node]
        if self.prediction is not None:
            columns.append(self.dialect.named(self.prediction))
        columns += [self.dialect.named(name) for name in self.shares]
        rows = []
        for node in self.program.ends:
            row = [str(-1 - node)]
            if self.prediction is not None:
                row.append(self._answer(node))
            if self.shares:
                row += [self.dialect.rough(float(p)) for p in self.program.probabilities[node]]
            rows.append(f"({', '.join(row)})")
        listed = ",\n    ".join(rows or [f"(0{', NULL' * (len(columns) - 1)})"])
        return f"{own.answers} ({', '.join(columns)}) AS (\n  VALUES\n    {listed}\n)"

    def _answer(self, node: int) -> str:
        if not self.program.is_classifier:
            return self.dialect.rough(float(self.program.values[node]))
        return self.dialect.label(self.program.classes[self.program.label[node]])

    def _result(self, prefix: str) -> list[str]:
        names = ([self.prediction] if self.prediction is not None else []) + self.shares
        return [f"{prefix}{self.dialect.named(name)}" for name in names]

    # One expression

    def _single_query(self) -> str:
        own = self.own
        refused = self._refused()
        if self.prediction is not None and not self.shares:

            def say(node: int, target: int) -> str:
                return "NULL" if target == FAIL else self._answer(node)

            case = self._guarded(refused, self._whole(say))
            columns = ",\n  ".join([*self._key(), f"{case} AS {self.dialect.named(self.prediction)}"])
            return f"WITH {self._cases()}\nSELECT {columns}\nFROM {own.cases}"
        case = self._guarded(refused, self._whole(self._say))
        carried = [*self.fields, *self.beside]
        walked = ", ".join([*carried, f"{case} AS {own.node}"])
        columns = ",\n  ".join([*self._key("w."), *self._result("a.")])
        return (
            f"WITH {self._cases()},\n{self._answers()},\n"
            f"{own.walk} AS (\n  SELECT {walked}\n  FROM {own.cases}\n)\n"
            f"SELECT {columns}\nFROM {own.walk} AS w {self._answered()}"
        )

    def _whole(self, say: Callable[[int, int], str]) -> str:
        """All steps as one expression; of a long list of rules one CASE, because they would be nested once a rule."""
        program = self.program
        if program.depth <= _SINGLE:
            return self._expression(0, lambda _: True, say)
        node, ways = 0, []
        while True:
            step = program.steps[node]
            ways += [f"WHEN {self._when(rule.when)} THEN {self._end(node, rule.then, say)}" for rule in step.rules]
            if step.otherwise < 0 or not program.steps[step.otherwise].rules:
                return f"CASE {' '.join(ways)} ELSE {self._end(node, step.otherwise, say)} END"
            node = step.otherwise

    def _end(self, node: int, target: int, say: Callable[[int, int], str]) -> str:
        return say(target, END) if target >= 0 else say(node, target)

    def _answered(self) -> str:
        own = self.own
        return f"LEFT JOIN {own.answers} AS a ON a.{own.node} = w.{own.node}"

    def _guarded(self, refused: str, expression: str) -> str:
        return f"CASE WHEN {refused} THEN NULL ELSE {expression} END" if refused else expression

    def _say(self, node: int, target: int) -> str:
        """Where a case goes on: a node to walk on from, below 0 one in which it ends; NULL if it has no answer."""
        if target == END:
            return str(-1 - node)
        if target == FAIL:
            return "NULL"
        if target == SPREAD:
            return str(self.n + node)
        return str(target if self.program.steps[target].rules else -1 - target)

    def _entry(self) -> str:
        start = "0" if self.program.steps[0].rules or self.program.steps[0].otherwise == SPREAD else "-1"
        refused = self._refused()
        return f"CASE WHEN {refused} THEN NULL ELSE {start} END" if refused else start

    def _moves(self, roots: Sequence[int]) -> str:
        entries = set(roots)
        lines = []
        for root in roots:
            move = self._expression(root, lambda node: node not in entries, self._say)
            lines.append(f"    WHEN {root} THEN {move}")
        return "\n".join(lines)

    # A walk, some steps at a time

    def _walk_query(self) -> str:
        own = self.own
        steps, depths = self.program.steps, self.program.depths
        roots = [node for node in range(self.n) if steps[node].rules and depths[node] % _BLOCK == 0]
        carried = [*self.fields, *self.beside]
        columns = ",\n  ".join([*self._key("w."), *self._result("a.")])
        return (
            f"WITH RECURSIVE {self._cases()},\n{self._answers()},\n"
            f"{own.walk} ({', '.join([*carried, own.node])}) AS (\n"
            f"  SELECT {', '.join([*carried, self._entry()])}\n  FROM {own.cases}\n  UNION ALL\n"
            f"  SELECT {', '.join([*carried, ''])}CASE {own.node}\n{self._moves(roots)}\n    END\n"
            f"  FROM {own.walk} WHERE {own.node} >= 0\n)\n"
            f"SELECT {columns}\nFROM {own.walk} AS w {self._answered()}\n"
            f"WHERE w.{own.node} < 0 OR w.{own.node} IS NULL"
        )

    # A walk of parts

    def _spread_query(self) -> str:
        own = self.own
        program, steps = self.program, self.program.steps
        roots = [node for node in range(self.n) if steps[node].rules or steps[node].otherwise == SPREAD]
        moved = self._moves([node for node in roots if steps[node].rules])
        # A step without rules that spreads: everything goes down in parts.
        moved += "".join(f"\n    WHEN {node} THEN {self.n + node}" for node in roots if not steps[node].rules)
        parts = [
            f"({self.n + node}, {child if child in set(roots) else -1 - child}, {self.dialect.rough(share)})"
            for node in roots
            for child, share in steps[node].shares
        ]
        worth, told = self._sums()
        one = self.dialect.rough(1.0)
        walk = (
            f"{own.walk} ({own.row}, {own.node}, {own.share}) AS (\n"
            f"  SELECT {own.row}, {self._entry()}, {one} FROM {own.cases}\n  UNION ALL\n"
            f"  SELECT w.{own.row}, CASE WHEN w.{own.node} >= {self.n} THEN s.{own.child} ELSE "
            f"CASE w.{own.node}\n{moved}\n    END END, w.{own.share} * COALESCE(s.{own.part}, {one})\n"
            f"  FROM {own.walk} AS w JOIN {own.cases} AS c ON c.{own.row} = w.{own.row}\n"
            f"  LEFT JOIN {own.spread} AS s ON s.{own.node} = w.{own.node}\n  WHERE w.{own.node} >= 0\n)"
        )
        whole = f"COUNT(*) = COUNT(a.{own.node})"
        sums = ",\n    ".join(
            f"CASE WHEN {whole} THEN SUM(w.{own.share} * a.{name}) END AS {name}"
            for name in dict.fromkeys(told + worth + self._total())
        )
        ends = (
            f"{own.ends} AS (\n  SELECT w.{own.row},\n    {sums}\n  FROM {own.walk} AS w\n"
            f"  {self._answered()}\n"
            f"  WHERE w.{own.node} < 0 OR w.{own.node} IS NULL\n  GROUP BY w.{own.row}\n)"
        )
        number = [f"row_number() OVER () AS {own.row}"]
        spread = f"{own.spread} ({own.node}, {own.child}, {own.part}) AS (\n  VALUES {', '.join(parts)}\n)"
        head = f"WITH RECURSIVE {self._cases(number)},\n{self._worths(worth, told)},\n{spread},\n{walk},\n{ends}"
        result = [f"e.{name}" for name in told]
        final, chain = own.ends, ""
        if program.pool is not None:
            head += self._pooled(program.pool, worth, told)
            final = own.pooled
        if self.prediction is not None:
            name = self.dialect.named(self.prediction)
            if program.is_classifier:
                chain, final = self._decisions(final, worth, told)
                whens = " ".join(
                    f"WHEN {k} THEN {self.dialect.label(program.classes[place])}"
                    for k, place in enumerate(program.order)
                )
                result = [
                    f"CASE WHEN e.{worth[0]} IS NULL THEN NULL ELSE CASE e.{own.best} {whens} END END AS {name}"
                ] + result
            else:
                result = [f"e.{worth[0]} AS {name}"]
        columns = ",\n  ".join([*self._key("c."), *result])
        return f"{head}{chain}\nSELECT {columns}\nFROM {own.cases} AS c JOIN {final} AS e ON e.{own.row} = c.{own.row}"

    def _sums(self) -> tuple[list[str], list[str]]:
        """The columns that are summed over the parts of a row: what decides, and what is told."""
        own = self.own
        if not self.program.is_classifier:
            return [own.value], []
        worth = [getattr(own, f"worth_{k}") for k in range(len(self.program.classes))] if self.prediction else []
        return worth, [self.dialect.named(name) for name in self.shares]

    def _worths(self, worth: Sequence[str], told: Sequence[str]) -> str:
        own = self.own
        rows = []
        for node in self.program.ends:
            numbers: list[Any] = []
            if not self.program.is_classifier:
                numbers = [self.program.values[node]]
            else:
                numbers += list(self.program.worth[node]) if worth else []
                numbers += list(self.program.probabilities[node]) if told else []
                numbers += [] if self.program.pool is None else [self.program.pool.total[node]]
            rows.append(f"({', '.join([str(-1 - node), *(self.dialect.rough(float(x)) for x in numbers)])})")
        names = ", ".join([own.node, *worth, *told, *self._total()])
        listed = ",\n    ".join(rows)
        return f"{own.answers} ({names}) AS (\n  VALUES\n    {listed}\n)"

    def _total(self) -> list[str]:
        """The column with how much a node adds in all, where sums are pooled."""
        return [] if self.program.pool is None else [self.own.total]

    def _pooled(self, pool: Pool, worth: Sequence[str], told: Sequence[str]) -> str:
        """What the parts add up to, as shares of its total, or the default where they add nothing."""
        own, rough = self.own, self.dialect.rough
        columns = []
        for names, table in ((worth, pool.worth), (told, pool.probabilities)):
            for name, besides, default in zip(names, *table.tolist(), strict=True) if names else ():
                shares = f"({name} + {rough(besides)}) / ({own.total} + {rough(pool.besides)})"
                rest = "NULL" if pool.fails else f"CASE WHEN {own.total} IS NOT NULL THEN {rough(default)} END"
                columns.append(f"CASE WHEN {own.total} > 0 THEN {shares} ELSE {rest} END AS {name}")
        listed = ",\n    ".join([own.row, *columns])
        return f",\n{own.pooled} AS (\n  SELECT {listed}\n  FROM {own.ends}\n)"

    def _decisions(self, before: str, worth: Sequence[str], told: Sequence[str]) -> tuple[str, str]:
        """One class after another: it is chosen if it beats the best so far by more than rounding."""
        own = self.own
        kept = [own.row, *worth, *told]
        chain = ""
        margin = self.dialect.rough(self.program.tolerance)
        for k, name in enumerate(worth):
            if k == 0:
                chosen = f"0 AS {own.best}, {name} AS {own.most}"
            else:
                beats = f"{name} > {own.most} + {margin}"
                chosen = (
                    f"CASE WHEN {beats} THEN {k} ELSE {own.best} END AS {own.best}, "
                    f"CASE WHEN {beats} THEN {name} ELSE {own.most} END AS {own.most}"
                )
            after = getattr(own, f"choice_{k}")
            chain += f",\n{after} AS MATERIALIZED (\n  SELECT {', '.join(kept)}, {chosen}\n  FROM {before}\n)"
            before = after
        return chain, before
