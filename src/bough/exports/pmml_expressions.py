"""Expressions of PMML, which compute what predicates ask and outputs say: arithmetic, choices, levels counted, sums."""

from collections.abc import Sequence
from typing import TypeAlias

from bough.exports.pmml_text import attribute, field_text, number_text
from bough.model.program.derived import Addend, Derived
from bough.model.program.program import Field

__all__ = [
    "Expression",
    "added",
    "all_",
    "apply",
    "constant",
    "derived_field",
    "if_",
    "level_count",
    "reference",
    "sum_of",
]

Expression: TypeAlias = str


def reference(name: str) -> Expression:
    """The value of a field."""
    return f"<FieldRef field={attribute(name)}/>"


def derived_field(name: str, expression: Expression) -> str:
    """A field that is computed."""
    return f'<DerivedField name={attribute(name)} optype="continuous" dataType="double">{expression}</DerivedField>'


def constant(number: float | int) -> Expression:
    """A number."""
    return f'<Constant dataType="double">{number_text(number)}</Constant>'


def apply(function: str, *arguments: Expression, missing: str | None = None) -> Expression:
    """A function; `missing` is its value where an argument is missing."""
    mapped = "" if missing is None else f' mapMissingTo="{missing}"'
    return f'<Apply function="{function}"{mapped}>{"".join(arguments)}</Apply>'


def if_(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    """One of two."""
    return then if then == otherwise else apply("if", test, then, otherwise)


def all_(parts: Sequence[Expression]) -> Expression:
    """Whether all hold."""
    return parts[0] if len(parts) == 1 else apply("and", *parts)


def added(terms: Sequence[Expression]) -> Expression:
    """Numbers added up, in their order."""
    if not terms:
        return constant(0.0)
    return terms[0] if len(terms) == 1 else apply("sum", *terms)


def level_count(field: Field, codes: Sequence[int]) -> Expression:
    """1 if a level is one of these, else 0. Levels are in attributes, where readers keep spaces and empty texts."""
    return added([_level(field, code) for code in codes])


def _level(field: Field, code: int) -> Expression:
    value = attribute(field_text(field, field.levels[code]), "the level")
    return f'<NormDiscrete field={attribute(field.name)} value={value} mapMissingTo="0"/>'


def sum_of(derived: Derived, fields: Sequence[Field], as_is: set[int]) -> tuple[Expression, Expression]:
    """A sum of fields, 0 where it is missing, and 1 where it is known, else 0: readers disagree about missing sums.

    `as_is` are fields whose levels never seen are told from missing ones.
    """
    places = dict.fromkeys(factor.field for term in derived.terms for factor in term.factors)
    known = {place: _known(derived, fields[place], place in as_is) for place in places}
    terms = []
    for term in derived.terms:
        field = fields[term.field]
        if term.values:
            counts = {value: [k for k, v in enumerate(term.values) if v == value] for value in set(term.values) - {0.0}}
            number = added([_times(value, level_count(field, codes)) for value, codes in sorted(counts.items())])
        else:
            numbers = [
                _number(fields[factor.field], factor, of_product=term.other is not None) for factor in term.factors
            ]
            number = numbers[0] if len(numbers) == 1 else apply("*", *numbers)
        if not derived.whole:
            own = dict.fromkeys(known[factor.field] for factor in term.factors)
            number = if_(all_(list(own)), number, constant(term.fill))
        terms.append(apply("*", constant(term.weight), number))
    some = list(known.values()) if derived.whole else [all_([known[p] for p in gap]) for gap in derived.gaps()]
    enough = apply("greaterThan", _how_many(some), constant(len(known) - 0.5 if derived.whole else 0.5))
    coded = (fields[place] for place in known)
    levels = [field for field in coded if field.kind == "levels"]
    if derived.unseen == "unknown" and levels:
        seen = [apply("or", apply("isMissing", reference(field.name)), _seen(field)) for field in levels]
        enough = all_([enough, apply("greaterThan", _how_many(seen), constant(len(seen) - 0.5))])
    return if_(enough, added(terms), constant(0.0)), if_(enough, constant(1.0), constant(0.0))


def _number(field: Field, factor: Addend, *, of_product: bool) -> Expression:
    """A number less its origin, and of a product less its centre."""
    number = reference(field.name)
    number = apply("-", number, constant(factor.origin)) if factor.origin else number
    return apply("-", number, constant(factor.centre)) if of_product else number


def _how_many(tests: Sequence[Expression]) -> Expression:
    """How many hold: readers disagree about `and` and `or` of more than two."""
    return added([if_(test, constant(1.0), constant(0.0)) for test in tests])


def _times(number: float, expression: Expression) -> Expression:
    return expression if number == 1 else apply("*", constant(number), expression)


def _known(derived: Derived, field: Field, told: bool) -> Expression:
    """Whether a field counts by its value, and not by what stands for a missing one."""
    if field.kind == "levels" and told and derived.unseen == "missing":
        return _seen(field)
    return apply("isNotMissing", reference(field.name))


def _seen(field: Field) -> Expression:
    return apply("equal", level_count(field, range(len(field.levels))), constant(1.0))
