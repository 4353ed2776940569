// Networks of terms: what a row gets, against the formula written out, and what the validator refuses.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/feature/linear.hpp"
#include "bough/feature/row.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double by_hand(double x, double one) {
  return (0.25 + 0.5 * std::tanh((0.0 + 1.0 * x) + 2.0 * one)) + -1.0 * std::tanh((0.5 + -1.0 * x) + 3.0 * one);
}

}  // namespace

TEST_CASE("a network is what the formula says, missing terms filled") {
  const Tree tree = networks().freeze();
  const std::vector<double> number = {0.3, -2.0, kNan, 1.0, kNan, kInf};
  const std::vector<std::int32_t> code = {1, 0, 1, -1, -1, 0};
  const std::vector<ColumnView> columns = {view(number), view(code)};
  const TermLists& lists = tree.splits.sums;
  const auto asked = [&](std::int64_t row) { return number_of(lists, 0, ValueRow(columns, row, true)); };
  CHECK(asked(0).value == by_hand(0.3, 1.0));
  CHECK(asked(1).value == by_hand(-2.0, 0.0));
  CHECK(asked(2).value == by_hand(0.5, 1.0));
  CHECK(asked(3).value == by_hand(1.0, 0.25));
  CHECK(asked(4).state == State::missing);
  CHECK(asked(5).value == (0.25 + 0.5) + 1.0);
  CHECK(number_of(lists, 1, ValueRow(columns, 0, true)).value == 0.3);  // a plain sum beside it
}

TEST_CASE("what a term pulls is its weight, and decides the column of the split") {
  const Tree tree = networks().freeze();
  CHECK(pull_of(tree.splits.sums.layers.numbers(0), 2, 0) == 1.5);
  CHECK(tree.splits.column[0] == 1);
  CHECK(tree.splits.feature(0) == Feature::network);
  CHECK(tree.splits.feature(1) == Feature::sum);
}

TEST_CASE("a tree that is cut keeps the networks that stay, and no layer without one") {
  const Tree tree = networks().freeze();
  CHECK(cut(tree, std::vector<std::int32_t>{2}).tree.splits.sums.layers.weight == tree.splits.sums.layers.weight);
  const Tree leaf = cut(tree, std::vector<std::int32_t>{0}).tree;
  CHECK(leaf.splits.sums.layers.units.empty());
  CHECK(leaf.splits.sums.layers.begin.size() == 1);
}

TEST_CASE("layers that do not fit are refused") {
  const auto refused = [](const auto& edit) {
    Tree tree = networks().freeze();
    edit(tree.splits.sums);
    return refused_at([&] { validate(tree); });
  };
  CHECK(refused([](TermLists& s) { s.layers.weight[0] = kNan; }).starts_with("net_weight[0]"));
  CHECK(refused([](TermLists& s) { s.layers.weight[0] = 2.0; }).starts_with("lin_weight[0]"));
  CHECK(refused([](TermLists& s) { s.layers.units[0] = 3; }).starts_with("net_begin[1]"));
  CHECK(refused([](TermLists& s) { s.layers.units[0] = 65; }).starts_with("net_hidden[0]"));
  CHECK(refused([](TermLists& s) { s.layers.units[1] = -1; }).starts_with("net_hidden[1]"));
  CHECK(refused([](TermLists& s) { s.layers.units.pop_back(); }).starts_with("net_hidden"));
  CHECK(refused([](TermLists& s) { s.layers = {{0, 0, 0}, {0, 0, 0, 0}, {}}; }).starts_with("net_hidden"));
}

}  // namespace bough::testing
