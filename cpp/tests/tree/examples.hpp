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

inline SplitFacts with_missing(SplitFacts facts, std::int32_t branch) {
  facts.missing = branch;
  return facts;
}

// Every kind of test on columns 0 (numbers), 1 and 2 (levels); missing values have a branch of their own, join another
// one, or are left to the routing.
//   0: x0 <= 0.5, <= 2, above, missing -> 1 (leaf), 2, 5, 9
//   2: x1 = 1 and x2 != 0, else or missing -> 3, 4
//   5: x1 in {0}, {1, 70}, missing -> 6, 7, 8
//   9: is x2 missing? -> 10, 13; 10: x0 < 1 takes branch 1, else branch 0 -> 11, 12; surrogate on x1
inline TreeBuilder every_kind(const Routing& routing = {}) {
  using Codes = std::vector<std::int32_t>;
  TreeBuilder builder({}, routing);
  const auto leaf = [&](std::int32_t parent, std::int32_t branch) {
    builder.add_value_node(parent, branch, with_majority(-1), parent + 0.1 * branch);
  };
  builder.add_value_node(-1, 0, with_majority(1), 0.0);
  builder.add_intervals(with_missing(on_column(0), 3), std::vector{at(0.5), at(2.0)}, Codes{0, 1, 2});
  builder.add_conjunction(with_missing(on_column(2, SplitRole::competitor), 2), std::vector<Property>{{2, 3, true}}, 1);
  leaf(0, 0);
  builder.add_value_node(0, 1, with_majority(0), 1.0);
  builder.add_conjunction(with_missing({}, 1), std::vector<Property>{{1, 1, false}, {2, 0, true}}, 0);
  leaf(2, 0);
  leaf(2, 1);
  builder.add_value_node(0, 2, with_majority(1), 2.0);
  builder.add_levels(with_missing(on_column(1), 2), Codes{0, 1, 70}, Codes{0, 1, 1});
  for (std::int32_t b = 0; b < 3; ++b) leaf(5, b);
  builder.add_value_node(0, 3, with_majority(0), 3.0);
  builder.add_levels(with_missing(on_column(2), 1), Codes{0, 1, 2}, Codes{0, 0, 0});
  builder.add_value_node(9, 0, with_majority(1), 4.0);
  builder.add_intervals(on_column(0), std::vector{at(1.0, Side::lt)}, Codes{1, 0});
  builder.add_levels(on_column(1, SplitRole::surrogate), Codes{0, 1}, Codes{1, 0});
  leaf(10, 0);
  leaf(10, 1);
  leaf(9, 1);
  return builder;
}

// A sum of columns 0 (numbers) and 1 (levels), and below it intervals of another; a leaf, and the root, have models.
//   0: 2 x0 - [x1 = 1] + 0.5 [x1 = 4] <= 0.5, missing -> 1 (leaf), 2, 6; 2: in three intervals -> 3, 4, 5;
//   6: which of three sums is largest -> 7, 8
inline TreeBuilder sums(const Routing& routing = {}) {
  TreeBuilder builder({}, routing);
  const auto leaf = [&](std::int32_t parent, std::int32_t branch) {
    builder.add_value_node(parent, branch, with_majority(-1), parent + 0.1 * branch);
  };
  builder.add_value_node(-1, 0, with_majority(1), 0.0);
  builder.set_model(1.0, {{1, 0, 0.0, 0.5, 0.0, 0}});
  builder.add_threshold(with_missing({}, 2), at(0.5), 0);
  builder.ask_sum({{0, -1, 2.0, 0.5, 1.0, 1}, {1, 1, -1.0, 0.25, 0.5, 0}, {1, 4, 0.5, 0.0, 0.5, 0}}, true);
  builder.add_levels(on_column(1, SplitRole::surrogate), std::vector<std::int32_t>{1, 4},
                     std::vector<std::int32_t>{0, 1});
  leaf(0, 0);
  builder.add_value_node(0, 1, with_majority(0), 1.0);
  builder.add_intervals({}, std::vector{at(0.5), at(2.0)}, std::vector<std::int32_t>{0, 1, 2});
  builder.ask_sum({{0, -1, 1.0, 0.0, 1.0, 0}, {1, 0, 1.0, 0.5, 0.5, 0}}, false);
  for (std::int32_t b = 0; b < 3; ++b) leaf(2, b);
  builder.set_model(0.5, {{0, -1, 1.5, 2.0, 1.0, 0}, {2, 1, -1.0, 0.5, 0.5, 0}});
  builder.add_value_node(0, 2, with_majority(0), 2.0);
  builder.add_levels({}, std::vector<std::int32_t>{0, 1, 2}, std::vector<std::int32_t>{0, 1, 0});
  builder.ask_sum({{0, -1, 3.0, 0.5, 1.0, 0}, {1, 1, 2.0, 0.25, 0.5, 0}}, false,
                  std::vector{1.0, 0.5, 0.25, -2.0, -1.5, 0.0, 0.0, 0.0, 1.0});
  for (std::int32_t b = 0; b < 2; ++b) leaf(6, b);
  return builder;
}

// A network of columns 0 (numbers) and 1 (levels), and beside it a plain sum of the same, as a runner-up and below.
//   0: 0.25 + 0.5 tanh(x0 + 2 [x1 = 1]) - tanh(0.5 - x0 + 3 [x1 = 1]) <= 0.1 -> 1 (leaf), 2; 2: x0 + [x1 = 0] <= 1
inline TreeBuilder networks(const Routing& routing = {}) {
  TreeBuilder builder({}, routing);
  const auto leaf = [&](std::int32_t parent, std::int32_t branch) {
    builder.add_value_node(parent, branch, with_majority(-1), parent + 0.1 * branch);
  };
  const std::vector<LinearTerm> sum = {{0, -1, 1.0, 0.0, 1.0, 0}, {1, 0, 1.0, 0.5, 0.5, 0}};
  builder.add_value_node(-1, 0, with_majority(1), 0.0);
  builder.add_threshold({}, at(0.1), 0);
  builder.ask_network({{0, -1, 1.5, 0.5, 1.0, 0}, {1, 1, 4.0, 0.25, 0.5, 0}}, false,
                      {2, {1.0, -1.0, 2.0, 3.0, 0.0, 0.5, 0.5, -1.0, 0.25}});
  builder.add_threshold(on_column(0, SplitRole::competitor), at(0.5), 0);
  builder.ask_sum(sum, false);
  leaf(0, 0);
  builder.add_value_node(0, 1, with_majority(0), 1.0);
  builder.add_threshold({}, at(1.0), 0);
  builder.ask_sum(sum, true);
  leaf(2, 0);
  leaf(2, 1);
  return builder;
}

// Squares and products of columns 0 (numbers) and 1 (levels).
inline TreeBuilder curves(const Routing& routing = {}) {
  TreeBuilder builder({}, routing);
  builder.add_value_node(-1, 0, with_majority(0), 0.0);
  builder.add_threshold(with_missing({}, 1), at(0.5), 0);
  builder.ask_sum({{0, -1, 2.0, 0.5, 1.0, 0},
                   {0, -1, 1.0, 0.25, 0.5, 0, 0, -1, 0, 0.5, 0.5},
                   {0, -1, -0.5, 0.0, 0.5, 0, 1, 4, 0, 1.0, 0.0}},
                  false);
  for (std::int32_t b = 0; b < 2; ++b) builder.add_value_node(0, b, with_majority(-1), 1.0 + b);
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
