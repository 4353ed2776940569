"""Rules in a model file: flat lists, one entry a literal or a rule, read strictly; docs/format/model-1.md has all keys.

The lists of literals are those in which the kernel reads rules (`Pool`), so that there is one form of them. What the
lists promise each other is checked here; what a single literal promises, its class checks.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError, ParameterError
from bough.model.answer import answer_from_json
from bough.model.exact import numbers_from_json, numbers_to_json
from bough.model.inputs import Inputs
from bough.model.rules.counted import stats_from_json, stats_to_json
from bough.model.rules.literal import Literal
from bough.model.rules.pool import Pool
from bough.model.rules.read import LiteralReader
from bough.model.rules.rule import Rule
from bough.model.rules.said import check_offsets, counts_from_json, counts_to_json, says_from_json, says_to_json
from bough.model.strict import Limits, expect_keys, read_array, show
from bough.table import Schema

if TYPE_CHECKING:
    from bough.model.rules.rule_model import RuleModel

__all__ = ["rules_from_content", "rules_to_content"]

Arrays = dict[str, npt.NDArray[Any]]

# By the names in a file, those of the kernel's arrays and their types.
_LISTS: dict[str, tuple[str, type[np.generic]]] = {
    "rule_begin": ("rule_begin", np.int64),
    "literal_kind": ("kind", np.uint8),
    "literal_column": ("column", np.int32),
    "literal_negated": ("negated", np.uint8),
    "literal_missing": ("or_missing", np.uint8),
    "low_bound": ("low_bound", np.uint8),
    "low_type": ("low_type", np.uint8),
    "high_bound": ("high_bound", np.uint8),
    "high_type": ("high_type", np.uint8),
    "set_begin": ("set_begin", np.int64),
    "set_code": ("set_code", np.int32),
    "lin_begin": ("lin_begin", np.int64),
    "lin_column": ("lin_column", np.int32),
    "lin_code": ("lin_code", np.int32),
    "lin_weight": ("lin_weight", np.float64),
}
_SET, _TERM = ("set_code",), ("lin_column", "lin_code", "lin_weight")
_TEXTS = ("name", "note", "origin")
_KEYS = {*_LISTS, "low_value", "high_value", "says", "counts", "combine", "locked", "stats", *_TEXTS}
_PLACE = "$.rules"


def rules_to_content(rules: "RuleModel") -> dict[str, Any]:
    """All that a file says of rules, besides the header."""
    arrays = Pool.of(rules.rules, rules.place).arrays()
    lists: dict[str, Any] = {name: arrays[own].tolist() for name, (own, _) in _LISTS.items()}
    for end in ("low", "high"):
        lists[f"{end}_value"] = _ends_to_json(arrays, end)
    return {
        "target": rules.target,
        "note": rules.note,
        "inputs": rules.inputs.to_json(),
        "answer": rules.answer.to_json(),
        "rules": {
            "combine": rules.combine,
            **lists,
            "says": says_to_json([rule.says for rule in rules.rules] + [rules.default], rules.classes),
            "counts": counts_to_json(rules.counts),
            **{name: [getattr(rule, name) for rule in rules.rules] for name in _TEXTS},
            "locked": [int(rule.locked) for rule in rules.rules],
            "stats": stats_to_json(rules.stats),
        },
    }


def rules_from_content(
    content: dict[str, Any], limits: Limits, make: "Callable[..., RuleModel]", combines: Sequence[str] = ("first",)
) -> "RuleModel":
    """Read what `rules_to_content` wrote; a ModelFormatError says where anything is amiss.

    Parameters
    ----------
    content : dict
    limits : Limits
    make : callable
        Makes the model of what was read, which it gets by name.
    combines : sequence of str
        The ways to answer together that it knows.
    """
    expect_keys(content, {"target", "note", "inputs", "answer", "rules"}, "$")
    for name in ("target", "note"):
        if not isinstance(content[name], str):
            raise ModelFormatError(f"expected a string, found {show(content[name])}", f"$.{name}")
    inputs = Inputs.from_json(content["inputs"], "$.inputs")
    if inputs.unseen not in ("missing", "other", "error"):
        problem = f"expected one of missing, other, error, found {show(inputs.unseen)}"
        raise ModelFormatError(problem, "$.inputs.unseen")
    schema = inputs.asked
    if len(set(schema.names)) < len(schema):
        raise ModelFormatError("rules need columns with names of their own", "$.inputs.schema.columns")
    answer = answer_from_json(content["answer"], "$.answer")
    data = content["rules"]
    expect_keys(data, _KEYS, _PLACE)
    if data["combine"] not in combines:
        expected = " or ".join(map(repr, combines))
        raise ModelFormatError(f"expected {expected}, found {show(data['combine'])}", f"{_PLACE}.combine")
    arrays = _read_arrays(data, limits)
    literals = _read_literals(arrays, schema)
    begin = arrays["rule_begin"].tolist()
    says, default = says_from_json(data["says"], len(begin) - 1, answer, f"{_PLACE}.says")
    about = _read_about(data, len(begin) - 1)
    rules = tuple(
        Rule(tuple(literals[begin[number] : begin[number + 1]]), says[number], **about[number])
        for number in range(len(begin) - 1)
    )
    counts = counts_from_json(data["counts"], len(rules) + 1, answer.classes, f"{_PLACE}.counts")
    stats = stats_from_json(data["stats"], rules, default, answer.classes, f"{_PLACE}.stats")
    try:
        found = make(
            inputs=inputs,
            answer=answer,
            rules=rules,
            default=default,
            target=content["target"],
            counts=counts,
            combine=data["combine"],
            note=content["note"],
            stats=stats,
        )
    except ParameterError as error:
        raise ModelFormatError(str(error), _PLACE) from None
    _check_again(found, arrays)
    return found


def _ends_to_json(arrays: Arrays, end: str) -> list[Any]:
    """The bounds of one side, null where there is none."""
    numbers = numbers_to_json(arrays[f"{end}_bits"], arrays[f"{end}_type"])
    there = arrays[f"{end}_bound"].tolist()
    return [number if bound else None for number, bound in zip(numbers, there, strict=True)]


def _read_arrays(data: dict[str, Any], limits: Limits) -> Arrays:
    for name in ("rule_begin", "literal_kind"):
        given = data[name]
        if isinstance(given, list) and len(given) > limits.max_nodes:
            problem = f"{len(given)} entries; at most {limits.max_nodes} are read"
            raise ModelFormatError(problem, f"{_PLACE}.{name}")
    arrays = {own: read_array(data[name], kind, f"{_PLACE}.{name}") for name, (own, kind) in _LISTS.items()}
    size = len(arrays["kind"])
    for name, (own, _) in _LISTS.items():
        if name.startswith(("literal_", "low_", "high_")) and len(arrays[own]) != size:
            raise ModelFormatError(f"expected {size} entries, one for each literal", f"{_PLACE}.{name}")
    for flag in ("negated", "missing"):
        wrong = np.flatnonzero(arrays["negated" if flag == "negated" else "or_missing"] > 1)
        if len(wrong):
            raise ModelFormatError("expected 0 or 1", f"{_PLACE}.literal_{flag}[{wrong[0]}]")
    check_offsets(arrays["rule_begin"], size, f"{_PLACE}.rule_begin")
    for pool, lists, kind in (("set", _SET, 0), ("lin", _TERM, 4)):
        length = len(arrays[lists[0]])
        for name in lists:
            if len(arrays[name]) != length:
                raise ModelFormatError(f"expected {length} entries, as in {lists[0]}", f"{_PLACE}.{name}")
        n_lists = int((arrays["kind"] == kind).sum())
        check_offsets(arrays[f"{pool}_begin"], length, f"{_PLACE}.{pool}_begin", n_lists)
    for end in ("low", "high"):
        arrays[f"{end}_bits"] = _read_ends(data[f"{end}_value"], arrays, end)
    return arrays


def _read_ends(data: Any, arrays: Arrays, end: str) -> npt.NDArray[np.uint64]:
    place, bounds, types = f"{_PLACE}.{end}_value", arrays[f"{end}_bound"], arrays[f"{end}_type"]
    if not isinstance(data, list) or len(data) != len(bounds):
        raise ModelFormatError(f"expected a list of {len(bounds)} numbers or nulls, one for each literal", place)
    for name, given, most in ((f"{end}_bound", bounds, 2), (f"{end}_type", types, 2)):
        wrong = np.flatnonzero(given > most)
        if len(wrong):
            raise ModelFormatError(f"expected 0 to {most}", f"{_PLACE}.{name}[{wrong[0]}]")
    for at in np.flatnonzero(bounds == 0).tolist():
        if data[at] is not None or types[at]:
            raise ModelFormatError("where there is no bound, null and the type 0 are expected", f"{place}[{at}]")
    bits = np.zeros(len(data), dtype=np.uint64)
    there = np.flatnonzero(bounds > 0)
    places = [f"{place}[{at}]" for at in there.tolist()]
    bits[there] = numbers_from_json([data[at] for at in there.tolist()], types[there], places)
    return bits


def _read_literals(arrays: Arrays, schema: Schema) -> list[Literal]:
    """The literals; what one of them breaks is told at its place."""
    reader = LiteralReader(arrays, schema.columns)
    found: list[Literal] = []
    for number in range(len(arrays["kind"])):
        try:
            found.append(reader.read(number))
        except ParameterError as error:
            raise ModelFormatError(str(error), f"{_PLACE}.literal_kind[{number}]") from None
    return found


def _check_again(rules: "RuleModel", arrays: Arrays) -> None:
    """Written again, the rules are what was read: so nothing stands where a kind of literal has no use for it."""
    again = Pool.of(rules.rules, rules.place).arrays()
    for name, (own, _) in _LISTS.items():
        wrong = np.flatnonzero(again[own] != arrays[own])
        if len(wrong):
            expected = again[own][wrong[0]].item()
            raise ModelFormatError(f"expected {expected}, as such a literal is written", f"{_PLACE}.{name}[{wrong[0]}]")


def _read_about(data: dict[str, Any], size: int) -> list[dict[str, Any]]:
    """The names, notes, origins and locks of the rules."""
    for name in _TEXTS:
        given = data[name]
        if not isinstance(given, list) or len(given) != size:
            raise ModelFormatError(f"expected {size} texts, one for each rule", f"{_PLACE}.{name}")
        for at, text in enumerate(given):
            if not isinstance(text, str):
                raise ModelFormatError(f"expected a string, found {show(text)}", f"{_PLACE}.{name}[{at}]")
    locked = read_array(data["locked"], np.uint8, f"{_PLACE}.locked")
    if len(locked) != size or (locked > 1).any():
        raise ModelFormatError(f"expected {size} entries of 0 or 1, one for each rule", f"{_PLACE}.locked")
    return [{name: data[name][number] for name in _TEXTS} | {"locked": bool(locked[number])} for number in range(size)]
