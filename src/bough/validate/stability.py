"""Stability of a tree: how often each of its splits comes back when it is grown on bootstrap samples."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import check_random_state

from bough.errors import ParameterError
from bough.learn import named
from bough.learn.rule_estimator import RuleEstimator
from bough.learn.tree_estimator import TreeEstimator
from bough.learn.weights import scaled_weights
from bough.model import Tree
from bough.model.frame import as_frame
from bough.model.text import counted
from bough.recipe import parameters as check
from bough.validate.fitting import fitted, without_classes
from bough.validate.places import asks, pairs, similarity
from bough.validate.rule_stability import RuleSamples, RuleStability
from bough.validate.target import class_order, read_target
from bough.validate.words import sizes_text

__all__ = ["SplitStability", "Stability", "stability"]

_MOST_BRANCHES = 12
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class SplitStability:
    """What became of one split of the tree in the samples.

    Attributes
    ----------
    node : int
        The node of the tree.
    depth : int
    column : str
    test : str
        The condition of its first branch if it has two; of more branches all conditions, the first twelve if they are
        many.
    branches : tuple of str
        The conditions of all its branches.
    rows : int
        Training rows at the node.
    same_place : float
        The share of the samples in whose tree the same column is asked at the same place: after the same columns and
        branches.
    anywhere : float
        The share of the samples in whose tree the column is asked at all.
    threshold : float
        Its threshold as a number (ticks of a time, the code of an ordered level); NaN if it has none.
    thresholds : ndarray
        The thresholds at the same place in the samples.
    similarity : float
        Of sets of levels: the mean Jaccard similarity of the branches at the same place; NaN for other tests.
    """

    node: int
    depth: int
    column: str
    test: str
    rows: int
    same_place: float
    anywhere: float
    threshold: float
    thresholds: npt.NDArray[np.float64] = field(repr=False)
    similarity: float
    branches: tuple[str, ...] = field(repr=False)

    @property
    def spread(self) -> npt.NDArray[np.float64]:
        """The 5 %, 25 %, 50 %, 75 % and 95 % quantiles of the thresholds in the samples."""
        return np.quantile(self.thresholds, QUANTILES) if len(self.thresholds) else np.full(len(QUANTILES), np.nan)


@dataclass(frozen=True)
class Stability:
    """How stable a tree is; print it, or take `to_frame()`.

    Attributes
    ----------
    tree : Tree
        The tree grown on all rows.
    splits : tuple of SplitStability
        Its splits, from the root on.
    root_columns : dict
        The share of the samples by the column asked first, the most frequent one first; None for trees without a test.
    n_leaves : ndarray
        The leaves of the tree of each sample.
    """

    tree: Tree
    splits: tuple[SplitStability, ...]
    root_columns: dict[str | None, float]
    n_leaves: npt.NDArray[np.int64]

    @property
    def n_resamples(self) -> int:
        """How many samples were drawn."""
        return len(self.n_leaves)

    def to_frame(self) -> Any:
        """Return a data frame with one row a split of the tree."""
        names = ("node", "depth", "column", "test", "rows", "same_place", "anywhere", "threshold")
        columns: dict[str, Any] = {name: [getattr(split, name) for split in self.splits] for name in names}
        spreads = np.array([split.spread for split in self.splits]).reshape(len(self.splits), len(QUANTILES))
        columns |= {f"q{round(100 * q):02d}": spreads[:, place] for place, q in enumerate(QUANTILES)}
        columns["similarity"] = [split.similarity for split in self.splits]
        return as_frame(columns)

    def __str__(self) -> str:
        first = ", ".join(f"{name or 'no test'} {share:.0%}" for name, share in list(self.root_columns.items())[:4])
        sizes = sizes_text(self.n_leaves)
        lines = [
            f"{self.n_resamples} bootstrap samples; {counted(self.tree.n_leaves, 'leaf')} in the tree, {sizes}",
            f"asked first: {first}",
        ]
        if not self.splits:
            return "\n".join(lines)
        tests = ["  " * split.depth + split.test for split in self.splits]
        width = max(4, *map(len, tests))
        lines += ["", f"{'test':<{width}}  same place  anywhere  spread"]
        for text, split in zip(tests, self.splits, strict=True):
            row = f"{text:<{width}}  {split.same_place:>10.0%}  {split.anywhere:>8.0%}  {_spread_text(split)}"
            lines.append(row.rstrip())
        return "\n".join(lines)


def _test_text(branches: tuple[str, ...]) -> str:
    if len(branches) == 2:  # the other one is the rest
        return branches[0]
    more = len(branches) - _MOST_BRANCHES
    return " | ".join(branches[:_MOST_BRANCHES]) + (f" | … {more:,} more" if more > 0 else "")


def _spread_text(split: SplitStability) -> str:
    if len(split.thresholds):
        low, _, _, _, high = split.spread
        return f"{low:.4g} to {high:.4g}"
    return "" if np.isnan(split.similarity) else f"levels {split.similarity:.0%} alike"


def stability(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    n_resamples: int = 100,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Stability | RuleStability:
    """Learn the tree or the rules again on bootstrap samples, and say how often each split or rule comes back.

    Greedy trees are unstable: where two splits are almost equally good, a few rows decide which one is taken and what
    the tree looks like below. A split that comes back in most samples may be read as a fact about the data; one that
    does not is one of several ways to say the same. Rules depend on few rows even more: of each it is told how often it
    is asked again with other bounds, and how much of the rows that it covers the most similar rule of a sample covers.

    Parameters
    ----------
    estimator : bough estimator
        Its parameters count; it is not fitted itself.
    X : table of shape (n_rows, n_features)
    y : array of shape (n_rows,)
    sample_weight : array of shape (n_rows,), optional
        A row that is drawn twice has twice its weight.
    n_resamples : int, default=100
    random_state : int, RandomState or None, default=None
        What the samples are drawn with; an int makes them the same each time, for any `n_jobs`.
    n_jobs : int or None, default=None
        Samples worked on at once, by joblib.
    verbose : int, default=0
        Progress on standard error.

    Returns
    -------
    Stability, or RuleStability

    Examples
    --------
    >>> import bough
    >>> X, y = bough.datasets.load("penguins").xy()
    >>> found = bough.validate.stability(bough.CARTClassifier(), X, y, n_resamples=20, random_state=0)
    >>> found.splits[0].column, found.splits[0].same_place
    ('flipper_length_mm', 0.8)
    """
    draws = check.whole("n_resamples", n_resamples, 1)
    check.jobs("n_jobs", n_jobs)
    if not isinstance(estimator, TreeEstimator | RuleEstimator):
        raise ParameterError(f"estimator must be an estimator of bough, of trees or rules; got {estimator!r:.80}.")
    check.seed("random_state", random_state)
    whole = fitted(estimator, X, y, sample_weight)
    target = read_target(estimator, y, sample_weight)
    # As the whole fit counts them: a row that is drawn twice counts twice, and nothing is divided again.
    part = named.reading(estimator)
    counted = scaled_weights(target.weights, part.fractional_weights)
    counted = np.ones(len(target.weights)) if counted is None else counted
    resampled = clone(estimator)
    if "reading" in resampled.get_params(deep=False):
        resampled.set_params(reading=clone(part).set_params(fractional_weights="as_given"))
    found = _Splits(whole.tree_) if isinstance(estimator, TreeEstimator) else RuleSamples(whole, X)
    order = class_order(estimator, y, target)
    seeds = check_random_state(random_state).randint(2**31 - 1, size=draws)

    def sample(seed: int) -> Any:
        weights = _drawn(counted, seed)
        held = np.flatnonzero(weights)
        alike = resampled if order is None else without_classes(resampled, order, target.held_by(held))
        return found.sample(fitted(alike, X, y, weights))

    work = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    results = []
    for result in work(joblib.delayed(sample)(seed) for seed in seeds.tolist()):
        results.append(result)
        if verbose:
            end = "\n" if len(results) == draws else ""
            print(f"\rstability: {len(results)} of {draws} samples grown", end=end, file=sys.stderr, flush=True)
    return found.gather(results)


@dataclass(frozen=True)
class _Splits:
    """What samples say of the splits of a tree."""

    tree: Tree

    def sample(self, fit: Any) -> "_Sample":
        return _one_sample(self.tree, fit.tree_)

    def gather(self, samples: list["_Sample"]) -> Stability:
        return _gather(self.tree, samples)


@dataclass(frozen=True)
class _Sample:
    """What one sample says of the tree; lists have an entry for each of its splits."""

    root: str | None
    n_leaves: int
    same: list[bool]
    anywhere: list[bool]
    threshold: list[float]
    similarity: list[float]


def _drawn(weights: npt.NDArray[np.float64], seed: int) -> npt.NDArray[np.float64]:
    """The weights of the rows in a sample: each as often as it was drawn."""
    rng = np.random.default_rng(seed)
    drawn = np.zeros(len(weights))
    while not drawn.any():  # rows of weight 0 may be all that is drawn
        drawn = weights * np.bincount(rng.integers(0, len(weights), len(weights)), minlength=len(weights))
    return drawn


def _one_sample(tree: Tree, other: Tree) -> _Sample:
    every = {asks(node.split) for node in other.nodes if node.split is not None}
    sample = _Sample(None if other.root.split is None else other.root.split.column, other.n_leaves, [], [], [], [])
    for node, same in pairs(tree, other):
        split = node.split
        found = None if same is None else same.split
        sample.same.append(found is not None)
        sample.anywhere.append(split is not None and asks(split) in every)
        raw = None if found is None else found.test.raw_threshold
        sample.threshold.append(np.nan if raw is None else float(raw))
        alike = None if found is None or split is None else similarity(split, found)
        sample.similarity.append(np.nan if alike is None else alike)
    return sample


def _gather(tree: Tree, samples: list[_Sample]) -> Stability:
    splits = []
    for place, node in enumerate(node for node, _ in pairs(tree, tree)):
        split = node.split
        assert split is not None  # noqa: S101 (pairs are inner nodes)
        thresholds = np.array([sample.threshold[place] for sample in samples])
        alike = np.array([sample.similarity[place] for sample in samples])
        raw = split.test.raw_threshold
        branches = tuple(split.describe(b, exact=False, most_levels=4) for b in range(split.n_branches))
        splits.append(
            SplitStability(
                node=node.id,
                depth=node.depth,
                column=split.column,
                test=_test_text(branches),
                rows=node.rows,
                same_place=float(np.mean([sample.same[place] for sample in samples])),
                anywhere=float(np.mean([sample.anywhere[place] for sample in samples])),
                threshold=np.nan if raw is None else float(raw),
                thresholds=thresholds[~np.isnan(thresholds)],
                similarity=float(np.nanmean(alike)) if (~np.isnan(alike)).any() else np.nan,
                branches=branches,
            )
        )
    roots = Counter(sample.root for sample in samples)
    shares = {name: count / len(samples) for name, count in roots.most_common()}
    return Stability(tree, tuple(splits), shares, np.array([sample.n_leaves for sample in samples]))
