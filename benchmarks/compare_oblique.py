"""Trees of weighted sums beside one-column trees and other programs: accuracy, leaves and time on the same folds.

    python benchmarks/compare_oblique.py --data ../shared/data --folds ../shared/oracle/folds    # the table: an hour
    python benchmarks/compare_oblique.py --tables balance_scale,iris --models lda,cart --seeds 1
    python benchmarks/compare_oblique.py --speed                                                 # ratios of CPU time

Ten folds as they are recorded, where they are, and ten stratified folds of each of five seeds; every model is fitted to
the same rows, so that differences are paired, and the mean over the seeds decides. Tables with nominal columns go to
bough as they are and to others one-hot. What is not installed (YDF, obliquetree) is left out, and said. Each fold is
kept in the cache as it is done, so that a run can be taken up again. `--speed` compares CPU times of fits of 100,000
rows of 20 normal columns, and of predictions of 1,000,000 rows.
"""

import argparse
import gzip
import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from defaults import of_folder
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bough
from bough.recipe import CrossValidated, Perturb

GIVEN = ("glass", "diabetes", "heart", "iris")
MADE = ("balance_scale", "penguins", "waveform", "led")
DECIDING = ("glass", "diabetes", "heart", "balance_scale")


def table(name: str, data: Path | None) -> tuple[pd.DataFrame, np.ndarray[Any, Any]] | None:
    """A table with its classes; None if it is not at hand."""
    if name in MADE:
        sizes = {"waveform": {"n": 1000, "random_state": 1}, "led": {"n": 1000, "random_state": 1}}
        X, y = bough.datasets.load(name, **sizes.get(name, {})).xy()
        return pd.DataFrame(X), np.asarray(y).astype(str)
    if data is None or not (data / f"{name}.csv").exists():
        return None
    X, y, _ = of_folder(data, name)
    return X, y


def splits(name: str, y: Any, folder: Path | None, seeds: int) -> Iterator[tuple[str, list[Any]]]:
    """Lists of test rows: as they are recorded, then by seeds."""
    file = None if folder is None else folder / f"{name}.json.gz"
    if file is not None and file.exists():
        with gzip.open(file) as stream:
            yield "recorded", [np.array(rows) for rows in json.load(stream)["test_folds"]]
    for seed in range(1, seeds + 1):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed).split(y, y)
        yield str(seed), [test for _, test in folds]


# Models: each makes something with fit and predict, and says how many leaves it has.


def _cart(risk: str = "auto") -> Callable[[], Any]:
    """One column a test, the least cross-validated risk: of the deviance, which is CART's own, or of the errors."""
    return lambda: bough.CARTClassifier(pruning=CrossValidated(rule="min", risk=risk), random_state=0)


def _estimator(name: str, **parameters: Any) -> Callable[[], Any] | None:
    """An estimator of bough, if this version has it."""
    kind = getattr(bough, name, None)
    return None if kind is None else lambda: kind(random_state=0, **parameters)


class Ydf:
    """YDF's CART with oblique splits; a tenth of the rows prunes, as it does by itself."""

    def __init__(self, axis: str) -> None:
        self.axis = axis

    def fit(self, X: Any, y: Any) -> "Ydf":
        import ydf

        ydf.verbose(0)
        frame = self._frame(X).assign(**{"target of the fold": y})
        learner = ydf.CartLearner(label="target of the fold", split_axis=self.axis, num_threads=1)
        self.model_ = learner.train(frame)
        self.classes_ = np.array(self.model_.label_classes())
        return self

    @staticmethod
    def _frame(X: Any) -> Any:
        return pd.DataFrame({c: X[c].astype(float) if X[c].dtype.kind in "iuf" else X[c].astype(object) for c in X})

    def predict(self, X: Any) -> Any:
        share = self.model_.predict(self._frame(X))
        code = (share > 0.5).astype(int) if share.ndim == 1 else share.argmax(axis=1)
        return self.classes_[code]

    def get_n_leaves(self) -> int:
        def leaves(node: Any) -> int:
            return 1 if node.is_leaf else leaves(node.pos_child) + leaves(node.neg_child)

        return leaves(self.model_.get_tree(0).root)


class ObliqueTree:
    """obliquetree to depth 8, on columns one-hot, with classes counted from 0."""

    def fit(self, X: Any, y: Any) -> "ObliqueTree":
        from obliquetree import Classifier

        self.ready_ = _one_hot().fit(X)
        self.classes_, code = np.unique(y, return_inverse=True)
        self.model_ = Classifier(use_oblique=True, max_depth=8, random_state=0)
        self.model_.fit(np.asarray(self.ready_.transform(X), dtype=float), code.astype(float))
        return self

    def predict(self, X: Any) -> Any:
        code = self.model_.predict(np.asarray(self.ready_.transform(X), dtype=float))
        return self.classes_[np.asarray(code).astype(int)]


def _one_hot() -> Any:
    numbers = make_column_selector(dtype_include="number")
    levels = make_column_selector(dtype_exclude="number")
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer((make_pipeline(SimpleImputer(), StandardScaler()), numbers), (encoder, levels))


MODELS: dict[str, Callable[[], Any] | None] = {
    "cart": _cart(),
    "cart_error": _cart("error"),
    "lda": _estimator("LDATreeClassifier"),
    "oc1": _estimator("OC1Classifier"),
    "cart_lc": _estimator("CARTLCClassifier"),
    "quest": _estimator("QUESTClassifier", linear=True),
    "omnivariate": _estimator("OmnivariateTreeClassifier"),
    "sklearn": lambda: make_pipeline(_one_hot(), DecisionTreeClassifier(random_state=0)),
    "logistic": lambda: make_pipeline(_one_hot(), LogisticRegression(max_iter=2000)),
    "ydf_axis": lambda: Ydf("AXIS_ALIGNED"),
    "ydf_sparse": lambda: Ydf("SPARSE_OBLIQUE"),
    "ydf_mhld": lambda: Ydf("MHLD_OBLIQUE"),
    "obliquetree": ObliqueTree,
}


def one_fold(make: Callable[[], Any], X: Any, y: Any, test: Any) -> list[float]:
    """Accuracy, leaves (0 if there are none) and CPU seconds of a fit."""
    train = np.setdiff1d(np.arange(len(y)), test)
    start = time.process_time()
    model = make().fit(X.iloc[train], y[train])
    seconds = time.process_time() - start
    tree = model[-1] if hasattr(model, "steps") else model
    leaves = float(tree.get_n_leaves()) if hasattr(tree, "get_n_leaves") else 0.0
    return [float(np.mean(np.asarray(model.predict(X.iloc[test])).astype(str) == y[test])), leaves, seconds]


def run(args: argparse.Namespace) -> dict[str, list[list[float]]]:
    """What every fold gave, by "table model split"."""
    cache = Path(args.cache)
    done: dict[str, Any] = json.loads(cache.read_text(encoding="utf-8")) if cache.exists() else {}
    for name in args.tables:
        read = table(name, args.data)
        if read is None:
            print(f"{name}: not at hand, left out (--data)")
            continue
        X, y = read
        for split, folds in splits(name, y, args.folds, args.seeds):
            for model in args.models:
                make, key = MODELS[model], f"{name} {model} {split}"
                if make is None or key in done:
                    continue
                try:
                    done[key] = [one_fold(make, X, y, test) for test in folds]
                except ImportError as error:
                    print(f"{model}: {error}: left out")
                    MODELS[model] = None
                    continue
                cache.write_text(json.dumps(done), encoding="utf-8")
    return done


def show(done: dict[str, list[list[float]]], args: argparse.Namespace) -> None:
    """The table, in per cent, with leaves and the CPU seconds of a fit."""
    kept = [key.split() for key in done]
    tables = [name for name in args.tables if any(key[0] == name for key in kept)]
    print("| | " + " | ".join(tables) + " | mean of " + ", ".join(DECIDING) + " | leaves there |")
    print("|---" * (len(tables) + 3) + "|")
    for model in args.models:
        cells, accuracy, leaves = [], {}, {}
        for name in tables:
            runs = np.array([done[" ".join(key)] for key in kept if key[:2] == [name, model]])
            if not len(runs):
                cells.append("")
                continue
            accuracy[name], leaves[name], seconds = runs.mean(axis=(0, 1))
            cells.append(f"{100 * accuracy[name]:.1f}, {leaves[name]:.0f} ({seconds:.2g} s)")
        complete = all(name in accuracy for name in DECIDING)
        mean = f"{100 * np.mean([accuracy[n] for n in DECIDING]):.1f}" if complete else ""
        size = f"{np.mean([leaves[n] for n in DECIDING]):.1f}" if complete else ""
        if any(cells):
            print(f"| {model} | " + " | ".join(cells) + f" | {mean} | {size} |")


# Speed.


def _cpu(work: Callable[[], Any], repeats: int = 3) -> float:
    runs = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        runs.append(time.process_time() - start)
    return min(runs)


def normals(rows: int, seed: int = 1) -> tuple[Any, Any]:
    """Twenty normal columns; two classes by a sum, a product, a sine and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 20)).astype(np.float32).astype(float)
    s = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + 0.5 * rng.normal(size=rows)
    return X, (s > np.median(s)).astype(int)


def speed() -> None:
    """Ratios of CPU times in this run, one thread, with what is wanted of them."""
    X, y = normals(100_000)
    grown = {"pruning": None, "min_samples_split": 20, "min_samples_leaf": 7, "random_state": 0}
    axis = bough.CARTClassifier(**grown)
    lda = bough.LDATreeClassifier(**grown)
    oc1 = bough.OC1Classifier(search=Perturb(restarts=1), **grown)
    base = _cpu(lambda: axis.fit(X, y), 5)
    print(f"CARTClassifier: {base:.3f} s, {axis.get_n_leaves()} leaves")
    for name, model, most, repeats in (("LDATreeClassifier", lda, 15, 2), ("OC1Classifier, one start", oc1, 80, 1)):
        seconds = _cpu(lambda model=model: model.fit(X, y), repeats)
        leaves = model.get_n_leaves()
        print(f"{name}: {seconds:.2f} s, {leaves} leaves, {seconds / base:.1f}x (at most {most}x)", flush=True)
    beside_others(X, y)
    many = normals(1_000_000, 2)[0]
    for least in (7, 300):
        sums = bough.LDATreeClassifier(**{**grown, "min_samples_leaf": least}).fit(X, y)
        single = bough.CARTClassifier(**{**grown, "max_leaf_nodes": sums.get_n_leaves()}).fit(X, y)
        seconds = [_cpu(lambda model=model: model.predict(many)) for model in (sums, single)]
        print(
            f"predict 1,000,000 rows, {sums.get_n_leaves()} leaves: {seconds[0]:.3f} s against {seconds[1]:.3f} s, "
            f"{seconds[0] / seconds[1]:.1f}x (at most 4x)",
            flush=True,
        )


def beside_others(X: Any, y: Any) -> None:
    """Fits of other programs to the same rows."""
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    for name, make in (("YDF MHLD", MODELS["ydf_mhld"]), ("YDF sparse", MODELS["ydf_sparse"])):
        try:
            print(f"{name}: {_cpu(lambda make=make: make().fit(frame, y.astype(str)), 1):.2f} s", flush=True)
        except ImportError as error:
            print(f"{name}: {error}: left out")
    tree = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7)
    print(f"scikit-learn, one column: {_cpu(lambda: tree.fit(X, y), 1):.2f} s", flush=True)


def main() -> None:
    """Read what is asked for, run it, print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--tables", type=lambda text: text.split(","), default=[*GIVEN, *MADE])
    parser.add_argument("--models", type=lambda text: text.split(","), default=list(MODELS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--cache", default="oblique-runs.json")
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.speed:
        return speed()
    show(run(args), args)
    return None


if __name__ == "__main__":
    main()
