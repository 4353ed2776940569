"""Proximity of rows in a forest: the share of trees in which two rows end in the same leaf.

Only pairs that share a leaf are ever written down, some rows at a time: of n rows there are n squared pairs, but a leaf
holds few.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bough.errors import DataError

__all__ = ["Leaves", "Proximities", "nearest", "outlying", "proximity_matrix"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

_PAIRS_AT_A_TIME = 2**22
_BITS = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Leaves:
    """Where rows end.

    Parameters
    ----------
    number : ndarray of shape (n_rows, n_trees)
        The leaf of each row in each tree.
    begin : ndarray of shape (n_trees + 1,)
        The number of the first node of each tree among those of all, and how many there are.
    out : ndarray of bool, shape (n_rows, n_trees), optional
        The trees that count for a row, those whose bag it is not in; by default all.
    """

    number: Array
    begin: Ints
    out: npt.NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.number)

    def ends(self, first: int, end: int) -> Any:
        """By row and node of all trees: 1 where the row ends there in a tree that counts."""
        nodes = self.number[first:end] + self.begin[:-1]
        if self.out is None:
            flat, stops = nodes.ravel(), np.arange(0, nodes.size + 1, nodes.shape[1])
        else:
            counts = self.out[first:end]
            flat, stops = nodes[counts], np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
        ones = np.ones(len(flat), dtype=np.int32)
        return sparse.csr_matrix((ones, flat, stops), shape=(end - first, int(self.begin[-1])))

    @cached_property
    def bits(self) -> npt.NDArray[np.uint8]:
        """The trees that count for a row, eight to a byte."""
        assert self.out is not None  # noqa: S101 (asked of out-of-bag rows alone)
        return np.packbits(self.out, axis=1)


@dataclass(frozen=True, eq=False)
class Proximities:
    """The proximities of rows to others, or to each other; never all at once."""

    rows: Leaves
    others: Leaves

    def blocks(self) -> Iterator[tuple[int, Any]]:
        """The number of a first row, and the proximities of it and some that follow, as a sparse matrix."""
        held = self.others.ends(0, len(self.others)).T.tocsr()
        size = np.diff(held.indptr)
        for first, end in self._ranges(size):
            shared = (self.rows.ends(first, end) @ held).tocsr()
            shared.sort_indices()
            trees = self._trees(shared, first)
            yield first, sparse.csr_matrix((shared.data / trees, shared.indices, shared.indptr), shape=shared.shape)

    def _ranges(self, size: Array) -> Iterator[tuple[int, int]]:
        """Rows that have a few million pairs together."""
        begin = self.rows.begin[:-1]
        first = 0
        while first < len(self.rows):
            some = min(len(self.rows), first + max(1, _PAIRS_AT_A_TIME // (8 * len(begin))))
            pairs = np.cumsum(size[self.rows.number[first:some] + begin].sum(axis=1))
            end = first + max(1, int(np.searchsorted(pairs, _PAIRS_AT_A_TIME, side="right")))
            yield first, min(end, some)
            first = min(end, some)

    def _trees(self, shared: Any, first: int) -> Any:
        """In how many trees the two rows of each pair count."""
        if self.rows.out is None:
            return len(self.rows.begin) - 1
        one = np.repeat(np.arange(first, first + shared.shape[0]), np.diff(shared.indptr))
        bits, other = self.rows.bits, self.others.bits
        trees = np.empty(len(one))
        step = max(1, 2**23 // bits.shape[1])
        for at in range(0, len(one), step):
            both = bits[one[at : at + step]] & other[shared.indices[at : at + step]]
            trees[at : at + step] = _BITS[both].sum(axis=1, dtype=np.int64)
        return trees


def proximity_matrix(proximities: Proximities, max_pairs: int) -> Any:
    """All proximities above 0 as a sparse matrix; a DataError if they are too many."""
    parts, pairs = [], 0
    for first, part in proximities.blocks():
        pairs += part.nnz
        if pairs > max_pairs:
            done = first + part.shape[0]
            raise DataError(
                f"the first {done:,} of {len(proximities.rows):,} rows share leaves with {pairs:,} others, more than "
                f"max_pairs={max_pairs:,} (12 bytes each): ask for fewer rows, grow smaller leaves, or ask for "
                "neighbours(), which keeps the nearest alone."
            )
        parts.append(part)
    return sparse.vstack(parts, format="csr")


def nearest(proximities: Proximities, k: int, *, itself: bool) -> tuple[Ints, Floats]:
    """The numbers of the k nearest others and their proximities; of equal ones the first; -1 and 0 where none is left.

    With `itself`, rows and others are the same, and a row is not its own neighbour.
    """
    number = np.full((len(proximities.rows), k), -1, dtype=np.int64)
    near = np.zeros(number.shape)
    for first, part in proximities.blocks():
        for row, (begin, end) in enumerate(itertools.pairwise(part.indptr), first):
            column, value = part.indices[begin:end], part.data[begin:end]
            if itself:
                column, value = column[column != row], value[column != row]
            if len(value) > k:  # sorting the few that are no farther than the last is quicker than sorting all
                close = value >= np.partition(value, -k)[-k]
                column, value = column[close], value[close]
            order = np.argsort(-value, kind="stable")[:k]
            number[row, : len(order)], near[row, : len(order)] = column[order], value[order]
    return number, near


def outlying(proximities: Proximities, codes: Array) -> Floats:
    """Breiman's measure: how far each row is from those of its class; NaN for rows that count in no tree."""
    squares = np.zeros(len(codes))
    for first, part in proximities.blocks():
        row = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
        own = codes[first + row] == codes[part.indices]
        squares[first : first + part.shape[0]] = np.bincount(row[own], part.data[own] ** 2, part.shape[0])
    with np.errstate(divide="ignore"):
        raw = np.where(squares > 0, 1 / squares, np.nan)
    scores = np.full(len(codes), np.nan)
    for code in np.unique(codes):
        members = np.flatnonzero((codes == code) & (squares > 0))
        if len(members):
            off = raw[members] - np.median(raw[members])
            scores[members] = off / (np.abs(off).mean() or 1.0)
    return scores
