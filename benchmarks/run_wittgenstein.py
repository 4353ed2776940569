"""RIPPER of wittgenstein on tables in files; started by other benchmarks with a Python that has it.

    python benchmarks/run_wittgenstein.py < jobs

A job is a line of JSON: `train` and `rows` (CSV, the class last in `train`), `positive`,
`seed`. For each a line of JSON comes back: CPU seconds of the fit, rules, conditions, and whether each of `rows` is
positive.
"""

import json
import sys
import time

import numpy as np
import pandas as pd
import wittgenstein


def main() -> None:
    """Run the jobs in order."""
    for line in sys.stdin:
        job = json.loads(line)
        train, rows = pd.read_csv(job["train"]), pd.read_csv(job["rows"])
        learner = wittgenstein.RIPPER(random_state=job["seed"])
        start = time.process_time()
        learner.fit(train, class_feat=train.columns[-1], pos_class=job["positive"])
        cpu = time.process_time() - start
        rules = learner.ruleset_.rules
        said = np.asarray(learner.predict(rows)).astype(int).tolist() if len(rows) else []
        conditions = sum(len(rule.conds) for rule in rules)
        print(json.dumps({"cpu": cpu, "rules": len(rules), "conditions": conditions, "positive": said}), flush=True)


if __name__ == "__main__":
    main()
