"""From what is written to rules: columns, levels and classes are looked up; what is not there is refused."""

from collections.abc import Sequence
from typing import Any

from bough.errors import ParameterError
from bough.model.features import Number
from bough.model.hints import nearest, no_column, no_level
from bough.model.rules.literal import Bound, Interval, Known, Levels, Literal, Missing, Sum, SumTerm
from bough.model.rules.rule import Distribution, Rule, Says
from bough.model.rules.spell import label_text
from bough.model.rules.tokens import Tokens, Value
from bough.model.rules.written import Answer, Atom, Written, read_label
from bough.table import Column, Label, Schema, label_key
from bough.table.temporal import parse_temporal

__all__ = ["Resolver"]


class Resolver:
    """Makes rules of what is written.

    Parameters
    ----------
    schema : Schema
        The columns that there are.
    classes : sequence of labels or None
        The classes that there are; None: whatever is answered.
    only_numbers : bool
        Whether every answer must be a number.
    tokens : Tokens
        Where it is written, for messages.
    """

    def __init__(self, schema: Schema, classes: Sequence[Label] | None, only_numbers: bool, tokens: Tokens) -> None:
        self._schema = schema
        self._columns = {column.name: column for column in schema}
        self._codes: dict[str, dict[object, int]] = {}
        self._classes = None if classes is None else {label_key(label): label for label in classes}
        self._only_numbers = only_numbers
        self._tokens = tokens

    def rule(self, written: Written) -> Rule:
        """The rule."""
        return Rule(tuple(self._literal(atom) for atom in written.atoms), self.says(written), written.name)

    # Answers

    def says(self, written: Written) -> Says:
        """What it answers."""
        answer: Answer = written.says
        if isinstance(answer, Value):
            return self._class(answer)
        if self._only_numbers:
            self._tokens.refuse(written.at, "expected a number as answer; found shares of classes.")
        shares = [(self._class(label), share.value) for label, share in answer]
        try:
            return Distribution(shares)
        except ParameterError as error:
            return self._tokens.refuse(written.at, str(error))
        except OverflowError:
            return self._tokens.refuse(written.at, "a share of a class is beyond all doubles.")

    def _class(self, value: Value) -> Label:
        label: Label = value.value
        if self._only_numbers and not value.is_number:
            self._tokens.refuse(value.at, f"expected a number as answer; found {value.text:.60}.")
        if self._classes is not None and label_key(label) not in self._classes:
            texts = [label_text(known) for known in self._classes.values()]
            near = nearest(value.text, texts)
            told = f"the classes are {', '.join(texts[:10])}" if near is None else f"did you mean {near:.60}"
            self._tokens.refuse(value.at, f"there is no class {value.text:.60}; {told}{'.' if near is None else '?'}")
        return label

    # Literals

    def _literal(self, atom: Atom) -> Literal:
        try:
            literal = self._sum(atom) if atom.column is None else self._of_column(atom, self._column(atom.column))
            return literal.or_if_missing() if atom.or_missing else literal
        except _RefusedError as error:
            self._tokens.refuse(error.at, str(error))
        except ParameterError as error:
            self._tokens.refuse(atom.at, str(error))

    def _column(self, name: Value) -> Column:
        found = self._columns.get(name.value)
        if found is None:
            raise _RefusedError(no_column(name.value, self._schema.names), name.at)
        return found

    def _of_column(self, atom: Atom, column: Column) -> Literal:
        sign, values = atom.sign, atom.values
        if sign == "missing":
            return Missing(column)
        if sign == "known":
            return Known(column)
        if sign == "in" and column.kind != "numeric":
            return self._levels(atom, column)
        if sign == "in":
            if len(values) > 1:
                told = f"{column.name!r:.60} is numeric: ask for one number by =, or for an interval, [1, 2]."
                raise _RefusedError(told, values[1].at)
            one = Bound(self._number(values[0], column), True)
            return Interval(column, one, one, atom.negated)
        if column.kind == "nominal":
            told = f"the levels of {column.name!r:.60} have no order: ask for them by =, != or IN."
            raise _RefusedError(told, atom.at)
        ends = [self._number(value, column) for value in values]
        if sign == "between":
            low, high = (Bound(end, closed) for end, closed in zip(ends, atom.closed, strict=True))
            return Interval(column, low, high, atom.negated)
        return Interval(column, **_bound(sign, ends[0]))

    def _levels(self, atom: Atom, column: Column) -> Literal:
        codes: set[int] = set()
        for value in atom.values:
            code = self._code(value, column)
            if code in codes:
                raise _RefusedError(f"the level {value.text:.60} of {column.name!r:.60} is named twice.", value.at)
            codes.add(code)
        return Levels(column, tuple(sorted(codes)), atom.negated)

    def _code(self, value: Value, column: Column) -> int:
        codes = self._codes.get(column.name)
        if codes is None:
            codes = {label_key(level): code for code, level in enumerate(column.levels or ())}
            self._codes[column.name] = codes
        label = read_label(self._tokens, value).value
        found = codes.get(label_key(label))
        if found is None:
            levels = [label_text(level) for level in column.levels or ()]
            raise _RefusedError(no_level(column.name, value.text, levels), value.at)
        return found

    def _number(self, value: Value, column: Column) -> Number:
        """A bound: a number, a tick or the code of an ordered level."""
        if column.kind != "numeric":
            return self._code(value, column)
        meaning = parse_temporal(column.dtype)
        if meaning is not None and value.is_date:
            tick = meaning.parse(value.value)
            if tick is not None:
                return tick
        if not value.is_number or value.is_date:
            what = "a number" if meaning is None else f'a {meaning.family} such as DATE "{meaning.format(0)}"'
            told = f"expected {what}, to compare {column.name!r:.60} ({column.dtype}) with; found {value.text:.60}."
            raise _RefusedError(told, value.at)
        return self._within(value, column)

    def _within(self, value: Value, column: Column) -> Number:
        """Whole numbers that no column holds become real ones."""
        number: Number = value.value
        most = 2**64 if column.dtype == "uint64" else 2**63
        if type(number) is int and not -(2**63) <= number < most:
            return _real(value)
        return number

    def _sum(self, atom: Atom) -> Literal:
        terms = []
        for term in atom.terms:
            column = self._column(term.column)
            if term.level is not None and column.kind == "numeric":
                raise _RefusedError(f"{column.name!r:.60} is numeric: a sum takes it as it is.", term.column.at)
            if term.level is None and column.kind != "numeric":
                level = label_text((column.levels or ("A",))[0])
                told = f"{column.name!r:.60} has levels: a sum asks for one of them, as in [name = {level:.60}]."
                raise _RefusedError(told, term.column.at)
            terms.append(SumTerm(term.weight, column, -1 if term.level is None else self._code(term.level, column)))
        return Sum(tuple(terms), **_bound(atom.sign, _real(atom.values[0])))


class _RefusedError(Exception):
    """A fault in what is written, and its place."""

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.at = at


def _bound(sign: str, value: Number) -> dict[str, Any]:
    return {"high" if sign[0] == "<" else "low": Bound(value, sign[-1] == "=")}


def _real(value: Value) -> float:
    try:
        return float(value.value)
    except OverflowError:
        told = f"{value.text:.20}... is beyond all doubles: write inf if that is meant."
        raise _RefusedError(told, value.at) from None
