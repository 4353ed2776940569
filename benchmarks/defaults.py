"""The untouched estimator on tables of all sizes: is its default good, whatever the table?

    python benchmarks/defaults.py                              # all tables, three repeats of five folds: hours of CPU
    python benchmarks/defaults.py --quick                      # one repeat of three folds, large tables thinned
    python benchmarks/defaults.py --tables iris,noise --cache runs.json
    python benchmarks/defaults.py --data ../shared/data        # a folder of tables with schemas; without it generators
    python benchmarks/defaults.py --programs bough,rpart --folds 10 --repeats 10          # the bar of rpart alone

Untouched bough, scikit-learn's untouched tree (levels one-hot, missing numbers by the median), YDF's CART where it is
installed, and `like("rpart")`, whose trees are rpart's: accuracy, AUC (each class against the others), Brier score, R2,
leaves and CPU seconds on rows that were not trained on. Each fold of each table is kept in the cache as it is done, so
that a run can be stopped and taken up again. At last each bar is judged by the tables that were run:

- mean: bough's mean over the tables is not below scikit-learn's or YDF's in accuracy, AUC, Brier score and R2.
- rpart: on no table is it significantly below rpart's default (corrected paired t test over the folds, Holm over the
  tables) in any of these. With --folds 10 --repeats 10 these are the 10 x 10 folds of the literature.
- smooth: within 0.01 of the best R2 of a single tree on the smooth table.
- noise: on pure noise the Brier score (for numbers the squared error) is at most 1 % above the root's.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bough
from bough.validate import corrected_interval, corrected_t_test, holm

LEFT_OUT = ("adult_test", "promoters_string")  # the other half of a table, and strings that are no level
MEASURES = {"classes": ("accuracy", "auc", "brier"), "numbers": ("r2",)}
LOWER_IS_BETTER = ("brier",)


# Tables: (inputs, target, "classes" or "numbers").


def of_folder(folder, name):
    """A table with its schema; identifiers and strings are left out."""
    schema = json.loads((folder / "schema" / f"{name}.json").read_text(encoding="utf-8"))
    frame = pd.read_csv(folder / f"{name}.csv", keep_default_na=False, na_values=[""])
    columns = schema["columns"]
    kinds = {c["name"]: c.get("type", c.get("kind")) for c in columns} if isinstance(columns, list) else columns
    inputs = {}
    for column, kind in kinds.items():
        kind = kind if isinstance(kind, str) else kind.get("type", kind.get("kind"))
        if column == schema["target"] or kind in ("string", "id", "identifier") or column == "animal":
            continue
        known = frame[column].notna()
        inputs[column] = (
            pd.to_numeric(frame[column])
            if kind == "numeric"
            else pd.Categorical(frame[column].astype(str).where(known, None))
        )
    y = frame[schema["target"]]
    if schema["task"] == "regression":
        return pd.DataFrame(inputs), y.to_numpy(float), "numbers"
    return pd.DataFrame(inputs), y.astype(str).to_numpy(), "classes"


def _columns(X):
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def smooth(n=50_000):
    """Prices that follow a smooth law of size and quality, with ten per cent of noise, as diamonds do."""
    rng = np.random.default_rng(2)
    carat = np.exp(rng.normal(-0.4, 0.55, n))
    quality = {"cut": ("FGVPI", 0.03), "colour": ("JIHGFED", 0.09), "clarity": ("12345678", 0.11)}
    codes = {name: rng.integers(0, len(levels), n) for name, (levels, _) in quality.items()}
    log_price = 8.3 + 1.75 * np.log(carat) + sum(slope * codes[name] for name, (_, slope) in quality.items())
    X = pd.DataFrame({name: pd.Categorical(np.array(list(quality[name][0]))[code]) for name, code in codes.items()})
    X["carat"], X["width"] = carat.round(2), (6.5 * np.cbrt(carat) * (1 + rng.normal(0, 0.01, n))).round(2)
    X["depth"], X["table"] = rng.normal(61, 1.4, n).round(1), rng.normal(57, 2, n).round()
    return X, np.exp(log_price + rng.normal(0, 0.1, n)), "numbers"


def letters(n=20_000):
    """26 classes of eight clusters each in 16 columns of small whole numbers, as in letter recognition."""
    rng = np.random.default_rng(5)
    y, cluster = rng.integers(0, 26, n), rng.integers(0, 8, n)
    centre = rng.uniform(4, 11, (26, 1, 16)) + rng.normal(0, 2.5, (26, 8, 16))
    X = np.clip(np.round(centre[y, cluster] + rng.normal(0, 1, (n, 16))), 0, 15)
    return _columns(X), np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))[y], "classes"


def rare(n=10_000):
    """Three per cent of one class, whose odds follow three columns of eight."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 8))
    odds = -4.6 + X[:, 0] + 0.8 * X[:, 1] - 0.6 * X[:, 2] + 0.5 * X[:, 0] * X[:, 3]
    return _columns(X), np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no"), "classes"


def noise(n=1000, classes=2, seed=6):
    """Classes, or with none numbers, that have nothing to do with ten columns."""
    rng = np.random.default_rng(seed)
    X = _columns(rng.normal(size=(n, 10)))
    return (
        (X, rng.normal(size=n), "numbers") if not classes else (X, rng.integers(0, classes, n).astype(str), "classes")
    )


GENERATED = {
    "smooth": smooth,
    "letters": letters,
    "rare": rare,
    "noise": noise,
    "noise_five": lambda: noise(500, 5, 8),
    "noise_numbers": lambda: noise(1000, 0, 9),
}


# Programs: each makes an untouched model.


def sklearn_tree(X, task):
    """scikit-learn's tree behind what it needs: complete numbers, levels one-hot."""
    numbers = X.select_dtypes("number").columns.tolist()
    levels = [column for column in X if column not in numbers]
    ready = make_column_transformer(
        (SimpleImputer(strategy="median", keep_empty_features=True), numbers),
        (OneHotEncoder(handle_unknown="ignore"), levels),
    )
    tree = DecisionTreeClassifier if task == "classes" else DecisionTreeRegressor
    return make_pipeline(ready, tree(random_state=0))


class Ydf:
    """YDF's CART with its own defaults, of which a tenth of the rows to prune by is one."""

    def __init__(self, task):
        self.task = task

    def _frame(self, X):
        return pd.DataFrame({c: X[c].astype(object) if X[c].dtype == "category" else X[c].astype(float) for c in X})

    def fit(self, X, y):
        import ydf

        ydf.verbose(0)
        task = ydf.Task.CLASSIFICATION if self.task == "classes" else ydf.Task.REGRESSION
        learner = ydf.CartLearner(label="target of the fold", task=task, num_threads=1)
        self.model_ = learner.train(self._frame(X).assign(**{"target of the fold": y}))
        if self.task == "classes":
            self.classes_ = np.array(self.model_.label_classes())
        return self

    def predict(self, X):
        if self.task == "numbers":
            return self.model_.predict(self._frame(X))
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X):
        told = self.model_.predict(self._frame(X))
        return np.c_[1 - told, told] if told.ndim == 1 else told

    def get_n_leaves(self):
        return int((self.model_.num_nodes() + 1) // 2) if hasattr(self.model_, "num_nodes") else 0


def programs(X, task):
    """The models to fit, by name."""
    numbers = task == "numbers"
    kind = bough.CARTRegressor if numbers else bough.CARTClassifier
    made = {
        "bough": kind(),
        "rpart": bough.like("rpart", "regression" if numbers else "classification").set_params(unseen="missing"),
        "sklearn": sklearn_tree(X, task),
    }
    if not numbers:
        made["c45"] = bough.C45Classifier()
        made["chaid"] = bough.CHAIDClassifier()
    try:
        import ydf  # noqa: F401 (joins where it is installed)

        made["ydf"] = Ydf(task)
    except ImportError:
        pass
    return made


# Figures.


def auc(of_class, score):
    """The chance that a row of the class scores above another one."""
    ranks = pd.Series(score).rank().to_numpy()
    n = of_class.sum()
    return (ranks[of_class].sum() - n * (n + 1) / 2) / (n * (len(ranks) - n))


def figures(model, X, y, task, mean):
    """What a fitted model is worth on new rows."""
    if task == "numbers":
        left = float(((model.predict(X) - y) ** 2).sum())
        return {"r2": 1 - left / float(((y - mean) ** 2).sum())}
    classes = np.asarray(model.classes_).astype(str)
    told, is_of = model.predict_proba(X), y[:, None] == classes[None]
    others = ~np.isin(y, classes)  # classes that no training row had
    areas = [auc(is_of[:, k], told[:, k]) for k in range(len(classes)) if 0 < is_of[:, k].sum() < len(y)]
    return {
        "accuracy": float((np.asarray(model.predict(X)).astype(str) == y).mean()),
        "auc": float(np.mean(areas)),
        "brier": float(((told - is_of) ** 2).sum(axis=1).mean() + others.mean()),
    }


def leaves_of(model):
    tree = model[-1] if hasattr(model, "steps") else model
    return int(tree.get_n_leaves())


def run_fold(name, table, train, test, wanted):
    """The figures of every program that is wanted, None for all, on one fold."""
    X, y, task = table
    found = {}
    for program, model in programs(X, task).items():
        if wanted is not None and program not in wanted:
            continue
        start = time.process_time()
        model.fit(X.iloc[train], y[train])
        seconds = time.process_time() - start
        told = figures(model, X.iloc[test], y[test], task, y[train].mean() if task == "numbers" else None)
        found[program] = {**told, "leaves": leaves_of(model), "seconds": seconds}
    if name.startswith("noise"):
        if task == "numbers":
            found["root"] = {"r2": 0.0}
        else:
            shares = np.array([(y[train] == label).mean() for label in np.unique(y)])
            found["root"] = {"brier": float(1 - 2 * shares[np.unique(y, return_inverse=True)[1][test]].mean())}
            found["root"]["brier"] += float((shares**2).sum())
    return found


def run(name, table, repeats, folds, most, cache, wanted):
    """The figures of all folds of a table, from the cache where they are there."""
    X, y, task = table
    if most and len(X) > most:
        chosen = np.random.default_rng(0).permutation(len(X))[:most]
        X, y = X.iloc[chosen].reset_index(drop=True), y[chosen]
    split = StratifiedKFold if task == "classes" else KFold
    done = []
    for repeat in range(repeats):
        for fold, (train, test) in enumerate(split(folds, shuffle=True, random_state=repeat).split(X, y)):
            asked = "" if wanted is None else f":{','.join(wanted)}"
            key = f"{name}:{len(X)}:{folds}:{repeat}:{fold}{asked}"
            if key not in cache:
                cache[key] = run_fold(name, (X, y, task), train, test, wanted)
                cache.save()
            done.append(cache[key])
    return done


class Cache(dict):
    """Figures by fold, in a file that is written after each."""

    def __init__(self, path):
        self.path = Path(path) if path else None
        if self.path is not None and self.path.exists():
            self.update(json.loads(self.path.read_text(encoding="utf-8")))

    def save(self):
        if self.path is not None:
            self.path.write_text(json.dumps(self), encoding="utf-8")


# Bars.


def column(done, program, measure):
    return np.array([fold[program][measure] for fold in done if program in fold and measure in fold[program]])


def show(name, done, task, folds):
    """One line a program: means, and the interval of what bough has more."""
    for program in done[0]:
        parts = []
        for measure in (*MEASURES[task], "leaves", "seconds"):
            values = column(done, program, measure)
            if not len(values):
                continue
            text = f"leaves {values.mean():.1f}" if measure == "leaves" else f"{measure} {values.mean():.3f}"
            if program not in ("bough", "root") and measure in MEASURES[task] and len(done) > 2:
                apart = corrected_interval(column(done, "bough", measure) - values, 1 / (folds - 1))
                text += f" [{apart.low:+.3f}, {apart.high:+.3f}]"
            parts.append(text)
        print(f"{name:16} {program:8} {'  '.join(parts)}", flush=True)


def verdicts(results, folds):
    """A line for each bar, and whether all are passed."""
    lines = []
    real = {name: one for name, one in results.items() if not name.startswith("noise")}
    for measure in ("accuracy", "auc", "brier", "r2"):
        for peer in ("sklearn", "ydf"):
            pairs = [
                (column(done, "bough", measure).mean(), column(done, peer, measure).mean())
                for done, task in real.values()
                if measure in MEASURES[task] and peer in done[0]
            ]
            if pairs:
                mine, theirs = np.mean(pairs, axis=0)
                good = mine <= theirs if measure in LOWER_IS_BETTER else mine >= theirs
                lines.append((good, f"mean {measure} over {len(pairs)} tables: bough {mine:.4f}, {peer} {theirs:.4f}"))
    for measure in ("accuracy", "auc", "brier", "r2"):
        sign = -1 if measure in LOWER_IS_BETTER else 1
        tests = [
            (name, sign * (column(done, "bough", measure) - column(done, "rpart", measure)))
            for name, (done, task) in real.items()
            if measure in MEASURES[task] and len(done) > 2 and "rpart" in done[0]
        ]
        p_values = [corrected_t_test(apart, 1 / (folds - 1)).p_value for _, apart in tests]
        adjusted = holm(np.nan_to_num(p_values, nan=1.0)) if tests else []
        below = [name for (name, apart), p in zip(tests, adjusted, strict=True) if apart.mean() < 0 and p < 0.05]
        if tests:
            text = f"below rpart's default by {measure}, of {len(tests)} tables: {', '.join(below) or 'none'}"
            lines.append((not below, text))
    if "smooth" in results:
        done = results["smooth"][0]
        means = {program: column(done, program, "r2").mean() for program in done[0]}
        good = means["bough"] >= max(means.values()) - 0.01
        lines.append((good, f"R2 on the smooth table: {', '.join(f'{p} {v:.4f}' for p, v in means.items())}"))
    for name, (done, task) in results.items():
        if name.startswith("noise"):
            if task == "numbers":
                share = 1 - column(done, "bough", "r2").mean()
            else:
                share = column(done, "bough", "brier").mean() / column(done, "root", "brier").mean()
            lines.append((share <= 1.01, f"{name}: {share:.4f} of the root's error"))
    for good, text in lines:
        print(f"{'pass' if good else 'MISS'}  {text}")
    return all(good for good, _ in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", help="a folder of tables with schemas")
    parser.add_argument("--tables", help="names, with commas between")
    parser.add_argument("--programs", help="names, with commas between; bough must be among them")
    parser.add_argument("--quick", action="store_true", help="one repeat of three folds, at most 6,000 rows a table")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--cache", help="a file that keeps what was done")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a bar is missed")
    given = parser.parse_args()
    repeats, folds, most = (1, 3, 6_000) if given.quick else (given.repeats, given.folds, 0)
    folder = Path(given.data)
    known = dict(GENERATED)
    for path in sorted((folder / "schema").glob("*.json")):
        if path.stem not in LEFT_OUT:
            known[path.stem] = lambda path=path: of_folder(folder, path.stem)
    names = given.tables.split(",") if given.tables else list(known)
    wanted = given.programs.split(",") if given.programs else None
    cache, results = Cache(given.cache), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            table = known[name]()
            done = run(name, table, repeats, folds, most, cache, wanted)
            results[name] = (done, table[2])
            show(name, done, table[2], folds)
    passed = verdicts(results, folds)
    return 1 if given.check and not passed else 0


if __name__ == "__main__":
    sys.exit(main())
