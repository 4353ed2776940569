// Which of several sums is the largest: brute force over random machines, rows of values and rows of ranks.
#include "bough/feature/largest.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/feature/row.hpp"
#include "bough/predict/apply.hpp"
#include "bough/pruning/rows_down.hpp"
#include "bough/tree/builder.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A small generator of our own: the same machines everywhere.
class MachineDraws {
 public:
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % n;
  }

 private:
  std::uint64_t state_ = 20261118;
};

// x0 and [x1 = 2], and the numbers of so many sums; every term tells some of them apart.
struct Machine {
  std::vector<LinearTerm> terms = {{0, -1, 1.0, 0.5, 1.0, 0}, {1, 2, 1.0, 0.25, 0.5, 0}};
  std::vector<double> numbers;

  Machine(MachineDraws& random, std::size_t sums) {
    const auto draw = [&] { return (static_cast<double>(random.below(13)) - 6.0) / 3.0; };
    do {
      numbers.clear();
      for (std::size_t i = 0; i < 3 * sums; ++i) numbers.push_back(draw());
      for (std::size_t t = 0; t < 2; ++t) terms[t].weight = spread_of(numbers, 2, t);
    } while (terms[0].weight == 0.0 || terms[1].weight == 0.0);
  }
};

Tree tree_of(const Machine& machine, bool whole) {
  const std::size_t sums = machine.numbers.size() / 3;
  TreeBuilder builder({}, {false, Otherwise::stop, Otherwise::missing, Otherwise::missing});
  std::vector<std::int32_t> codes(sums);
  std::iota(codes.begin(), codes.end(), 0);
  builder.add_value_node(-1, 0, {}, 0.0);
  builder.add_levels({}, codes, codes);
  builder.ask_sum(machine.terms, whole, machine.numbers);
  for (const std::int32_t b : codes) builder.add_value_node(0, b, {}, b);
  return builder.freeze();
}

}  // namespace

TEST_CASE("machines send rows of values and rows of ranks as plain arithmetic does") {
  MachineDraws random;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> x;
    std::vector<std::int32_t> level;
    for (int i = 0; i < 40; ++i) {
      x.push_back(random.below(4) == 0 ? unknown : static_cast<double>(random.below(17)) / 4.0 - 2.0);
      level.push_back(static_cast<std::int32_t>(random.below(5)) - 1);
    }
    x[0] = std::numeric_limits<double>::infinity();
    const std::vector<ColumnView> columns = {view(x), view(level)};
    const Machine machine(random, round % 10 == 0 ? 20 : 2 + random.below(4));
    const bool whole = random.below(2) == 0;
    const Tree tree = tree_of(machine, whole);
    RankedTable table;
    table.rows = x.size();
    for (const ColumnView& column : columns) table.columns.push_back(rank_column(column, table.rows, 4, nullptr));
    const RankTests tests(tree, table);
    Watch watch;
    const std::vector<std::int32_t> ends = apply(tree, columns, static_cast<std::int64_t>(x.size()), 2, watch);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool gone[2] = {std::isnan(x[i]), level[i] < 0};
      const double value[2] = {gone[0] ? 0.5 : x[i], gone[1] ? 0.25 : (level[i] == 2 ? 1.0 : 0.0)};
      std::int32_t best = 0;
      double most = 0.0;
      bool known = whole ? !gone[0] && !gone[1] : !(gone[0] && gone[1]);
      for (std::size_t k = 0; 3 * k < machine.numbers.size(); ++k) {
        const double* w = machine.numbers.data() + 3 * k;
        const double sum = (0.0 + w[0] * value[0] + w[1] * value[1]) + w[2];
        known = known && std::isfinite(sum);
        if (k > 0 && !(sum > most)) continue;
        most = sum;
        best = static_cast<std::int32_t>(k);
      }
      CAPTURE(round);
      CAPTURE(i);
      CHECK(ends[i] == (known ? best + 1 : 0));
      CHECK(tests.branch(0, static_cast<std::uint32_t>(i)) == (known ? best : -1));
    }
    const CutTree same = cut(tree, std::vector<std::int32_t>{});
    validate(same.tree);
    CHECK(same.tree.splits.sums.machine_weight == tree.splits.sums.machine_weight);
    CHECK(same.tree.splits.sums.machine_begin == tree.splits.sums.machine_begin);
  }
}

TEST_CASE("what a machine promises is checked") {
  const auto place_of = [&](auto&& edit) -> std::string {
    MachineDraws random;
    Tree tree = tree_of(Machine(random, 3), false);
    edit(tree.splits);
    return refused_at([&] { validate(tree); });
  };
  CHECK(place_of([](SplitPool&) {}) == "accepted");
  CHECK(place_of([](SplitPool& p) { p.sums.machine_weight[4] = unknown; }) == "mac_weight[4]");
  CHECK(place_of([](SplitPool& p) { p.sums.machine_weight.pop_back(); }) == "mac_begin[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.machine_begin.push_back(9); }) == "mac_begin");
  CHECK(place_of([](SplitPool& p) { p.sums.machine_begin.clear(); }) == "mac_weight");
  CHECK(place_of([](SplitPool& p) { p.sums.weight[1] *= 2.0; }) == "lin_weight[1]");
  CHECK(place_of([](SplitPool& p) { p.set_code[2] = 7; }) == "mac_begin[1]");
  CHECK(place_of([](SplitPool& p) { p.kind[0] = SplitKind::holds; }) != "accepted");
  CHECK(place_of([](SplitPool& p) { p.role[0] = SplitRole::surrogate; }) != "accepted");
  CHECK(place_of([](SplitPool& p) {
          p.sums.machine_weight.resize(3);
          p.sums.machine_begin = {0, 3};
        }) == "mac_begin[1]");
}

}  // namespace bough::testing
