"""Trees that rpart grew on 31 tables and in the calls of its long introduction, as figures of their nodes: pruning and
gains give here what they gave there.

The tables themselves are not needed, and most of them may not be copied: risks are all that cost-complexity pruning
looks at, and counts of classes all that a gain is made of.
"""

import numpy as np
import pytest

import bough
from bough import _core
from bough.model.pruning_path import pruning_path
from bough.recipe import Reading
from bough.testing import rpart_complexity
from bough.testing.node import Node

TOLERANCE = 1e-9
STUMP = {"max_depth": 1, "min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}
AS_GIVEN = Reading(fractional_weights="as_given")  # counts times factors of priors


@pytest.fixture(scope="module")
def trees(records):
    """Table, variant, whether the table misses values, and the record of each fit."""
    found = [
        (name, variant, facts["missing"], fit)
        for name, facts in records.rpart_trees().items()
        for variant, fit in facts["fits"].items()
    ]
    assert len(found) == 363
    return found


def test_the_plain_accounts_give_the_complexities(trees):
    for name, variant, _, fit in trees:
        root_risk = fit["frame"][0]["dev"]
        root = rpart_complexity(plain(fit), price(fit) * root_risk)
        ours = {number(node): node.complexity / root_risk for node in root.walk() if not node.is_leaf}
        theirs = {row["node"]: row["complexity"] for row in inner(fit)}
        assert list(ours) == list(theirs), (name, variant)
        close(list(ours.values()), list(theirs.values()), name, variant)


def test_the_sequence_of_subtrees_has_the_recorded_table(trees):
    for name, variant, _, fit in trees:
        if len(fit["frame"]) == 1:
            continue  # a lone root has no sequence; what its account told is compared where the table is at hand
        path = pruning_path(kernel_of(fit), 1.0, price(fit))
        ours = np.column_stack([path.cp, path.n_splits, path.risk / fit["frame"][0]["dev"]])
        close(ours, complexity_table(fit), name, variant)


def test_a_tree_grown_without_a_price_is_cut_to_the_default_one(trees):
    fits = {(name, variant): fit for name, variant, _, fit in trees}
    compared = 0
    for (name, variant), fit in fits.items():
        if variant != "default":
            continue
        whole = fits[name, "cp0_minsplit20"]
        tree, _ = _core.prune_cost_complexity(kernel_of(whole), price(fit) * whole["frame"][0]["dev"], True)
        assert numbers(tree) == [row["node"] for row in fit["frame"]], name
        assert tree.rows.tolist() == [row["n"] for row in fit["frame"]], name
        compared += 1
    assert compared == 31


def test_gains_follow_from_the_counts_of_the_branches(trees, budget):
    """Only where no value is missing: a gain is that of the rows whose value is known."""
    compared = 0
    for name, variant, missing, fit in trees:
        if missing or "counts" not in fit["frame"][0]:
            continue
        at = {row["node"]: row for row in fit["frame"]}
        scale = altered_scale(fit)
        criterion, unit = ("entropy", np.log(2)) if (fit["parms"] or {}).get("split") == "information" else ("gini", 1)
        for row in inner(fit)[: max(1, round(60 * budget))]:
            sides = np.array([at[2 * row["node"] + side]["counts"] for side in (0, 1)]) * scale
            branch, label = np.nonzero(sides)
            stump = bough.CARTClassifier(criterion=criterion, reading=AS_GIVEN, **STUMP)
            root = stump.fit({"branch": branch}, label, sample_weight=sides[branch, label]).tree_.root
            close(root.split.gain * sides.sum() * unit, row["improve"], name, variant, row["node"])
            compared += 1
    assert compared >= 200


def price(fit):
    """The parameter cp, with which the complexity table ends."""
    return fit["control"].get("cp", fit["cptable"][-1]["CP"] if len(fit["frame"]) > 1 else 0.01)


def inner(fit):
    """The nodes that are split."""
    numbers = {row["node"] for row in fit["frame"]}
    return [row for row in fit["frame"] if 2 * row["node"] in numbers]


def kernel_of(fit):
    """The recorded tree; its tests stand for any that have two branches."""
    builder = _core.TreeBuilder()
    place = {row["node"]: k for k, row in enumerate(fit["frame"])}
    split = {row["node"] for row in inner(fit)}
    for row in fit["frame"]:
        parent, branch = divmod(row["node"], 2)
        is_inner = row["node"] in split
        complexity = row["complexity"] * fit["frame"][0]["dev"] if is_inner else 0.0
        more = {"rows": row["n"], "weight": row["wt"], "risk": row["dev"], "complexity": complexity}
        builder.add_node(place.get(parent, -1), branch if parent else 0, value=0.0, majority=-1 + is_inner, **more)
        if is_inner:
            builder.add_threshold(0, 0.0)
    return builder.freeze()


def plain(fit):
    """The recorded tree for the plain version: nothing but risks."""
    nodes = {row["node"]: Node((), [], row["wt"], 0.0, row["dev"], [], 0.0) for row in fit["frame"]}
    for n, node in nodes.items():
        if n > 1:
            nodes[n // 2].children.append(node)
            node.path = (*nodes[n // 2].path, n % 2)
    return nodes[1]


def number(node):
    """The number of a node as rpart counts: the children of n are 2n and 2n + 1."""
    return int("1" + "".join(map(str, node.path)), 2)


def numbers(tree):
    found = [1]
    for node in range(1, len(tree)):
        parent = tree.parent[node]
        found.append(2 * found[parent] + int(node != parent + 1))  # the first child follows its parent
    return found


def complexity_table(fit):
    """CP, nsplit and rel error; of rows whose CP only rounding tells apart, the first one."""
    rows = np.array([[row["CP"], row["nsplit"], row["rel error"]] for row in fit["cptable"]], dtype=np.float64)
    return rows[np.r_[True, rows[1:, 0] < rows[:-1, 0] * (1 - 1e-12)]]


def altered_scale(fit):
    """What the weight of a class is multiplied by: altered priors over class shares."""
    counts = np.array(fit["frame"][0]["counts"], dtype=np.float64)
    shares, given = counts / counts.sum(), fit["parms"] or {}
    losses = np.array(given.get("loss", 1.0 - np.eye(len(shares))))
    altered = losses.sum(axis=1) * given.get("prior", shares)
    return altered / altered.sum() / np.where(shares > 0, shares, 1.0)


def close(ours, theirs, *where):
    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE, atol=TOLERANCE, err_msg=str(where))
