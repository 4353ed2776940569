// Exact Shapley values of the columns of a case, for its answer by the tree.
//
// The game: v(S) is the answer if only the columns in S are looked at. A node that asks a column outside S passes the
// case on to all its children, by their training weight (a node none of whose children has weight keeps it); one that
// asks a column in S sends it where the model sends the whole case: to one child, to all in parts, or nowhere, so that
// it ends there. What surrogates decide is credited to the column of the primary split. A conjunction is asked by its
// columns together: the set of its columns is one player, whose value they share in equal parts.
//
// The computation: an end of the tree is reached by the product, over the players asked on the way, of a number `one`
// if the player is in S and `zero` if not. The Shapley value of a product is an integral,
//   (one_j - zero_j) * integral from 0 to 1 of the product over i != j of (t * one_i + (1 - t) * zero_i),
// a polynomial in t, so that a few points of Gauss-Legendre give it exactly. All terms are positive: nothing cancels,
// however deep the tree. The products are made on the way down and their sums over the ends below an edge on the way
// up: the work is nodes x points for each row and output, without recursion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/leaf/constant.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

struct Shapley {
  std::vector<double> values;  // [row][column][output]: outputs are classes, or the one value
  std::vector<double> base;    // v of no column, by output: what the values of a row add to
};

// The same bits for any number of threads. Throws InvalidInput as prediction does, on a level never seen in training
// (where the routing says error) even at nodes off the way of the row.
[[nodiscard]] Shapley shapley_values(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                                     const Smoothing& smoothing, std::int32_t n_threads, Watch& watch);

}  // namespace bough
