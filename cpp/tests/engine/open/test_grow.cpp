// The open growth: every branching with every rule for missing values, on several threads, so that sanitizers see it.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "bough/base/random.hpp"
#include "bough/base/watch.hpp"
#include "bough/engine/grow.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"

namespace bough::testing {
namespace {

struct Data {
  std::vector<double> x;
  std::vector<double> z;
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> other;
  RankedTable table;
  Target classes;
  Target numbers;
};

// Two numbers and two nominal columns with gaps; the target depends on all of them.
Data make_data(std::size_t rows) {
  Data data;
  Random random(7);
  for (std::size_t i = 0; i < rows; ++i) {
    data.x.push_back(random.below(10) == 0 ? std::nan("") : static_cast<double>(random.below(40)));
    data.z.push_back(static_cast<double>(random.below(60)));
    data.code.push_back(random.below(10) == 0 ? -1 : static_cast<std::int32_t>(random.below(6)));
    data.other.push_back(static_cast<std::int32_t>(random.below(4)));
    const bool high = data.x[i] > 20.0 || data.code[i] == 2 || (data.other[i] == 1 && data.code[i] == 4);
    data.classes.label.push_back(high ? 1U : (random.below(3) == 0 ? 2U : 0U));
    data.numbers.value.push_back((high ? 5.0 : 0.0) + 0.01 * data.z[i]);
  }
  data.classes.classes = 3;
  data.classes.growth_scale = data.classes.class_scale = {1.0, 1.0, 1.0};
  data.table.rows = rows;
  const auto add = [&](const ColumnView& column, std::uint32_t levels) {
    data.table.columns.push_back(rank_column(column, rows, levels, nullptr));
  };
  add(view(data.x), 0);
  add(view(data.code), 6);
  add(view(data.z), 0);
  add(view(data.other), 4);
  return data;
}

void check_grown(const Data& data, const Target& target, GrowOptions options) {
  options.min_leaf_weight = 5.0;
  options.min_split_weight = 20.0;
  options.loop = Loop::open;
  Watch watch;
  const Tree alone = grow(data.table, target, options, watch);
  CHECK(alone.size() > 1);
  validate(alone);
  options.threads = 3;
  const Tree together = grow(data.table, target, options, watch);
  CHECK(together.parent == alone.parent);
  CHECK(together.splits.payload == alone.splits.payload);
  CHECK(together.splits.edge_bits == alone.splits.edge_bits);
  CHECK(together.splits.score == alone.splits.score);
}

const Branching kBranchings[] = {Branching::binary,  Branching::one_level, Branching::per_level,
                                 Branching::grouped, Branching::merged,    Branching::intervals};
const MissingRule kMissing[] = {MissingRule::surrogate,  MissingRule::majority,   MissingRule::stop,
                                MissingRule::fractional, MissingRule::own_branch, MissingRule::learned};

}  // namespace

TEST_CASE("every branching grows valid trees with every rule for missing values, the same on several threads") {
  const Data data = make_data(1500);
  for (const Branching branching : kBranchings) {
    for (const MissingRule missing : kMissing) {
      GrowOptions options;
      options.branching = branching;
      options.missing = missing;
      options.criterion = Criterion::gini;
      check_grown(data, data.classes, options);
      options.criterion = Criterion::squared_error;
      check_grown(data, data.numbers, options);
    }
  }
}

TEST_CASE("searches and stopping rules of the open growth") {
  const Data data = make_data(1500);
  GrowOptions options;
  options.missing = MissingRule::majority;
  for (const SearchRule search : {SearchRule::unbiased, SearchRule::conjunctions}) {
    options.selection.search = search;
    check_grown(data, data.classes, options);
  }
  options.selection.search = SearchRule::unbiased;
  options.selection.test = SelectionTest::permutation;
  options.selection.resamples = 99;
  check_grown(data, data.classes, options);
  options = {};
  options.missing = MissingRule::majority;
  options.stop.significance = 0.01;
  check_grown(data, data.classes, options);
  options.stop = {};
  options.stop.gains_level = 0.5;
  check_grown(data, data.classes, options);
  options.stop = {};
  options.stop.validation.assign(data.table.rows, 1.0);
  check_grown(data, data.classes, options);
  options.stop = {};
  options.max_leaf_nodes = 7;
  check_grown(data, data.classes, options);
}

TEST_CASE("an expert's splits stand where they were put") {
  const Data data = make_data(800);
  GrowOptions options;
  options.missing = MissingRule::own_branch;
  ForcedSplit first;
  first.column = 1;
  first.code = {0, 1, 2};
  first.branch = {0, 1, 0};
  options.expert.forced.push_back(first);
  options.expert.columns.push_back({{1}, {2}});
  Watch watch;
  const Tree tree = grow(data.table, data.classes, options, watch);
  validate(tree);
  CHECK(tree.splits.column[0] == 1);
  CHECK(tree.child_begin[1] - tree.child_begin[0] == 3);  // two branches of levels, one of missing values
}

}  // namespace bough::testing
