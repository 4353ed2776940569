"""CART side by side with other programs: CPU time, memory, prediction, threads, and whether the trees are the same.

    python benchmarks/compare_cart.py            # the tables of 100,000 rows: a few minutes
    python benchmarks/compare_cart.py --full     # also 1,000,000 rows, memory and prediction: half an hour
    python benchmarks/compare_cart.py --threads  # only: what two threads reach of what two processes do
    python benchmarks/compare_cart.py --weights  # only: what sample weights cost
    python benchmarks/compare_cart.py --check    # exit with status 1 if a bar is missed

scikit-learn is always the peer; rpart (Rscript), YDF and LightGBM (one tree) join where they are installed. All times
are CPU times of one thread in the same run, median of three, because these ratios travel and seconds do not; where
other work disturbs, the ratio of the least times says more. Each table is grown without surrogates, as scikit-learn has
none, and with five at each node, as rpart keeps them; the first two also with untouched parameters on both sides. What
weights cost is the ratio of the least times of fits with and without, in turn.
"""

import argparse
import gc
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from two_threads import two_threads

import bough

FULL_DEPTH = {"pruning": None, "min_samples_split": 2, "min_samples_leaf": 1, "missing": bough.recipe.Surrogates(0)}
FIVE = bough.recipe.Surrogates(5)
MOST_FOR_SURROGATES = 2.5  # times the CPU time without them
MOST_FOR_WEIGHTS = {"whole weights of 1 to 3": 1.5, "weights of 0.5 to 1.5": 3.0}  # times, with two classes
UNTOUCHED = 8.0  # scikit-learn's time over ours, both with the parameters that they have by default


@dataclass(frozen=True)
class Case:
    """One table and the ratio that it must reach."""

    rows: int
    labels: str  # noise | signal
    classes: int  # 0: regression
    bar: float
    decimals: int | None = None
    bar_with: float = 1.0  # with five surrogates

    def __str__(self) -> str:
        task = f"{self.classes} classes" if self.classes else "regression"
        rounded = f", rounded to {self.decimals} decimal" if self.decimals is not None else ""
        return f"{self.rows:,} rows, {task}, {self.labels}{rounded}"

    def make(self, seed: int = 0):
        """Twenty columns of normals that single precision holds exactly, and the target."""
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((self.rows, 20)).astype(np.float32).astype(np.float64)
        if self.decimals is not None:
            X = np.round(X, self.decimals)
        if self.labels == "noise":
            return X, rng.integers(0, self.classes, self.rows)
        signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + 0.5 * rng.standard_normal(self.rows)
        if not self.classes:
            return X, signal
        return X, np.digitize(signal, np.quantile(signal, np.arange(1, self.classes) / self.classes))


SMALL = [
    Case(100_000, "noise", 2, 10, bar_with=10),
    Case(100_000, "signal", 2, 10, bar_with=8),
    Case(100_000, "noise", 10, 10),
    Case(100_000, "signal", 10, 10),
    Case(100_000, "signal", 0, 10),
    Case(100_000, "signal", 2, 6, decimals=1),
]
LARGE = [Case(1_000_000, "noise", 2, 20), Case(1_000_000, "signal", 2, 20)]


def ours(case: Case, n_jobs: int | None = None, **parameters):
    """The estimator of bough for a case."""
    kind = bough.CARTClassifier if case.classes else bough.CARTRegressor
    return kind(**{**FULL_DEPTH, "n_jobs": n_jobs, **parameters})


def peer(case: Case):
    """The estimator of scikit-learn for a case."""
    return (DecisionTreeClassifier if case.classes else DecisionTreeRegressor)(random_state=0)


def cpu(work) -> float:
    """CPU seconds of one call, children included."""
    gc.collect()
    before = time.process_time()
    work()
    return time.process_time() - before


def times_of(repeats: int, work) -> list[float]:
    """CPU times, the least first."""
    return sorted(cpu(work) for _ in range(repeats))


def median_of(repeats: int, work) -> float:
    """The median CPU time."""
    return statistics.median(times_of(repeats, work))


def mean_leaf_depth(tree) -> float:
    """Tests that a training row meets, on average."""
    kernel = tree.kernel
    leaf = np.diff(kernel.child_begin) == 0
    return float((kernel.depths()[leaf] * kernel.weight[leaf]).sum() / kernel.weight[0])


def compare_fit(case: Case, repeats: int) -> dict:
    """Times of both, ours without and with surrogates, the ratios, and seconds for a cell and a level."""
    X, y = case.make()
    fitted = ours(case).fit(X, y)
    every = {
        "bough": times_of(repeats, lambda: ours(case).fit(X, y)),
        "with surrogates": times_of(repeats, lambda: ours(case, missing=FIVE).fit(X, y)),
        "scikit-learn": times_of(1 if case.rows > 500_000 else repeats, lambda: peer(case).fit(X, y)),
    }
    mine, five, theirs = (statistics.median(times) for times in every.values())
    cells = X.size * mean_leaf_depth(fitted.tree_)
    seconds = {"bough": mine, "with surrogates": five, "scikit-learn": theirs}
    least = every["scikit-learn"][0] / every["bough"][0]
    ratios = {"ratio": theirs / mine, "ratio with": theirs / five, "ratio of least": least}
    return seconds | ratios | {"cell": mine / cells}


def untouched(case: Case, repeats: int) -> float:
    """The median CPU time of the estimator with the parameters that it has by default."""
    X, y = case.make()
    kind = bough.CARTClassifier if case.classes else bough.CARTRegressor
    return median_of(repeats, lambda: kind().fit(X, y))


def weighted(case: Case, rounds: int) -> dict[str, float]:
    """The least CPU time with each kind of weights over the least without, fits in turn."""
    X, y = case.make()
    rng = np.random.default_rng(1)
    weights = [None, rng.integers(1, 4, case.rows), rng.uniform(0.5, 1.5, case.rows)]
    rows = [[cpu(lambda w=w: ours(case, n_jobs=1).fit(X, y, sample_weight=w)) for w in weights] for _ in range(rounds)]
    without, *with_weights = np.min(rows, axis=0)
    return {name: float(least / without) for name, least in zip(MOST_FOR_WEIGHTS, with_weights, strict=True)}


def others(case: Case) -> dict[str, float]:
    """CPU seconds of further programs that happen to be installed."""
    X, y = case.make()
    seconds = {}
    try:
        import lightgbm

        kind = lightgbm.LGBMClassifier if case.classes else lightgbm.LGBMRegressor
        model = kind(n_estimators=1, num_leaves=131072, min_child_samples=1, n_jobs=1, verbose=-1)
        seconds["LightGBM, one binned tree"] = cpu(lambda: model.fit(X, y))
    except ImportError:
        pass
    try:
        import ydf

        table = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"y": y}
        task = ydf.Task.CLASSIFICATION if case.classes else ydf.Task.REGRESSION
        learner = ydf.CartLearner(
            label="y", task=task, max_depth=-1, min_examples=1, num_threads=1, validation_ratio=0.0
        )
        seconds["YDF"] = cpu(lambda: learner.train(table, verbose=0))
    except ImportError:
        pass
    if shutil.which("Rscript"):
        seconds |= rpart(case, X, y)
    return seconds


def rpart(case: Case, X, y) -> dict[str, float]:
    """rpart in its own process; only its fit is timed, by R itself."""
    script = """
    a <- commandArgs(TRUE); suppressMessages(library(rpart)); d <- read.csv(a[1])
    if (a[2] == "class") d$y <- factor(d$y)
    k <- rpart.control(cp = 0, minsplit = 2, minbucket = 1, maxsurrogate = 0, xval = 0, maxdepth = 30)
    cat(system.time(rpart(y ~ ., d, method = a[2], control = k))[["user.self"]])
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        names = ",".join([f"x{j}" for j in range(X.shape[1])] + ["y"])
        np.savetxt(path, np.column_stack([X, y]), delimiter=",", header=names, comments="", fmt="%.9g")
        method = "class" if case.classes else "anova"
        run = subprocess.run(["Rscript", "-e", script, str(path), method], capture_output=True, text=True, check=False)
    return {"rpart (depth 30)": float(run.stdout)} if run.returncode == 0 else {}


def peak_memory(case: Case) -> float:
    """Bytes a cell above the input while fitting, in a fresh process; Linux only, where the peak can be set back."""
    code = f"""
import re, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from compare_cart import Case, ours

def bytes_of(name):
    return 1024 * int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

case = {case!r}
X, y = case.make()
ours(Case(100, "signal", {case.classes}, 1)).fit(X[:100], y[:100])
Path("/proc/self/clear_refs").write_text("5")
before = bytes_of("VmRSS")
ours(case).fit(X, y)
print((bytes_of("VmHWM") - before) / X.size)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(out.stdout)


def prediction(case: Case) -> float:
    """CPU time of scikit-learn's predict over ours, both with their full tree, on a million rows."""
    X, y = case.make()
    mine, theirs = ours(case).fit(X, y), peer(case).fit(X, y)
    new = Case(1_000_000, case.labels, case.classes, 1).make(seed=1)[0]
    return median_of(3, lambda: theirs.predict(new)) / median_of(3, lambda: mine.predict(new))


def same_tree(rows: int, classes: int, seed: int = 0) -> tuple[float, float]:
    """Walk both trees together on columns that are permutations of 0..n-1.

    Returns the share of the node weight that the walk covers, and the largest relative difference of two gains where
    the trees part.
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.permutation(rows) for _ in range(20)]).astype(np.float64)
    y = rng.integers(0, classes, rows)
    y[X[:, 0] + X[:, 1] > rows] = 0
    mine = bough.CARTClassifier(**FULL_DEPTH).fit(X, y).tree_.kernel
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y).tree_
    first = mine.children[np.minimum(mine.child_begin[:-1], max(len(mine.children) - 1, 0))]
    stack, covered, apart = [(0, 0, np.arange(rows))], 0.0, 0.0
    total = float(np.asarray(mine.weight).sum())
    while stack:
        a, b, inside = stack.pop()
        covered += float(mine.weight[a])
        if mine.child_begin[a] == mine.child_begin[a + 1]:
            continue
        split = int(mine.split_begin[a])
        column = int(mine.split_column[split])
        threshold = float(mine.split_payload[split : split + 1].view(np.float64)[0])
        if theirs.children_left[b] < 0:
            apart = np.inf
            continue
        other, cut = int(theirs.feature[b]), float(theirs.threshold[b])
        low, other_low = X[inside, column] <= threshold, X[inside, other] <= cut
        if not (low == other_low).all():
            gains = [gini_drop(y[inside], side, classes) for side in (low, other_low)]
            apart = max(apart, abs(gains[0] - gains[1]) / max(gains))
            continue
        left = int(first[a])
        stack.append((left, int(theirs.children_left[b]), inside[low]))
        stack.append((int(mine.end[left]), int(theirs.children_right[b]), inside[~low]))
    return covered / total, apart


def gini_drop(y, low, classes: int) -> float:
    """From whole counts, so that equal gains are equal."""
    a = np.bincount(y[low], minlength=classes).astype(object)
    b = np.bincount(y[~low], minlength=classes).astype(object)
    n, m = int(a.sum()), int(b.sum())
    squares = sum((int(i) * m - int(j) * n) ** 2 for i, j in zip(a, b, strict=True))
    return squares / ((n + m) ** 2 * n * m)


def main() -> int:
    """Print the table; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also a million rows, memory, threads, prediction")
    parser.add_argument("--threads", action="store_true", help="only two threads against two processes")
    parser.add_argument("--weights", action="store_true", help="only fits with weights against fits without")
    parser.add_argument("--rounds", type=int, default=15, help="fits of each way with --threads or --weights")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--others", action="store_true", help="also rpart, YDF and LightGBM where installed")
    options = parser.parse_args()
    missed = []

    def bar(name: str, value: float, wanted: float, *, most: bool = False) -> None:
        good = value <= wanted if most else value >= wanted
        print(f"{name}: {value:.3g} ({'at most' if most else 'at least'} {wanted:g}){'' if good else '  MISSED'}")
        if not good:
            missed.append(name)

    def judge_threads(case: Case) -> None:
        for five in (False, True):
            got = two_threads(case, options.rounds, "surrogates" if five else "tree")
            name = f"two threads, {case}, {'five' if five else 'no'} surrogates"
            bar(f"{name}: throughput over that of two processes", got["throughput"], 0.7)
            bar("... CPU time over that of one thread", got["work"], 1.1, most=True)
            print(f"... share of the calling thread: {got['caller']:.2f}", flush=True)

    def judge_weights(case: Case, rounds: int) -> None:
        for name, ratio in weighted(case, rounds).items():
            if case.classes == 2:
                bar(f"{name}, {case}: CPU time over that without", ratio, MOST_FOR_WEIGHTS[name], most=True)
            else:
                print(f"{name}, {case}: CPU time over that without: {ratio:.3g}", flush=True)

    if options.weights:
        for case in SMALL:
            judge_weights(case, options.rounds)
        return 1 if options.check and missed else 0
    if options.threads:
        for case in SMALL[:2]:
            judge_threads(case)
        return 1 if options.check and missed else 0
    print(
        "| table | bough, s | ratio | with five surrogates, s | ratio | scikit-learn, s | ns a cell and level |"
        " ratio of the least |"
    )
    print("|---|---|---|---|---|---|---|---|")
    cells, peers = {}, {}
    for case in SMALL + (LARGE if options.full else []):
        got = compare_fit(case, options.repeats)
        cells[case], peers[case] = got["cell"], got["scikit-learn"]
        plain, five = f"{got['bough']:.2f}", f"{got['with surrogates']:.2f}"
        ratios = f"**{got['ratio']:.1f}** | {five} | **{got['ratio with']:.1f}**"
        rest = f"{got['scikit-learn']:.1f} | {got['cell'] * 1e9:.1f} | {got['ratio of least']:.1f}"
        print(f"| {case} | {plain} | {ratios} | {rest} |", flush=True)
        if got["ratio"] < case.bar:
            missed.append(str(case))
        if got["ratio with"] < case.bar_with or got["with surrogates"] > MOST_FOR_SURROGATES * got["bough"]:
            missed.append(f"{case}, with five surrogates")
        if options.others and case.rows <= 100_000:
            for name, seconds in others(case).items():
                print(f"| ... {name} | {seconds:.1f} | {seconds / got['bough']:.1f} | | | | | |", flush=True)
    print()
    for case in SMALL[:2]:
        bar(
            f"both untouched, {case}: scikit-learn's time over ours",
            peers[case] / untouched(case, options.repeats),
            UNTOUCHED,
        )
    for case in SMALL[:2]:
        judge_weights(case, 5)
    for classes in (2, 10):
        covered, apart = same_tree(20_000, classes)
        bar(f"same tree as scikit-learn, {classes} classes: share of the node weight walked", covered, 0.8)
        bar("... largest relative difference of two gains where they part", apart, 1e-12, most=True)
    if options.full:
        small = compare_fit(Case(10_000, "noise", 2, 1), options.repeats)["cell"]
        bar("time a cell and level, 1,000,000 rows over 10,000", cells[LARGE[0]] / small, 2, most=True)
        judge_threads(LARGE[1])
        bar("peak memory above the input, bytes a cell", peak_memory(LARGE[0]), 20, most=True)
        bar(
            "prediction of 1,000,000 rows, scikit-learn's time over ours", prediction(Case(1_000_000, "noise", 2, 1)), 1
        )
    print(f"\n{sys.platform}, Python {sys.version.split()[0]}, numpy {np.__version__}, bough {bough.__version__}; "
          f"peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")  # fmt: skip
    print("command: python " + " ".join(["benchmarks/compare_cart.py", *sys.argv[1:]]))
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
