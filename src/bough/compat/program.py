"""`like`: which programs there are, and how their arguments are checked before a recipe reads them."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bough.compat import c50, forests, rpart, scikit_learn, weka
from bough.errors import ParameterError
from bough.learn import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    PARTClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    RIPPERClassifier,
)

__all__ = ["like"]

Estimator: TypeAlias = (
    CARTClassifier
    | CARTRegressor
    | C45Classifier
    | ID3Classifier
    | PARTClassifier
    | RandomForestClassifier
    | RandomForestRegressor
    | RIPPERClassifier
)


@dataclass(frozen=True)
class _Program:
    """A program that can be imitated.

    Parameters
    ----------
    known : dict
        The program's own arguments with their defaults.
    elsewhere : dict
        Arguments of the program that are given in another way here, with the sentence that says how.
    recipe : callable(task, arguments, given)
        The task and the parameters of the estimator, from all arguments and the names of those that were given.
    estimators : dict
        The estimator for each task.
    """

    known: Mapping[str, Any]
    elsewhere: Mapping[str, str]
    recipe: Callable[[str | None, dict[str, Any], frozenset[str]], tuple[str, dict[str, Any]]]
    estimators: Mapping[str, type[Estimator]]


_CART: dict[str, type[Estimator]] = {"classification": CARTClassifier, "regression": CARTRegressor}
_FOREST: dict[str, type[Estimator]] = {"classification": RandomForestClassifier, "regression": RandomForestRegressor}
_PROGRAMS = {
    "rpart": _Program(rpart.KNOWN, rpart.ELSEWHERE, rpart.recipe, _CART),
    "sklearn": _Program(scikit_learn.KNOWN, scikit_learn.ELSEWHERE, scikit_learn.recipe, _CART),
    "J48": _Program(weka.J48_KNOWN, weka.J48_ELSEWHERE, weka.j48_recipe, {"classification": C45Classifier}),
    "C5.0": _Program(c50.KNOWN, c50.ELSEWHERE, c50.recipe, {"classification": C45Classifier}),
    "JRip": _Program(weka.JRIP_KNOWN, weka.JRIP_ELSEWHERE, weka.jrip_recipe, {"classification": RIPPERClassifier}),
    "PART": _Program(weka.PART_KNOWN, weka.PART_ELSEWHERE, weka.part_recipe, {"classification": PARTClassifier}),
    "ranger": _Program(forests.RANGER_KNOWN, forests.RANGER_ELSEWHERE, forests.ranger_recipe, _FOREST),
    "randomForest": _Program(
        forests.RANDOM_FOREST_KNOWN, forests.RANDOM_FOREST_ELSEWHERE, forests.random_forest_recipe, _FOREST
    ),
    "Id3": _Program(weka.ID3_KNOWN, {}, weka.id3_recipe, {"classification": ID3Classifier}),
}


def like(program: str, task: str | None = None, **arguments: Any) -> Estimator:
    """Return an estimator set up to give the tree, the rules or the forest that another program gives.

    The result is an ordinary estimator: its parameters are bough's, and every habit of the program that parity needs
    is an argument of a part in them. The pages of `docs/algorithms` list them, and what is not imitated.

    Parameters
    ----------
    program : {"rpart", "sklearn", "J48", "C5.0", "JRip", "PART", "ranger", "randomForest", "Id3"}
        R's rpart, scikit-learn's DecisionTreeClassifier and DecisionTreeRegressor on complete numeric data, Weka's J48
        (C4.5), C5.0 as R's package C50 calls it (one tree), Weka's JRip (RIPPER), PART or Id3. Of R's ranger and
        randomForest the defaults and conventions: their forests are as good, but not the same, because rows and columns
        are drawn.
    task : {"classification", "regression"}, optional
        By default classification, unless rpart's `method` or scikit-learn's `criterion` says otherwise.
    **arguments
        Under the program's own names. rpart: cp, minsplit, minbucket, maxdepth, maxcompete, maxsurrogate (not 2),
        usesurrogate, surrogatestyle, xval, method, split, prior, loss, cost. sklearn: criterion, splitter
        (only "best"), max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features (only
        None), max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha (only 0), monotonic_cst (only None).
        J48: C, M, U, B, S, R, N, A, J, O, doNotMakeSplitPointActualValue. C5.0: subset, CF,
        minCases, noGlobalPruning. JRip: F, N, O, S, E, P. PART: C, M, U, B, J,
        doNotMakeSplitPointActualValue. ranger: num_trees, mtry, min_node_size, max_depth, replace, sample_fraction,
        splitrule, respect_unordered_factors ("order" or "partition"), probability. randomForest: ntree, mtry, nodesize,
        replace, sampsize, classwt. Id3: none.

    Returns
    -------
    CARTClassifier, CARTRegressor, C45Classifier, RIPPERClassifier, PARTClassifier, RandomForestClassifier,
    RandomForestRegressor or ID3Classifier

    Raises
    ------
    TypeError
        If the program has no such argument.
    ParameterError
        If an argument has a value that is not imitated.

    Examples
    --------
    >>> import bough
    >>> clf = bough.like("rpart", cp=0.001, minsplit=10)
    >>> clf.pruning, clf.min_samples_split, clf.min_samples_leaf
    (CostComplexity(cp=0.001, method='accounts'), 10, 3)
    >>> penguins = bough.datasets.load("penguins")
    >>> clf.fit(penguins.data, penguins.target).get_n_leaves()
    7
    >>> bough.like("sklearn", criterion="squared_error", max_depth=2).max_depth
    2
    >>> bough.like("J48", C=0.1, B=True).branching
    'one_level'
    """
    if program not in _PROGRAMS:
        raise ParameterError(f"program must be one of {', '.join(map(repr, _PROGRAMS))}; got {program!r}.")
    chosen = _PROGRAMS[program]
    for name in arguments:
        if name in chosen.elsewhere:
            raise TypeError(f"like({program!r}) takes no {name!r}: {chosen.elsewhere[name]}")
        if name not in chosen.known:
            raise TypeError(_unknown(program, name, list(chosen.known)))
    found, parameters = chosen.recipe(task, {**chosen.known, **arguments}, frozenset(arguments))
    return chosen.estimators[found](**parameters)


def _unknown(program: str, name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"like({program!r}) has no argument {name!r}.{hint} Known: {', '.join(known)}."
