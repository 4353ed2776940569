"""What rules say and what was counted of it, in a model file: classes by their numbers, in flat lists."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError, ParameterError
from bough.model.answer import Answer
from bough.model.exact import number_from_json, number_to_json
from bough.model.rules.rule import Distribution, Says
from bough.model.strict import expect_keys, read_array

__all__ = ["check_offsets", "counts_from_json", "counts_to_json", "says_from_json", "says_to_json"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

_SHARES, _NOTHING = -1, -2  # in place of the number of a class


def check_offsets(begin: Array, size: int, place: str, lists: int | None = None) -> None:
    """Offsets, as many as there are lists and one more, start at 0, never fall and end at the length of the whole."""
    if not len(begin) or (lists is not None and len(begin) != lists + 1):
        raise ModelFormatError(f"expected {1 if lists is None else lists + 1} offsets", place)
    if begin[0] != 0 or begin[-1] != size:
        raise ModelFormatError(f"expected offsets from 0 to {size}", place)
    falls = np.flatnonzero(begin[1:] < begin[:-1])
    if len(falls):
        raise ModelFormatError("offsets never fall", f"{place}[{falls[0] + 1}]")


def says_to_json(said: Sequence[Says], classes: Array | None) -> dict[str, Any]:
    """What each rule says, and at last the default."""
    if classes is None:
        return {"value": [None if each is None else number_to_json(each) for each in said]}
    number = {(isinstance(label, bool), label): place for place, label in enumerate(classes.tolist())}
    labels: list[int] = []
    begin, members, shares = [0], list[int](), list[float]()
    for each in said:
        if isinstance(each, Distribution):
            labels.append(_SHARES)
            members += [number[isinstance(label, bool), label] for label in each]
            shares += each.values()
            begin.append(len(members))
        else:
            labels.append(_NOTHING if each is None else number[isinstance(each, bool), each])
    return {"class": labels, "share_begin": begin, "share_class": members, "share": shares}


def says_from_json(data: Any, n_rules: int, answer: Answer, place: str) -> tuple[list[Says], Says | None]:
    """What each rule says, and the default."""
    if answer.classes is None:
        expect_keys(data, {"value"}, place)
        given = data["value"]
        if not isinstance(given, list) or len(given) != n_rules + 1:
            raise ModelFormatError(f"expected {n_rules + 1} numbers, the default last", f"{place}.value")
        said = [
            None if value is None and at == n_rules else number_from_json(value, f"{place}.value[{at}]")
            for at, value in enumerate(given)
        ]
        return said[:-1], said[-1]
    return _classes_from_json(data, n_rules, answer.classes.tolist(), place)


def _classes_from_json(data: Any, n_rules: int, labels: list[Any], place: str) -> tuple[list[Says], Says | None]:
    expect_keys(data, {"class", "share_begin", "share_class", "share"}, place)
    own = read_array(data["class"], np.int64, f"{place}.class").tolist()
    begin = read_array(data["share_begin"], np.int64, f"{place}.share_begin")
    members = read_array(data["share_class"], np.int64, f"{place}.share_class")
    shares = read_array(data["share"], np.float64, f"{place}.share").tolist()
    if len(own) != n_rules + 1:
        raise ModelFormatError(f"expected {n_rules + 1} classes, the default last", f"{place}.class")
    if len(shares) != len(members):
        raise ModelFormatError(f"expected {len(members)} shares, as in share_class", f"{place}.share")
    check_offsets(begin, len(members), f"{place}.share_begin", own.count(_SHARES))
    for at, member in enumerate(members.tolist()):
        if not 0 <= member < len(labels):
            raise ModelFormatError(
                f"there are {len(labels)} classes; found number {member}", f"{place}.share_class[{at}]"
            )
    said: list[Says] = []
    passed = 0
    for at, number in enumerate(own):
        if number == _SHARES:
            part = slice(int(begin[passed]), int(begin[passed + 1]))
            pairs = list(zip([labels[member] for member in members[part].tolist()], shares[part], strict=True))
            said.append(_distribution(pairs, f"{place}.share_begin[{passed}]"))
            passed += 1
        elif 0 <= number < len(labels) or (number == _NOTHING and at == n_rules):
            said.append(None if number == _NOTHING else labels[number])
        else:
            problem = f"expected the number of one of {len(labels)} classes, or -1; found {number}"
            raise ModelFormatError(problem, f"{place}.class[{at}]")
    return said[:-1], said[-1]


def _distribution(pairs: list[tuple[Any, float]], place: str) -> Distribution:
    try:
        found = Distribution(pairs)
    except ParameterError as error:
        raise ModelFormatError(str(error), place) from None
    if not math.isfinite(sum(found.values())):
        raise ModelFormatError("the shares of a distribution have no finite sum", place)
    return found


def counts_to_json(counts: Floats | None) -> dict[str, Any] | None:
    """Weights of classes, a row a rule: only those that are not 0."""
    if counts is None:
        return None
    rows, classes = np.nonzero(counts)
    begin = np.searchsorted(rows, np.arange(len(counts) + 1))
    return {"begin": begin.tolist(), "class": classes.tolist(), "weight": counts[rows, classes].tolist()}


def counts_from_json(data: Any, size: int, classes: Array | None, place: str) -> Floats | None:
    """Read what `counts_to_json` wrote."""
    if data is None:
        return None
    if classes is None:
        raise ModelFormatError("rules that predict numbers count no classes: expected null", place)
    expect_keys(data, {"begin", "class", "weight"}, place)
    begin = read_array(data["begin"], np.int64, f"{place}.begin")
    member = read_array(data["class"], np.int64, f"{place}.class")
    weight = read_array(data["weight"], np.float64, f"{place}.weight")
    if len(weight) != len(member):
        raise ModelFormatError(f"expected {len(member)} weights, as in class", f"{place}.weight")
    check_offsets(begin, len(member), f"{place}.begin", size)
    wrong = np.flatnonzero((member < 0) | (member >= len(classes)))
    if len(wrong):
        raise ModelFormatError(
            f"there are {len(classes)} classes; found {member[wrong[0]]}", f"{place}.class[{wrong[0]}]"
        )
    wrong = np.flatnonzero(~(weight > 0))
    if len(wrong):
        raise ModelFormatError("expected a weight above 0", f"{place}.weight[{wrong[0]}]")
    rows = np.repeat(np.arange(size), np.diff(begin))
    falls = np.flatnonzero((rows[1:] == rows[:-1]) & (member[1:] <= member[:-1]))
    if len(falls):
        raise ModelFormatError("the classes of a rule rise", f"{place}.class[{falls[0] + 1}]")
    counts = np.zeros((size, len(classes)))
    counts[rows, member] = weight
    with np.errstate(over="ignore"):
        if not np.isfinite(counts.sum()):
            raise ModelFormatError("the weights have no finite sum", f"{place}.weight")
    return counts
