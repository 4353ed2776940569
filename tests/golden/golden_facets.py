"""What is recorded of a model, facet by facet, and how two records are compared.

A facet is an array of numbers or a text. Numbers are compared to a relative 1e-12 and texts with their long numbers
rounded, because logarithms and sums may differ in the last bit between processors; on the machine that recorded,
BOUGH_GOLDEN_EXACT=1 compares every bit. What raises an error is recorded by the error.
"""

import hashlib
import json
import os
import re
import tempfile
import warnings
from pathlib import Path

import numpy as np
from golden_models import data, fitted
from golden_tables import row, rows_for

import bough

EXPORTS = ("sql", "python", "c", "javascript", "pmml", "json")
SHORT = 1200  # characters; longer texts are kept as digests
EXACT = os.environ.get("BOUGH_GOLDEN_EXACT", "") == "1"


class Recorded:
    """A fitted model with its rows, and a method for each facet."""

    def __init__(self, name, model=None, rows=None):
        self.model = fitted(name) if model is None else model
        self.X, self.y, _ = data(name)
        self.rows = rows_for(self.X, self.model) if rows is None else rows
        self.messages = []
        if rows is None:
            self._set_aside_what_is_refused()
        self.number = len(next(iter(self.rows.values())))

    def _set_aside_what_is_refused(self):
        taken = []
        for i in range(len(next(iter(self.rows.values())))):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.model.predict(_some(self.rows, slice(i, i + 1)))
            except bough.errors.BoughError as error:
                self.messages.append(f"{i}: {type(error).__name__}: {error}")
            else:
                taken.append(i)
        self.rows = _some(self.rows, taken)

    def facet(self, name):
        """The value of a facet: a text, or lists of numbers."""
        method, _, argument = name.partition(":")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                value = getattr(self, method)(*([argument] if argument else []))
            except (bough.errors.BoughError, ValueError, TypeError) as error:
                return f"{type(error).__name__}: {error}"
        if method == "warnings":
            return "\n".join(f"{w.category.__name__}: {w.message}" for w in said)
        return value

    # Answers
    def predict(self):
        return _plain(self.model.predict(self.rows))

    def refused(self):
        return "\n".join(self.messages)

    def warnings(self):
        self.model.predict(self.rows)

    def proba(self):
        if not hasattr(self.model, "predict_proba"):
            return None
        return _plain(self.model.predict_proba(self.rows))

    def apply(self):
        return _plain(self.model.apply(self.rows))

    def path(self):
        path = self.model.decision_path(self.rows).tocsr()
        path.sort_indices()
        return f"{path.shape} {path.indptr.tolist()} {path.indices.tolist()}"

    def importance(self):
        kinds = ("splits", "surrogates") if self.model.tree_.has_surrogates else ("splits",)
        return [_plain(self.model.importance(kind)) for kind in kinds]

    def pruning(self):
        path = self.model.pruning_path_
        return [_plain(np.asarray(path[column], dtype=float)) for column in path]

    def shap(self):
        return _plain(self.model.shap_values(_some(self.rows, slice(0, 40, 13))))

    # Explanations
    def explain(self):
        return "\n\n".join(_told(lambda i=i: str(self.model.explain(row(self.rows, i)))) for i in self._handful())

    def explain_table(self):
        frame = self.model.explain(_some(self.rows, slice(20, 36)))
        return json.dumps({str(c): [_cell(v) for v in frame[c]] for c in frame}, indent=0, ensure_ascii=False)

    def counterfactual(self):
        to = None if self.model.tree_.is_classifier else (float(np.median(self.y)), None)
        return "\n\n".join(
            _told(lambda i=i: str(self.model.counterfactual(row(self.rows, i), to, n=2))) for i in self._handful()[:4]
        )

    def _handful(self):
        return [i for i in (0, 7, 28, 33, 41, *range(56, self.number)) if i < self.number][:9]

    # Drawings
    def draw(self):
        return str(self.model.tree_)

    def listing(self):
        return self.model.tree_.listing()

    def summary(self):
        return self.model.tree_.summary()

    def svg(self):
        return bough.draw(self.model, to="svg")

    def dot(self):
        return bough.draw(self.model, to="dot")

    def mermaid(self):
        return bough.draw(self.model, to="mermaid")

    def page(self):
        return self.model.to_html(X=self.X, y=self.y)

    # Files
    def file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            self.model.save(path, provenance=False)  # which has the time of the fit
            return path.read_text(encoding="utf-8")

    def export(self, target):
        return bough.export(self.model, target, verify=False, provenance=False).text


FACETS = (
    "predict", "refused", "warnings", "proba", "apply", "path", "importance", "pruning", "shap", "explain",
    "explain_table", "counterfactual", "draw", "listing", "summary", "svg", "dot", "mermaid", "page", "file",
    *(f"export:{target}" for target in EXPORTS),
)  # fmt: skip


def _told(text):
    try:
        return text()
    except (bough.errors.BoughError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _some(rows, which):
    return {c: v[which] for c, v in rows.items()}


def _plain(values):
    return np.asarray(values).tolist()


def _cell(value):
    if isinstance(value, str | bool | int | float) or value is None:
        return value
    return value.item() if hasattr(value, "item") else str(value)


# Records


def packed(value):
    """A facet as it is kept: short texts and numbers in full, long texts by digest; rows that repeat but once."""
    if isinstance(value, str):
        if len(value) <= SHORT:
            return {"text": value}
        return {"length": len(value), "exact": _digest(value), "digest": _digest(rounded(value))}
    if _is_table(value):
        unique = list({tuple(one): None for one in value})
        place = {one: number for number, one in enumerate(unique)}
        return {"unique": unique, "rows": [place[tuple(one)] for one in value]}
    return {"values": value}


def _is_table(value):
    return bool(value) and all(isinstance(one, list) and one and not isinstance(one[0], list) for one in value)


def difference(kept, value):
    """What is different between a kept facet and the value of today, in a few words; None if nothing is."""
    if kept is None:
        return "was never recorded"
    new = packed(value)
    if new == kept or json.loads(json.dumps(new)) == kept:
        return None
    if isinstance(value, str):
        return _text_difference(kept, value)
    if "text" in kept or "digest" in kept:
        return f"was the text {kept.get('text', '')[:60]!r}, now numbers"
    return _number_difference(_unpacked(kept), value)


def _unpacked(kept):
    return [kept["unique"][number] for number in kept["rows"]] if "unique" in kept else kept["values"]


def _text_difference(kept, value):
    if "text" in kept:
        old, new = (kept["text"], value) if EXACT else (rounded(kept["text"]), rounded(value))
        if old == new:
            return None
        place = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        start = max(0, place - 20)
        return f"{old[start : place + 40]!r} became {new[start : place + 40]!r}"
    if "digest" not in kept:
        return f"were numbers, now the text {value[:60]!r}"
    if not EXACT and _digest(rounded(value)) == kept["digest"]:
        return None
    return f"another text: {kept['length']} characters then, {len(value)} now"


def _number_difference(old, new):
    if (old is None) != (new is None) or (old is not None and len(old) != len(new)):
        return "another number of rows"
    slack = 1e-14 * max(1.0, _largest(old))
    wrong = [i for i, (a, b) in enumerate(zip(old or (), new or (), strict=True)) if not _close(a, b, slack)]
    if not wrong:
        return None
    first = wrong[0]
    return f"{len(wrong)} of {len(new)} differ, first [{first}]: {old[first]} became {new[first]}"


def _close(a, b, slack):
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_close(x, y, slack) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float) and not EXACT:
        return a == b or (a != a and b != b) or abs(a - b) <= 1e-12 * max(abs(a), abs(b)) + slack
    return type(a) is type(b) and (a == b or a != a)


def _largest(values):
    """The largest finite number: what is left where such numbers cancel is rounding."""
    if isinstance(values, list | tuple):
        return max(map(_largest, values), default=0.0)
    return abs(values) if isinstance(values, float) and np.isfinite(values) else 0.0


_LONG = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][-+]?\d+)?|(?<![\w.])-?\d+[eE][-+]?\d+")


def rounded(text):
    """A text whose numbers of more than ten digits have nine; those next to nothing are nothing."""
    return _LONG.sub(_short, text).replace(bough.__version__, "VERSION")


def _short(match):
    digits = match.group()
    value = float(digits)
    if abs(value) < 1e-12:
        return "0"
    return digits if len(re.sub(r"[eE].*|\D", "", digits).lstrip("0")) <= 10 else f"{value:.9g}"


def _digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
