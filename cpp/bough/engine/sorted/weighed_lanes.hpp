// Cuts of four sorted columns of a node at once (lanes.hpp) where rows have weights. The low sides of the columns weigh
// different amounts, so each cut has a quotient of its own; the rest is as there. Of the best cuts only the places are
// kept: few of them are offered, and those are weighed once more.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "bough/base/four.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/lanes.hpp"
#include "bough/search/cut.hpp"

namespace bough {

// Statistics: add(orders, i) takes entry i of every column; low() is what the low sides weigh, and score(low) judges
// the cuts behind them; drop, floor and slack as in cut.hpp.

// Two classes with small whole weights, which lie beside the class in a byte: see GiniTwoWhole.
template <class Entry>
class GiniTwoWholeLanes {
 public:
  GiniTwoWholeLanes(double total, double ones, const WholeTag* tag, double floor)
      : total_(total), ones_(ones), floor_(0.5 * total * total * floor), tag_(tag) {}

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    const FourWhole tag(tag_[order[0][i].id()], tag_[order[1][i].id()], tag_[order[2][i].id()], tag_[order[3][i].id()]);
    const FourWhole weight = tag & FourWhole(kTagWeight);
    mass_ = mass_ + weight;
    seen_ = seen_ + (weight & tag.signs());
  }
  [[nodiscard]] Four low() const { return mass_.numbers(); }
  [[nodiscard]] Four score(Four low) const {
    const Four d = seen_.numbers() * Four(total_) - low * Four(ones_);
    return d * d / (low * (Four(total_) - low));
  }
  [[nodiscard]] double drop(double score) const { return 2.0 * score / (total_ * total_); }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_; }

 private:
  double total_;
  double ones_;
  double floor_;
  const WholeTag* tag_;
  FourWhole mass_{0};
  FourWhole seen_{0};
};

// The best cut of each column, as if no two entries shared a value, its drop up to rounding; `least` is what a side
// must weigh, if Minimum.
template <bool Minimum, class Entry, class Stat>
std::array<Cut, kLanes> scan_weighed_lanes(const LaneOrders<Entry>& orders, std::size_t rows, Stat stat,
                                           const CutLimits& limits, double least) {
  std::array<Cut, kLanes> best;
  const LaneOrders<Entry> order = orders;
  const std::size_t first_cut = std::max<std::size_t>(1, limits.min_rows);
  if (rows < 2 * first_cut) return best;
  const Four above(1.0 + limits.tie);
  const Four slack(stat.slack());
  const Four below(std::nextafter(least, -HUGE_VAL));
  const Four total(stat.total());
  Four bar(stat.floor());
  Four position(0.0);
  for (std::size_t i = 0; i + 1 < first_cut; ++i) stat.add(order, i);
  for (std::size_t i = first_cut - 1; i < rows - first_cut; ++i) {
    stat.add(order, i);
    const Four low = stat.low();
    Four score = stat.score(low);
    if constexpr (Minimum) score = where(low > below, where(total - low > below, score));
    const auto better = score > bar;
    bar = larger(bar, where(better, score * above + slack));
    position = larger(position, where(better, Four(static_cast<double>(static_cast<std::int64_t>(i + 1)))));
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    best[l].position = static_cast<std::size_t>(static_cast<std::int64_t>(position[l]));
    best[l].drop = stat.drop((bar[l] - stat.slack()) / (1.0 + limits.tie));
  }
  return best;
}

}  // namespace bough
