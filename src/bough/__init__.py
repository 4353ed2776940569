"""Readable decision trees from nominal, numeric, ordered and incomplete data.

Everything a user needs is importable from here. A name is loaded when it is first used, so that the command line
answers `bough --help` without waiting for scikit-learn.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bough import datasets, errors, explain, plot, recipe, validate, view
    from bough._core import __version__
    from bough.compat import like
    from bough.exports import export
    from bough.learn import (
        BaggedTreesClassifier,
        BaggedTreesRegressor,
        BoostedTreesClassifier,
        C45Classifier,
        C45RulesClassifier,
        CARTClassifier,
        CARTLCClassifier,
        CARTRegressor,
        CHAIDClassifier,
        CN2Classifier,
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        FACTClassifier,
        ID3Classifier,
        IREPClassifier,
        LDATreeClassifier,
        LMDTClassifier,
        NeuralTreeClassifier,
        ObliqueTreeRegressor,
        OC1Classifier,
        OmnivariateTreeClassifier,
        PARTClassifier,
        QUESTClassifier,
        RandomForestClassifier,
        RandomForestRegressor,
        RIPPERClassifier,
        RuleRegressor,
        SphereTreeClassifier,
        TreeClassifier,
        TreeRegressor,
        load,
    )
    from bough.learn.candidates import candidates
    from bough.model import Rule, RuleList, RuleSet, Tree
    from bough.model.rules import parse_rules
    from bough.model.tree_from import tree_from
    from bough.plot.draw import draw
    from bough.validate.diff import diff

__all__ = [
    "BaggedTreesClassifier",
    "BaggedTreesRegressor",
    "BoostedTreesClassifier",
    "C45Classifier",
    "C45RulesClassifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CN2Classifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FACTClassifier",
    "ID3Classifier",
    "IREPClassifier",
    "LDATreeClassifier",
    "LMDTClassifier",
    "NeuralTreeClassifier",
    "OC1Classifier",
    "ObliqueTreeRegressor",
    "OmnivariateTreeClassifier",
    "PARTClassifier",
    "QUESTClassifier",
    "RIPPERClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Rule",
    "RuleList",
    "RuleRegressor",
    "RuleSet",
    "SphereTreeClassifier",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "candidates",
    "datasets",
    "diff",
    "draw",
    "errors",
    "explain",
    "export",
    "like",
    "load",
    "parse_rules",
    "plot",
    "recipe",
    "tree_from",
    "validate",
    "view",
]

# Where public names are defined that are no estimators: "" for a module of its own.
_HOMES = {
    **dict.fromkeys(("datasets", "errors", "explain", "plot", "recipe", "validate", "view"), ""),
    **dict.fromkeys(("Rule", "RuleList", "RuleSet", "Tree"), "bough.model"),
    "__version__": "bough._core",
    "diff": "bough.validate",
    "draw": "bough.plot.draw",
    "export": "bough.exports",
    "like": "bough.compat",
    "parse_rules": "bough.model.rules",
    "tree_from": "bough.model.tree_from",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'bough' has no attribute {name!r}")
    home = _HOMES.get(name, "bough.learn")
    found = getattr(importlib.import_module(home), name) if home else importlib.import_module(f"bough.{name}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
