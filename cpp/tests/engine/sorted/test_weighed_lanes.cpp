// Scans of weighted rows against every cut, one by one.
#include "bough/engine/sorted/weighed_lanes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "bough/criterion/class_drop.hpp"
#include "bough/engine/sorted/scorers.hpp"

namespace bough::testing {
namespace {

using Entry = EntryOf<std::uint32_t>;

// One node: four columns in which no value is met twice, classes, values and weights.
struct Node {
  std::uint32_t classes;
  std::vector<std::uint32_t> label;
  std::vector<double> value;
  std::vector<double> weight;
  std::vector<WholeTag> tag;
  std::vector<double> counts;
  double total = 0.0;
  double sum = 0.0;
  std::array<std::vector<Entry>, kLanes> column;

  Node(std::mt19937& random, std::uint32_t number, unsigned heaviest, bool whole) : classes(number), counts(number) {
    const std::size_t rows = 2 + random() % 60;
    for (std::size_t id = 0; id < rows; ++id) {
      label.push_back(random() % classes);
      value.push_back(static_cast<double>(random() % 1000) / 7.0);
      weight.push_back(static_cast<double>(1 + random() % heaviest) / (whole ? 1.0 : 8.0));
      tag.push_back(static_cast<WholeTag>(static_cast<std::uint32_t>(weight[id]) | (label[id] << 7U)));
      counts[label[id]] += weight[id];
      total += weight[id];
      sum += weight[id] * value[id];
    }
    std::vector<std::uint32_t> ids(rows);
    std::iota(ids.begin(), ids.end(), 0U);
    for (std::vector<Entry>& order : column) {
      std::shuffle(ids.begin(), ids.end(), random);
      for (const std::uint32_t id : ids) order.push_back(Entry::make(id, label[id]));
    }
  }
  [[nodiscard]] LaneOrders<Entry> orders() const {
    return {column[0].data(), column[1].data(), column[2].data(), column[3].data()};
  }

  // All cuts of a column in turn: what the rows below and above give, a later cut must be better.
  template <class Drop>
  [[nodiscard]] Cut best(const std::vector<Entry>& order, double least, Drop drop) const {
    Cut best;
    for (std::size_t cut = 1; cut < order.size(); ++cut) {
      const auto middle = order.begin() + static_cast<std::ptrdiff_t>(cut);
      const std::vector<Entry> low(order.begin(), middle);
      const std::vector<Entry> high(middle, order.end());
      if (mass_of(low) < least || mass_of(high) < least) continue;
      const double gain = drop(low, high);
      if (gain > 1e-13 && gain > best.drop * (1.0 + 1e-9)) best = {gain, cut, mass_of(low)};
    }
    return best;
  }
  [[nodiscard]] double mass_of(const std::vector<Entry>& rows) const {
    return std::accumulate(rows.begin(), rows.end(), 0.0, [&](double m, Entry e) { return m + weight[e.id()]; });
  }
  [[nodiscard]] std::vector<double> counts_of(const std::vector<Entry>& rows) const {
    std::vector<double> of(classes);
    for (const Entry entry : rows) of[entry.label()] += weight[entry.id()];
    return of;
  }
  [[nodiscard]] double gini(const std::vector<Entry>& low, const std::vector<Entry>& high) const {
    return GiniDrop{classes}(counts_of(low).data(), counts_of(high).data());
  }
  [[nodiscard]] double squared(const std::vector<Entry>& low, const std::vector<Entry>& high) const {
    double between = 0.0;
    for (const std::vector<Entry>* side : {&low, &high}) {
      double of = 0.0;
      for (const Entry entry : *side) of += weight[entry.id()] * (value[entry.id()] - sum / total);
      between += of * of / mass_of(*side);
    }
    return between / total;
  }
};

void check_lanes(const Node& node, const std::array<Cut, kLanes>& found, double least, bool numbers) {
  for (std::size_t l = 0; l < kLanes; ++l) {
    const Cut wanted = node.best(node.column[l], least, [&](const auto& low, const auto& high) {
      return numbers ? node.squared(low, high) : node.gini(low, high);
    });
    CHECK(found[l].position == wanted.position);
    if (wanted.position == 0) continue;
    CHECK(found[l].drop == doctest::Approx(wanted.drop).epsilon(1e-9));
  }
}

CutLimits limits() {
  CutLimits limits;
  limits.tie = 1e-9;
  return limits;
}

}  // namespace

TEST_CASE("lanes of weighted rows find the first of the best cuts") {
  for (unsigned round = 0; round < 2000; ++round) {
    CAPTURE(round);
    std::mt19937 random(round);
    const bool whole = round % 2 == 0;
    const Node two(random, 2, whole ? 127 : 20, whole);
    const std::size_t rows = two.label.size();
    const double least = 0.5 * static_cast<double>(random() % 40);
    const double floor = 1e-14;
    if (whole) {
      // Also what only one side can weigh.
      for (const double side : {std::ceil(least), std::floor(two.total / 2.0), std::ceil(two.total / 2.0)}) {
        const GiniTwoWholeLanes<Entry, true> some(two.total, two.counts[1], two.tag.data(), floor, side);
        check_lanes(two, scan_weighed_lanes<false>(two.orders(), rows, some, limits(), side), side, false);
      }
      const GiniTwoWholeLanes<Entry, false> all(two.total, two.counts[1], two.tag.data(), floor, 0.0);
      check_lanes(two, scan_weighed_lanes<false>(two.orders(), rows, all, limits(), 0.0), 0.0, false);
    }
    const GiniTwoWeightLanes<Entry> any(two.counts, two.weight.data(), 0.125, floor);
    check_lanes(two, scan_weighed_lanes<true>(two.orders(), rows, any, limits(), least), least, false);
    const SquaredWeightLanes<Entry> sums(two.total, two.sum, two.value.data(), two.weight.data(), 0.5, 1e-9);
    check_lanes(two, scan_weighed_lanes<true>(two.orders(), rows, sums, limits(), least), least, true);

    const Node more(random, 3 + random() % 4, 9, true);
    std::vector<double> scratch;
    const GiniWholeLanes<Entry> classes(more.total, more.counts, more.weight.data(), floor, scratch);
    check_lanes(more, scan_weighed_lanes<true>(more.orders(), more.label.size(), classes, limits(), least), least,
                false);
  }
}

TEST_CASE("whole weights of two classes score to the bit as any weights do") {
  for (unsigned round = 0; round < 500; ++round) {
    CAPTURE(round);
    std::mt19937 random(round);
    const Node node(random, 2, 127, true);
    const double scale[2] = {1.0, 1.0};
    std::vector<double> scratch;
    CountScorer<Entry, GiniDrop> any(GiniDrop{2}, node.counts, scale, node.weight.data(), scratch, 1e-14);
    GiniTwoWhole<Entry> whole(node.total, node.counts[1], node.tag.data(), 1e-14);
    const std::vector<Entry>& order = node.column[0];
    const std::size_t cuts = order.size() - 1;
    Chunk score;
    Chunk same_score;
    Chunk weight;
    Chunk same_weight;
    any.fill(order.data(), cuts, 0, score.data(), weight.data());
    whole.fill(order.data(), cuts, 0, same_score.data(), same_weight.data());
    for (std::size_t cut = 0; cut < cuts; ++cut) {
      CHECK(score[cut] == same_score[cut]);
      CHECK(weight[cut] == same_weight[cut]);
    }
  }
}

}  // namespace bough::testing
