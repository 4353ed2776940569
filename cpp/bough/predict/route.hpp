// The way of one row, step by step: the routing rules in full, and the reference for the compiled walk.
// Order at a node: the primary split (split/branch_of.hpp), then what becomes of rows that it does not decide
// (missing/policy.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "bough/missing/policy.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Router {
 public:
  Router(const Tree& tree, std::span<const ColumnView> columns) : tree_(tree), columns_(columns) {}

  // What `step` answers instead of a child: the row stops at the node, or goes down its branches in parts (spread.hpp).
  static constexpr std::int32_t stops = Way::stops;
  static constexpr std::int32_t spreads = Way::spreads;

  // The child that `row` takes from the inner node `node`, or `stops` or `spreads`.
  // Throws InvalidInput if a split does not fit its column, or on an unseen level where the routing says error.
  [[nodiscard]] std::int32_t step(std::int32_t node, std::int64_t row) const;

  // Where `row` ends, or ~node if it spreads from `node`.
  [[nodiscard]] std::int32_t settle(std::int64_t row) const;

  // Throws InvalidInput if a split cannot be asked of these columns.
  void check(std::int64_t split) const;

 private:
  const Tree& tree_;
  std::span<const ColumnView> columns_;
};

}  // namespace bough
