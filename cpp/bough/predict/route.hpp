// The way of one row, step by step: the routing rules in full, and the reference for the compiled walk.
// Order at a node: the primary split; then what the routing says of absent and unseen values; missing ones take the
// branch that the split has for them, else the routing decides.
#pragma once

#include <cstdint>
#include <span>

#include "bough/predict/keys.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Router {
 public:
  Router(const Tree& tree, std::span<const ColumnView> columns) : tree_(tree), columns_(columns) {}

  // What `step` answers instead of a child: the row stops at the node, or goes down its branches in parts (spread.hpp).
  static constexpr std::int32_t stops = -1;
  static constexpr std::int32_t spreads = -2;

  // The child that `row` takes from the inner node `node`, or `stops` or `spreads`.
  // Throws InvalidInput if a split does not fit its column, or on an unseen level where the routing says error.
  [[nodiscard]] std::int32_t step(std::int32_t node, std::int64_t row) const;

  // Where `row` ends, or ~node if it spreads from `node`.
  [[nodiscard]] std::int32_t settle(std::int64_t row) const;

  // The column of a split; throws InvalidInput if the split cannot be asked of it.
  [[nodiscard]] const ColumnView& column_of(std::int64_t split) const;

 private:
  [[nodiscard]] const ColumnView& column_at(const char* field, std::int64_t place, std::int32_t column,
                                            bool nominal) const;
  [[nodiscard]] std::int32_t branch_of(std::int64_t split, std::int64_t row) const;
  [[nodiscard]] std::int32_t by_threshold(std::int64_t split, const ColumnView& column, std::int64_t row) const;
  [[nodiscard]] std::int32_t by_interval(std::int64_t split, const ColumnView& column, std::int64_t row) const;
  [[nodiscard]] std::int32_t by_terms(std::int64_t split, std::int64_t row) const;
  [[nodiscard]] std::int32_t by_level(std::int64_t split, const ColumnView& column, std::int64_t row) const;
  [[nodiscard]] std::int32_t by_surrogate(std::int32_t node, std::int64_t row) const;

  const Tree& tree_;
  std::span<const ColumnView> columns_;
};

}  // namespace bough
