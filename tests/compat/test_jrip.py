"""The kernel's covering as JRip: its printed rules and class probabilities, on training rows and on masked ones.

What JRip gave on tables that every clone can make is kept in tests/reference/records; on the other tables of the shared
folder it is compared where that is present.
"""

import runpy
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bough import _core
from bough.testing.c45.text import java_double, six_decimals

OWN = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "records.py"))["OWN"]
OPTIONS = {
    "gain": "laplace",
    "prune_value": "laplace",
    "optimise_value": "accuracy",
    "cut_at": "data_value",
    "allow": ["=", "<=", ">"],
    "slack": 64.0,
    "max_error": 0.5,
    "reduce": False,
    "jrip": True,
}
# Java's documented generator, a second time: the first seed is drawn here, all others in the kernel.
MULTIPLIER, MASK = 0x5DEECE66D, (1 << 48) - 1


def java_below(seed, bound):
    """The first nextInt(bound) after a seed."""
    state = (seed ^ MULTIPLIER) & MASK
    while True:
        state = (state * MULTIPLIER + 0xB) & MASK
        drawn = state >> 17
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        if drawn - drawn % bound + bound - 1 < 2**31:
            return drawn % bound


def java_hash(text):
    """The hash of a Java string, 32 bits signed."""
    units = struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}H", text.encode("utf-16-le"))
    found = 0
    for unit in units:
        found = (31 * found + unit) % 2**32
    return found - 2**32 if found >= 2**31 else found


ESCAPES = {"\\": "\\\\", "'": "\\'", '"': '\\"', "%": "\\%", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\x1e": "\\u001E"}


def cell_text(value):
    if pd.isna(value):
        return "?"
    if isinstance(value, float):
        return six_decimals(value)
    text = str(value)
    quoted = "".join(ESCAPES.get(sign, sign) for sign in text)
    return f"'{quoted}'" if text in ("", "?") or quoted != text or set("{}, ") & set(text) else text


def main_seed(X, y, seed=1):
    """The seed of JRip's generator: the hash of a drawn row."""
    row = java_below(seed, len(y))
    cells = [*(X[name].iloc[row] for name in X), y.iloc[row]]
    return java_hash(",".join(map(cell_text, cells))) + seed


def columns_of(X):
    """The columns as the kernel takes them, and their numbers of levels."""
    columns, levels = [], []
    for name in X:
        if isinstance(X[name].dtype, pd.CategoricalDtype):
            columns.append((X[name].cat.codes.to_numpy().astype(np.int32), None, 2))
            levels.append(len(X[name].cat.categories))
        else:
            columns.append((X[name].to_numpy(np.float64), None, 0))
            levels.append(0)
    return columns, levels


def fitted(X, y, options):
    columns, levels = columns_of(X)
    table = _core.rank_table(columns, levels, None, 1)
    words = options.split()
    given = dict(zip(words[::2], words[1::2], strict=False))
    asked = {
        **OPTIONS,
        "folds": int(given["-F"]),
        "min_positive": float(given["-N"]),
        "rounds": int(given["-O"]),
        "prune": "-P" not in words,
        "seed": main_seed(X, y, int(given["-S"])),
    }
    label = y.cat.codes.to_numpy().astype(np.uint32)
    return _core.cover(table, label, len(y.cat.categories), None, asked)


def number(bits):
    return struct.unpack("<d", struct.pack("<Q", int(bits)))[0]


def conditions(found, X):
    """The texts of the literals, in the order of the rules."""
    arrays = found["rules"].to_arrays()
    codes = iter(arrays["set_code"].tolist())
    for i, kind in enumerate(arrays["kind"].tolist()):
        name = X.columns[arrays["column"][i]]
        if kind == 0:
            yield f"({name} = {X[name].cat.categories[next(codes)]})"
        elif arrays["high_bound"][i]:
            yield f"({name} <= {six_decimals(number(arrays['high_bits'][i]))})"
        else:
            yield f"({name} >= {six_decimals(number(arrays['low_bits'][i]))})"


def printed(found, X, y):
    """The rules as JRip prints them."""
    begin = found["rules"].to_arrays()["rule_begin"]
    texts = list(conditions(found, X))
    lines = ["JRIP rules:", "=" * 11, ""]
    classes = [*found["rule_class"], found["class_order"][-1]]
    for r, label in enumerate(classes):
        rule = texts[begin[r] : begin[r + 1]] if r + 1 < len(classes) else []
        covered = found["class_weight"][r].sum()
        figures = f"{java_double(covered)}/{java_double(covered - found['class_weight'][r][label])}"
        lines.append(f"{' and '.join(rule)} => {y.name}={y.cat.categories[label]} ({figures})")
    return "\n".join([*lines, "", f"Number of Rules : {len(classes)}", ""])


def probabilities(found, X):
    first = _core.rules_apply(found["rules"], columns_of(X)[0])
    weight = found["class_weight"][first]
    return weight / weight.sum(axis=1, keepdims=True)


def differences(records, name, fits=None):
    """What differs from the records of a table, as sentences."""
    X, y = records.table(name)
    masked = records.masked(name)
    for learner, record in (fits or records.facts("jrip", name)).items():
        found = fitted(X, y, record["options"])
        ours, theirs = printed(found, X, y), record["text"]
        if ours != theirs:
            yield f"{name} {learner}: the text is\n{ours}\nand was\n{theirs}"
        for rows, what in ((X, "pred_train"), (masked, "pred_masked")):
            if what in record:
                off = np.abs(probabilities(found, rows) - np.array(record[what])).max()
                if off > 1e-9:
                    yield f"{name} {learner}: {what} differs by up to {off:.3g}"


@pytest.mark.parametrize("name", OWN)
def test_rules_and_probabilities_on_our_own_tables(records, name):
    assert list(differences(records, name)) == []


def test_every_recorded_fit_is_equal(shared_records, record_property):
    compared, wrong = 0, []
    for name in shared_records.names:
        if shared_records.facts("schema", name)["task"] == "classification":
            fits = shared_records.facts("jrip", name)
            compared += len(fits)
            wrong += differences(shared_records, name, fits)
    record_property("summary", f"parity with JRip: {compared} fits compared, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)
