"""Tables to fit and rows to predict: the same numbers on every machine.

Columns are plain numpy arrays, so that no version of a frame library has a say. What a generator computes is rounded,
because functions such as the sine differ in the last bit between processors.
"""

import numpy as np

import bough

DRAWN = ("circle", "friedman1", "friedman2", "friedman3", "led", "two_lines", "waveform")
ROWS = 150


def table(name, holes=0.0):
    """Columns by name and the target; `holes` is the share of values that are taken out."""
    if name == "mixed":
        X, y = _mixed()
    elif name == "spending":
        X, y = _mixed()
        y = np.round(2.5 * np.arange(len(y)) % 17 + X["income"] / 100.0 + 3.0 * (X["colour"] == "red"), 2)
    else:
        data = bough.datasets.load(name, **({"random_state": 0} if name in DRAWN else {}))
        X, y = dict(data.data), np.asarray(data.target)
        if name == "titanic":  # sorted by cells: take every fourteenth
            X, y = {c: v[::14] for c, v in X.items()}, y[::14]
    rng = np.random.default_rng(len(name))
    keep = np.sort(rng.permutation(len(y))[:ROWS])
    X, y = {c: _plain(v[keep]) for c, v in X.items()}, _plain(y[keep])
    return {c: _holed(v, rng.random(len(v)) < holes) for c, v in X.items()}, y


def _mixed():
    """Every type of column: dates, instants, ordered and nominal levels, bools, whole numbers, real ones."""
    n = 120
    i = np.arange(n)
    colour = np.array(["red", "it's", 'quo"te', "größe", "blue"], dtype=object)[(i * 7 // 3) % 5]
    size = np.array(["S", "M", "L", "XL"], dtype=object)[(i * i // 5) % 4]
    member = (i * 11 % 7) < 3
    born = np.datetime64("1950-03-01") + (i * 617 % 20000).astype("timedelta64[D]")
    seen = np.datetime64("2020-01-01T00:00:00") + (i * 86011 % 9000000).astype("timedelta64[s]")
    visits = (i * 13) % 41
    income = np.round(900.0 + (i * 37 % 101) * 25.3, 1)
    score = (
        visits + 20 * member + 9 * (size == "L") + 12 * (colour == "red") + (born > np.datetime64("1980-01-01")) * 10
    )
    y = np.array(["no", "perhaps", "yes"], dtype=object)[np.digitize(score, [25, 42])]
    columns = {"income": income, "visits": visits, "colour": colour, "size": size, "member": member, "born": born}
    return {**columns, "last seen": seen}, y


def _plain(values):
    if values.dtype.kind == "f":
        return np.round(values, 4)
    return values.astype(object) if values.dtype.kind in "UT" else values


def _holed(values, gone):
    """The values without some; whole numbers become real ones where there are holes."""
    if not gone.any():
        return values
    if values.dtype.kind in "iu":
        values = values.astype(float)
    elif values.dtype.kind == "b":
        values = values.astype(object)
    values = values.copy()
    values[gone] = {"f": np.nan, "M": np.datetime64("NaT")}.get(values.dtype.kind)
    return values


def rows_for(X, model):
    """Training rows, the same with holes and with levels of which nobody has heard, and rows about every threshold."""
    n = len(next(iter(X.values())))
    rng = np.random.default_rng(n)
    some = rng.permutation(n)[:28]
    plain = {c: v[some] for c, v in X.items()}
    holed = {c: _holed(v, rng.random(len(some)) < 0.3) for c, v in plain.items()}
    empty = {c: _holed(v[:1], np.array([True])) for c, v in X.items()}
    blocks = [plain, holed, empty]
    for place, (name, values) in enumerate(X.items()):
        if values.dtype == object and isinstance(values[0], str):
            strange = {c: v[place : place + 2] for c, v in plain.items()}
            strange[name] = np.array(["never heard of"] * 2, dtype=object)
            blocks.append(strange)
    for name, near in _neighbours(X, model).items():
        base = {c: v[rng.integers(0, n, len(near))] for c, v in X.items()}
        base[name] = near
        blocks.append(base)
    return {c: _joined([block[c] for block in blocks]) for c in X}


def _neighbours(X, model):
    """The thresholds of each column of numbers and dates, with the values next to them."""
    frame = model.tree_.to_frame()
    found = {}
    for name, threshold in zip(list(frame["column"]), list(frame["threshold"]), strict=True):
        if isinstance(name, str) and np.isfinite(threshold) and X[name].dtype.kind in "fiuM":
            found.setdefault(name, set()).add(float(threshold))
    near = {}
    for name, values in X.items():
        kind = values.dtype.kind
        if kind not in "fiuM":
            continue
        at = sorted(found.get(name, ()))[:6]
        if kind in "iu":
            near[name] = np.array([int(np.floor(t)) + d for t in at for d in (0, 1)], dtype=values.dtype)
        elif kind == "M":
            near[name] = np.array([int(np.floor(t)) + d for t in at for d in (0, 1)], "int64").view(values.dtype)
        else:
            at = at or [float(np.nanmedian(values))]
            near[name] = np.array([v for t in at for v in (np.nextafter(t, -np.inf), t, np.nextafter(t, np.inf))])
    return {name: values for name, values in near.items() if len(values)}


def _joined(parts):
    kinds = {part.dtype for part in parts}
    if len(kinds) == 1 or all(kind.kind in "fiu" for kind in kinds):
        return np.concatenate(parts)
    return np.concatenate([part.astype(object) for part in parts])


def row(X, number):
    """One row as a dict of plain values."""
    return {c: v[number] if v.dtype.kind == "M" else v[number : number + 1].tolist()[0] for c, v in X.items()}
