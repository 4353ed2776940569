"""`like("JRip")` and `like("PART")` against Weka on random tables: rules as printed, and probabilities.

    python benchmarks/compare_weka_rules.py --jar weka.jar                 # 500 tables
    python benchmarks/compare_weka_rules.py --jar weka.jar --tables 50 --first 1000 --show

Tables have numbers with ties, nominal columns (some levels unused), missing values, weights, 2 to 5 classes and 30 to
400 rows; options are those of the programs by default on half of the tables, else drawn. Probabilities are compared on
the training rows and on a copy with more values missing. Figures in print may differ in the last digit of a sum. PART
of Weka forgets what is left of a row once that is below 1e-6; ours adds up to 1, so that Weka's is scaled to 1.

Sums of weights that are not whole depend on the order of adding, and rounding decides between candidates of equal
worth. Such a difference is a tie if our rules are Weka's after weights have been changed by one part in 1e13; all
others are printed (with `--show` in full) and make the exit status 1.
"""

import argparse
import os
import re
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from weka import Job, Ran, missing_reason, run

import bough
from bough.model.rules import Levels
from bough.testing.c45.text import java_double, six_decimals, two_decimals

CLOSE = 1e-9
TIE = "tie"
WEKA = {"JRip": "weka.classifiers.rules.JRip", "PART": "weka.classifiers.rules.PART"}
FIGURES = re.compile(r"\((\d[\d.E-]*)(?:/(\d[\d.E-]*))?\)$")


@dataclass(frozen=True)
class Case:
    """A random table with the options of both programs."""

    X: pd.DataFrame
    y: pd.Series
    weights: np.ndarray | None
    rows: pd.DataFrame  # to answer: those of X, then the same with more values missing
    options: dict[str, dict[str, Any]]


def drawn(seed: int) -> Case:
    """A table and options by chance."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(30, 401)), int(rng.integers(2, 6))
    columns, score = {}, rng.normal(0, rng.choice([0.1, 0.5, 1.5]), (n, n_classes))
    for number in range(rng.integers(2, 9)):
        if rng.random() < 0.5:
            cells = rng.normal(0, rng.choice([1, 10, 1000]), n).round(int(rng.integers(0, 4)))
            high = cells > rng.choice(cells)
            columns[f"x{number}"] = pd.Series(cells + 0.0)
        else:
            levels = int(rng.integers(2, 9))
            code = rng.integers(0, max(2, levels - int(rng.integers(0, 3))), n)
            high = code == rng.choice(code)
            columns[f"c{number}"] = pd.Series(pd.Categorical.from_codes(code, [f"v{level}" for level in range(levels)]))
        score += np.outer(high, rng.normal(0, 2, n_classes) * (rng.random() < 0.7))
    labels = rng.permutation([f"k{label}" for label in range(n_classes)]).tolist()
    code = score.argmax(axis=1)
    y = pd.Series(pd.Categorical.from_codes(code, labels), name="y")
    whole = pd.DataFrame(columns)
    X = _masked(whole, rng, rng.choice([0, 0.02, 0.1, 0.3]))
    weights = [None, rng.integers(1, 4, n) + 0.0, rng.integers(1, 9, n) / 4, rng.random(n) + 0.01][rng.integers(0, 4)]
    rows = pd.concat([X, _masked(X, rng, 0.15)], ignore_index=True)
    return Case(X, y, weights, rows, _options(rng))


def _masked(X: pd.DataFrame, rng: np.random.Generator, share: float) -> pd.DataFrame:
    return X.mask(rng.random(X.shape) < share)


def _options(rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    if rng.random() < 0.5:
        return {"JRip": {}, "PART": {}}
    jrip = {"F": int(rng.integers(2, 6)), "N": float(rng.integers(1, 4)), "O": int(rng.integers(0, 4))}
    jrip |= {"S": int(rng.integers(1, 100)), "P": bool(rng.random() < 0.2)}
    part = {"M": int(rng.integers(1, 6)), "B": bool(rng.random() < 0.3), "J": bool(rng.random() < 0.2)}
    part |= {"doNotMakeSplitPointActualValue": bool(rng.random() < 0.2)}
    part |= {"U": True} if rng.random() < 0.2 else {"C": float(rng.choice([0.125, 0.25, 0.5]))}
    return {"JRip": jrip, "PART": part}


def as_text(options: dict[str, Any]) -> str:
    """Options as on Weka's command line."""
    return " ".join(
        f"-{name}" if value is True else f"-{name} {value}" for name, value in options.items() if value is not False
    )


def printed(program: str, clf: Any, options: dict[str, Any]) -> list[str]:
    """The rules as the program prints them, one a line, the default of JRip last."""
    model, number = clf.rules_, java_double if options.get("B") else six_decimals
    labels = [rule.label for rule in model.rules] + ([] if model.default is None else [model.default])
    lines = []
    for place, label in enumerate(labels):
        literals = model.rules[place].literals if place < len(model.rules) else ()
        counts = model.counts[place]
        wrong = counts.sum() - counts[list(model.classes).index(label)]
        texts = [_literal(literal, number, program) for literal in literals]
        if program == "JRip":
            figures = f"({java_double(counts.sum())}/{java_double(wrong)})"
            lines.append(f"{' and '.join(f'({text})' for text in texts)} => y={label} {figures}")
        else:
            figures = two_decimals(counts.sum()) + (f"/{two_decimals(wrong)}" if wrong > 1e-6 else "")
            lines.append(f"{' AND '.join(texts)}: {label} ({figures})")
    return lines


def _literal(literal: Any, number: Any, program: str) -> str:
    name = literal.column.name
    if isinstance(literal, Levels):
        return f"{name} {'!=' if literal.negated else '='} {literal.column.levels[literal.codes[0]]}"
    if literal.high is not None:
        return f"{name} <= {number(literal.high.value)}"
    return f"{name} {'>=' if program == 'JRip' else '>'} {number(literal.low.value)}"


def lines_of(program: str, text: str) -> list[str]:
    """The rules in a print of Weka, one a line."""
    if program == "JRip":
        return [line for line in text.splitlines() if "=>" in line]
    rules = text.split("-" * 18)[1].split("Number of Rules")[0].split("\n\n")
    return [" ".join(rule.split("\n")) for rule in map(str.strip, rules) if rule]


def same(ours: str, theirs: str) -> bool:
    """Whether two lines agree, figures as far as sums in another order, and then rounded, may differ."""
    if ours == theirs:
        return True
    mine, other = FIGURES.search(ours), FIGURES.search(theirs)
    if not mine or not other or ours[: mine.start()] != theirs[: other.start()]:
        return False
    pairs = zip(mine.groups("0"), other.groups("0"), strict=True)
    slack = 0.01 + CLOSE if ": " in ours else CLOSE
    return all(abs(float(a) - float(b)) <= slack for a, b in pairs)


def difference(program: str, case: Case, ran: Ran) -> str:
    """What differs, as a sentence; empty if nothing does, and TIE if that is rounding."""
    found = _difference(program, case, case.weights, ran)
    if not found or case.weights is None or ran.error:
        return found
    rng = np.random.default_rng(0)
    for _ in range(50):
        changed = case.weights * (1 + 1e-13 * rng.standard_normal(len(case.weights)))
        if not _difference(program, case, changed, ran):
            return TIE
    return found


def _difference(program: str, case: Case, weights: np.ndarray | None, ran: Ran) -> str:
    options = case.options[program]
    try:
        clf = bough.like(program, **options).fit(case.X, case.y, sample_weight=weights)
    except Exception as error:  # noqa: BLE001 (told, and compared with what Weka says)
        return "" if ran.error else f"we stop, Weka does not: {error}"
    if ran.error:
        return f"Weka stops: {ran.error}"
    ours, theirs = printed(program, clf, options), lines_of(program, ran.text)
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if not same(mine, other):
            return f"rule {place + 1} is\n    {mine}\n  and Weka's\n    {other}"
    if len(ours) != len(theirs):
        return f"{len(ours)} rules, Weka has {len(theirs)}"
    order = [list(clf.classes_).index(label) for label in case.y.cat.categories]
    scaled = ran.probabilities / ran.probabilities.sum(axis=1, keepdims=True)
    off = np.abs(clf.predict_proba(case.rows)[:, order] - scaled).max()
    return "" if off <= CLOSE else f"probabilities differ by up to {off:.3g}"


def main() -> int:
    """Print the differences and how many there are; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", default=os.environ.get("WEKA_JAR"), help="weka.jar, 3.9; or WEKA_JAR")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first table")
    parser.add_argument("--show", action="store_true", help="print each difference in full")
    args = parser.parse_args()
    if reason := missing_reason(args.jar):
        print(f"skipped: {reason}")
        return 0
    seeds = range(args.first, args.first + args.tables)
    cases = [drawn(seed) for seed in seeds]
    wrong = 0
    for program, learner in WEKA.items():
        jobs = [Job(learner, as_text(c.options[program]), c.X, c.y, c.weights, c.rows) for c in cases]
        found = [difference(program, case, ran) for case, ran in zip(cases, run(jobs, args.jar), strict=True)]
        for seed, case, text in zip(seeds, cases, found, strict=True):
            if text and text != TIE:
                print(f"{program} {as_text(case.options[program])}, table {seed}: " + text.split("\n")[0])
                print("  " + "\n".join(text.split("\n")[1:])) if args.show and "\n" in text else None
        ties, unlike = found.count(TIE), sum(text not in ("", TIE) for text in found)
        wrong += unlike
        print(f"{program}: {len(found)} tables, {ties} ties by rounding, {unlike} other differences", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
