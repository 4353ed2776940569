// The growing loop as a whole: many rows and few, every criterion and missing policy, any number of threads.
#include "bough/engine/grow.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/sorted/replay.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/tree/validate.hpp"

namespace bough::testing {
namespace {

// Numbers, numbers with few values, ordered and nominal levels, some of everything missing.
struct Data {
  std::vector<double> real, few;
  std::vector<std::int32_t> ordered, nominal, many;
  RankedTable table;
  Target target;

  Data(std::size_t rows, std::uint32_t classes, bool weighted, double gone, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<double> signal(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto maybe = [&](auto value, auto missing) { return uniform(random) < gone ? missing : value; };
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const double x = normal(random);
      const double f = std::round(normal(random) * 3.0);
      const auto o = static_cast<std::int32_t>(uniform(random) * 5.0);
      const auto n = static_cast<std::int32_t>(uniform(random) * 6.0);
      signal[row] = x + 0.3 * f + (n % 2 == 0 ? 1.0 : -1.0) * o + normal(random);
      real.push_back(maybe(x, nan));
      few.push_back(maybe(f, nan));
      ordered.push_back(maybe(o, -1));
      nominal.push_back(maybe(n, -1));
      many.push_back(maybe(static_cast<std::int32_t>(uniform(random) * 400.0), -1));
      if (weighted) target.weight.push_back(static_cast<double>(row % 4) * 0.5);
    }
    target.classes = classes;
    for (const double s : signal) {
      if (classes == 0) {
        target.value.push_back(s);
      } else {
        const double place = 0.5 * std::erfc(-s / 4.0) * classes;
        target.label.push_back(std::min(classes - 1, static_cast<std::uint32_t>(place)));
      }
    }
    target.growth_scale.assign(classes, 1.0);
    target.class_scale.assign(classes, 1.0);
    table.rows = rows;
    std::vector<std::uint8_t> used;
    used.reserve(target.weight.size());
    for (const double w : target.weight) used.push_back(w > 0.0 ? 1 : 0);
    const std::uint8_t* mask = used.empty() ? nullptr : used.data();
    const auto add = [&](ColumnKind kind, const auto& values, std::uint32_t levels) {
      ColumnView view;
      view.kind = kind;
      view.type = kind == ColumnKind::numeric ? ColumnView::Type::f64 : ColumnView::Type::i32;
      view.data = values.data();
      table.columns.push_back(rank_column(view, rows, levels, mask));
    };
    add(ColumnKind::numeric, real, 0);
    add(ColumnKind::numeric, few, 0);
    add(ColumnKind::ordered, ordered, 5);
    add(ColumnKind::nominal, nominal, 6);
    add(ColumnKind::nominal, many, 400);
  }
};

Tree grown(const Data& data, const GrowOptions& options) {
  Watch watch;
  Tree tree = prune(grow(data.table, data.target, options, watch), ComplexityRule::weakest_link, -1.0);
  return add_surrogates(tree, data.table, data.target, options, watch);
}

void check_same(const Tree& a, const Tree& b) {
  CHECK(a.parent == b.parent);
  CHECK(a.weight == b.weight);
  CHECK(a.risk == b.risk);
  CHECK(a.complexity == b.complexity);
  CHECK(a.count_weight == b.count_weight);
  CHECK(a.value == b.value);
  CHECK(a.splits.column == b.splits.column);
  CHECK(a.splits.payload == b.splits.payload);
  CHECK(a.splits.score == b.splits.score);
  CHECK(a.splits.set_code == b.splits.set_code);
  CHECK(a.splits.set_branch == b.splits.set_branch);
}

}  // namespace

TEST_CASE("many rows give the same bits for any number of threads") {
  for (const std::uint32_t classes : {0U, 2U, 4U}) {
    const Data data(40000, classes, classes == 4, 0.02, classes);
    GrowOptions options;
    options.criterion = classes == 0 ? Criterion::squared_error : Criterion::gini;
    options.min_leaf_rows = 20;
    options.min_split_rows = 40;
    const Tree one = grown(data, options);
    validate(one);
    CHECK(one.size() > 100);
    options.threads = 3;
    check_same(one, grown(data, options));
  }
}

TEST_CASE("every criterion and missing policy grows a valid tree") {
  for (const Criterion criterion :
       {Criterion::gini, Criterion::entropy, Criterion::misclassification, Criterion::twoing, Criterion::weighted_gini,
        Criterion::squared_error, Criterion::absolute_error, Criterion::worst_error}) {
    const bool values = criterion >= Criterion::squared_error;
    for (const bool weighted : {false, true}) {
      Data data(300, values ? 0 : 3, weighted, 0.1, 7);
      if (criterion == Criterion::weighted_gini) data.target.cost = {0, 1, 2, 1, 0, 1, 4, 1, 0};
      for (const MissingRule missing : {MissingRule::surrogate, MissingRule::majority, MissingRule::stop}) {
        GrowOptions options;
        options.criterion = criterion;
        options.missing = missing;
        options.branch_order = weighted ? BranchOrder::response : BranchOrder::value;
        options.cut = weighted ? CutRule::weighted : CutRule::midpoint;
        const Tree tree = grown(data, options);
        validate(tree);
        CHECK(tree.size() > 1);
      }
    }
  }
}

TEST_CASE("branches by level and fractional cases grow valid trees that keep the weight") {
  for (const Branching branching : {Branching::binary, Branching::one_level, Branching::per_level}) {
    for (const Criterion criterion :
         {Criterion::gini, Criterion::entropy, Criterion::misclassification, Criterion::gain_ratio}) {
      if (criterion == Criterion::gain_ratio && branching == Branching::binary) continue;
      for (const bool weighted : {false, true}) {
        for (const MissingRule missing : {MissingRule::fractional, MissingRule::majority, MissingRule::stop}) {
          const Data data(400, 3, weighted, 0.1, 11);
          GrowOptions options;
          options.criterion = criterion;
          options.branching = branching;
          options.missing = missing;
          options.min_leaf_weight = 5.0;
          options.gain.two_branches = true;
          options.gain.declared_branches = weighted;
          Watch watch;
          const Tree tree = grow(data.table, data.target, options, watch);
          validate(tree);
          CHECK(tree.size() > 1);
          if (missing == MissingRule::stop) continue;
          for (std::int32_t node = 0; node < tree.size(); ++node) {
            if (tree.is_leaf(node)) continue;
            double below = 0.0;
            for (std::int32_t i = tree.child_begin[node]; i < tree.child_begin[node + 1]; ++i)
              below += tree.weight[tree.children[i]];
            CHECK(below == doctest::Approx(tree.weight[node]));
          }
        }
      }
    }
  }
}

TEST_CASE("fractional cases give the same bits for any number of threads") {
  const Data data(40000, 2, false, 0.02, 3);
  GrowOptions options;
  options.criterion = Criterion::gain_ratio;
  options.branching = Branching::per_level;
  options.missing = MissingRule::fractional;
  options.cut = CutRule::data_value;
  options.gain.choice = Choice::above_average;
  options.gain.two_branches = options.gain.relative_minimum = options.gain.threshold_penalty = true;
  options.gain.epsilon = 1e-6;
  options.gain.value_gap = 1e-5;
  options.gain.many_valued_share = 0.3;
  options.min_leaf_weight = 50.0;
  options.min_split_weight = 100.0;
  Watch watch;
  const Tree one = grow(data.table, data.target, options, watch);
  validate(one);
  CHECK(one.size() > 100);
  options.threads = 3;
  check_same(one, grow(data.table, data.target, options, watch));
}

TEST_CASE("best first stops at the number of leaves") {
  const Data data(2000, 2, false, 0.0, 1);
  GrowOptions options;
  options.max_leaf_nodes = 9;
  const Tree tree = grown(data, options);
  validate(tree);
  CHECK(tree.size() == 17);
}

TEST_CASE("a call that is told to stop stops") {
  const Data data(40000, 2, false, 0.0, 1);
  GrowOptions options;
  options.threads = 2;
  Watch watch([](double) { throw Interrupted(); });
  CHECK_THROWS_AS(for (int again = 0; again < 1000; ++again)(void) grow(data.table, data.target, options, watch),
                  Interrupted);
}

}  // namespace bough::testing
