"""About sixty models: every estimator, every rule for missing values, every kind of test and of leaf.

All parameters pass through `estimator` and `part`: a parameter that gets another name is renamed there, in one line,
and the recorded answers stay as they are.
"""

import warnings

import numpy as np
from golden_tables import table
from sklearn.model_selection import KFold, StratifiedKFold

import bough

FEW = {"min_samples_split": 4, "min_samples_leaf": 2}
COSTS3 = ((0, 1, 4), (2, 0, 1), (1, 3, 0))
COSTS2 = ((0, 1.5), (1, 0))

# Names that parameters have today, by the names that this file uses: {(estimator or part, or "", old): new}.
RENAMED = {
    ("MinRows", "rows"): "min_samples_split",
    ("MinRows", "leaf"): "min_samples_leaf",
    ("MaxDepth", "depth"): "max_depth",
    ("MergeLeaves", "threshold"): "max_increase",
}

# What parts were given by default when the answers were recorded, where the default is another one today.
DEFAULTS = {"Surrogates": {"max_surrogates": 5}}


def _named(kind, parameters):
    return {RENAMED.get((kind, name), RENAMED.get(("", name), name)): value for name, value in parameters.items()}


def estimator(kind, parameters):
    """An estimator by the name of its class, or "like" and the program that it is like."""
    program, _, task = kind.removeprefix("like ").partition(":")
    if kind.startswith("like "):
        return bough.like(program, **({"task": task} if task else {}), **parameters)
    if kind.startswith("CART"):  # as rpart has them, which was the default when the answers were recorded
        parameters = {"pruning": 0.01, "min_samples_split": 20, "min_samples_leaf": 7, **parameters}
    return getattr(bough, kind)(**_named(kind, parameters))


def part(name, **parameters):
    """A part of a recipe by the name of its class."""
    if name == "CrossValidated":  # folds as they come, judged by errors, as when the answers were recorded
        folds = KFold if parameters.pop("numbers", False) else StratifiedKFold
        parameters = {**parameters, "cv": folds(parameters["cv"]), "risk": "error"}
    return getattr(bough.recipe, name)(**{**DEFAULTS.get(name, {}), **_named(name, parameters)})


def _rows(rows=4, leaf=2):
    return [part("MinRows", rows=rows, leaf=leaf)]


def _open(**parameters):
    """What `TreeClassifier` and `TreeRegressor` get here unless something else is said: a large tree."""
    return {"stopping": _rows(), "pruning": None, **parameters}


def _numbers(**parameters):
    return {"stopping": _rows(14, 6), "pruning": None, **parameters}


ORDERED = {"ordered_features": {"size": ["S", "M", "L", "XL"]}}
CART, CARTR, C45, ID3, CHAID = "CARTClassifier", "CARTRegressor", "C45Classifier", "ID3Classifier", "CHAIDClassifier"
OPEN, OPENR = "TreeClassifier", "TreeRegressor"
HOLES = 0.1

# name: (estimator, table, share of holes, parameters, whether rows have weights)
MODELS = {
    # CART
    "cart-penguins": (CART, "penguins", 0, {}),
    "cart-penguins-holes": (CART, "penguins", HOLES, {"pruning": None, **FEW}),
    "cart-mixed": (CART, "mixed", HOLES, {"pruning": None, **FEW, **ORDERED}),
    "cart-mixed-stop": (
        CART,
        "mixed",
        HOLES,
        lambda: {"missing": part("Surrogates", routing="stop"), "absent": "stop", "unseen": "majority", **FEW},
    ),
    "cart-mixed-majority": (
        CART,
        "mixed",
        HOLES,
        lambda: {"missing": part("Surrogates", routing="majority"), "absent": "majority", "unseen": "stop", **FEW},
    ),
    "cart-mixed-unseen-error": (CART, "mixed", HOLES, {"unseen": "error", **FEW}),
    "cart-fallback-stop": (
        CART,
        "penguins",
        0.3,
        lambda: {"missing": part("Surrogates", max_surrogates=1, fallback="stop"), "pruning": None, **FEW},
    ),
    "cart-titanic-priors": (CART, "titanic", 0, {"priors": (0.4, 0.6), "costs": COSTS2, "pruning": None, **FEW}),
    "cart-penguins-costs": (CART, "penguins", HOLES, {"costs": COSTS3, "criterion": "weighted_gini", **FEW}),
    "cart-balanced": (CART, "balance_scale", 0, {"class_weight": "balanced", "pruning": 0.005}),
    "cart-twoing": (CART, "led", HOLES, {"criterion": "twoing", **FEW}),
    "cart-entropy-lt": (
        CART,
        "circle",
        HOLES,
        lambda: {"criterion": "entropy", "search": part("Exhaustive", side="lt", threshold="weighted"), **FEW},
    ),
    "cart-cv": (CART, "waveform", 0, lambda: {"pruning": part("CrossValidated", cv=5)}),
    "cart-cv-min": (CART, "penguins", HOLES, lambda: {"pruning": part("CrossValidated", rule="min", cv=4), **FEW}),
    "cart-leaves": (CART, "waveform", HOLES, {"max_leaf_nodes": 6, "pruning": None}),
    "cart-monotone": (CART, "two_lines", 0, {"monotonic_cst": {"x1": 1}, "pruning": None}),
    "cart-weights": (CART, "penguins", HOLES, {"pruning": None, **FEW}, True),
    "cart-categorical": (CART, "balance_scale", 0, {"categorical_features": ["left_weight", "right_distance"], **FEW}),
    "cart-four": (CART, "four_classes", HOLES, {"pruning": None, **FEW}),
    # CART of numbers
    "cartr-friedman1": (CARTR, "friedman1", 0, {}),
    "cartr-friedman2-holes": (CARTR, "friedman2", HOLES, {"pruning": 0.002, "min_samples_leaf": 5}),
    "cartr-absolute": (
        CARTR,
        "friedman3",
        HOLES,
        lambda: {"criterion": "absolute_error", "missing": part("Surrogates", routing="majority")},
    ),
    "cartr-worst": (CARTR, "friedman1", 0, {"criterion": "worst_error", "max_depth": 3}),
    "cartr-spending": (CARTR, "spending", HOLES, {"pruning": None, **ORDERED}),
    "cartr-stop-weights": (
        CARTR,
        "spending",
        HOLES,
        lambda: {"missing": part("Surrogates", routing="stop"), "unseen": "stop", **FEW},
        True,
    ),
    "cartr-cv": (CARTR, "friedman1", 0, lambda: {"pruning": part("CrossValidated", cv=5, numbers=True)}),
    # C4.5
    "c45-penguins": (C45, "penguins", HOLES, {}),
    "c45-mixed": (C45, "mixed", HOLES, lambda: {"pruning": part("ErrorBased", confidence=None), **ORDERED}),
    "c45-mixed-laplace": (C45, "mixed", HOLES, {"leaf": "laplace"}),
    "c45-binary": (
        C45,
        "titanic",
        HOLES,
        lambda: {"branching": "one_level", "pruning": part("ErrorBased", confidence=None)},
    ),
    "c45-subsets": (
        C45,
        "mixed",
        HOLES,
        lambda: {"branching": "grouped", "pruning": part("ErrorBased", confidence=None)},
    ),
    "c45-reduced": (C45, "led", HOLES, lambda: {"pruning": part("ReducedError", holdout=3)}),
    "c45-tennis": (C45, "play_tennis", 0, {}),
    "c45-monks-raised": (C45, "monks", HOLES, {"confidence": 0.1}),
    "c45-weights": (C45, "watermelon", 0, lambda: {"pruning": part("ErrorBased", confidence=None)}, True),
    # ID3
    "id3-watermelon": (ID3, "watermelon", 0, {}),
    "id3-penguins-width": (ID3, "penguins-whole", 0, {"bins": "equal_width", "n_bins": 4, "max_depth": 3}),
    "id3-mixed-fractional": (ID3, "mixed", HOLES, {"missing": "fractional", "unseen": "missing"}),
    "id3-frequency": (ID3, "four_classes", 0, {"bins": "equal_frequency", "n_bins": 6}),
    # CHAID
    "chaid-titanic": (CHAID, "titanic", HOLES, {}),
    "chaid-mixed": (
        CHAID,
        "mixed",
        HOLES,
        {"min_samples_split": 10, "min_samples_leaf": 4, "split_level": 0.3, **ORDERED},
    ),
    "chaid-penguins": (CHAID, "penguins", HOLES, {"n_bins": 5, "max_branches": 3, "bonferroni": False}),
    # The open framework
    "open-own-branch": (OPEN, "mixed", 0.2, lambda: _open(missing=part("OwnBranch", ask=True))),
    "open-learned": (OPEN, "mixed", 0.2, lambda: _open(missing="learned_direction", criterion="entropy")),
    "open-most-likely": (OPEN, "mixed", 0.2, lambda: _open(missing="most_likely")),
    "open-most-likely-class": (
        OPEN,
        "penguins",
        0.2,
        lambda: _open(missing=part("MostLikely", within="class"), search=part("Exhaustive", threshold="data_value")),
    ),
    "open-delete": (OPEN, "penguins", HOLES, lambda: _open(missing="delete", leaf="laplace")),
    "open-refuse": (OPEN, "penguins-whole", 0, lambda: _open(missing="refuse", unseen="stop")),
    "open-intervals": (
        OPEN,
        "penguins",
        HOLES,
        lambda: _open(branching=part("Intervals", k=3), missing="majority_branch"),
    ),
    "open-intervals-own": (
        OPEN,
        "mixed",
        0.2,
        lambda: _open(branching=part("Intervals", k=3, nominal="grouped"), missing="own_branch"),
    ),
    "open-pairs": (OPEN, "monks", HOLES, lambda: _open(search="pairs", missing="majority_branch", criterion="entropy")),
    "open-pairs-stop": (OPEN, "mixed", HOLES, lambda: _open(search="pairs", missing="stop")),
    "open-conjunctions": (
        OPEN,
        "mixed",
        HOLES,
        lambda: _open(search=part("Conjunctions", size=3, thresholds=3), missing="majority_branch"),
    ),
    "open-fractional-bayes": (
        OPEN,
        "mixed",
        HOLES,
        lambda: _open(
            branching="per_level", criterion="gain_ratio", missing="fractional", leaf=part("Bayes", costs=COSTS3)
        ),
    ),
    "open-bayes": (
        OPEN,
        "penguins",
        HOLES,
        lambda: _open(leaf=part("Bayes", priors=(0.2, 0.5, 0.3), costs=COSTS3), criterion="weighted_entropy"),
    ),
    "open-m-estimate": (
        OPEN,
        "led",
        HOLES,
        lambda: _open(leaf=part("MEstimate", m=3.0, prior="equal"), branching="one_level"),
    ),
    "open-declared": (
        OPEN,
        "fruit",
        HOLES,
        lambda: _open(branching=part("PerLevel", declared=True), missing="stop", absent="stop", leaf="laplace"),
    ),
    "open-merge-leaves": (
        OPEN,
        "balance_scale",
        0,
        lambda: _open(pruning=part("MergeLeaves", threshold=0.05), branching="grouped"),
    ),
    "open-description": (
        OPEN,
        "penguins",
        HOLES,
        lambda: _open(pruning="description_length", missing="own_branch", branching="per_level"),
    ),
    "open-error-based": (
        OPEN,
        "mixed",
        HOLES,
        lambda: _open(pruning=part("ErrorBased", confidence=0.3), missing="fractional", branching="per_level"),
    ),
    "open-unbiased": (OPEN, "penguins", HOLES, lambda: _open(search="unbiased", stopping=[part("MaxDepth", depth=4)])),
    "open-layers": (OPEN, "penguins", 0, lambda: _open(stopping=[*_rows(), part("Layers", cv=4)])),
    "open-forced": (
        OPEN,
        "penguins",
        HOLES,
        lambda: _open(forced_splits=[{"path": (), "column": "body_mass_g", "threshold": 4000}]),
    ),
    "openr-fractional": (OPENR, "spending", HOLES, lambda: _numbers(missing="fractional")),
    "openr-own-branch": (OPENR, "spending", 0.2, lambda: _numbers(missing="own_branch", branching="per_level")),
    "openr-median": (OPENR, "friedman2", HOLES, lambda: _numbers(leaf="median", missing="learned_direction")),
    "openr-absolute-mean": (
        OPENR,
        "spending",
        HOLES,
        lambda: _numbers(criterion="absolute_error", leaf="mean", missing="most_likely"),
    ),
    "openr-intervals": (
        OPENR,
        "friedman1",
        0,
        lambda: _numbers(branching=part("Intervals", k=3), pruning=part("ReducedError", holdout=3)),
    ),
    # Other programs
    "like-rpart": ("like rpart", "penguins", HOLES, {"cp": 0.001, "minsplit": 10}),
    "like-rpart-anova": ("like rpart:regression", "spending", HOLES, {}),
    "like-sklearn": ("like sklearn", "waveform", 0, {"max_depth": 4}),
    "like-j48": ("like J48", "mixed", HOLES, {}),
    "like-c50": ("like C5.0", "penguins", HOLES, {}),
    "like-id3": ("like Id3", "play_tennis", 0, {}),
}

# Of these the files of format 1.0 are kept with what they answer, for good.
FILED = (
    "cart-penguins-holes", "cart-mixed", "cart-mixed-stop", "cart-titanic-priors", "cartr-spending", "cartr-absolute",
    "c45-mixed", "c45-mixed-laplace", "id3-watermelon", "id3-penguins-width", "id3-mixed-fractional", "chaid-mixed",
    "open-own-branch", "open-most-likely", "open-refuse", "open-pairs", "open-fractional-bayes", "open-m-estimate",
    "open-intervals-own", "openr-fractional", "openr-absolute-mean",
)  # fmt: skip


# On these tables, which lack no value, the default keeps fewer surrogates than when their answers were recorded.
COMPLETE = (
    "cart-titanic-priors", "cart-balanced", "cart-cv", "cart-monotone", "cart-categorical", "cartr-friedman1",
    "cartr-worst", "cartr-cv", "open-merge-leaves", "openr-intervals",
)  # fmt: skip


def data(name):
    """The table of a model, its target and its weights or None."""
    _, source, holes, _, *weighted = MODELS[name]
    X, y = table(source.removesuffix("-whole"), holes)
    if source.endswith("-whole"):
        known = np.all([[v == v and v is not None for v in column] for column in X.values()], axis=0)
        X, y = {c: v[known] for c, v in X.items()}, y[known]
    weights = 1.0 + np.arange(len(y)) % 5 / 4.0 if weighted else None
    return X, y, weights


def fitted(name):
    """A model by name, fitted."""
    kind, _, _, parameters, *_ = MODELS[name]
    X, y, weights = data(name)
    chosen = parameters() if callable(parameters) else parameters
    if name in COMPLETE:
        chosen = {**chosen, "missing": part("Surrogates")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator(kind, chosen).fit(X, y, sample_weight=weights)
