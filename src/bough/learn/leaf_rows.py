"""The training rows in the leaves of a forest: what quantiles and standard errors are made of.

A forest keeps the mean of a leaf alone. Whoever asks for more keeps its rows besides, and only then: some 8 bytes for
each row in the bag of each tree, and 4 for each node.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bough import _core
from bough.errors import ParameterError
from bough.learn.forest_replay import Replay
from bough.model import Forest
from bough.model.inputs import Rows
from bough.recipe import parameters as check

__all__ = ["LeafRows"]

Floats = npt.NDArray[np.float64]

_AT_A_TIME = 4096  # rows


@dataclass(frozen=True, eq=False)
class LeafRows:
    """The rows of the bags by leaf; a row is known by its place among the targets in ascending order.

    Parameters
    ----------
    tree : ndarray of shape (n_trees + 1,)
        The first member of each tree, and the end.
    node : ndarray of shape (n_nodes,)
        By node of all trees: its first member, counted from the tree's.
    member : ndarray of shape (2 * n_members,)
        The place and the weight of the first, of the second, and so on.
    value : ndarray of shape (n_rows,)
        The targets, ascending.
    unit : ndarray of shape (n_rows,), optional
        By place: what a row weighs each time it is in the bag; by default 1.
    bootstrap : bool, default=True
        Whether rows were drawn one by one, with replacement.
    """

    tree: npt.NDArray[np.uint64]
    node: npt.NDArray[np.uint32]
    member: npt.NDArray[np.uint32]
    value: Floats
    unit: npt.NDArray[np.int64] | None = None
    bootstrap: bool = True

    @classmethod
    def of(cls, again: Replay) -> "LeafRows":
        """Sort the rows of each bag by leaf and target."""
        leaves, value = again.leaves(), again.grown.target.fields["value"]
        order = np.argsort(value, kind="stable")
        begin = again.model.kernel.begin.astype(np.int64)
        node = np.empty(begin[-1], dtype=np.uint32)
        members, stops = [], [0]
        for tree in range(len(again.model)):
            leaf, weight = leaves[order, tree], again.weights(tree)[order]
            used = np.flatnonzero(weight > 0)
            used = used[np.argsort(leaf[used], kind="stable")]
            held = np.bincount(leaf[used], minlength=begin[tree + 1] - begin[tree])
            node[begin[tree] : begin[tree + 1]] = np.cumsum(held) - held
            members.append(np.column_stack([used, weight[used]]).astype(np.uint32).ravel())
            stops.append(stops[-1] + len(used))
        unit = again.grown.fields.get("weight")
        return cls(
            np.array(stops, dtype=np.uint64),
            node,
            np.concatenate(members),
            np.ascontiguousarray(value[order], dtype=np.float64),
            None if unit is None else unit[order].astype(np.int64),
            again.bags.draws_rows,
        )

    def __repr__(self) -> str:
        return f"<{len(self.value):,} rows in the leaves of {len(self.tree) - 1:,} trees>"

    def check(self, model: Forest) -> None:
        """Refuse a forest that these are not the rows of."""
        if len(self.tree) != len(model) + 1 or len(self.node) != model.kernel.nodes:
            raise ParameterError("leaf_rows: these are the rows of another forest; ask this one for its leaf_rows.")

    def quantiles(self, model: Forest, rows: Rows, shares: Floats, threads: int) -> Floats:
        """By row and share: the target at or below which that share of the weight in its leaves lies."""
        self.check(model)
        order = np.argsort(shares, kind="stable")
        parts: dict[str, npt.NDArray[Any]] = {
            "tree": self.tree,
            "node": self.node,
            "member": self.member,
            "value": self.value,
        }
        found = np.empty((len(rows), len(shares)))
        found[:, order] = _core.forest_quantiles(model.kernel, rows.columns, parts, shares[order].tolist(), threads)
        return found

    @cached_property
    def _shared(self) -> Floats:
        """By tree and tree: the sum over the rows of how often one has them times how often the other has."""
        place, weight = self.member[::2], self.member[1::2].astype(np.float64)
        if self.unit is not None:
            weight /= self.unit[place]
        stops = self.tree.astype(np.int64)
        drawn = sparse.csr_matrix((weight, place, stops), shape=(len(stops) - 1, len(self.value))).tocsc()
        shared = np.zeros((drawn.shape[0], drawn.shape[0]))
        for first in range(0, drawn.shape[1], _AT_A_TIME):  # most counts are above 0, so that dense blocks are quicker
            some = drawn[:, first : first + _AT_A_TIME].toarray()
            shared += some @ some.T
        return shared

    def variances(self, model: Forest, rows: Rows, threads: int) -> Floats:
        """By row: the variance of the forest's mean under other training rows, by the infinitesimal jackknife.

        The sum over training rows i of cov(N_i, t)^2, over the trees b, N_bi being how often b has row i and t_b what
        it answers. With t centred that is t' (N N') t / B^2, which needs a matrix of trees by trees alone. What the
        finite number of trees adds on average is taken off: the sum of the variances of N_i, times that of t, over B.
        """
        self.check(model)
        if not self.bootstrap:
            raise ParameterError(
                "standard errors by the jackknife are for rows drawn one by one with replacement: fit with "
                "bootstrap=True, without groups and sampling."
            )
        trees, shared = len(model), self._shared
        noise = np.trace(shared) / trees - shared.sum() / trees**2
        said = np.column_stack(list(model.said(rows, n_threads=threads)))
        said -= said.mean(axis=1, keepdims=True)
        found: Floats = np.einsum("rb,rb->r", said @ shared, said) / trees**2
        found -= noise * (said**2).mean(axis=1) / trees
        return found


def as_shares(quantiles: Any) -> Floats:
    """The quantiles that a user asks for, as numbers from 0 to 1."""
    shares = np.atleast_1d(check.as_numbers("quantiles", quantiles))
    if shares.ndim != 1 or not len(shares) or not ((shares >= 0) & (shares <= 1)).all():
        raise ParameterError(f"quantiles must be numbers from 0 to 1; got {quantiles!r:.80}.")
    return shares
