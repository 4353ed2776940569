// Small trees that several kernel tests share.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/tree/builder.hpp"

namespace bough::testing {

inline Threshold at(double t, Side side = Side::le) { return {std::bit_cast<std::uint64_t>(t), ValueType::f64, side}; }
inline Threshold at_int(std::int64_t t, Side side = Side::le) {
  return {std::bit_cast<std::uint64_t>(t), ValueType::i64, side};
}
inline Threshold at_uint(std::uint64_t t, Side side = Side::le) { return {t, ValueType::u64, side}; }

inline SplitFacts on_column(std::int32_t column, SplitRole role = SplitRole::primary) {
  SplitFacts facts;
  facts.column = column;
  facts.role = role;
  return facts;
}

inline NodeFacts with_majority(std::int32_t majority) {
  NodeFacts facts;
  facts.majority = majority;
  return facts;
}

// Root: column 0 <= 0.5, surrogate on the levels of column 1; its high branch asks the levels of column 1, three ways.
//   0 -> 1 (leaf), 2 -> 3, 4, 5 (leaves)
inline TreeBuilder two_tests(const Routing& routing = {}) {
  TreeBuilder builder({1.0, 1.0}, routing);
  const std::vector<std::int32_t> both = {0, 1};
  const std::vector<std::int32_t> first = {0};
  const std::vector<double> pair = {3.0, 2.0};
  const std::vector<double> one = {3.0};
  builder.add_class_node(-1, 0, with_majority(1), 0, both, pair);
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_levels(on_column(1, SplitRole::surrogate), std::vector<std::int32_t>{1, 4}, both);
  builder.add_class_node(0, 0, {}, 0, first, one);
  builder.add_class_node(0, 1, with_majority(2), 1, both, pair);
  builder.add_levels(on_column(1), std::vector<std::int32_t>{0, 1, 4, 70}, std::vector<std::int32_t>{2, 0, 1, 0});
  for (std::int32_t b = 0; b < 3; ++b) builder.add_class_node(2, b, {}, 0, first, one);
  return builder;
}

// A chain of `depth` tests on column 0: low values leave at every step.
inline Tree chain(std::int32_t depth) {
  TreeBuilder builder({}, {});
  builder.add_value_node(-1, 0, {}, 0.0);
  for (std::int32_t d = 0; d < depth; ++d) {
    builder.add_threshold(on_column(0), at(d), 0);
    builder.add_value_node(2 * d, 0, {}, d);
    builder.add_value_node(2 * d, 1, {}, -d);
  }
  return builder.freeze();
}

}  // namespace bough::testing
