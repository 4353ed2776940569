"""Fitted estimators in files: the header that says which estimator it is, and the closed table that reads it back."""

import re
import warnings
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from sklearn.base import is_regressor

from bough.errors import BoughError, DataWarning, ModelFormatError
from bough.learn.bagging import BaggedTreesClassifier, BaggedTreesRegressor
from bough.learn.boosting import BoostedTreesClassifier
from bough.learn.c45 import C45Classifier
from bough.learn.c45_rules import C45RulesClassifier
from bough.learn.cart import CARTClassifier, CARTRegressor
from bough.learn.cart_lc import CARTLCClassifier
from bough.learn.chaid import CHAIDClassifier
from bough.learn.cn2 import CN2Classifier
from bough.learn.ensemble_estimator import EnsembleEstimator
from bough.learn.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from bough.learn.fact import FACTClassifier
from bough.learn.first_files import first_keys, upgraded
from bough.learn.fitted import Fitted, FittedMembers, FittedRules, frozen_params
from bough.learn.forest import RandomForestClassifier, RandomForestRegressor
from bough.learn.forest_estimator import ForestEstimator
from bough.learn.id3 import ID3Classifier
from bough.learn.irep import IREPClassifier
from bough.learn.lda_tree import LDATreeClassifier
from bough.learn.lmdt import LMDTClassifier
from bough.learn.neural_tree import NeuralTreeClassifier
from bough.learn.oblique_regressor import ObliqueTreeRegressor
from bough.learn.oc1 import OC1Classifier
from bough.learn.old_files import modern
from bough.learn.omnivariate_tree import OmnivariateTreeClassifier
from bough.learn.part import PARTClassifier
from bough.learn.quest import QUESTClassifier
from bough.learn.ripper import RIPPERClassifier
from bough.learn.rule_estimator import RuleEstimator
from bough.learn.rule_regressor import RuleRegressor
from bough.learn.sphere_tree import SphereTreeClassifier
from bough.learn.tree import TreeClassifier, TreeRegressor
from bough.learn.tree_estimator import TreeEstimator
from bough.model import Ensemble, Tree
from bough.model.arrays import risk_total
from bough.model.files import Limits, Saved, read_model
from bough.model.kinds import Model
from bough.model.node_risk import MEASURES
from bough.model.provenance import Provenance
from bough.model.pruning_path import PruningPath, pruning_path
from bough.model.rules import RuleModel
from bough.recipe import Part
from bough.recipe.part import snake_case
from bough.recipe.recipe import Recipe
from bough.recipe.registry import NAMES, name_of
from bough.recipe.user import Forgotten, is_user_criterion

__all__ = ["header_of", "load", "of_saved"]

_Kind = TypeVar("_Kind")


def _by_name(*kinds: type[_Kind]) -> dict[str, type[_Kind]]:
    return {kind.__name__: kind for kind in kinds}


_ESTIMATORS: dict[str, type[TreeEstimator]] = _by_name(
    CARTClassifier,
    CARTRegressor,
    C45Classifier,
    CHAIDClassifier,
    ID3Classifier,
    CARTLCClassifier,
    FACTClassifier,
    LDATreeClassifier,
    SphereTreeClassifier,
    LMDTClassifier,
    ObliqueTreeRegressor,
    OmnivariateTreeClassifier,
    NeuralTreeClassifier,
    OC1Classifier,
    QUESTClassifier,
    TreeClassifier,
    TreeRegressor,
)
_OF_RULES: dict[str, type[RuleEstimator]] = _by_name(
    C45RulesClassifier,
    CN2Classifier,
    IREPClassifier,
    PARTClassifier,
    RIPPERClassifier,
    RuleRegressor,
)
_OF_MEMBERS: dict[str, type[EnsembleEstimator]] = _by_name(
    BaggedTreesClassifier, BaggedTreesRegressor, BoostedTreesClassifier
)
_OF_FORESTS: dict[str, type[ForestEstimator]] = _by_name(
    ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
)
AnyEstimator: TypeAlias = TreeEstimator | RuleEstimator | EnsembleEstimator | ForestEstimator
_Whole: TypeAlias = RuleEstimator | EnsembleEstimator | ForestEstimator
_RULE_KEYS = {"estimator", "params"}
_MEMBER_KEYS = {*_RULE_KEYS, "seed"}
_KEYS = {*_RULE_KEYS, "cp", "path", "complexity"}
_OF_NUMBERS = ("weakest_link", "accounts", "evidence")  # how complexities of numbers may be counted
_PATH = ("cp", "alpha", "n_leaves", "n_splits", "risk", "cv_risk", "cv_se")


def header_of(estimator: Any) -> dict[str, Any]:
    """What a file says of an estimator besides its tree: class, parameters, the path of subtrees."""
    params: dict[str, Any] = {}
    left_out: list[str] = []
    for name, value in estimator.fitted_.params.items():
        try:
            params[name] = _to_json(value, name, left_out)
        except TypeError:
            left_out.append(name)
    if left_out:
        warnings.warn(
            f"{', '.join(left_out)} cannot be written to a model file and will be the default after loading; "
            "predictions do not depend on it.",
            DataWarning,
            stacklevel=3,
        )
    more = _tree_header(estimator) if isinstance(estimator, TreeEstimator) else {}
    if isinstance(estimator, EnsembleEstimator | ForestEstimator):
        more = {"seed": estimator.fitted_.seed}
    return {"estimator": type(estimator).__name__, "params": params, **more}


def _tree_header(estimator: TreeEstimator) -> dict[str, Any]:
    """What a file says of an estimator of trees alone."""
    kernel = estimator.tree_.kernel
    path = estimator.fitted_.path or pruning_path(
        kernel, risk_total(kernel), estimator.cp_, estimator.fitted_.risk(kernel)
    )
    header = {
        "cp": estimator.cp_,
        "path": {name: None if column is None else column.tolist() for name, column in _columns(path).items()},
        "complexity": estimator.fitted_.complexity,
    }
    return header if estimator.fitted_.row == 1.0 else {**header, "row": estimator.fitted_.row}


def load(path: str | Path, *, limits: Limits | None = None) -> AnyEstimator | RuleModel:
    """Read what `save` wrote: a fitted estimator, or rules that have none, such as an edited list.

    A file is data: nothing in it is run or imported, and every fault is a ModelFormatError that names the place.

    Parameters
    ----------
    path : str or path-like
    limits : bough.model.Limits, optional
        How large a file may be: bytes (of one with arrays, of its text), nodes, depth, length of a text.

    Returns
    -------
    estimator or RuleModel

    Examples
    --------
    >>> import bough, os, tempfile
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> file = os.path.join(tempfile.mkdtemp(), "model.json")
    >>> bough.CARTClassifier().fit(X, y).save(file)
    >>> bough.load(file).get_n_leaves()
    8
    """
    return of_saved(read_model(path, limits=limits))


def of_saved(saved: Saved) -> AnyEstimator | RuleModel:
    """The estimator that a file tells of, or the rules of one whose header tells of none."""
    header, model, provenance, version = saved
    if not header and isinstance(model, RuleModel):
        _check_labels(model, version)
        return model
    first = version == (1, 0)
    _check_keys(header, first)
    estimator = _read_estimator(header, version)
    if not isinstance(model, estimator.model_kind) or (model.answer.classes is None) != is_regressor(estimator):
        raise ModelFormatError(f"the model is not one of a {type(estimator).__name__}", place="$.header.estimator")
    _check_labels(model, version)
    if not isinstance(estimator, TreeEstimator):
        return _fitted_whole(estimator, header, model, provenance)
    assert isinstance(model, Tree)  # noqa: S101 (as its kind says)
    return _fitted(estimator, header, model, provenance, first)


def _check_labels(model: Model, version: tuple[int, int]) -> None:
    """Refuse classes that cannot be sorted."""
    if model.answer.classes is None:
        return
    try:
        np.sort(np.asarray(model.answer.classes))
    except TypeError:
        place = "$.classes.labels" if version == (1, 0) else "$.answer.classes.labels"
        raise ModelFormatError("the labels are of types that have no common order", place) from None


def _fitted_whole(self: _Whole, header: dict[str, Any], model: Model, provenance: Provenance | None) -> _Whole:
    """The estimator of rules, or of many trees, with the model of a file."""
    try:
        self._check_work()
        self._check()
    except BoughError as error:
        raise ModelFormatError(str(error), place="$.header.params") from None
    if isinstance(self, EnsembleEstimator):
        _checked_recipe(self._member(), cast(Ensemble, model)[0], "$.header.params.estimator.params")
    if isinstance(self, EnsembleEstimator | ForestEstimator):
        seed = int(_read_number(header["seed"], "$.header.seed", whole=True))
        self._become(model, FittedMembers(frozen_params(self), provenance, seed))
    else:
        self._become(model, FittedRules(frozen_params(self), provenance))
    return self


def _fitted(
    self: TreeEstimator, header: dict[str, Any], tree: Tree, provenance: Provenance | None, first: bool
) -> TreeEstimator:
    """The estimator with the model of a file."""
    recipe = _checked_recipe(self, tree)
    complexity = header.get("complexity", recipe.counting(tree.is_classifier))
    if complexity not in (MEASURES if tree.is_classifier else _OF_NUMBERS):
        raise ModelFormatError(f"expected one of {', '.join(MEASURES)}", place="$.header.complexity")
    row = _read_number(header.get("row", 1.0), "$.header.row")
    if row == 0:
        raise ModelFormatError("expected a positive number", place="$.header.row")
    fitted = Fitted(frozen_params(self), recipe, complexity, _read_path(header["path"]), provenance, row)
    model = upgraded(tree, recipe, header) if first else tree
    self._become(model, fitted, cp_=_read_number(header["cp"], "$.header.cp"))
    return self


def _check_keys(header: dict[str, Any], first: bool) -> None:
    name = header.get("estimator")
    keys = first_keys(header) if first else _KEYS | ({"row"} & set(header))
    if not first and isinstance(name, str) and name in {**_OF_RULES, **_OF_MEMBERS, **_OF_FORESTS}:
        keys = _RULE_KEYS if name in _OF_RULES else _MEMBER_KEYS
    odd = set(header) ^ keys
    if odd:
        raise ModelFormatError(f"{min(odd)!r:.60} is missing, or not known here", place="$.header")


def _read_estimator(header: dict[str, Any], version: tuple[int, int]) -> AnyEstimator:
    """The estimator of a header with its parameters, not yet fitted."""
    name = header["estimator"]
    known: dict[str, Any] = {**_ESTIMATORS, **_OF_RULES, **_OF_MEMBERS, **_OF_FORESTS}
    if not isinstance(name, str) or name not in known:
        raise ModelFormatError(f"unknown estimator {name!r}; known are {', '.join(known)}", place="$.header.estimator")
    kind = known[name]
    params = header["params"]
    if not isinstance(params, dict):
        raise ModelFormatError("expected an object", place="$.header.params")
    params = modern(kind, params, version) if name in _ESTIMATORS else params
    try:
        estimator: AnyEstimator = _with_params(kind, params, "$.header.params")
        return estimator
    except RecursionError:
        raise ModelFormatError("nested too deeply", place="$.header.params") from None


def _with_params(kind: Any, params: dict[str, Any], place: str) -> Any:
    defaults = kind().get_params(deep=False)
    for key in params:
        if key not in defaults:
            raise ModelFormatError(f"{kind.__name__} has no parameter {key!r}", place=place)
    return kind(**{key: _from_json(value, f"{place}.{key}") for key, value in params.items()})


def _checked_recipe(self: TreeEstimator, tree: Tree, within: str = "$.header.params") -> Recipe:
    """The recipe of the parameters; those that no fit would take are refused at the place that the message names."""
    try:
        recipe = self._recipe().frozen()
        self._check_for(tree, recipe)
        return recipe
    except BoughError as error:
        params = self.get_params(deep=False)
        word = re.findall(r"^\w*", str(error))[0]
        part = NAMES.get(snake_case(word))
        slot = part.slot if word not in params and part is not None else word
        place = f".{slot}" if slot in params else ""
        raise ModelFormatError(str(error), place=f"{within}{place}") from None


def _columns(path: PruningPath) -> dict[str, Any]:
    return {name: getattr(path, name) for name in _PATH}


def _read_path(data: Any) -> PruningPath:
    place = "$.header.path"
    if not isinstance(data, dict) or set(data) != set(_PATH):
        raise ModelFormatError(f"expected an object with {', '.join(_PATH)}", place=place)
    columns: dict[str, Any] = {}
    for name in _PATH:
        values = data[name]
        if values is None and name in ("cv_risk", "cv_se"):
            columns[name] = None
            continue
        if not isinstance(values, list):
            raise ModelFormatError("expected a list of numbers", place=f"{place}.{name}")
        whole = name in ("n_leaves", "n_splits")
        read = [_read_number(value, f"{place}.{name}[{i}]", whole=whole) for i, value in enumerate(values)]
        columns[name] = np.array(read, dtype=np.int64 if whole else np.float64)
    lengths = {len(column) for column in columns.values() if column is not None}
    if len(lengths) != 1 or 0 in lengths:
        raise ModelFormatError("the columns must have one length, not 0", place=place)
    return PruningPath(**columns)


def _read_number(value: Any, place: str, *, whole: bool = False) -> float:
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < 1e300:
        raise ModelFormatError(
            f"expected a {'whole ' if whole else ''}number of at least 0, found {value!r:.50}", place=place
        )
    return value


def _to_json(value: Any, where: str, left_out: list[str]) -> Any:
    """A parameter as JSON; dicts become lists of pairs, because their keys need not be strings.

    Arguments of parts that cannot be written are named in `left_out`.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return _to_json(value.item(), where, left_out)
    if isinstance(value, np.ndarray):
        return _to_json(value.tolist(), where, left_out)
    if isinstance(value, tuple):
        return {"tuple": [_to_json(item, where, left_out) for item in value]}
    if isinstance(value, list):
        return [_to_json(item, where, left_out) for item in value]
    if isinstance(value, dict):
        pairs = value.items()
        return {"dict": [[_to_json(key, where, left_out), _to_json(item, where, left_out)] for key, item in pairs]}
    if isinstance(value, Part) and type(value) is NAMES.get(name_of(value)):
        return {"name": name_of(value), "params": _part_params(value, where, left_out)}
    if type(value) is _ESTIMATORS.get(type(value).__name__):
        return {"estimator": type(value).__name__, "params": _part_params(value, where, left_out)}
    if isinstance(value, Forgotten) or is_user_criterion(value):
        # Only its name: nothing in a file is ever looked up to be run.
        return {"name": value.name if isinstance(value, Forgotten) else type(value).__name__, "params": None}
    raise TypeError(type(value).__name__)


def _part_params(part: Any, where: str, left_out: list[str]) -> dict[str, Any]:
    params = {}
    for name, value in part.get_params(deep=False).items():
        place = f"{where}.{name}"
        try:
            params[name] = _to_json(value, place, left_out)
        except TypeError:
            left_out.append(place)
    return params


def _part_from_json(value: dict[str, Any], place: str) -> Part:
    name, params = value["name"], value["params"]
    if not isinstance(name, str) or len(name) > 1000:
        raise ModelFormatError("expected the name of a part", place=f"{place}.name")
    if params is None:
        return Forgotten(name)
    if name not in NAMES:
        raise ModelFormatError(f"no part is called {name!r:.60}", place=f"{place}.name")
    if not isinstance(params, dict):
        raise ModelFormatError("expected an object", place=f"{place}.params")
    part = NAMES[name]()
    known = part.get_params(deep=False)
    for key, given in params.items():
        if key not in known:
            raise ModelFormatError(f"{name} has no parameter {key!r:.60}", place=f"{place}.params")
        setattr(part, key, _from_json(given, f"{place}.params.{key}"))
    return part


def _member_from_json(value: dict[str, Any], place: str) -> TreeEstimator:
    """The estimator of the trees of an ensemble."""
    name, params = value["estimator"], value["params"]
    if not isinstance(name, str) or name not in _ESTIMATORS:
        raise ModelFormatError(f"expected one of {', '.join(_ESTIMATORS)}", place=f"{place}.estimator")
    if not isinstance(params, dict):
        raise ModelFormatError("expected an object", place=f"{place}.params")
    member: TreeEstimator = _with_params(_ESTIMATORS[name], params, f"{place}.params")
    return member


def _from_json(value: Any, place: str) -> Any:
    if isinstance(value, list):
        return [_from_json(item, place) for item in value]
    if isinstance(value, dict):
        if set(value) == {"tuple"} and isinstance(value["tuple"], list):
            return tuple(_from_json(item, place) for item in value["tuple"])
        if set(value) == {"name", "params"}:
            return _part_from_json(value, place)
        if set(value) == {"estimator", "params"}:
            return _member_from_json(value, place)
        pairs = value.get("dict")
        if set(value) != {"dict"} or not isinstance(pairs, list):
            raise ModelFormatError(
                "expected a value, a list, {'tuple': [...]}, {'dict': [[key, value]...]}, {'name', 'params'} or "
                "{'estimator', 'params'}",
                place=place,
            )
        result = {}
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2:
                raise ModelFormatError("expected [key, value]", place=place)
            key = _from_json(pair[0], place)
            try:
                result[key] = _from_json(pair[1], place)
            except TypeError:
                raise ModelFormatError("a key cannot hold a list", place=place) from None
        return result
    return value
