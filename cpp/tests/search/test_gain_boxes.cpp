// Boxes of steps: the same cut, gain and number of cuts as looking at every step.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "bough/engine/sorted/cohort.hpp"
#include "bough/search/gain_boxes.hpp"

namespace bough::testing {
namespace {

using Entry = EntryOf<std::uint32_t>;

struct Column {
  std::vector<Entry> order;
  std::vector<double> weight;
  std::vector<int> value;
  double minimum = 2.0;
};

// Whole rows among many light ones, as fractional cases make them; classes that change with the value.
Column make_column(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  Column column;
  const double light = uniform();
  const int repeats = 1 + static_cast<int>(random() % 3);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool high = static_cast<double>(i) > 0.4 * static_cast<double>(rows);
    column.order.push_back(Entry::make(i, uniform() < (high ? 0.6 : 0.3) ? 1 : 0));
    column.weight.push_back(uniform() < light ? 0.01 * uniform() : 1.0);
    column.value.push_back(static_cast<int>(i) / repeats);
  }
  return column;
}

GainCut by_boxes(const Column& column, const GainCutNode& node, std::array<double, 2> whole, const GainRule& rule) {
  const auto may_cut = [&](std::size_t i) { return column.value[i - 1] != column.value[i]; };
  GainBoxes boxes(RowSteps<Entry>{column.order, column.weight.data()}, whole, node, rule, may_cut);
  std::vector<BoxCorner> corners;
  return boxes.best(corners);
}

// The same with the amounts of both classes of each row.
GainCut by_values(const Column& column, const GainCutNode& node, std::array<double, 2> whole, const GainRule& rule) {
  std::vector<double> amounts(2 * column.order.size(), 0.0);
  for (std::size_t i = 0; i < column.order.size(); ++i) amounts[2 * i + column.order[i].label()] = column.weight[i];
  const auto may_cut = [&](std::size_t i) { return column.value[i - 1] != column.value[i]; };
  GainBoxes boxes(ValueSteps{amounts}, whole, node, rule, may_cut);
  std::vector<BoxCorner> corners;
  return boxes.best(corners);
}

GainCut by_steps(const Column& column, const GainCutNode& node, std::array<double, 2> whole, const GainRule& rule) {
  GainCut best;
  double low[2] = {0.0, 0.0};
  const double before = rule.information(whole.data(), 2, whole[0] + whole[1]);
  for (std::size_t place = 1; place < column.order.size(); ++place) {
    low[column.order[place - 1].label()] += column.weight[place - 1];
    const double weight = low[0] + low[1];
    const double high[2] = {whole[0] - low[0], whole[1] - low[1]};
    if (!rule.at_least(weight, node.minimum) || !rule.at_least(node.weight - weight, node.minimum)) continue;
    if (column.value[place - 1] == column.value[place]) continue;
    ++best.cuts;
    const double saved =
        before - rule.information(low, 2, weight) - rule.information(high, 2, whole[0] + whole[1] - weight);
    const double gain = rule.gain(saved, node.known, node.all);
    if (!rule.greater(gain, best.gain)) continue;
    best.gain = gain;
    best.position = place;
    best.low_weight = weight;
  }
  return best;
}

}  // namespace

TEST_CASE("boxes find the cut that looking at every step finds") {
  GrowOptions options;
  const XLog2X xlogx;
  for (unsigned seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    // An absolute tolerance that is large enough to decide among cuts, or none.
    options.gain.epsilon = seed % 2 == 0 ? 0.0 : (seed % 4 == 1 ? 1e-6 : 1e-3);
    const GainRule rule(options, xlogx);
    const Column column = make_column(1 + (seed * 7) % 500, seed);
    std::array<double, 2> whole{};
    for (const Entry entry : column.order) whole[entry.label()] += column.weight[entry.id()];
    const double all = whole[0] + whole[1];
    const GainCutNode node{all, all * 1.1, all, column.minimum, 1.0, static_cast<double>(column.order.size())};
    const GainCut boxes = by_boxes(column, node, whole, rule);
    const GainCut steps = by_steps(column, node, whole, rule);
    CHECK(boxes.cuts == steps.cuts);
    CHECK(boxes.position == steps.position);
    CHECK(boxes.gain == doctest::Approx(steps.gain).epsilon(1e-10));
    CHECK(boxes.low_weight == doctest::Approx(steps.low_weight));
    CHECK(by_values(column, node, whole, rule).position == steps.position);
  }
}

TEST_CASE("the first of equal cuts is kept, also inside an earlier box and if rounding makes it the smaller") {
  // Two mirrored cuts save the same: one inside a box, one at the end of another box, which is judged first. Weights of
  // a tenth or so have sums that depend on where they begin.
  const GrowOptions options;
  const XLog2X xlogx;
  const GainRule rule(options, xlogx);
  std::size_t apart = 0;
  for (std::size_t first = 1; first < kBoxSteps; ++first) {
    CAPTURE(first);
    const std::size_t last = 3 * kBoxSteps;
    const std::size_t rows = last + first;
    Column column;
    std::array<double, 2> whole{};
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t label = i < first || i >= last ? 1 : 0;
      column.order.push_back(Entry::make(i, label));
      column.weight.push_back(0.1);
      column.value.push_back(static_cast<int>(i));
      whole[label] += 0.1;
    }
    const double all = whole[0] + whole[1];
    const GainCutNode node{all, all, all, 0.05, 1.0, static_cast<double>(rows)};
    CHECK(by_boxes(column, node, whole, rule).position == first);
    const auto saved = [&](std::size_t place) {
      double low[2] = {0.0, 0.0};
      for (std::size_t i = 0; i < place; ++i) low[column.order[i].label()] += 0.1;
      const double high[2] = {whole[0] - low[0], whole[1] - low[1]};
      return -rule.information(low, 2, low[0] + low[1]) - rule.information(high, 2, all - (low[0] + low[1]));
    };
    apart += static_cast<std::size_t>(saved(first) < saved(last));
  }
  CHECK(apart > 0);  // so that the slack for rounding is needed
}

}  // namespace bough::testing
