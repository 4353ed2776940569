"""Write tests/reference/rpart/*.json: what rpart gave on tables that bough.datasets can make, so that parity is tested
in every clone. Reads the recorded results of the folder `shared` (given as argument); run again when they change.
"""

import gzip
import json
import string
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "reference" / "rpart"
ALL = ["default", "cp0_minsplit20", "grow", "maxdepth3", "usesurrogate0", "usesurrogate1", "surrogatestyle1",
       "maxsurrogate0", "information", "prior_equal", "loss_last5", "weights123"]  # fmt: skip

# Recorded name: how bough.datasets makes the table, classes in declared order, variants, whether rows come in the
# recorded order (only then weights and fitted values can be compared row by row).
TABLES: dict[str, tuple[dict[str, str], list[Any], list[str], bool]] = {
    "penguins": ({"name": "penguins"}, ["Adelie", "Chinstrap", "Gentoo"], ALL, True),
    "watermelon2": ({"name": "watermelon", "version": "2.0"}, [True, False], ["default", "grow"], True),
    "watermelon2a": ({"name": "watermelon", "version": "2.0a"}, [True, False], ["default", "grow"], True),
    "watermelon3": ({"name": "watermelon", "version": "3.0"}, [True, False], ["default", "grow"], True),
    "tic_tac_toe": (
        {"name": "tic_tac_toe"},
        ["negative", "positive"],
        ["default", "usesurrogate1", "loss_last5", "weights123"],
        True,
    ),
    "titanic": ({"name": "titanic"}, ["no", "yes"], ["default", "information", "prior_equal", "loss_last5"], False),
}
FRAME = ["node", "var", "n", "wt", "dev", "yval", "complexity"]
SPLITS = ["node", "kind", "var", "ncat", "improve", "index", "adj"]
DIGITS = string.digits + string.ascii_letters


def columns(rows: list[dict[str, Any]], names: list[str]) -> dict[str, list[Any]]:
    """Rows as columns: names are written once."""
    return {name: [row[name] for row in rows] for name in names}


def compact(answers: list[Any]) -> dict[str, Any]:
    """The distinct answers, and one digit a row that says which."""
    distinct: list[Any] = []
    for answer in answers:
        if answer not in distinct:
            distinct.append(answer)
    return {"answers": distinct, "rows": "".join(DIGITS[distinct.index(answer)] for answer in answers)}


def extract(fit: dict[str, Any], fitted: bool) -> dict[str, Any]:
    """What a test needs of a fit: the tree with its surrogates, the complexity table, the fitted values."""
    splits = [dict(row) for row in fit.get("splits", []) if row["kind"] != "competitor"]
    sets: list[list[int]] = []
    for row in splits:
        if row["ncat"] > 1:  # a set of levels; cuts have 1 or -1
            sets.append(fit["csplit"][int(row["index"]) - 1][: row["ncat"]])
            row["index"] = len(sets)
    facts = {
        "control": dict(fit["control"]),
        "parms": fit.get("parms"),
        "frame": columns(fit["frame"], FRAME),
        "yval2": fit["yval2"],
        "splits": columns(splits, SPLITS),
        "csplit": sets,
        "cptable": columns(fit["cptable"], ["CP", "nsplit", "rel error"]),
    }
    if fitted:
        facts |= {name: compact(fit[name]) for name in ("pred_train", "pred_masked")}
    return facts


def main(shared: Path) -> None:
    """Write one file for each table."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, (dataset, classes, variants, ordered) in TABLES.items():
        with gzip.open(shared / "oracle" / "rpart" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
            record = json.load(file)
        facts = {
            "program": f"rpart {record['_meta']['rpart']}, {record['_meta']['R']}",
            "dataset": dataset,
            "classes": classes,
            "fits": {variant: extract(record[variant], ordered) for variant in variants},
        }
        (TARGET / f"{name}.json").write_text(json.dumps(facts, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
