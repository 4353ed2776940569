"""Write tests/reference/records/*.json.gz: what other programs gave, so that parity is tested in every clone.

Only figures are kept, and only what a test asks for. Fits on tables that the tests can make by themselves (OWN) are
kept whole; of the other tables, which may not be copied, only the trees of rpart, as counts, risks and gains of their
nodes. Reads the recorded results of the folder `shared` (given as argument); run again when they change.
"""

import csv
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "reference" / "records"
# Made by tests/reference/records.py, with the same rows in the same order.
OWN = ["weather_nominal", "weather_numeric", "contact_lenses", "watermelon2", "watermelon2a", "watermelon3", "iris",
       "penguins", "tic_tac_toe", "titanic"]  # fmt: skip
FRAME = ["node", "var", "n", "wt", "dev", "yval", "complexity"]
SPLITS = ["node", "kind", "var", "ncat", "improve", "index", "adj"]
COMPLEXITIES = ["CP", "nsplit", "rel error"]
C50 = ["tree", "tree_nosubset", "tree_noglobal", "tree_unpruned"]

Record = dict[str, Any]


def read(shared: Path, folder: str, name: str) -> Record:
    """One recorded file."""
    with gzip.open(shared / "oracle" / folder / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        content: Record = json.load(file)
    return content


def write(name: str, facts: Record) -> None:
    """Write one family, the same bytes for the same facts."""
    text = json.dumps(packed(facts), separators=(",", ":")).encode()
    (TARGET / f"{name}.json.gz").write_bytes(gzip.compress(text, 9, mtime=0))


def packed(facts: Any) -> Any:
    """Tables as columns: names are written once. Predictions as distinct answers, and for each row which one."""
    if not isinstance(facts, dict):
        return facts
    found: Record = {}
    for name, value in facts.items():
        if name in ("frame", "splits", "cptable"):
            found[name] = {key: [row[key] for row in value] for key in value[0]} if value else {}
        elif name in ("pred_train", "pred_masked"):
            place: dict[str, int] = {}
            rows = [place.setdefault(json.dumps(answer), len(place)) for answer in value]
            found[name] = {"answers": [json.loads(answer) for answer in place], "rows": rows}
        else:
            found[name] = packed(value)
    return found


def only(rows: list[Record], names: list[str]) -> list[Record]:
    """Rows with some of their fields."""
    return [{name: row[name] for name in names} for row in rows]


def predictions(fit: Record) -> Record:
    """Answers on the training rows and on those with blanked cells."""
    return {name: fit[name] for name in ("pred_train", "pred_masked") if name in fit}


def correct(fit: Record, folds: str) -> Record:
    """Percent of rows that were answered rightly in cross-validation; nothing for numbers."""
    share = fit.get(folds, {}).get("accuracy_percent")
    return {} if share is None else {folds: {"accuracy_percent": share}}


def rpart_fit(fit: Record) -> Record:
    """The tree with competitors and surrogates, the complexity table, importances and fitted values."""
    return {
        "control": dict(fit["control"]),
        "parms": fit.get("parms"),
        "frame": only(fit["frame"], FRAME),
        "yval2": fit.get("yval2"),
        "splits": only(fit.get("splits", []), SPLITS),
        "csplit": fit.get("csplit"),
        "cptable": only(fit["cptable"], COMPLEXITIES),
        "variable_importance": fit.get("variable_importance"),
        "where_node": fit["where_node"],
        **correct(fit, "cv10_weka_folds"),
        **predictions(fit),
    }


def rpart_fits(shared: Path, name: str) -> Record:
    """All variants."""
    return {variant: rpart_fit(fit) for variant, fit in read(shared, "rpart", name).items() if variant != "_meta"}


def rpart_tree(fit: Record, n_classes: int) -> Record:
    """The nodes as figures: rows, weights, risks, complexities, gains, counts of classes; no column and no value."""
    gains = {row["node"]: row["improve"] for row in fit.get("splits", []) if row["kind"] == "primary"}
    frame = only(fit["frame"], ["node", "n", "wt", "dev", "complexity"])
    for k, row in enumerate(frame):
        row["improve"] = gains.get(row["node"])
        if n_classes:
            row |= {"yval": fit["frame"][k]["yval"], "counts": fit["yval2"][k][1 : n_classes + 1]}
    given = {"control": dict(fit.get("control", ())), "parms": fit.get("parms")}
    return {**given, "frame": frame, "cptable": only(fit["cptable"], COMPLEXITIES)}


def has_gaps(shared: Path, name: str, inputs: list[str]) -> bool:
    """Whether a table misses values."""
    with gzip.open(shared / "oracle" / "input" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return any(row[column] == "" for row in csv.DictReader(file) for column in inputs)


def rpart_trees(shared: Path) -> Iterator[tuple[str, Record]]:
    """The trees of all tables, and those of the calls in rpart's long introduction."""
    for path in sorted((shared / "oracle" / "rpart").glob("*.json.gz")):
        name = path.name.removesuffix(".json.gz")
        table, record = schema(shared, name), read(shared, "rpart", name)
        [target] = [column for column in table["columns"] if column["name"] == table["target"]]
        inputs = [column["name"] for column in table["columns"] if column is not target]
        classes = len(target.get("levels", []))
        fits = {variant: rpart_tree(fit, classes) for variant, fit in record.items() if variant != "_meta"}
        yield name, {"missing": has_gaps(shared, name, inputs), "fits": fits}
    with gzip.open(shared / "oracle" / "rpart_extra.json.gz", "rt", encoding="utf-8") as file:
        calls = json.load(file)
    yield "long introduction", {"missing": True, "fits": {call: rpart_tree(fit, 0) for call, fit in calls.items()}}


def fits_of(records: Record, learners: tuple[str, ...], sizes: tuple[str, ...]) -> Record:
    """The fits of Weka's learners whose names begin so: options, text, sizes, answers."""
    return {
        learner: {key: fit[key] for key in ("options", "text", *sizes) if key in fit}
        | correct(fit, "cv10_seed1")
        | predictions(fit)
        for learner, fit in records.items()
        if learner.startswith(learners) and "text" in fit
    }


def weka_fits(shared: Path, name: str) -> Record:
    """J48 and Id3; what the newer program cannot do (Id3, J48 -R) comes from the older one."""
    older, newer = read(shared, "weka-3.6.14", name), read(shared, "weka-3.9.7", name)
    records = {**older, **newer, "J48_R": older.get("J48_R", {})}
    return fits_of(records, ("J48", "Id3"), ("num_leaves", "tree_size"))


def jrip_fits(shared: Path, name: str) -> Record:
    """JRip as it is, without pruning and without optimisation."""
    return fits_of(read(shared, "weka-3.9.7", name), ("JRip",), ("num_leaves", "tree_size"))


def part_fits(shared: Path, name: str) -> Record:
    """PART."""
    return fits_of(read(shared, "weka-3.9.7", name), ("PART",), ("num_rules",))


def c50_fits(shared: Path, name: str) -> Record:
    """Leaves that hold rows, and training errors."""
    record, facts = read(shared, "c50", name), {}
    for variant in C50:
        found = re.search(r"\n\t\s+(\d+)\s+(\d+)\(\s*[\d.]+%\)", record[variant]["output"])
        if found is None:
            raise ValueError(f"the record of C5.0 on {name}, {variant}, shows no line of size and errors")
        facts[variant] = {"leaves": int(found[1]), "errors": int(found[2])}
    return facts


def ctree_leaves(shared: Path, name: str) -> list[int] | None:
    """Rows in the leaves of partykit's conditional inference tree."""
    record = read(shared, "forest", name).get("ctree")
    if record is None:
        return None
    return sorted(int(n) for line in record["print"] for n in re.findall(r"\(n = (\d+)", line))


def folds(shared: Path, name: str) -> list[list[int]]:
    """The rows of the ten folds that all programs were judged by."""
    rows: list[list[int]] = read(shared, "folds", name)["test_folds"]
    return rows


def schema(shared: Path, name: str) -> Record:
    """The target, and columns with their levels in order."""
    found = read(shared, "schema", name)
    return {"task": found["task"], "target": found["target"], "columns": found["columns"]}


FAMILIES: dict[str, Callable[[Path, str], Any]] = {
    "rpart": rpart_fits,
    "weka": weka_fits,
    "jrip": jrip_fits,
    "part": part_fits,
    "c50": c50_fits,
    "ctree": ctree_leaves,
    "folds": folds,
    "schema": schema,
}


def main(shared: Path) -> None:
    """Write one file for each family."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for family, extract in FAMILIES.items():
        write(family, {name: extract(shared, name) for name in OWN})
    write("rpart_trees", dict(rpart_trees(shared)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
