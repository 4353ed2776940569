"""The parameters of a forest: refused where no fit could use them, and said in the words of the kernel."""

import math
from typing import TYPE_CHECKING, Any

from bough.errors import ParameterError
from bough.learn.bagged import n_columns
from bough.recipe import parameters as check

if TYPE_CHECKING:
    from bough.learn.forest_estimator import ForestEstimator
    from bough.learn.forest_replay import Grown

__all__ = ["check_parameters", "check_work", "kernel_options"]


def check_work(self: "ForestEstimator") -> None:
    """The parameters that say how to work, not what to learn."""
    check.jobs("n_jobs", self.n_jobs)
    check.seed("random_state", self.random_state)
    check.whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0)


def check_parameters(self: "ForestEstimator") -> None:
    """Refuse parameters that no fit could use."""
    check.whole("n_estimators", self.n_estimators, 1)
    if self.max_depth is not None:
        check.whole("max_depth", self.max_depth, 1)
    check.minimum("min_samples_split", self.min_samples_split, 2, 1.0)
    check.minimum("min_samples_leaf", self.min_samples_leaf, 1, 1.0)
    check.share("min_impurity_decrease", self.min_impurity_decrease, 0.0, math.inf)
    self._check_bags()
    check.flag("keep_rows", self.keep_rows)
    if self.max_leaf_nodes is not None:
        check.whole("max_leaf_nodes", self.max_leaf_nodes, 2)
    check.choice("missing", self.missing, ("learned", "own_branch", "majority", "random", "refuse"))
    check.choice("absent", self.absent, ("majority", "missing", "random"))
    check.choice("level_order", self.level_order, ("node", "forest"))
    check.choice("subspace", self.subspace, ("node", "tree"))
    _check_criterion(self)
    check.choice("unseen", self.unseen, ("missing", "error"))
    check.choice("constant_columns", self.constant_columns, ("skip", "count"))
    check.choice("vote", self.vote, ("mean", "majority"))
    if self.ccp_alpha != 0:
        raise ParameterError(
            f"ccp_alpha={self.ccp_alpha!r}: the trees of a forest are not pruned, because averaging does it; set "
            "max_depth or min_samples_leaf for smaller ones."
        )


def _check_criterion(self: "ForestEstimator") -> None:
    if self.criterion not in self.criteria:
        names = " or ".join(repr(name) for name in self.criteria)
        raise ParameterError(
            f"criterion={self.criterion!r}: {type(self).__name__} grows by {names}; BaggedTreesClassifier and "
            "BaggedTreesRegressor take trees of any criterion."
        )
    if self.monotonic_cst is not None and self.criterion in ("entropy", "log_loss"):
        raise ParameterError("monotonic_cst: constraints of a forest go with criterion='gini', and not with entropy.")


def kernel_options(self: "ForestEstimator", grown: "Grown") -> dict[str, Any]:
    """What the kernel is to grow trees by."""
    columns = len(grown.training.table.schema)
    weight = grown.training.weight if self._scored(grown.training) is not None else float(grown.training.n_used)
    options = {
        "max_features": n_columns(self.max_features, columns),
        "min_split": grown.unit * check.minimum("min_samples_split", self.min_samples_split, 2, weight),
        "min_leaf": grown.unit * check.minimum("min_samples_leaf", self.min_samples_leaf, 1, weight),
        "min_decrease": float(self.min_impurity_decrease),
        "random_cuts": self.random_cuts,
        "constants_count": self.constant_columns == "count",
        "entropy": self.criterion in ("entropy", "log_loss"),
        "missing": "learned" if self.missing == "refuse" else self.missing,
        "absent": self.absent,
        "order_once": self.level_order == "forest",
        "draw_once": self.subspace == "tree",
    }
    if self.monotonic_cst is not None:
        schema, classes = grown.training.table.schema, grown.fields["classes"]
        options["monotone"] = check.signs("monotonic_cst", self.monotonic_cst, schema, classes)
    if self.max_leaf_nodes is not None:
        options["max_leaves"] = min(int(self.max_leaf_nodes), 2**32 - 2)
    if self.max_depth is not None:
        options["max_depth"] = min(int(self.max_depth), 2**32 - 2)
    return options
