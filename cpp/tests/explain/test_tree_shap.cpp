// Shapley values: worked cases, efficiency under every routing, deep chains, and the same bits for any threads.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "bough/explain/quadrature.hpp"
#include "bough/explain/shap_plan.hpp"
#include "bough/explain/tree_shap.hpp"
#include "bough/predict/answers.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

NodeFacts weighing(double weight) {
  NodeFacts facts;
  facts.weight = weight;
  return facts;
}

ColumnView numbers(const std::vector<double>& data) {
  ColumnView column;
  column.data = data.data();
  return column;
}

Shapley explain(const Tree& tree, const std::vector<std::vector<double>>& table, std::int32_t threads = 1) {
  std::vector<ColumnView> columns;
  columns.reserve(table.size());
  for (const std::vector<double>& column : table) columns.push_back(numbers(column));
  Watch watch;
  return shapley_values(tree, columns, static_cast<std::int64_t>(table[0].size()), {}, threads, watch);
}

// x0 <= 0.5: 0 (weight 2); else x1 <= 0.5: 4 (weight 1), else 8 (weight 1).
Tree two_columns(const Routing& routing) {
  TreeBuilder builder({}, routing);
  builder.add_value_node(-1, 0, weighing(4.0), 3.0);
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_value_node(0, 0, weighing(2.0), 0.0);
  builder.add_value_node(0, 1, weighing(2.0), 6.0);
  builder.add_threshold(on_column(1), at(0.5), 0);
  builder.add_value_node(2, 0, weighing(1.0), 4.0);
  builder.add_value_node(2, 1, weighing(1.0), 8.0);
  return builder.freeze();
}

constexpr Routing stopping = {false, Otherwise::stop, Otherwise::missing, Otherwise::missing};
constexpr Routing in_parts = {false, Otherwise::spread, Otherwise::missing, Otherwise::missing};

Tree chain(std::int32_t depth, std::int32_t columns, const Routing& routing) {
  TreeBuilder builder({}, routing);
  std::int32_t parent = -1;
  for (std::int32_t i = 0; i < depth; ++i) {
    parent = builder.add_value_node(parent, parent < 0 ? 0 : 1, weighing(depth - i + 1.0), i);
    builder.add_threshold(on_column(i % columns), at(0.25 + 0.5 * i / depth), 0);
    builder.add_value_node(parent, 0, weighing(1.0), std::sin(i));
  }
  builder.add_value_node(parent, 1, weighing(1.0), 1.0);
  return builder.freeze();
}

}  // namespace

TEST_CASE("points integrate polynomials exactly") {
  for (const std::size_t n : {1U, 2U, 3U, 8U, 33U, 100U}) {
    const Quadrature points = gauss_legendre(n);
    for (std::size_t power = 0; power < 2 * n; ++power) {
      double integral = 0.0;
      double mirrored = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        integral += points.weight[k] * std::pow(points.at[k], static_cast<double>(power));
        mirrored += points.weight[k] * std::pow(points.rest[k], static_cast<double>(power));
      }
      CHECK(integral == doctest::Approx(1.0 / (static_cast<double>(power) + 1.0)).epsilon(1e-12));
      CHECK(mirrored == doctest::Approx(integral).epsilon(1e-12));
    }
  }
}

TEST_CASE("many factors need few points") {
  CHECK(points_for(0) == 2);
  CHECK(points_for(12) == 6);
  CHECK(points_for(100) == 50);
  CHECK(points_for(100'000) < 2'300);
  for (const std::size_t n : {500U, 5'000U, 50'000U}) {
    const Quadrature points = gauss_legendre(points_for(n));
    double integral = 0.0;
    for (std::size_t k = 0; k < points.at.size(); ++k) {
      integral += points.weight[k] * std::pow(points.at[k], static_cast<double>(n) - 1.0);
    }
    CHECK(integral == doctest::Approx(1.0 / static_cast<double>(n)).epsilon(1e-10));
  }
}

TEST_CASE("two columns by hand") {
  const Tree tree = two_columns(stopping);
  const Shapley found = explain(tree, {{1.0, 0.0, unknown}, {1.0, 1.0, 0.0}});
  // v() = 3, v(0) = 6, v(1) = 4, v(0, 1) = 8.
  CHECK(found.base == std::vector<double>{3.0});
  CHECK(found.values[0] == doctest::Approx(0.5 * (3.0 + 4.0)));
  CHECK(found.values[1] == doctest::Approx(0.5 * (1.0 + 2.0)));
  // v(0) = 0, v(1) = 4, v(0, 1) = 0.
  CHECK(found.values[2] == doctest::Approx(0.5 * (-3.0 - 4.0)));
  CHECK(found.values[3] == doctest::Approx(0.5));
  // The row stops at the root, which answers 3: v(0) = 3, v(1) = 2, v(0, 1) = 3.
  CHECK(found.values[4] == doctest::Approx(0.5 * (0.0 + 1.0)));
  CHECK(found.values[5] == doctest::Approx(0.5 * (-1.0 + 0.0)));
}

TEST_CASE("a row in parts is averaged as if the column were not known") {
  const Shapley found = explain(two_columns(in_parts), {{unknown}, {1.0}});
  CHECK(found.values[0] == doctest::Approx(0.0));
  CHECK(found.values[1] == doctest::Approx(1.0));
}

TEST_CASE("values sum to the prediction in deep chains, and threads change no bit") {
  for (const std::int32_t columns : {1, 5, 40}) {
    for (const Routing& routing : {stopping, in_parts}) {
      const Tree tree = chain(3'000, columns, routing);
      std::vector<std::vector<double>> table(static_cast<std::size_t>(columns));
      constexpr std::int64_t rows = 70;
      for (std::size_t c = 0; c < table.size(); ++c) {
        for (std::int64_t r = 0; r < rows; ++r) {
          const double cell = std::abs(std::sin(static_cast<double>(r) * 7.0 + static_cast<double>(c)));
          table[c].push_back((r + static_cast<std::int64_t>(c)) % 9 == 0 ? unknown : cell);
        }
      }
      const Shapley found = explain(tree, table);
      std::vector<ColumnView> views;
      views.reserve(table.size());
      for (const std::vector<double>& column : table) views.push_back(numbers(column));
      std::vector<double> expected(rows);
      Watch watch;
      spread_values(tree, views, rows, 1, watch, expected);
      for (std::int64_t r = 0; r < rows; ++r) {
        const auto own = found.values.begin() + r * columns;
        CHECK(std::accumulate(own, own + columns, found.base[0]) == doctest::Approx(expected[r]).epsilon(1e-10));
      }
      CHECK(explain(tree, table, 3).values == found.values);
    }
  }
}

TEST_CASE("a tree without weights answers by its nodes") {
  TreeBuilder builder({}, stopping);
  builder.add_value_node(-1, 0, {}, 3.0);
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_value_node(0, 0, {}, 1.0);
  builder.add_value_node(0, 1, {}, 7.0);
  const Shapley found = explain(builder.freeze(), {{0.0, 1.0, unknown}});
  CHECK(found.base[0] == 3.0);
  CHECK(found.values[0] == doctest::Approx(-2.0));
  CHECK(found.values[1] == doctest::Approx(4.0));
  CHECK(found.values[2] == doctest::Approx(0.0));
}

TEST_CASE("classes: each its own values, which sum to 0 over the classes") {
  TreeBuilder builder({1.0, 1.0, 1.0}, stopping);
  const std::vector<std::int32_t> all = {0, 1, 2};
  builder.add_class_node(-1, 0, weighing(8.0), 0, all, std::vector<double>{4.0, 2.0, 2.0});
  builder.add_threshold(on_column(0), at(0.5), 0);
  builder.add_class_node(0, 0, weighing(4.0), 0, all, std::vector<double>{4.0, 0.0, 0.0});
  builder.add_class_node(0, 1, weighing(4.0), 1, all, std::vector<double>{0.0, 2.0, 2.0});
  const Shapley found = explain(builder.freeze(), {{0.0}});
  CHECK(found.base == std::vector<double>{0.5, 0.25, 0.25});
  CHECK(found.values[0] == doctest::Approx(0.5));
  CHECK(found.values[1] == doctest::Approx(-0.25));
  CHECK(found.values[2] == doctest::Approx(-0.25));
}

}  // namespace bough::testing
