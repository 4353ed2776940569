"""Write the recorded facets of the golden models anew, all or some.

    python tests/golden/record.py                        # everything
    python tests/golden/record.py --facet file           # one facet, where it was changed on purpose; may be repeated
    python tests/golden/record.py --model cart-mixed     # one model; may be repeated
    python tests/golden/record.py --dump /some/folder    # write the full texts there and record nothing
    python tests/golden/record.py --freeze               # keep model files of this format: before its version is raised

To see what changed: dump with the old version, dump with the new one, and compare the two folders with diff -r.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from golden_facets import FACETS, Recorded, packed
from golden_models import FILED, MODELS

FOLDER = Path(__file__).parent
DATA = FOLDER / "data"
FILES = FOLDER / "files"


def kept(name):
    """The record of a model."""
    path = DATA / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(name, facets):
    """A record with one facet a line, so that a diff of the repository names them."""
    lines = [f"{json.dumps(facet)}: {json.dumps(facets[facet], separators=(',', ':'))}" for facet in facets]
    (DATA / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def dump(folder, name, facet, value):
    """A facet in full, for diff."""
    place = Path(folder) / facet.replace(":", "-")
    place.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else "\n".join(map(json.dumps, value or ()))
    (place / f"{name}.txt").write_text(text + "\n", encoding="utf-8")


def rows_to_json(rows):
    """Columns as JSON: the type and the values, times as text."""
    return {c: [v.dtype.str, v.astype(str).tolist() if v.dtype.kind == "M" else v.tolist()] for c, v in rows.items()}


def rows_from_json(content):
    return {c: np.array(values, dtype=np.dtype(kind)) for c, (kind, values) in content.items()}


def file_answers(one):
    """What a model file must answer for good; how it is drawn and explained may change."""
    return {facet: packed(one.facet(facet)) for facet in ("predict", "proba", "apply")}


def frozen():
    """The kept model files: (version, model)."""
    return sorted((p.parent.name, p.stem) for p in FILES.glob("*/*.json") if not p.name.endswith(".answers.json"))


def freeze(name, one):
    """The file of a model with its rows and answers; one that exists is never written again."""
    text = one.facet("file")
    folder = FILES / ".".join(map(str, json.loads(text)["bough"]["version"]))
    path = folder / f"{name}.json"
    if path.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    content = {"rows": rows_to_json(one.rows), **file_answers(one)}
    (folder / f"{name}.answers.json").write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facet", action="append", choices=FACETS)
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--dump", metavar="FOLDER")
    parser.add_argument("--freeze", action="store_true")
    given = parser.parse_args()
    if given.freeze:
        for name in given.model or FILED:
            freeze(name, Recorded(name))
        return 0
    DATA.mkdir(exist_ok=True)
    for name in given.model or MODELS:
        one = Recorded(name)
        values = {facet: one.facet(facet) for facet in given.facet or FACETS}
        if given.dump:
            for facet, value in values.items():
                dump(given.dump, name, facet, value)
            continue
        old = kept(name)
        new = {**old, **{facet: packed(value) for facet, value in values.items()}}
        write(name, {facet: new[facet] for facet in FACETS if facet in new})
    return 0


if __name__ == "__main__":
    sys.exit(main())
