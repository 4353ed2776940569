"""Times of rule learners in one run: beside Weka's JRip and PART, wittgenstein, and our own trees.

Started by `compare_rules.py --speed`. Times are CPU times of the best of some fits, from the frame on; in Weka of
`buildClassifier` alone, in a Java that has run the learner before, so that neither its start nor reading counts. What
is not installed is left out, and said.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from compare_c45 import adult
from weka import Job, missing_reason, run
from wittgenstein_runs import filled, is_installed, run_wittgenstein

import bough

__all__ = ["speed"]

JRIP, PART = "weka.classifiers.rules.JRip", "weka.classifiers.rules.PART"
SIZES = (10_000, 30_000, 100_000, 300_000)


@dataclass
class Bars:
    """What is wanted of ratios, printed as they come; the names of those missed."""

    missed: list[str] = field(default_factory=list)

    def show(self, name: str, value: float, *, least: float | None = None, most: float | None = None) -> None:
        """Print a ratio with what is wanted of it."""
        good = value >= least if most is None else value <= most
        wanted = f"at least {least:g}" if most is None else f"at most {most:g}"
        print(f"  {name}: {value:.2f} ({wanted}{'' if good else ': MISSED'})", flush=True)
        if not good:
            self.missed.append(name)


def planted(rows: int, seed: int = 3) -> tuple[pd.DataFrame, pd.Series]:
    """Ten normal, four whole-number and six nominal columns; three planted rules, 5 % of the labels flipped."""
    rng = np.random.default_rng(seed)
    cells: dict[str, Any] = {f"x{i}": rng.normal(size=rows) for i in range(10)}
    cells |= {f"i{i}": rng.integers(0, k, rows) for i, k in enumerate((10, 40, 200, 1000))}
    cells |= {f"c{i}": rng.choice([f"v{j}" for j in range(k)], rows) for i, k in enumerate((2, 3, 4, 7, 12, 20))}
    holds = (cells["x0"] > 0.8) & (cells["c1"] == "v0")
    holds |= (cells["x3"] < -1.2) & (cells["i1"] >= 25)
    holds |= (cells["c3"] == "v4") & (cells["x5"] > 0.2)
    y = np.where(holds ^ (rng.random(rows) < 0.05), "yes", "no")
    X = pd.DataFrame(cells)
    nominal = {name: pd.Categorical(X[name], sorted(set(X[name]))) for name in X if name[0] == "c"}
    return X.assign(**nominal), pd.Series(pd.Categorical(y), name="y")


def cpu(work: Callable[[], Any], repeats: int = 3) -> float:
    """The CPU seconds of the best of some runs."""
    runs = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        runs.append(time.process_time() - start)
    return min(runs)


def fit_time(learner: Any, X: pd.DataFrame, y: pd.Series, weights: Any = None, repeats: int = 3) -> float:
    """Of a fit; the number of rules is printed."""
    seconds = cpu(lambda: learner.fit(X, y, sample_weight=weights), repeats)
    size = f"{learner.rules_.n_rules} rules" if hasattr(learner, "rules_") else f"{learner.get_n_leaves()} leaves"
    name = type(learner).__name__ + (" as JRip" if getattr(learner, "draws", None) is not None else "")
    print(f"  {name}: {seconds:.3f} s, {size}", flush=True)
    return seconds


def beside_weka(jar: str, big: tuple[Any, Any], small: tuple[Any, Any] | None, bars: Bars) -> float | None:
    """JRip and PART; the seconds that PART took on adult."""
    tables = [(learner, *small, 3) for learner in (JRIP, PART)] if small else []
    jobs = [Job(learner, "", X, y) for learner, X, y, repeats in [*tables, (JRIP, *big, 1)] for _ in range(repeats)]
    ran = [one.cpu for one in run(jobs, jar)]
    part = None
    if small:
        print("adult")
        jrip, part = min(ran[:3]), min(ran[3:6])
        print(f"  Weka: JRip {ran[0]:.2f} cold, {jrip:.2f} warm, PART {ran[3]:.2f} cold, {part:.2f} warm")
        bars.show("adult, JRip / RIPPER", jrip / fit_time(bough.RIPPERClassifier(), *small), least=10)
        bars.show("adult, JRip / like JRip", jrip / fit_time(bough.like("JRip"), *small), least=10)
        bars.show("adult, Weka's PART / PART", part / fit_time(bough.PARTClassifier(), *small), least=10)
        bars.show("adult, Weka's PART / like PART", part / fit_time(bough.like("PART"), *small), least=10)
    print(f"planted rules, {len(big[1]):,} x {big[0].shape[1]}\n  Weka: JRip {ran[-1]:.2f}")
    bars.show("planted, JRip / RIPPER", ran[-1] / fit_time(bough.RIPPERClassifier(), *big), least=20)
    bars.show("planted, JRip / like JRip", ran[-1] / fit_time(bough.like("JRip"), *big), least=20)
    return part


def beside_wittgenstein(python: str, small: tuple[Any, Any] | None, bars: Bars) -> None:
    """RIPPER on 10,000 rows."""
    tables = {"planted": planted(10_000)}
    if small:
        tables["adult"] = (small[0].iloc[:10_000], small[1].iloc[:10_000])
    for name, (X, y) in tables.items():
        print(f"{name}, 10,000 rows")
        whole = filled(X, X)
        (found,) = run_wittgenstein(python, [(whole, y, whole.iloc[:0])], y.value_counts().index[-1])
        print(f"  wittgenstein: {found['cpu']:.2f} s, {found['rules']} rules")
        bars.show(
            f"{name}, wittgenstein / RIPPER", found["cpu"] / fit_time(bough.RIPPERClassifier(), whole, y), least=100
        )


def applying(bars: Bars, rows: int = 1_000_000) -> None:
    """Rules of three literals, and the leaves of a tree, fifty of each."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({f"x{i}": rng.normal(size=rows) for i in range(10)})
    y = np.where(X.x0 + X.x1 * X.x2 + np.sin(2 * X.x3) > 0, "a", "b")
    text = [
        "IF " + " AND ".join(f"x{c} {rng.choice(['<=', '>'])} {rng.normal():.6f}" for c in rng.permutation(10)[:3])
        for _ in range(50)
    ]
    lines = [f"{rule} THEN {'ab'[place % 2]}" for place, rule in enumerate(text)]
    rules = bough.parse_rules("\n".join([*lines, "OTHERWISE a"]), schema=X)
    tree = bough.CARTClassifier(max_leaf_nodes=50, pruning=None).fit(X[:100_000], y[:100_000]).tree_
    own = tree.rules(missing="known")
    of_rules, of_tree, of_own = (cpu(lambda model=model: model.apply(X)) for model in (rules, tree, own))
    sizes = f"{rules.n_rules} rules {of_rules:.3f} s, tree of {tree.n_leaves} leaves {of_tree:.3f} s"
    print(f"apply of {rows:,} rows: {sizes}")
    bars.show("apply, 50 rules / tree", of_rules / of_tree, most=5)
    bars.show(f"apply, the tree's own {len(own.rules)} rules / tree", of_own / of_tree, most=5)


def speed(jar: str | Path | None, python: str = sys.executable) -> list[str]:
    """Print the times; the names of the ratios that miss what is wanted."""
    bars, part = Bars(), None
    big, small = planted(200_000), adult()
    print("CPU seconds")
    if small is None:
        print("adult is left out: no shared data; set BOUGH_SHARED")
    if reason := missing_reason(jar):
        print(f"Weka is left out: {reason}")
    else:
        part = beside_weka(str(jar), big, small, bars)
    if is_installed(python):
        beside_wittgenstein(python, small, bars)
    else:
        print(f"wittgenstein is left out: {python} cannot import it (--wittgenstein names another Python)")
    if small is not None:
        print("C4.5Rules on adult")
        rules = fit_time(bough.C45RulesClassifier(), *small)
        bars.show("C4.5Rules / its tree", rules / fit_time(bough.C45Classifier(pruning=None), *small), most=20)
        if part is not None:
            bars.show("C4.5Rules / Weka's PART", rules / part, most=0.2)
    print("rows and time, planted rules")
    times = [fit_time(bough.RIPPERClassifier(), *planted(rows)) for rows in SIZES]
    bars.show("exponent of time, RIPPER", float(np.polyfit(np.log(SIZES), np.log(times), 1)[0]), most=1.15)
    print("weights that are not whole")
    for name, table in {"adult": small, "planted": big}.items():
        if table is not None:
            weights = np.random.default_rng(1).uniform(0.5, 1.5, len(table[1]))
            whole, real = (fit_time(bough.RIPPERClassifier(), *table, w) for w in (None, weights))
            bars.show(f"{name}, weights / none", real / whole, most=3)
    applying(bars)
    print("\n" + ("missed: " + "; ".join(bars.missed) if bars.missed else "all bars are reached"))
    return bars.missed
