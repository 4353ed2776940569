"""Statistics of rules in a model file: what was counted on which rows; all other figures follow."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.rules.rule import Rule, Says, label_of
from bough.model.rules.said import counts_from_json, counts_to_json
from bough.model.rules.statistics import Cover, Statistics
from bough.model.strict import expect_keys, read_array, show

__all__ = ["stats_from_json", "stats_to_json"]

Array = npt.NDArray[Any]
_WAYS = ("alone", "turn")


def stats_to_json(stats: Mapping[str, Statistics]) -> dict[str, Any]:
    """By the name of the rows."""
    return {name: _to_json(one) for name, one in stats.items()}


def _to_json(one: Statistics) -> dict[str, Any]:
    about = {"rows": one.turn.n_rows, "weight": one.turn.all_weight}
    totals = None if one.turn.totals is None else one.turn.totals.tolist()
    return {**about, "totals": totals, **{way: _cover_to_json(getattr(one, way)) for way in _WAYS}}


def _cover_to_json(cover: Cover) -> dict[str, Any]:
    rows = {"rows": cover.rows.tolist()}
    if cover.counts is not None:
        return {**rows, "counts": counts_to_json(cover.counts)}
    spread = {"mean": cover.mean, "deviation": cover.deviation}
    return {
        **rows,
        "weight": cover.weight.tolist(),
        **{name: [x if x == x else None for x in np.asarray(array).tolist()] for name, array in spread.items()},
    }


def stats_from_json(
    data: Any, rules: Sequence[Rule], default: Says | None, classes: Array | None, place: str
) -> dict[str, Statistics]:
    """Read what `stats_to_json` wrote of these rules."""
    if not isinstance(data, dict):
        raise ModelFormatError(f"expected an object, found {show(data)}", place)
    return {name: _from_json(one, rules, default, classes, f"{place}.{name:.60}") for name, one in data.items()}


def _from_json(data: Any, rules: Sequence[Rule], default: Says | None, classes: Array | None, place: str) -> Statistics:
    expect_keys(data, {"rows", "weight", "totals", *_WAYS}, place)
    n_rows = read_array([data["rows"]], np.int64, f"{place}.rows")[0]
    weight = read_array([data["weight"]], np.float64, f"{place}.weight")[0]
    if n_rows < 0 or not weight >= 0:
        raise ModelFormatError("expected numbers of at least 0", f"{place}.weight")
    about: dict[str, Any] = {"n_rows": int(n_rows), "all_weight": float(weight)}
    said = None
    if classes is None:
        if data["totals"] is not None:
            raise ModelFormatError("rules that predict numbers count no classes: expected null", f"{place}.totals")
    else:
        totals = read_array(data["totals"], np.float64, f"{place}.totals")
        if len(totals) != len(classes) or not (totals >= 0).all():
            raise ModelFormatError(f"expected {len(classes)} weights of at least 0", f"{place}.totals")
        about["totals"] = totals
        labels = classes.tolist()
        told = [labels.index(rule.label) for rule in rules]
        said = np.array([*told, -1 if default is None else labels.index(label_of(default))], dtype=np.int64)
    sizes = {"alone": len(rules), "turn": len(rules) + 1}
    covers = {way: _cover_from_json(data[way], sizes[way], classes, said, about, f"{place}.{way}") for way in _WAYS}
    return Statistics(tuple(map(str, rules)), **covers, classes=None if classes is None else tuple(classes.tolist()))


def _cover_from_json(
    data: Any, size: int, classes: Array | None, said: Array | None, about: dict[str, Any], place: str
) -> Cover:
    expect_keys(data, {"rows", "counts"} if classes is not None else {"rows", "weight", "mean", "deviation"}, place)
    rows = read_array(data["rows"], np.int64, f"{place}.rows")
    if len(rows) != size or (rows < 0).any():
        raise ModelFormatError(f"expected {size} numbers of rows", f"{place}.rows")
    if classes is not None and said is not None:
        counts = counts_from_json(data["counts"], size, classes, f"{place}.counts")
        if counts is None:
            raise ModelFormatError("expected counts, found null", f"{place}.counts")
        return Cover(rows, counts.sum(axis=1), counts=counts, said=said[:size], **about)
    weight = read_array(data["weight"], np.float64, f"{place}.weight")
    if len(weight) != size or not (weight >= 0).all():
        raise ModelFormatError(f"expected {size} weights of at least 0", f"{place}.weight")
    mean, deviation = (_numbers(data[name], size, f"{place}.{name}") for name in ("mean", "deviation"))
    return Cover(rows, weight, mean=mean, deviation=deviation, **about)


def _numbers(data: Any, size: int, place: str) -> npt.NDArray[np.float64]:
    """Numbers, or null where there were no rows."""
    if not isinstance(data, list) or len(data) != size:
        raise ModelFormatError(f"expected {size} numbers or nulls", place)
    known = [at for at, value in enumerate(data) if value is not None]
    found = np.full(size, np.nan)
    found[known] = read_array([data[at] for at in known], np.float64, place)
    return found
