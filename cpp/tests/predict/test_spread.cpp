// Rows that go down several branches in parts: shares, ends, answers, and the same bits for any number of threads.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bough/predict/answers.hpp"
#include "bough/predict/apply.hpp"
#include "bough/predict/spread.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr Routing in_parts = {false, Otherwise::spread, Otherwise::missing, Otherwise::missing};

NodeFacts weighing(double weight) {
  NodeFacts facts;
  facts.weight = weight;
  return facts;
}

// Root: the levels of column 1, three ways; branch 0 asks column 0 <= 0.5, branch 1 has no weight.
//   0 -> 1 -> 2, 3 (leaves), 4, 5 (leaves)
Tree three_ways(double scale = 1.0, const Routing& routing = in_parts) {
  TreeBuilder builder({}, routing);
  builder.add_value_node(-1, 0, weighing(8.0 * scale), 0.0);
  builder.add_levels(on_column(1), std::vector<std::int32_t>{0, 1, 70}, std::vector<std::int32_t>{0, 1, 2});
  builder.add_value_node(0, 0, weighing(6.0 * scale), 1.0);
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_value_node(1, 0, weighing(1.5 * scale), 10.0);
  builder.add_value_node(1, 1, weighing(4.5 * scale), 20.0);
  builder.add_value_node(0, 1, weighing(0.0), 5.0);
  builder.add_value_node(0, 2, weighing(2.0 * scale), 30.0);
  return builder.freeze();
}

struct TwoColumns {
  std::vector<double> number;
  std::vector<std::int32_t> code;
  [[nodiscard]] std::vector<ColumnView> columns() const { return {view(number), view(code)}; }
};

struct Step {
  std::int32_t node;
  double share;
  bool ends;
  friend bool operator==(const Step&, const Step&) = default;
};

std::vector<Step> steps_of(const Tree& tree, const TwoColumns& table) {
  const std::vector<ColumnView> columns = table.columns();
  const Router router(tree, columns);
  Watch watch;
  std::vector<Step> steps;
  const auto note = [&](std::int32_t node, double share, bool ends) { steps.push_back({node, share, ends}); };
  Spread(tree, router, nullptr).walk(0, 0, watch, note);
  const std::vector<Step> routed = std::move(steps);
  const HotTree hot = compile(tree, columns, router);
  steps.clear();
  Spread(tree, router, &hot).walk(0, 0, watch, note);
  CHECK(steps == routed);
  return steps;
}

std::vector<double> values_of(const Tree& tree, const TwoColumns& table, std::int32_t threads = 1) {
  Watch watch;
  std::vector<double> values(table.number.size());
  spread_values(tree, table.columns(), static_cast<std::int64_t>(values.size()), threads, watch, values);
  return values;
}

}  // namespace

TEST_CASE("parts go where weight went, in preorder") {
  const Tree tree = three_ways();
  using Steps = std::vector<Step>;
  CHECK(steps_of(tree, {{0.0}, {0}}) == Steps{{0, 1.0, false}, {1, 1.0, false}, {2, 1.0, true}});
  CHECK(steps_of(tree, {{0.0}, {1}}) == Steps{{0, 1.0, false}, {4, 1.0, true}});
  CHECK(steps_of(tree, {{0.0}, {-1}}) == Steps{{0, 1.0, false}, {1, 0.75, false}, {2, 0.75, true}, {5, 0.25, true}});
  CHECK(steps_of(tree, {{unknown}, {-1}}) ==
        Steps{{0, 1.0, false}, {1, 0.75, false}, {2, 0.1875, true}, {3, 0.5625, true}, {5, 0.25, true}});
  CHECK(steps_of(tree, {{unknown}, {3}}) == steps_of(tree, {{unknown}, {-2}}));
}

TEST_CASE("the ends of a row: the largest part, and the mean of the values") {
  const Tree tree = three_ways();
  const TwoColumns table = {{0.0, 1.0, 0.0, 0.0, unknown, unknown}, {0, 0, 1, -1, -1, 0}};
  Watch watch;
  CHECK(apply(tree, table.columns(), 6, 1, watch) == std::vector<std::int32_t>{2, 3, 4, 2, 3, 3});
  const std::vector<double> values = values_of(tree, table);
  const std::vector<double> expected = {10.0, 20.0, 5.0, 15.0, 20.625, 17.5};
  for (std::size_t r = 0; r < 6; ++r) CHECK(values[r] == doctest::Approx(expected[r]));
}

TEST_CASE("the first of equal parts, and no weight at all") {
  TreeBuilder builder({}, in_parts);
  builder.add_value_node(-1, 0, weighing(3.0), 7.0);
  builder.add_levels(on_column(1), std::vector<std::int32_t>{0, 1, 2}, std::vector<std::int32_t>{0, 1, 2});
  for (std::int32_t b = 0; b < 3; ++b) builder.add_value_node(0, b, weighing(0.1 + 1e-16 * b), 1.0 + b);
  const TwoColumns table = {{0.0}, {-1}};
  Watch watch;
  CHECK(apply(builder.freeze(), table.columns(), 1, 1, watch) == std::vector<std::int32_t>{1});
  const Tree empty = three_ways(0.0);
  CHECK(apply(empty, table.columns(), 1, 1, watch) == std::vector<std::int32_t>{0});
  CHECK(values_of(empty, table) == std::vector<double>{0.0});
}

TEST_CASE("weights at the ends of the range of doubles") {
  const TwoColumns table = {{unknown}, {-1}};
  const std::vector<double> usual = values_of(three_ways(), table);
  CHECK(values_of(three_ways(0x1p1020), table) == usual);
  CHECK(values_of(three_ways(0x1p-1020), table) == usual);
}

TEST_CASE("surrogates are asked before a row is spread") {
  const Tree tree = two_tests({true, Otherwise::spread, Otherwise::missing, Otherwise::missing}).freeze();
  CHECK(steps_of(tree, {{unknown}, {1}}) == std::vector<Step>{{0, 1.0, false}, {1, 1.0, true}});
  CHECK(steps_of(tree, {{unknown}, {0}}) == std::vector<Step>{{0, 1.0, true}});  // its children have no weight
}

TEST_CASE("probabilities are summed over the parts, the same for one thread or three") {
  TreeBuilder builder({1.0, 2.0}, in_parts);
  const std::vector<std::int32_t> both = {0, 1};
  builder.add_class_node(-1, 0, weighing(8.0), 0, both, std::vector<double>{5.0, 3.0});
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_class_node(0, 0, weighing(6.0), 0, both, std::vector<double>{4.0, 2.0});
  builder.add_class_node(0, 1, weighing(2.0), 0, both, std::vector<double>{1.0, 1.0});
  const Tree tree = builder.freeze();
  TwoColumns table;
  for (int r = 0; r < 10'000; ++r) {
    table.number.push_back(r % 3 == 0 ? unknown : r % 3 - 1.0);
    table.code.push_back(0);
  }
  Watch watch;
  std::vector<double> once(20'000);
  std::vector<double> again(20'000);
  spread_probabilities(tree, table.columns(), 10'000, {}, 1, watch, once);
  CHECK(once[0] == doctest::Approx(0.75 * 0.5 + 0.25 / 3));
  CHECK(once[1] == doctest::Approx(0.75 * 0.5 + 0.25 * 2 / 3));
  CHECK(once[2] == 0.5);
  CHECK(once[5] == 2.0 / 3);
  spread_probabilities(tree, table.columns(), 10'000, {}, 3, watch, again);
  CHECK(once == again);
  spread_probabilities(tree, table.columns(), 10'000, {2.0, {}}, 1, watch, once);
  CHECK(once[0] == doctest::Approx(0.75 * 5 / 10 + 0.25 * 2 / 5));
}

}  // namespace bough::testing
