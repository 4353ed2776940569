"""Cases in parts: `_core.spread_probabilities`, `spread_values` and `apply` against the rules in plain Python."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough import _core

SPREAD = (False, 4, 0, 0)
NAN = float("nan")


class Node:
    """A node of a random tree: column 0 is a number, columns 1 and 2 have five levels each."""

    def __init__(self, counts, column=None, test=None, children=()):
        self.counts, self.column, self.test, self.children = counts, column, test, children

    @property
    def weight(self):
        return sum(self.counts)

    def add_to(self, builder, parent, branch, answer):
        if answer == "value":
            facts = {"value": self.counts[0] - self.counts[-1]}
        else:
            counts = self.counts if self.weight else [1.0] * len(self.counts)  # an empty leaf answers something
            facts = {"label": int(np.argmax(counts)), "counts": [(c, w) for c, w in enumerate(counts) if w]}
        me = builder.add_node(parent, branch, weight=self.weight, **facts)
        if self.column == 0:
            builder.add_threshold(0, self.test)
        elif self.children:
            builder.add_levels(self.column, list(range(len(self.test))), self.test)
        for k, child in enumerate(self.children):
            child.add_to(builder, me, k, answer)

    def branch(self, row):
        value = row[self.column]
        if self.column == 0:
            return None if np.isnan(value) else int(value > self.test)
        return None if not 0 <= value < len(self.test) else self.test[value]

    def number(self, ids):
        self.id = next(ids)
        for child in self.children:
            child.number(ids)

    def ends(self, row, share=1.0):
        """The (node, share) pairs in which a row ends, by the rules."""
        if not self.children:
            return [(self, share)]
        branch = self.branch(row)
        if branch is not None:
            return self.children[branch].ends(row, share)
        total = sum(child.weight for child in self.children)
        if not total:
            return [(self, share)]
        parts = [child.ends(row, share * child.weight / total) for child in self.children if child.weight]
        return [end for part in parts for end in part]


@st.composite
def trees(draw, classes, depth=4):
    counts = draw(st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0]), min_size=classes, max_size=classes))
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return Node(counts)
    column = draw(st.integers(0, 2))
    if column == 0:
        test, branches = draw(st.sampled_from([-1.0, 0.0, 0.5])), 2
    else:
        branches = draw(st.integers(2, 4))
        more = draw(st.lists(st.integers(0, branches - 1), max_size=1))
        test = [*draw(st.permutations(range(branches))), *more]
    children = [draw(trees(classes, depth - 1)) for _ in range(branches)]
    return Node(counts, column, test, children)


ROWS = st.tuples(st.sampled_from([-2.0, 0.0, 0.25, 3.0, NAN]), st.integers(-2, 4), st.integers(-2, 4))


def as_columns(rows):
    numbers, first, second = zip(*rows, strict=True)
    coded = [(np.array(codes, "i4"), None, 2) for codes in (first, second)]
    return [(np.array(numbers), None, 0), *coded]


def built(root, answer, classes):
    builder = _core.TreeBuilder([1.0] * classes if answer == "class" else [], SPREAD)
    root.add_to(builder, -1, 0, answer)
    root.number(itertools.count())
    return builder.freeze()


@given(data=st.data())
def test_parts_go_as_the_rules_say(data):
    classes = data.draw(st.integers(2, 3))
    root = data.draw(trees(classes))
    rows = data.draw(st.lists(ROWS, min_size=1, max_size=40))
    rows = rows * data.draw(st.sampled_from([1, 200]))
    columns = as_columns(rows)
    tree = built(root, "class", classes)
    ends = {repr(row): root.ends(row) for row in set(rows)}

    largest = []
    for row in rows:
        most = max(share for _, share in ends[repr(row)])
        largest.append(next(node.id for node, share in ends[repr(row)] if share >= most * (1 - 1e-12)))
    assert _core.apply(tree, columns).tolist() == largest
    assert _core.apply(tree, columns, 3).tolist() == largest
    indptr, indices = _core.decision_path(tree, columns)
    assert indices[indptr[1:] - 1].tolist() == largest

    m, prior = data.draw(
        st.sampled_from([(0.0, None), (float(classes), None), (1.5, [0.25, 0.75] + [0.0] * (classes - 2))])
    )
    given_prior = None if prior is None else np.array(prior)
    found = _core.spread_probabilities(tree, columns, 1, m, given_prior)
    assert np.array_equal(found, _core.spread_probabilities(tree, columns, 3, m, given_prior))
    prior = prior or [1 / classes] * classes
    for row, shares in list(zip(rows, found.tolist(), strict=True))[:40]:
        expected = [0.0] * classes
        for node, share in ends[repr(row)]:
            counts = node.counts if node.weight else [1.0] * classes
            for c in range(classes):
                expected[c] += share * (counts[c] + m * prior[c]) / (sum(counts) + m)
        assert shares == pytest.approx(expected, abs=1e-12)

    values = _core.spread_values(built(root, "value", classes), columns, 2)
    for row, value in list(zip(rows, values.tolist(), strict=True))[:40]:
        means = [share * (node.counts[0] - node.counts[-1]) for node, share in ends[repr(row)]]
        assert value == pytest.approx(sum(means), abs=1e-12)


def test_whole_cases_are_told_the_same_bits_by_both_ways():
    rng = np.random.default_rng(1)
    builder = _core.TreeBuilder([1.0, 0.3], SPREAD)
    builder.add_node(-1, 0, label=0, counts=[(0, 3.0), (1, 7.0)], weight=10.0)
    builder.add_threshold(0, 0.1)
    builder.add_node(0, 0, label=0, counts=[(0, 1 / 3), (1, 0.7)], weight=1.0)
    builder.add_node(0, 1, label=0, counts=[(0, 8 / 3), (1, 6.3)], weight=9.0)
    tree = builder.freeze()
    columns = [(rng.normal(size=1000), None, 0)]
    nodes = _core.apply(tree, columns)
    for m, prior in ((0.0, None), (2.0, None), (3.0, np.array([0.1, 0.9]))):
        whole = _core.probabilities(tree, nodes, m, prior)
        assert np.array_equal(whole, _core.spread_probabilities(tree, columns, 2, m, prior))


def test_smoothing_by_hand():
    builder = _core.TreeBuilder([1.0, 1.0, 1.0], SPREAD)
    builder.add_node(-1, 0, label=0, counts=[(0, 5.0), (2, 3.0)], weight=8.0)
    tree = builder.freeze()
    root = np.zeros(1, "i4")
    assert _core.probabilities(tree, root, 3.0).tolist() == [[6 / 11, 1 / 11, 4 / 11]]  # Laplace: one more of each
    assert _core.probabilities(tree, root, 2.0, np.array([0.0, 1.0, 0.0])).tolist() == [[0.5, 0.2, 0.3]]
    with pytest.raises(_core.InvalidInput, match=r"^m: "):
        _core.probabilities(tree, root, -1.0)
    with pytest.raises(_core.InvalidInput, match=r"^prior: expected one for each of 3 classes, found 2"):
        _core.probabilities(tree, root, 1.0, np.array([0.5, 0.5]))
    with pytest.raises(_core.InvalidInput, match=r"^prior: the shares of the classes sum to 1"):
        _core.probabilities(tree, root, 1.0, np.array([0.5, 0.5, 0.5]))
    with pytest.raises(_core.InvalidInput, match=r"^prior\[1\]: "):
        _core.probabilities(tree, root, 1.0, np.array([0.5, NAN, 0.5]))
    with pytest.raises(_core.InvalidInput, match="no values"):
        _core.spread_values(tree, [(np.zeros(1), None, 0)])


def test_a_chain_of_100_000_is_walked_in_parts():
    depth = 100_000
    builder = _core.TreeBuilder([], SPREAD)
    builder.add_node(-1, 0, value=0.0, weight=1.0)
    for d in range(depth):
        builder.add_threshold(0, float(d))
        builder.add_node(2 * d, 0, value=1.0, weight=1.0)
        builder.add_node(2 * d, 1, value=1.0, weight=float(depth - d))
    tree = builder.freeze()
    columns = [(np.array([NAN, 2.0, 1e9]), None, 0)]
    assert _core.apply(tree, columns).tolist() == [1, 5, 2 * depth]
    assert _core.spread_values(tree, columns).tolist() == pytest.approx([1.0, 1.0, 1.0])
    with pytest.raises(_core.InvalidInput, match="no probabilities"):
        _core.spread_probabilities(tree, columns)


def test_an_unseen_level_may_be_an_error_on_the_way_of_a_part():
    builder = _core.TreeBuilder([], (False, 4, 0, 3))
    builder.add_node(-1, 0, value=0.0, weight=2.0)
    builder.add_threshold(0, 0.0)
    builder.add_node(0, 0, value=1.0, weight=1.0)
    builder.add_node(0, 1, value=2.0, weight=1.0)
    builder.add_levels(1, [0, 1], [0, 1])
    builder.add_node(2, 0, value=3.0, weight=1.0)
    builder.add_node(2, 1, value=4.0, weight=0.0)
    numbers = np.full(10_000, -1.0)
    codes = np.full(10_000, -2, "i4")
    numbers[[6000, 7000]] = NAN
    with pytest.raises(_core.InvalidInput, match="row 6000: column 1 holds a level never seen in training"):
        _core.spread_values(builder.freeze(), [(numbers, None, 0), (codes, None, 2)], 2)
