"""Estimators by the names of their algorithms, with parameters from options, `--set` and a file of settings."""

import difflib
import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from bough.errors import ParameterError

__all__ = ["ALGORITHMS", "COMMON", "PROGRAMS", "make", "parse_setting", "parse_spec", "parse_value"]

_TREES = ("cart", "c45", "id3", "chaid", "tree")
_RULES = ("ripper", "irep", "part", "c45rules", "cn2", "rules")
_SUMS = ("oblique", "lda", "oc1", "cart-lc", "quest", "fact", "lmdt", "sphere", "neural", "omnivariate")
_MANY = ("forest", "extratrees", "bagged", "boosted")
ALGORITHMS = (*_TREES, *_SUMS, *_RULES, *_MANY)
PROGRAMS = ("rpart", "sklearn", "J48", "C5.0", "JRip", "PART", "Id3")
_KINDS = ("categorical_features", "ordered_features")
COMMON = {  # options of the command line that are parameters of most algorithms
    "criterion": "criterion",
    "max_depth": "max_depth",
    "min_leaf": "min_samples_leaf",
    "min_split": "min_samples_split",
    "pruning": "pruning",
    "confidence": "confidence",
}


def parse_value(text: str) -> Any:
    """A value as it is written: JSON or TOML, none, or else a word."""
    if text.strip().lower() in ("none", "null"):
        return None
    if text.strip() in ("True", "False"):
        return text.strip() == "True"
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def parse_setting(text: str) -> tuple[str, Any]:
    """`name=value`."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise ParameterError(f"--set takes name=value, such as --set max_depth=4; got {text!r:.80}.")
    return name.strip().replace("-", "_"), parse_value(value.strip())


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """An algorithm with parameters, as in `cart`, `c45:confidence=0.1,pruning__raising=false` or `like:J48:C=0.1`."""
    parts = text.split(":")
    size = 2 if parts[0] == "like" else 1
    name, rest = ":".join(parts[:size]), ":".join(parts[size:])
    settings = dict(parse_setting(one) for one in _split(rest)) if rest else {}
    return name, settings


def _split(text: str) -> list[str]:
    """At commas that are not within brackets."""
    parts, depth, start = [], 0, 0
    for place, mark in enumerate(text):
        depth += (mark in "[{(") - (mark in ")}]")
        if mark == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def make(name: str, task: str, settings: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    """Return an estimator.

    Parameters
    ----------
    name : str
        Of an algorithm, or `like:` and the name of a program.
    task : {"classification", "regression"}
    settings : mapping
        Parameters by their own names; of a program by the names that it gives them.
    given : mapping
        What the command line sets wherever the estimator knows it: `n_jobs`, `random_state`, kinds of columns.
    """
    if name.startswith("like:"):
        estimator = _like(name.removeprefix("like:"), task, settings)
    else:
        kind = _kind(name, task)
        known = set(kind().get_params())
        plain = {key: value for key, value in settings.items() if "__" not in key}
        for key in plain:
            _check_name(key, sorted(known), name)
        estimator = kind(**plain)
        deep = {key: value for key, value in settings.items() if "__" in key}
        try:
            estimator.set_params(**deep)
        except ValueError as error:
            raise ParameterError(f"--set: {error}") from error
    own = estimator.get_params(deep=False)
    asked = {key: value for key, value in given.items() if key in own}
    if "estimator" in own:  # whose trees read the columns
        asked |= {f"estimator__{key}": given[key] for key in _KINDS if given.get(key, "from_dtype") != "from_dtype"}
    return estimator.set_params(**asked)


def _kind(name: str, task: str) -> Any:
    from bough import learn

    kinds = {
        "cart": (learn.CARTClassifier, learn.CARTRegressor),
        "c45": (learn.C45Classifier, None),
        "id3": (learn.ID3Classifier, None),
        "chaid": (learn.CHAIDClassifier, None),
        "tree": (learn.TreeClassifier, learn.TreeRegressor),
        "oblique": (learn.LDATreeClassifier, learn.ObliqueTreeRegressor),
        "lda": (learn.LDATreeClassifier, None),
        "oc1": (learn.OC1Classifier, None),
        "cart-lc": (learn.CARTLCClassifier, None),
        "quest": (learn.QUESTClassifier, None),
        "fact": (learn.FACTClassifier, None),
        "lmdt": (learn.LMDTClassifier, None),
        "sphere": (learn.SphereTreeClassifier, None),
        "neural": (learn.NeuralTreeClassifier, None),
        "omnivariate": (learn.OmnivariateTreeClassifier, None),
        "ripper": (learn.RIPPERClassifier, None),
        "irep": (learn.IREPClassifier, None),
        "part": (learn.PARTClassifier, None),
        "c45rules": (learn.C45RulesClassifier, None),
        "cn2": (learn.CN2Classifier, None),
        "rules": (learn.RIPPERClassifier, learn.RuleRegressor),
        "forest": (learn.RandomForestClassifier, learn.RandomForestRegressor),
        "extratrees": (learn.ExtraTreesClassifier, learn.ExtraTreesRegressor),
        "bagged": (learn.BaggedTreesClassifier, learn.BaggedTreesRegressor),
        "boosted": (learn.BoostedTreesClassifier, None),
    }
    if name not in kinds:
        every = [*ALGORITHMS, *(f"like:{program}" for program in PROGRAMS)]
        near = difflib.get_close_matches(name.lower().replace(".", "").replace("-", ""), every, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(every)}."
        raise ParameterError(f"no algorithm {name!r:.60}: {hint}")
    kind = kinds[name][task == "regression"]
    if kind is None:
        raise ParameterError(
            f"{name} learns classes, but the target holds numbers: choose --algorithm cart, tree, oblique, rules or "
            "forest, or say --task classification."
        )
    return kind


def _like(program: str, task: str, settings: Mapping[str, Any]) -> Any:
    from bough.compat import like

    if program not in PROGRAMS:
        near = difflib.get_close_matches(program, PROGRAMS, n=1) or list(PROGRAMS)
        raise ParameterError(f"no program {program!r:.60} to be like: there is like:{', like:'.join(near)}.")
    try:
        return like(program, task, **settings)
    except (TypeError, KeyError) as error:
        if isinstance(error, KeyError):
            raise ParameterError(f"like:{program} grows trees for classes, but the target holds numbers.") from None
        raise ParameterError(str(error)) from None


def _check_name(key: str, known: Sequence[str], name: str) -> None:
    if key not in known:
        near = difflib.get_close_matches(key, known, n=1)
        plain = [one for one in known if "__" not in one]
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(plain)}."
        raise ParameterError(f"{name} has no parameter {key!r:.60}: {hint}")
