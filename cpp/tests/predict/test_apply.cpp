// Rows to nodes: the compiled walk equals the Router row by row, for any number of threads.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/predict/answers.hpp"
#include "bough/predict/apply.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

std::vector<std::int32_t> apply(const Tree& tree, const std::vector<ColumnView>& columns, std::int64_t n_rows,
                                std::int32_t n_threads) {
  Watch watch;
  return bough::apply(tree, columns, n_rows, n_threads, watch);
}

// A table for two_tests() and every_kind(): a number and two nominal codes, with every state a cell may have.
struct Table {
  std::vector<double> number;
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> other;

  explicit Table(std::size_t rows) : number(rows), code(rows), other(rows) {
    const double numbers[] = {0.0, 0.5, 0.75, 2.0, std::numeric_limits<double>::quiet_NaN(), 2.5};
    const std::int32_t codes[] = {-2, -1, 0, 1, 2, 4, 63, 64, 70, 71};
    for (std::size_t r = 0; r < rows; ++r) {
      number[r] = numbers[r % std::size(numbers)];
      code[r] = codes[r / std::size(numbers) % std::size(codes)];
      other[r] = static_cast<std::int32_t>(r / std::size(numbers) / std::size(codes) % 6) - 2;
    }
  }
  [[nodiscard]] std::vector<ColumnView> columns() const { return {view(number), view(code), view(other)}; }
};

std::vector<std::int32_t> settle_all(const Tree& tree, const Table& table) {
  const std::vector<ColumnView> columns = table.columns();
  const Router router(tree, columns);
  std::vector<std::int32_t> nodes(table.number.size());
  for (std::size_t r = 0; r < nodes.size(); ++r) nodes[r] = router.settle(static_cast<std::int64_t>(r));
  return nodes;
}

}  // namespace

TEST_CASE("every routing, every state of a cell, one thread or three") {
  const Table table(10'000);
  for (const bool surrogates : {false, true}) {
    for (const Otherwise fallback : {Otherwise::majority, Otherwise::stop}) {
      for (const Otherwise absent : {Otherwise::missing, Otherwise::majority, Otherwise::stop}) {
        const Routing routing = {surrogates, fallback, absent, absent};
        for (const Tree& tree : {two_tests(routing).freeze(), every_kind(routing).freeze()}) {
          const std::vector<std::int32_t> expected = settle_all(tree, table);
          CHECK(apply(tree, table.columns(), 10'000, 1) == expected);
          CHECK(apply(tree, table.columns(), 10'000, 3) == expected);
        }
      }
    }
  }
}

TEST_CASE("the states of a cell take the ways that the routing says") {
  Table table(1);
  const auto node_of = [&](double number, std::int32_t code, const Routing& routing) {
    table.number[0] = number;
    table.code[0] = code;
    const Tree tree = two_tests(routing).freeze();
    return apply(tree, table.columns(), 1, 1)[0];
  };
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  using enum Otherwise;
  CHECK(node_of(0.5, -1, {}) == 1);
  CHECK(node_of(1.0, 0, {}) == 5);
  CHECK(node_of(1.0, 70, {}) == 3);
  CHECK(node_of(unknown, 1, {}) == 1);                            // by the surrogate
  CHECK(node_of(unknown, 4, {}) == 4);                            // by the surrogate, then by level
  CHECK(node_of(unknown, 1, {false, majority, missing, missing}) == 3);  // majority, then by level
  CHECK(node_of(unknown, 0, {true, stop, missing, missing}) == 0);  // the surrogate does not know level 0
  CHECK(node_of(1.0, 2, {true, majority, missing, missing}) == 5);
  CHECK(node_of(1.0, 2, {true, majority, stop, missing}) == 2);
  CHECK(node_of(1.0, -2, {true, majority, missing, stop}) == 2);
  CHECK(node_of(1.0, -1, {true, stop, majority, majority}) == 2);
}

TEST_CASE("intervals, conjunctions and branches of missing values") {
  Table table(1);
  const auto node_of = [&](double number, std::int32_t code, std::int32_t other, const Routing& routing = {}) {
    table.number[0] = number;
    table.code[0] = code;
    table.other[0] = other;
    const Tree tree = every_kind(routing).freeze();
    return apply(tree, table.columns(), 1, 1)[0];
  };
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  using enum Otherwise;
  CHECK(node_of(0.5, -1, -1) == 1);
  CHECK(node_of(0.6, 1, 2) == 3);    // both terms hold
  CHECK(node_of(2.0, 0, -1) == 4);   // one known term fails, whatever the other is
  CHECK(node_of(2.0, -1, 0) == 4);
  CHECK(node_of(2.0, 1, -1) == 4);   // nothing fails and one is missing: the branch of missing values
  CHECK(node_of(2.0, -2, 1, {true, majority, missing, stop}) == 2);
  CHECK(node_of(2.0, -2, 0, {true, majority, missing, stop}) == 4);
  CHECK(node_of(2.1, 0, 0) == 6);
  CHECK(node_of(2.1, 70, 0) == 7);
  CHECK(node_of(2.1, -1, 0) == 8);
  CHECK(node_of(2.1, 5, 0) == 8);  // absent in training, which counts as missing
  CHECK(node_of(2.1, 5, 0, {true, majority, majority, missing}) == 7);
  CHECK(node_of(2.1, 5, 0, {true, majority, stop, missing}) == 5);
  CHECK(node_of(unknown, 1, -1) == 13);
  CHECK(node_of(unknown, 1, 2) == 11);   // by the surrogate: the split has no branch for it
  CHECK(node_of(unknown, 0, 2) == 12);
  CHECK(node_of(unknown, -1, 2) == 12);  // by the majority
  CHECK(node_of(unknown, -1, 2, {true, stop, missing, missing}) == 10);
}

TEST_CASE("edges in the types of the column, and those that no value is below") {
  TreeBuilder builder({}, {});
  builder.add_value_node(-1, 0, {}, 0.0);
  const std::vector<Threshold> edges = {at(-3.0), at_int(0), at(0.5), at_uint(1ULL << 63U)};
  builder.add_intervals(on_column(0), edges, std::vector<std::int32_t>{0, 1, 2, 3, 4});
  for (std::int32_t b = 0; b < 5; ++b) builder.add_value_node(0, b, {}, b);
  const Tree tree = builder.freeze();
  const std::vector<std::uint64_t> naturals = {0, 1, 1ULL << 63U, (1ULL << 63U) + 1U};
  CHECK(apply(tree, {view(naturals)}, 4, 1) == std::vector<std::int32_t>{2, 4, 4, 5});
  const std::vector<std::int64_t> integers = {-4, -3, 0, 1};
  CHECK(apply(tree, {view(integers)}, 4, 1) == std::vector<std::int32_t>{1, 1, 2, 4});
  const std::vector<double> reals = {-3.0, -2.5, 0.25, 1e30};
  CHECK(apply(tree, {view(reals)}, 4, 1) == std::vector<std::int32_t>{1, 2, 3, 5});
}

TEST_CASE("an unseen level may be an error, and the first such row is named") {
  Table table(5'000);
  const Tree tree = two_tests({true, Otherwise::majority, Otherwise::missing, Otherwise::error}).freeze();
  for (double& x : table.number) x = 1.0;
  for (std::int32_t& c : table.code) c = 0;
  table.code[4'711] = -2;
  table.code[4'150] = -2;
  table.code[4'999] = -2;
  CHECK_THROWS_WITH_AS(static_cast<void>(apply(tree, table.columns(), 5'000, 3)),
                       "row 4150: column 1 holds a level never seen in training", InvalidInput);
}

TEST_CASE("columns that do not fit are refused") {
  const Table table(2);
  const Tree tree = two_tests().freeze();
  std::vector<ColumnView> columns = table.columns();
  columns.resize(1);
  CHECK_THROWS_AS(static_cast<void>(apply(tree, columns, 2, 1)), InvalidInput);
  columns = table.columns();
  columns[0].kind = ColumnKind::nominal;
  CHECK_THROWS_AS(static_cast<void>(apply(tree, columns, 2, 1)), InvalidInput);
}

TEST_CASE("strides, masks and the integers at the ends of their ranges") {
  const Tree tree = [] {
    TreeBuilder builder({}, {false, Otherwise::stop, Otherwise::missing, Otherwise::missing});
    builder.add_value_node(-1, 0, {}, 0.0);
    builder.add_threshold(on_column(0), at_int(std::numeric_limits<std::int64_t>::min()), 0);
    builder.add_value_node(0, 0, {}, 0.0);
    builder.add_value_node(0, 1, {}, 0.0);
    return builder.freeze();
  }();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::vector<std::int64_t> numbers = {least, 9, least + 1, 9, 0, 9, least, 9};
  const std::vector<std::uint8_t> missing = {0, 0, 0, 1};
  ColumnView column = view(numbers);
  column.stride = 2;
  column.missing = missing.data();
  CHECK(apply(tree, std::vector{column}, 4, 1) == std::vector<std::int32_t>{1, 2, 2, 0});
  column.data = numbers.data() + 6;
  column.stride = -column.stride;
  column.missing = nullptr;
  CHECK(apply(tree, std::vector{column}, 4, 1) == std::vector<std::int32_t>{1, 2, 2, 1});
}

TEST_CASE("a chain of 100,000 tests") {
  const Tree tree = chain(100'000);
  const std::vector<double> x = {-1.0, 50'000.5, 1e9};
  const std::vector<ColumnView> columns = {view(x)};
  const std::vector<std::int32_t> nodes = apply(tree, columns, 3, 1);
  CHECK(nodes == std::vector<std::int32_t>{1, 100'003, 200'000});
  const Paths paths = paths_to(tree, nodes);
  CHECK(paths.indptr == std::vector<std::int64_t>{0, 2, 50'005, 150'006});
  CHECK(paths.indices[1] == 1);
  CHECK(paths.indices.back() == 200'000);
}

TEST_CASE("probabilities are scaled shares") {
  const Tree tree = two_tests().freeze();
  std::vector<double> out(4);
  class_probabilities(tree, std::vector<std::int32_t>{0, 1}, {}, out);
  CHECK(out == std::vector<double>{0.6, 0.4, 1.0, 0.0});
  CHECK_THROWS_AS(class_probabilities(tree, std::vector<std::int32_t>{0, 6}, {}, out), InvalidInput);
}

TEST_CASE("smoothed probabilities lean to the prior") {
  const Tree tree = two_tests().freeze();
  std::vector<double> out(4);
  const std::vector<std::int32_t> nodes = {0, 1};
  class_probabilities(tree, nodes, {2.0, {}}, out);
  CHECK(out == std::vector<double>{4.0 / 7, 3.0 / 7, 0.8, 0.2});
  class_probabilities(tree, nodes, {5.0, {0.0, 1.0}}, out);
  CHECK(out == std::vector<double>{0.3, 0.7, 0.375, 0.625});
  CHECK_THROWS_AS(class_probabilities(tree, nodes, {-1.0, {}}, out), InvalidInput);
  CHECK_THROWS_AS(class_probabilities(tree, nodes, {1.0, {0.5}}, out), InvalidInput);
  CHECK_THROWS_AS(class_probabilities(tree, nodes, {1.0, {0.5, 0.6}}, out), InvalidInput);
  CHECK_THROWS_AS(class_probabilities(tree, nodes, {1.0, {-0.5, 1.5}}, out), InvalidInput);
}

}  // namespace bough::testing
