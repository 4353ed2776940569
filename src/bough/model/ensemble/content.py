"""An ensemble in a model file: the inputs once, then the trees, each with its answer and bins, read strictly."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bough.errors import ModelFormatError
from bough.model.bins import Bins
from bough.model.ensemble.votes import VOTES, Vote
from bough.model.inputs import Inputs
from bough.model.strict import Limits, expect_keys, read_array, show
from bough.model.tree import Tree
from bough.model.tree_content import tree_on

if TYPE_CHECKING:
    from bough.model.ensemble.ensemble import Ensemble

__all__ = ["ensemble_content", "ensemble_from"]

_OF_TREE = ("criterion", "answer", "tree")


def ensemble_content(model: "Ensemble") -> dict[str, Any]:
    """All that a file says of an ensemble, besides the header."""
    return {
        "target": model.target,
        "inputs": model.inputs.to_json(),
        "vote": model.vote,
        "weights": None if model.weights is None else np.asarray(model.weights).tolist(),
        "trees": [_member(tree) for tree in model.trees],
    }


def _member(tree: Tree) -> dict[str, Any]:
    content = tree.to_content()
    bins = tree.inputs.bins
    return {"bins": None if bins is None else bins.to_json(), **{name: content[name] for name in _OF_TREE}}


def ensemble_from(
    content: dict[str, Any], limits: Limits
) -> tuple[Sequence[Tree], Vote, npt.NDArray[np.float64] | None]:
    """The trees, how they vote and what they count; a ModelFormatError says where anything is amiss."""
    expect_keys(content, {"target", "inputs", "vote", "weights", "trees"}, "$")
    if not isinstance(content["target"], str):
        raise ModelFormatError(f"expected a string, found {show(content['target'])}", "$.target")
    vote = content["vote"]
    if not isinstance(vote, str) or vote not in VOTES:
        raise ModelFormatError(f"expected one of {', '.join(VOTES)}, found {show(vote)}", "$.vote")
    inputs = Inputs.from_json(content["inputs"], "$.inputs")
    if inputs.bins is not None:
        raise ModelFormatError("bins stand with each tree", "$.inputs.bins")
    members = content["trees"]
    if not isinstance(members, list) or not members:
        raise ModelFormatError(f"expected a list of trees, found {show(members)}", "$.trees")
    weights = _weights(content["weights"], len(members))
    trees: list[Tree] = []
    left = limits.max_nodes
    for number, member in enumerate(members):
        try:
            trees.append(_read_member(member, inputs, content["target"], replace(limits, max_nodes=left)))
        except ModelFormatError as error:
            raise ModelFormatError(error.problem, f"$.trees[{number}]{error.place[1:]}") from None
        left -= trees[-1].n_nodes
    return trees, vote, weights  # type: ignore[return-value]  # one of VOTES


def _read_member(member: Any, inputs: Inputs, target: str, limits: Limits) -> Tree:
    expect_keys(member, {"bins", *_OF_TREE}, "$")
    if member["bins"] is not None:
        inputs = replace(inputs, bins=Bins.from_json(member["bins"], inputs.schema, "$.bins"))
    return tree_on(inputs, target, member, limits)


def _weights(data: Any, size: int) -> npt.NDArray[np.float64] | None:
    if data is None:
        return None
    weights: npt.NDArray[np.float64] = read_array(data, np.float64, "$.weights")
    if len(weights) != size or not (weights > 0).all() or not np.isfinite(weights.sum()):
        raise ModelFormatError(f"expected {size} numbers above 0, one for each tree", "$.weights")
    return weights
