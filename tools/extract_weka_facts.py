"""Write tests/reference/weka/*.json: what Weka gave on tables that bough.datasets can make, so that parity is tested
in every clone. Reads the recorded results of the folder `shared` (given as argument); run again when they change.
"""

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "reference" / "weka"
ALL = ["J48", "J48_U", "J48_B", "J48_S_noraising", "J48_A_laplace", "J48_B_actualsplit_off", "J48_R", "Id3"]

# Recorded name: how bough.datasets makes the table, classes in declared order, learners, whether rows come in the
# recorded order (only then rows can be kept back and probabilities compared row by row).
TABLES: dict[str, tuple[dict[str, str], list[Any], list[str], bool]] = {
    "penguins": ({"name": "penguins"}, ["Adelie", "Chinstrap", "Gentoo"], ALL, True),
    "watermelon2": ({"name": "watermelon", "version": "2.0"}, [True, False], ALL, True),
    "watermelon2a": ({"name": "watermelon", "version": "2.0a"}, [True, False], ALL, True),
    "watermelon3": ({"name": "watermelon", "version": "3.0"}, [True, False], ALL, True),
    "tic_tac_toe": ({"name": "tic_tac_toe"}, ["negative", "positive"], ["J48", "J48_B", "J48_R", "Id3"], True),
    "titanic": ({"name": "titanic"}, ["no", "yes"], ["J48", "J48_U", "J48_B", "Id3"], False),
}
MOST = 400  # rows of a table whose probabilities are kept


def compact(answers: list[Any]) -> dict[str, Any]:
    """The distinct answers, and for each row which one."""
    distinct: list[Any] = []
    for answer in answers:
        if answer not in distinct:
            distinct.append(answer)
    return {"answers": distinct, "rows": [distinct.index(answer) for answer in answers]}


def extract(fit: dict[str, Any], fitted: bool) -> dict[str, Any]:
    """What a test needs of a fit: the options, the printed tree and its size, the probabilities."""
    # The records spell levels of two words with a space, bough.datasets with an underscore.
    facts = {"options": fit["options"], "text": re.sub(r"(?<=slightly) ", "_", fit["text"])}
    facts |= {name: int(fit[name]) for name in ("num_leaves", "tree_size") if name in fit}
    if fitted:
        facts |= {name: compact(fit[name]) for name in ("pred_train", "pred_masked") if name in fit}
    return facts


def main(shared: Path) -> None:
    """Write one file for each table; Id3 and J48 -R come from the older program, which alone has them."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, (dataset, classes, learners, ordered) in TABLES.items():
        records = {}
        for version in ("3.6.14", "3.9.7"):
            with gzip.open(shared / "oracle" / f"weka-{version}" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
                record = json.load(file)
            meta = record["_meta"]
            records |= {learner: fit for learner, fit in record.items() if "text" in fit}
        facts = {
            "program": "Weka 3.9.7, for J48 -R and Id3 Weka 3.6.14",
            "dataset": dataset,
            "classes": classes,
            "class_names": meta["classes"],
            "fits": {
                learner: extract(records[learner], ordered and meta["rows"] <= MOST)
                for learner in learners
                if learner in records
            },
        }
        (TARGET / f"{name}.json").write_text(json.dumps(facts, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
