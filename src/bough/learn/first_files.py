"""Files of format 1.0: the inputs and the answer that they lack, made from the estimator's recipe at loading."""

from typing import Any

from bough.errors import ModelFormatError
from bough.model import Tree
from bough.model.bins import Bins
from bough.recipe.recipe import Recipe
from bough.table import Schema

__all__ = ["first_keys", "upgraded"]


def first_keys(header: dict[str, Any]) -> set[str]:
    """The keys that the header of a file of format 1.0 must have."""
    keys = {"estimator", "params", "cp", "path"} | ({"complexity"} & set(header))
    return keys | {"inputs", "bins"} if header.get("estimator") == "ID3Classifier" else keys


def upgraded(tree: Tree, recipe: Recipe, header: dict[str, Any]) -> Tree:
    """The tree with the inputs and the answer that its estimator's recipe gave it at every prediction."""
    schema, bins = tree.schema, None
    if "bins" in header:
        schema = Schema.from_json(header["inputs"], "$.header.inputs")
        bins = Bins.from_json(header["bins"], schema, "$.header.bins")
        if bins.schema(schema) != tree.schema:
            raise ModelFormatError("the bins of the inputs are not the levels of the tree", place="$.header.bins")
    return recipe.model(tree.kernel, schema, bins, tree.classes, tree.costs, tree.target)
