// The two tools of searches for sums, against trying every partition that a line makes: cuts of projected rows, and
// steps along a direction. And what rests on them: OC1 is no worse than where it started.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "bough/base/random.hpp"
#include "bough/base/watch.hpp"
#include "bough/engine/open/held_stats.hpp"
#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"
#include "table/views.hpp"

namespace bough::testing {
namespace {

constexpr unsigned kProblems = 1000;
constexpr double kNone = -1.0;  // no partition is admissible

using Values = std::vector<double>;

// A small node with two numeric columns of few whole values: signs, zeros and ties; weights of 1 to 3.
struct Problem {
  Random random;
  std::size_t rows;
  Values x, z;
  RankedTable table;
  Target target;
  GrowOptions options;
  XLog2X xlogx;
  std::unique_ptr<GainRule> rule;
  std::unique_ptr<Judge> judge;
  Holding held;
  NodeStats stats;
  NodeView view;
  Watch watch;
  std::unique_ptr<NodeTerms> terms;
  std::unique_ptr<ObliqueNode> node;

  explicit Problem(unsigned seed) : random(seed), rows(2 + random.below(11)) {
    const Criterion criteria[] = {Criterion::gini, Criterion::entropy, Criterion::squared_error,
                                  Criterion::misclassification};
    options.criterion = criteria[seed % 4];
    options.min_leaf_weight = static_cast<double>(random.below(3));
    options.min_leaf_rows = static_cast<std::int64_t>(1 + random.below(2));
    x = numbers();
    z = numbers();
    table.rows = rows;
    for (const Values* values : {&x, &z})
      table.columns.push_back(rank_column(testing::view(*values), rows, 0, nullptr));
    if (classes()) {
      target.classes = static_cast<std::uint32_t>(2 + random.below(2));
      target.growth_scale = target.class_scale = Values(target.classes, 1.0);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      held.add(static_cast<std::uint32_t>(i), static_cast<double>(1 + random.below(3)));
      target.weight.push_back(held.weight.back());
      if (classes()) target.label.push_back(static_cast<std::uint32_t>(random.below(target.classes)));
      if (!classes()) target.value.push_back(static_cast<double>(random.below(9)));
    }
    rule = std::make_unique<GainRule>(options, xlogx);
    judge = make_judge(target, options, *rule);
    stats = stats_of(held, target, options, *judge, 0.0);
    view = view_node(held, stats, target, stat_kind(target, options.criterion), 0.0);
    terms = std::make_unique<NodeTerms>(table, view, std::vector<std::uint8_t>{}, options.oblique, 1);
    node = std::make_unique<ObliqueNode>(ObliqueNode{table, target, options, view, *judge, watch, *terms});
  }

  [[nodiscard]] bool classes() const { return options.criterion != Criterion::squared_error; }
  Values numbers() {
    Values values;
    for (std::size_t i = 0; i < rows; ++i) values.push_back(static_cast<double>(random.below(7)) - 3.0);
    return values;
  }
  [[nodiscard]] std::vector<std::uint32_t> every() const {
    std::vector<std::uint32_t> all(rows);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

  // What the rows of one side hold: impurity times weight.
  [[nodiscard]] double impurity(const std::vector<std::uint8_t>& low, int side) const {
    Values count(std::max<std::uint32_t>(target.classes, 1), 0.0);
    double all = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      if (side < 2 && low[i] != side) continue;
      all += held.weight[i];
      if (classes()) count[target.label[i]] += held.weight[i];
      if (!classes()) mean += held.weight[i] * target.value[i];
    }
    double sum = 0.0;
    if (!classes()) {
      for (std::size_t i = 0; i < rows; ++i) {
        if (side == 2 || low[i] == side) sum += held.weight[i] * std::pow(target.value[i] - mean / all, 2);
      }
      return sum;
    }
    if (options.criterion == Criterion::misclassification) return all - *std::ranges::max_element(count);
    for (const double one : count) {
      const double share = one / all;
      if (options.criterion == Criterion::gini) sum += one * (1.0 - share);
      if (options.criterion == Criterion::entropy && one > 0.0) sum -= one * std::log2(share);
    }
    return sum;
  }
  [[nodiscard]] double gain(const std::vector<std::uint8_t>& low) const {
    double weight[2] = {0.0, 0.0};
    std::int64_t held_by[2] = {0, 0};
    for (std::size_t i = 0; i < rows; ++i) {
      weight[low[i]] += held.weight[i];
      ++held_by[low[i]];
    }
    if (std::min(held_by[0], held_by[1]) < options.min_leaf_rows ||
        std::min(weight[0], weight[1]) < options.min_leaf_weight)
      return kNone;
    return (impurity(low, 2) - impurity(low, 0) - impurity(low, 1)) / (weight[0] + weight[1]);
  }
  // Of the partition "value + step times direction is at most 0".
  [[nodiscard]] double gain(const Values& v, const Values& r, double step) const {
    std::vector<std::uint8_t> low;
    low.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) low.push_back(v[i] + step * r[i] <= 0.0 ? 1 : 0);
    return gain(low);
  }
};

// Steps in every interval between two of the places where a row changes sides, and beyond the outer ones.
Values steps(const Values& v, const Values& r) {
  Values at;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (r[i] != 0.0) at.push_back(-v[i] / r[i]);
  }
  std::ranges::sort(at);
  Values between;
  if (at.empty()) return between;
  between.push_back(at.front() - 1.0);
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] > at[i - 1]) between.push_back(std::midpoint(at[i - 1], at[i]));
  }
  between.push_back(at.back() + 1.0);
  return between;
}

constexpr double kExact = 1e-12;

}  // namespace

TEST_CASE("the best step along a line is that of trying every partition") {
  std::size_t found = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    Problem problem(seed);
    const Values v = problem.numbers();
    const Values r = problem.numbers();
    double best = 0.0;
    for (const double step : steps(v, r)) best = std::max(best, problem.gain(v, r, step));
    const Line line(*problem.node, problem.every());
    const std::optional<LineMove> move = line.best(v, r, kExact);
    REQUIRE(move.has_value() == (best > kExact));
    if (!move.has_value()) continue;
    ++found;
    CHECK(std::abs(move->gain - best) <= kExact);
    CHECK(std::abs(problem.gain(v, r, move->step) - best) <= kExact);
    CHECK(!line.best(v, r, best * (1.0 + 1e-9)).has_value());
  }
  CHECK(found > kProblems / 2);
}

TEST_CASE("the best cut of projected rows is that of trying every cut") {
  std::size_t found = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    Problem problem(seed);
    const Values s = problem.numbers();
    const Values down(s.size(), -1.0);
    double best = 0.0;
    for (const double at : s) best = std::max(best, problem.gain(s, down, at));
    const SumCut cut = scan(s, *problem.node);
    REQUIRE(cut.any == (best > kExact));
    const std::optional<LineMove> step = Line(*problem.node, problem.every()).cut(s, kExact);
    REQUIRE(step.has_value() == cut.any);
    if (!cut.any || !step.has_value()) continue;
    ++found;
    CHECK(std::abs(cut.judged.gain - best) <= kExact);
    CHECK(std::abs(problem.gain(s, down, cut.low) - best) <= kExact);
    CHECK(std::abs(problem.gain(s, down, step->step) - best) <= kExact);
    CHECK(*std::ranges::min_element(s) <= cut.low);
    CHECK(cut.low < cut.high);
  }
  CHECK(found > kProblems / 2);
}

TEST_CASE("OC1 ends no worse than the best cut of one term") {
  std::size_t better = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    CAPTURE(seed);
    Problem problem(seed);
    if (problem.terms->count() < 2) continue;
    double axis = 0.0;
    for (std::size_t t = 0; t < problem.terms->count(); ++t)
      axis = std::max(axis, scan(problem.terms->column(t), *problem.node).judged.gain);
    problem.options.oblique.restarts = 1 + seed % 3;
    const std::vector<std::size_t> use = {0, 1};
    const auto weights = make_perturb(*problem.node)->weights(use);
    CHECK((axis <= kExact || weights.has_value()));
    if (!weights.has_value()) continue;
    Values sum(problem.rows, 0.0);
    for (std::size_t j = 0; j < use.size(); ++j) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*weights)[j] * problem.terms->column(use[j])[i];
    }
    const double oblique = scan(sum, *problem.node).judged.gain;
    CHECK(oblique >= axis - kExact);
    better += oblique > axis + kExact ? 1U : 0U;
  }
  CHECK(better > kProblems / 10);
}

}  // namespace bough::testing
