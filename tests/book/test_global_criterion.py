"""J = alpha x size + sum of the impurities of the leaves (texts 0:198, 2:750, 3:375), to stop by and to prune by.

By hand, on waveforms, and against brute force: every tree on the way of growing, every pruning of a small tree.
"""

import numpy as np
import pytest

from bough import TreeClassifier, TreeRegressor, datasets
from bough.errors import ParameterError
from bough.recipe import Bayes, GlobalCriterion, MaxDepth, MaxLeaves, MinRows, SizePenalty
from bough.testing import global_criterion, prunings, random_table, read_tree, stages, to_frame
from bough.testing.pruners import choose, kept

WHOLE = frozenset()
ORDERS = pytest.mark.parametrize("order", ["best_first", "layers"])


def tennis(**parts):
    X, y = datasets.load("play_tennis").xy()
    clf = TreeClassifier(branching="per_level", criterion="entropy", **{"stopping": None, "pruning": None, **parts})
    return clf.fit(X, y)


def j_of(fitted, alpha, **how):
    """J of a fitted tree, by the plain version."""
    return global_criterion(read_tree(fitted.tree_.kernel), WHOLE, alpha, **how)


# By hand: fourteen days. The root has 0.940 bits; after the first split 0.971 + 0 + 0.971; the whole tree, 8 nodes of
# which 5 are leaves, none.


@ORDERS
@pytest.mark.parametrize(("size", "price"), [("nodes", 7), ("links", 7), ("leaves", 4)])
def test_the_sum_rises_at_the_root_and_the_whole_tree_is_taken_all_the_same(size, price, order):
    bits = 0.9403  # of the root: what the whole tree may cost more than the root
    for alpha, leaves in ((0.999 * bits / price, 5), (1.001 * bits / price, 1)):
        rule = GlobalCriterion(alpha, size=size, order=order)
        assert tennis(stopping=rule).get_n_leaves() == leaves
        assert tennis(pruning=SizePenalty(alpha, size=size)).get_n_leaves() == leaves
    assert tennis(stopping=GlobalCriterion(0.0, order=order)).get_n_leaves() == 5


def test_a_description_length_weighs_by_rows():
    """The two lower splits save 4.855 bits each for one more leaf, the first one 3.45 for two: together they pay."""
    saved = 14 * 0.9403 - 0.0
    for bits, leaves in ((0.999 * saved / 4, 5), (1.001 * saved / 4, 1)):
        rule = {"alpha": bits / 14, "size": "leaves", "weighted": True}
        assert tennis(stopping=GlobalCriterion(**rule)).get_n_leaves() == leaves
        assert tennis(pruning=SizePenalty(**rule)).get_n_leaves() == leaves


# Waveforms: the root is hard to leave, and near the full tree J is least


@pytest.fixture(scope="module")
def waves():
    return datasets.make_waveform(300, random_state=0).xy()


@ORDERS
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_waveforms_end_near_the_full_tree(waves, criterion, order):
    """alpha = 0.001: the first splits raise J, and it ends below that of the full tree, not at the root's."""

    def fit(**parts):
        return TreeClassifier(criterion=criterion, **{"stopping": None, "pruning": None, **parts}).fit(*waves)

    full = fit()
    root, second, whole = (j_of(one, 0.001) for one in (fit(stopping=MaxDepth(1)).pruned(n_leaves=1),
                                                        fit(stopping=MaxDepth(1)), full))  # fmt: skip
    assert whole < root < second
    stopped, pruned = fit(stopping=GlobalCriterion(0.001, order=order)), fit(pruning=SizePenalty(0.001))
    assert 0.95 * whole <= j_of(pruned, 0.001) <= j_of(stopped, 0.001) <= whole
    assert full.pruned("size_penalty", alpha=0.001).tree_ == pruned.tree_


# Against brute force


def small_tables(budget, classes, *, n=24):
    for seed in range(max(1, round(12 * budget))):
        problem = random_table(np.random.default_rng(seed), n, classes=classes, missing=0.1 * (seed % 2))
        yield seed, to_frame(problem), np.array(problem.y)


def estimator(classes, seed, **parts):
    if classes:
        leaf = Bayes(priors="equal") if seed % 3 == 0 else "majority"
        criterion, branching = ["gini", "entropy"][seed % 2], ["binary", "per_level"][seed // 2 % 2]
        return TreeClassifier(
            criterion=criterion, branching=branching, leaf=leaf, missing="majority_branch", **{"pruning": None, **parts}
        )
    criterion = ["squared_error", "absolute_error"][seed % 2]
    return TreeRegressor(criterion=criterion, missing="majority_branch", **{"pruning": None, **parts})


def ways(seed):
    rng = np.random.default_rng(1000 + seed)
    scale = 1.0 if seed % 2 else 0.3
    for weighted in (False, True):
        for size in ("nodes", "links", "leaves"):
            yield float(scale * 10 ** rng.uniform(-3, -0.5)), {"size": size, "weighted": weighted}


def factors_of(fitted):
    scale = fitted.tree_.kernel.growth_scale
    return None if len(scale) == 0 else list(scale)


@pytest.mark.parametrize("classes", [2, 3, 0])
def test_no_subtree_has_a_smaller_criterion_than_the_pruned_one(budget, classes):
    for seed, X, y in small_tables(budget, classes):
        unit = 1.0 if classes else float(np.var(y))
        full = estimator(classes, seed, stopping=MinRows(5, 1)).fit(X, y)
        root, factors = read_tree(full.tree_.kernel), factors_of(full)
        every = prunings(root)
        for alpha, how in ways(seed):
            costs = {cut: global_criterion(root, cut, alpha * unit, **how, factors=factors) for cut in every}
            pruned = full.pruned("size_penalty", alpha=alpha * unit, **how)
            best = choose(root, costs)
            assert pruned.tree_.n_nodes == sum(1 for _ in kept(root, best))
            assert j_of(pruned, alpha * unit, **how, factors=factors) == pytest.approx(min(costs.values()))
            in_fit = estimator(classes, seed, stopping=MinRows(5, 1), pruning=SizePenalty(alpha * unit, **how))
            assert in_fit.fit(X, y).pruning_log_ == pruned.pruning_log_


@ORDERS
@pytest.mark.parametrize("classes", [2, 3, 0])
def test_growth_stops_at_the_best_of_the_trees_on_its_way(budget, classes, order):
    for seed, X, y in small_tables(budget, classes, n=40):
        unit = 1.0 if classes else float(np.var(y))
        full = estimator(classes, seed, stopping=MinRows(4, 1)).fit(X, y)
        root, factors = read_tree(full.tree_.kernel), factors_of(full)
        trees = stages(root, order, factors)
        for alpha, how in ways(seed):
            costs = [global_criterion(root, cut, alpha * unit, **how, factors=factors) for cut in trees]
            first = next(i for i, cost in enumerate(costs) if cost <= min(costs) + 1e-9)
            rule = GlobalCriterion(alpha * unit, **how, order=order)
            stopped = estimator(classes, seed, stopping=[MinRows(4, 1), rule]).fit(X, y)
            left = [path for path, _, leaf in kept(root, trees[first]) if leaf]
            assert stopped.get_n_leaves() == len(left)
            assert j_of(stopped, alpha * unit, **how, factors=factors) == pytest.approx(min(costs))


@pytest.mark.parametrize("classes", [2, 0])
def test_the_trees_on_the_way_are_those_of_so_many_leaves_or_layers(budget, classes):
    """The same, but with every tree grown anew."""
    kind = TreeClassifier if classes else TreeRegressor
    for seed, X, y in small_tables(budget / 3, classes, n=60):
        unit = 1.0 if classes else float(np.var(y))

        def grown(*rules, X=X, y=y):
            return kind(missing="majority_branch", stopping=[MinRows(8, 2), *rules], pruning=None).fit(X, y)

        full = grown()
        by_size = [full.pruned(n_leaves=1), *(grown(MaxLeaves(k)) for k in range(2, full.get_n_leaves() + 1))]
        by_depth = [full.pruned(n_leaves=1), *(grown(MaxDepth(d)) for d in range(1, full.get_depth() + 1))]
        for alpha, how in ways(seed):
            for order, trees in (("best_first", by_size), ("layers", by_depth)):
                stopped = grown(GlobalCriterion(alpha * unit, **how, order=order))
                costs = [j_of(tree, alpha * unit, **how) for tree in trees]
                best = trees[next(i for i, cost in enumerate(costs) if cost <= min(costs) + 1e-9)]
                assert stopped.tree_.n_nodes == best.tree_.n_nodes
                np.testing.assert_array_equal(stopped.apply(X), best.apply(X))


# What else there is to it


def test_nodes_and_links_choose_alike_and_leaves_at_twice_the_price(waves):
    """0:202: size could represent the number of nodes or links."""
    full = TreeClassifier(stopping=MinRows(10), pruning=None).fit(*waves)
    for alpha in (0.0003, 0.003, 0.01):
        nodes, links, leaves = (
            full.pruned("size_penalty", alpha=price, size=size, weighted=True).tree_
            for price, size in ((alpha, "nodes"), (alpha, "links"), (2 * alpha, "leaves"))
        )
        assert nodes == links == leaves


@ORDERS
def test_what_an_expert_gives_is_never_undone(order):
    X = {"x": [0, 0, 1, 1] * 10, "noise": list(range(40))}
    y = [0, 0, 1, 1] * 10
    first = [{"path": (), "column": "noise", "threshold": 19.5}]
    clf = TreeClassifier(stopping=GlobalCriterion(10.0, order=order), pruning=None, forced_splits=first).fit(X, y)
    assert [node.split.column for node in clf.tree_.nodes if node.split] == ["noise"]


def test_the_log_says_what_j_is(waves):
    log = TreeClassifier(stopping=MinRows(40), pruning=SizePenalty(0.02, weighted=True)).fit(*waves).pruning_log_
    assert str(log).splitlines()[0].endswith("; J = impurities of the leaves by their share of the rows + 0.02 x nodes")
    assert (log.after <= log.before).all()


@pytest.mark.parametrize("kind", [GlobalCriterion, SizePenalty])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": -1}, "alpha must be a number of at least 0, not infinite; got -1"),
        ({"size": "rows"}, "size must be 'nodes', 'links' or 'leaves'; got 'rows'|size must be"),
        ({"weighted": "rows"}, "weighted must be"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(waves, kind, given, message):
    part = kind(**given)
    with pytest.raises(ParameterError, match=message):
        TreeClassifier(**{part.slot: part}).fit(*waves)


def test_alpha_of_another_way_still_chooses_from_the_path(waves):
    full = TreeClassifier(pruning=None).fit(*waves)
    with pytest.raises(ParameterError, match="alpha chooses a tree of pruning_path_: leave out alpha"):
        full.pruned("merge_leaves", alpha=0.1)
