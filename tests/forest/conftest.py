"""Problems drawn at random for forests, and the kernel's forest on them."""

import numpy as np
import pytest

from bough import _core
from bough.testing import Column, ForestProblem, kernel_columns

CLASSES = (2, 2, 2, 0, 0, 3, 5, 9, 12, 20)


def numbers(rng, n):
    """Few values, many, neighbours that only doubles tell apart, or some without end."""
    form = rng.integers(5)
    values = rng.integers(0, 6, n) - 2.0 if form < 2 else rng.normal(size=n).round(rng.integers(0, 8))
    if form == 3:
        values = 1 + rng.integers(0, 9, n) * 2.0**-52
    if form == 4:
        values[rng.random(n) < 0.3] = rng.choice([-np.inf, np.inf, 1e39, -1e39, 1e-50])
    return values.tolist()


def column(rng, n, many_levels):
    kind = str(rng.choice(["numeric", "numeric", "ordered", "nominal"]))
    missing = rng.choice([0.0, 0.0, 0.1, 0.4])
    if kind == "numeric":
        levels, cells = 0, numbers(rng, n)
    else:
        levels = int(rng.choice([1, 2, 3, 6, 40]))
        if kind == "nominal" and not many_levels:
            levels, missing = 2, 0.0
        cells = rng.integers(0, levels, n).tolist()
    return Column(kind, [None if rng.random() < missing else cell for cell in cells]), levels


def variant(rng, classes, kinds):
    """Ways to grow beside the plain ones, each of them now and then."""

    def one_of(*choices):
        return str(rng.choice(choices))

    more = {
        "criterion": one_of("gini", "gini", "entropy"),
        "missing": one_of("learned", "majority", "random", "own_branch"),
        "absent": one_of("majority", "missing", "random"),
        "level_order": one_of("node", "forest"),
        "subspace": one_of("node", "node", "tree"),
        "max_leaf_nodes": None if rng.random() < 0.6 else int(rng.integers(2, 9)),
    }
    if classes <= 2 and rng.random() < 0.3:
        more |= {"monotone": [0 if kind == "nominal" else int(rng.integers(-1, 2)) for kind in kinds]}
        more |= {"criterion": "gini"}
    return more


def draw_problem(rng, n, variants=False):
    """A table with ties, missing values and weights, and limits of all sorts."""
    classes = int(rng.choice(CLASSES))
    random_cuts = bool(rng.random() < 0.25)
    # Three and more levels under three and more classes are beyond the plain search.
    many_levels = classes <= 2 or (random_cuts and not variants)
    drawn = [column(rng, n, many_levels) for _ in range(rng.integers(1, 7))]
    more = variant(rng, classes, [one.kind for one, _ in drawn]) if variants else {}
    values = rng.integers(-5, 6, n) if rng.random() < 0.5 else rng.integers(-(2**36), 2**36, n)
    weights = ([1] * n, rng.integers(1, 4, n), rng.integers(0, 3, n), rng.integers(1, 8000, n))[rng.integers(4)]
    weights = [int(w) for w in weights]
    weights[0] = max(1, weights[0])
    return ForestProblem(
        [one for one, _ in drawn],
        [levels for _, levels in drawn],
        (rng.integers(0, classes, n) if classes else values).tolist(),
        classes,
        weights,
        offset=0.0 if classes else 2.5,
        scale=1.0 if classes else 1024.0,
        max_features=int(rng.integers(1, len(drawn) + 1)),
        max_depth=None if rng.random() < 0.7 else int(rng.integers(0, 4)),
        min_split=float(rng.choice([2, 2, 5])),
        min_leaf=float(rng.choice([1, 1, 1, 2, 3.5, 6])),
        min_decrease=float(rng.choice([0, 0, 0, 0.0137])),
        constants_count=bool(rng.random() < 0.3),
        random_cuts=random_cuts,
        **more,
    )


def grow_kernel(problem, bags, trees, *, way="automatic", threads=1, first=0, forest=None):
    """The forest that the kernel grows."""
    forest = _core.Forest() if forest is None else forest
    table = _core.rank_table(kernel_columns(problem), list(problem.levels), None, threads)
    target = {"classes": problem.classes, "weight": np.array(problem.weights, dtype=np.uint32)}
    if problem.classes:
        target["label"] = np.array(problem.y, dtype=np.uint32)
    else:
        target |= {"value": np.array(problem.y, dtype=np.int64), "offset": problem.offset, "scale": problem.scale}
    names = ("max_features", "min_split", "min_leaf", "min_decrease", "constants_count", "random_cuts")
    options = {name: getattr(problem, name) for name in names} | {"way": way}
    options |= {
        "entropy": problem.criterion == "entropy",
        "missing": problem.missing,
        "absent": problem.absent,
        "order_once": problem.level_order == "forest",
        "draw_once": problem.subspace == "tree",
    }
    if problem.monotone:
        options["monotone"] = list(problem.monotone)
    if problem.max_depth is not None:
        options["max_depth"] = problem.max_depth
    if problem.max_leaf_nodes is not None:
        options["max_leaves"] = problem.max_leaf_nodes
    _core.grow_forest(forest, table, target, bags, options, first, trees, threads)
    return forest


@pytest.fixture(scope="session")
def random_problem():
    return draw_problem


@pytest.fixture(scope="session")
def grown():
    return grow_kernel


@pytest.fixture(scope="session")
def same():
    """A function of two forests: whether all their arrays are the same."""

    def same(one, other):
        names = ("begin", "set", "count", "answer", "weight", "gain")
        return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names) and all(
            np.array_equal(array, other.tree(tree)[name])
            for tree in range(len(one))
            for name, array in one.tree(tree).items()
        )

    return same
