"""Forests of programs that happen to be installed, timed on one thread: YDF, ranger, XGBoost, onnxruntime, a prototype.

Full depth, sqrt(d) columns a node, bootstrap. Functions return CPU seconds for one tree, or None where the program is
not there. Only fits and predictions are timed, never reading.
"""

import math
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

__all__ = ["onnxruntime_predict", "prototype", "ranger", "xgboost", "ydf"]


def ydf(X, y, classes: int, trees: int, cpu) -> float | None:
    """YDF's random forest."""
    try:
        import ydf as library
    except ImportError:
        return None
    library.verbose(0)
    table = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"y": y}
    task = library.Task.CLASSIFICATION if classes else library.Task.REGRESSION
    learner = library.RandomForestLearner(
        label="y", task=task, num_trees=trees, max_depth=-1, min_examples=1, num_threads=1, winner_take_all=False,
        num_candidate_attributes=math.isqrt(X.shape[1]), compute_oob_performances=False,
    )  # fmt: skip
    return cpu(lambda: learner.train(table)) / trees


def xgboost(X, y, classes: int, trees: int, cpu) -> float | None:
    """XGBoost's random forest, on 256 bins a column; without replacement, as it has no bootstrap."""
    try:
        import xgboost as library
    except ImportError:
        return None
    kind = library.XGBRFClassifier if classes else library.XGBRFRegressor
    model = kind(
        n_estimators=trees, max_depth=0, tree_method="hist", subsample=0.632, reg_lambda=0.0, min_child_weight=0.0,
        colsample_bynode=math.isqrt(X.shape[1]) / X.shape[1], n_jobs=1, random_state=0,
    )  # fmt: skip
    return cpu(lambda: model.fit(X, y)) / trees


def ranger(X, y, classes: int, trees: int) -> float | None:
    """ranger in R, timed by R itself."""
    if shutil.which("Rscript") is None:
        return None
    script = """
    a <- commandArgs(TRUE); suppressMessages(library(ranger)); n <- as.integer(a[2]); d <- as.integer(a[3])
    x <- as.data.frame(matrix(readBin(paste0(a[1], "/x"), "numeric", n * d), n, d))
    y <- readBin(paste0(a[1], "/y"), "numeric", n); if (a[4] == "class") y <- factor(y)
    t <- system.time(ranger(x = x, y = y, num.trees = as.integer(a[5]), min.node.size = 1, num.threads = 1, seed = 1,
                            oob.error = FALSE))
    cat(t[["user.self"]] + t[["sys.self"]])
    """
    with tempfile.TemporaryDirectory() as folder:
        np.asfortranarray(X, dtype=np.float64).T.tofile(f"{folder}/x")
        np.asarray(y, dtype=np.float64).tofile(f"{folder}/y")
        sizes = [str(size) for size in X.shape]
        given = [folder, *sizes, "class" if classes else "number", str(trees)]
        run = subprocess.run(["Rscript", "-e", script, *given], capture_output=True, text=True, check=False)
    return float(run.stdout) / trees if run.returncode == 0 else None


def prototype(program: str, X, y, trees: int) -> float | None:
    """A prototype of the design, compiled beforehand: it reads files of its own and tells its time."""
    if not program:
        return None
    name = "case" if (np.asarray(y) % 1 == 0).all() else "reg"  # it tells the task by the name
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        for suffix in ("", "t"):  # training rows, and the same again to test
            np.asfortranarray(X, dtype=np.float32).T.tofile(data / f"{name}{suffix}.x")
            np.asarray(y, dtype=np.float64).tofile(data / f"{name}{suffix}.y")
            (data / f"{name}{suffix}.dim").write_text(f"{X.shape[0]} {X.shape[1]}\n")
        run = subprocess.run([program, name, str(trees)], cwd=folder, capture_output=True, text=True, check=False)
    told = re.search(r"rank ([\d.]+).*fit/tree ([\d.]+)", run.stdout)
    return (float(told[1]) / trees + float(told[2])) / 1e3 if told else None


def onnxruntime_predict(model, X):
    """A function that predicts by a fitted forest of scikit-learn that skl2onnx has translated."""
    try:
        import onnxruntime
        from skl2onnx import to_onnx
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    text = to_onnx(model, X[:1]).SerializeToString()
    session = onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"])
    inputs = {session.get_inputs()[0].name: X}
    return lambda: session.run([session.get_outputs()[0].name], inputs)
