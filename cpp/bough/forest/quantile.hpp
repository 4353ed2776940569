// Quantiles of the training rows in the leaves that a row comes to (Meinshausen 2006). Only members of these leaves are
// looked at, never a weight for every training row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/forest/forest.hpp"
#include "bough/table/ranked.hpp"

namespace bough::forest {

// The rows of the bags, by leaf. A row is known by its place among the targets in ascending order.
struct LeafRows {
  std::span<const std::uint64_t> tree;  // the first member of each tree, and the end
  std::span<const std::uint32_t> node;  // by node of all trees: its first member, counted from the tree's
  std::span<const std::uint32_t> member;  // place, weight, place, weight, ...
  std::span<const double> value;  // by place
};

// By row and share, shares rising: the smallest target such that at least this share of the weight lies at or below it,
// each tree counting the same and each member of its leaf by weight. Throws InvalidInput if the parts do not fit.
[[nodiscard]] std::vector<double> forest_quantiles(const Forest& forest, std::span<const ColumnView> columns,
                                                   std::size_t rows, const LeafRows& leaf_rows,
                                                   std::span<const double> shares, int threads);

}  // namespace bough::forest
