// Rows sent through tests once more: whole ones by their values, others in parts by what the branches got.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bough/predict/route.hpp"
#include "bough/pruning/rows_down.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

using Rows = std::vector<std::pair<std::uint32_t, double>>;

Rows rows_in(const RowsDown& down, const Crowd& crowd) {
  Rows rows;
  down.each(crowd, [&](std::uint32_t row, double weight) { rows.emplace_back(row, weight); });
  std::sort(rows.begin(), rows.end());
  return rows;
}

// The columns of two_tests(): a number and a level below 80.
struct Fixture {
  std::vector<double> number;
  std::vector<std::int32_t> code;
  RankedTable table;
  Target target;

  Fixture(std::vector<double> numbers, std::vector<std::int32_t> codes, std::vector<double> weight = {})
      : number(std::move(numbers)), code(std::move(codes)) {
    table.rows = number.size();
    table.columns.push_back(rank_column(view(number), table.rows, 0, nullptr));
    table.columns.push_back(rank_column(view(code), table.rows, 80, nullptr));
    target.weight = std::move(weight);
  }
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("whole rows by their values, a missing value by the known weights") {
  const Tree tree = two_tests({false, Otherwise::spread, Otherwise::missing, Otherwise::missing}).freeze();
  const Fixture f({0.0, 0.5, 0.75, 2.0, unknown, 9.0}, {-1, 0, 0, 1, 70, -1}, {1.0, 1.0, 2.0, 4.0, 8.0, 0.0});
  RowsDown down(tree, f.table, f.target, 0.0);
  const Crowd all = down.all();
  CHECK(rows_in(down, all) == Rows{{0, 1.0}, {1, 1.0}, {2, 2.0}, {3, 4.0}, {4, 8.0}});
  down.deal(0, all);
  const Crowd low = down.child(0);
  CHECK(rows_in(down, low) == Rows{{0, 1.0}, {1, 1.0}, {4, 2.0}});
  down.release(low);
  const Crowd high = down.child(1);
  CHECK(rows_in(down, high) == Rows{{2, 2.0}, {3, 4.0}, {4, 6.0}});

  down.deal(2, high);  // levels 1 and 70 go to branch 0, 4 to branch 1, 0 to branch 2
  const std::vector<Rows> expected = {{{3, 4.0}, {4, 6.0}}, {}, {{2, 2.0}}};
  for (std::int32_t b = 0; b < 3; ++b) {
    const Crowd child = down.child(b);
    CHECK(rows_in(down, child) == expected[b]);
    down.release(child);
  }
  down.undo();
  down.release(high);
  down.undo();
  CHECK(rows_in(down, all).size() == 5);
}

TEST_CASE("no known weight: equal parts; absent levels as the routing says") {
  for (const Otherwise absent : {Otherwise::missing, Otherwise::majority}) {
    const Tree tree = two_tests({false, Otherwise::spread, absent, Otherwise::missing}).freeze();
    const Fixture f({1.0, 1.0}, {-1, 2});
    RowsDown down(tree, f.table, f.target, 0.0);
    down.deal(2, down.all());
    for (std::int32_t b = 0; b < 3; ++b) {
      const Crowd child = down.child(b);
      Rows expected = {{0, 1.0 / 3}, {1, 1.0 / 3}};
      if (absent == Otherwise::majority) expected = b == 2 ? Rows{{0, 1.0}, {1, 1.0}} : Rows{};
      CHECK(rows_in(down, child) == expected);
      down.release(child);
    }
    down.undo();
  }
}

TEST_CASE("every kind of test sends training rows as prediction does") {
  const std::vector<double> numbers = {0.0, 0.5, 0.75, 1.0, 2.0, 2.5, unknown};
  Fixture f({}, {});
  std::vector<std::int32_t> other;
  for (const double number : numbers) {
    for (std::int32_t code = -1; code < 3; ++code) {
      for (std::int32_t third = -1; third < 4; ++third) {
        f.number.push_back(number);
        f.code.push_back(code);
        other.push_back(third);
      }
    }
  }
  f = Fixture(f.number, f.code);
  f.table.columns.push_back(rank_column(view(other), f.table.rows, 4, nullptr));
  std::vector<ColumnView> columns;
  columns.reserve(f.table.columns.size());
  for (const RankedColumn& column : f.table.columns) columns.push_back(column.view);
  using enum Otherwise;
  for (const Routing& routing : {Routing{true, majority, missing, missing}, Routing{false, majority, majority, missing},
                                 Routing{true, stop, missing, missing}, Routing{true, spread, missing, missing}}) {
    const Tree tree = every_kind(routing).freeze();
    const RankTests tests(tree, f.table);
    const Router router(tree, columns);
    for (const std::int32_t node : {0, 2, 5, 9, 10}) {
      for (std::size_t row = 0; row < f.table.rows; ++row) {
        CAPTURE(node);
        CAPTURE(row);
        const std::int32_t branch = tests.branch(node, static_cast<std::uint32_t>(row));
        const std::int32_t child = router.step(node, static_cast<std::int64_t>(row));
        CHECK((branch < 0 ? -1 : tree.children[tree.child_begin[node] + branch]) == std::max(child, -1));
      }
    }
  }
}

TEST_CASE("rows that stop leave no parts") {
  const Tree tree = two_tests({false, Otherwise::stop, Otherwise::missing, Otherwise::missing}).freeze();
  const Fixture f({0.0, 1.0, unknown}, {0, 0, 0});
  RowsDown down(tree, f.table, f.target, 0.0);
  down.deal(0, down.all());
  const std::vector<Rows> expected = {{{0, 1.0}}, {{1, 1.0}}};
  for (std::int32_t b = 0; b < 2; ++b) {
    const Crowd child = down.child(b);
    CHECK(rows_in(down, child) == expected[b]);
    down.release(child);
  }
  down.undo();
}

TEST_CASE("levels that lie far apart are searched instead of tabled") {
  TreeBuilder builder({}, {false, Otherwise::spread, Otherwise::missing, Otherwise::missing});
  builder.add_value_node(-1, 0, {}, 0.0);
  builder.add_levels(on_column(0), std::vector<std::int32_t>{1, 9'999}, std::vector<std::int32_t>{1, 0});
  builder.add_value_node(0, 0, {}, 0.0);
  builder.add_value_node(0, 1, {}, 0.0);
  const Tree tree = builder.freeze();
  const std::vector<std::int32_t> codes = {1, 9'999, 5, -1};
  RankedTable table;
  table.rows = 4;
  table.columns.push_back(rank_column(view(codes), 4, 10'000, nullptr));
  const RankTests tests(tree, table);
  CHECK(tests.branch(0, 0) == 1);
  CHECK(tests.branch(0, 1) == 0);
  CHECK(tests.branch(0, 2) == RankTests::unknown);
  CHECK(tests.branch(0, 3) == RankTests::unknown);
}

}  // namespace bough::testing
