"""`bough fit`: from a file to a printed, judged and saved tree."""

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from bough.cli.read import is_text, read_table
from bough.cli.strays import warn_of_strays
from bough.errors import DataError, DataWarning, ParameterError
from bough.learn import CARTClassifier, CARTRegressor

__all__ = ["run"]


def run(
    *,
    table: str,
    target: str,
    task: str,
    output: str,
    weights: str | None,
    drop: tuple[str, ...],
    nominal: tuple[str, ...],
    pruning: str,
    max_depth: int | None,
    min_leaf: int | None,
    folds: int,
    separator: str | None,
    surrogates: bool,
    jobs: int,
) -> None:
    """Fit, print, cross-validate, save."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    if folds == 1:
        raise ParameterError("--folds must be 0, for no cross-validation, or at least 2; got 1.")
    folder = Path(output).resolve().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise DataError(f"the model cannot be written to {output}: {folder} is not a folder that can be written to.")
    frame = read_table(table, separator)
    for name in (target, *([weights] if weights else []), *drop, *nominal):
        if name not in frame.columns:
            raise DataError(f"{table} has no column {name!r}; its columns are {', '.join(frame.columns)}.")
    for name in nominal:
        if name in (target, weights, *drop):
            raise ParameterError(f"--nominal names {name!r}, which is not an input here.")
    if weights and not frame[weights].dtype.is_numeric():
        raise DataError(f"the column of weights, {weights!r}, must hold numbers; it holds {frame[weights].dtype}.")
    if is_text(table):
        warn_of_strays(frame, [name for name in frame.columns if name not in drop])
    y = frame[target]
    known = y.is_not_null()
    if not known.all():
        gone = int((~known).sum())
        console.print(f"{gone} {'row' if gone == 1 else 'rows'} without {target} left out.")
        frame = frame.filter(known)
        y = frame[target]
    if y.n_unique() < 2:
        found = f"is {y[0]!r:.60} in every row" if len(y) else "is missing in every row"
        raise DataError(f"the target {target!r} {found}: there is nothing to tell apart.")
    sample_weight = frame[weights].to_numpy() if weights else None
    X = frame.drop(target, *([weights] if weights else []), *drop)
    if X.width == 0:
        raise DataError(f"{table} has no column left to predict {target!r} from.")
    kinds: dict[str, Any] = {
        "pruning": _pruning(pruning),
        "max_depth": max_depth,
        "categorical_features": list(nominal) or "from_dtype",
        "n_jobs": jobs,
        "random_state": 0,  # files are often sorted, so folds are shuffled
    }
    if min_leaf is not None:
        kinds |= {"min_samples_leaf": min_leaf, "min_samples_split": max(2, 3 * min_leaf)}
    classes = task == "classification" or (task == "auto" and _holds_classes(y))
    estimator = CARTClassifier(**kinds) if classes else CARTRegressor(**kinds)
    estimator.fit(X, y, sample_weight=sample_weight)
    estimator.save(output)  # before anything is printed: a reader may close the pipe
    console.print(estimator.tree_.draw(surrogates=surrogates), markup=False)
    if folds >= 2:
        console.print(_judge(estimator, X, y.to_numpy(), sample_weight, folds), markup=False)
    console.print(f"Written to {output}.", markup=False)


def _pruning(given: str) -> float | str | None:
    if given == "none":
        return None
    if given == "cv":
        return given
    try:
        return float(given)
    except ValueError:
        raise ParameterError(f"--pruning must be a number, 'cv' or 'none'; got {given!r}.") from None


def _holds_classes(y: Any) -> bool:
    if not y.dtype.is_numeric():
        return True
    values = y.to_numpy()
    return bool((values == np.floor(values)).all() and len(np.unique(values)) <= max(20, len(values) // 50))


def _judge(estimator: Any, X: Any, y: Any, sample_weight: Any, folds: int) -> str:
    """Cross-validated accuracy or error, with its spread over the folds."""
    from sklearn.base import clone
    from sklearn.model_selection import KFold, StratifiedKFold

    classes = isinstance(estimator, CARTClassifier)
    if classes:
        folds = min(folds, int(np.unique(y, return_counts=True)[1].max()))
    folds = min(folds, len(y))
    if folds < 2:
        return "Too few rows to cross-validate."
    splitter = (StratifiedKFold if classes else KFold)(folds, shuffle=True, random_state=0)
    scores = []
    for train, test in _splits(splitter, y):
        part = None if sample_weight is None else sample_weight[train]
        if part is not None and not (part.any() and sample_weight[test].any()):
            continue  # a fold without weight says nothing
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # said of the whole table before
            answer = clone(estimator).fit(X[train], y[train], sample_weight=part).predict(X[test])
        right = answer == y[test] if classes else -((answer - y[test]) ** 2)
        scores.append(np.average(right, weights=None if sample_weight is None else sample_weight[test]))
    if len(scores) < 2:
        return "Too few rows to cross-validate."
    spread = np.std(scores, ddof=1) / np.sqrt(len(scores))
    if classes:
        return f"Cross-validated accuracy ({folds} folds): {np.mean(scores):.1%} +- {spread:.1%} (one standard error)"
    error = np.sqrt(-np.mean(scores))
    return f"Cross-validated root mean squared error ({folds} folds): {error:.4g}; the mean alone has {np.std(y):.4g}"


def _splits(splitter: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(splitter.split(np.zeros((len(y), 1)), y))
