// Cuts of four sorted columns of a node at once (lanes.hpp) where rows have weights. The low sides of the columns weigh
// different amounts, so each cut has a quotient of its own; the rest is as there. Of the best cuts only the places are
// kept: few of them are offered, and those are weighed once more.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/base/four.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/lanes.hpp"
#include "bough/search/cut.hpp"

namespace bough {

// Statistics: add(orders, i) takes entry i of every column; low() is what the low sides weigh, and score(low) judges
// the cuts behind them; drop, floor and slack as in cut.hpp.

// Two classes with small whole weights, which lie beside the class in a byte: see GiniTwoWhole. With a Minimum, sides
// must weigh `least`, a whole number of at most half the total: their product is then no less than that of the lightest
// side and its rest.
template <class Entry, bool Minimum>
class GiniTwoWholeLanes {
 public:
  GiniTwoWholeLanes(double total, double ones, const WholeTag* tag, double floor, double least)
      : total_(total), ones_(ones), floor_(0.5 * total * total * floor), tag_(tag) {
    admitted_ = least * (total - least) - 0.5;
  }

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    const FourWhole tag(tag_[order[0][i].id()], tag_[order[1][i].id()], tag_[order[2][i].id()], tag_[order[3][i].id()]);
    const FourWhole weight = tag & FourWhole(kTagWeight);
    mass_ = mass_ + weight;
    seen_ = seen_ + (weight & tag.signs());
  }
  [[nodiscard]] Four low() const { return mass_.numbers(); }
  [[nodiscard]] Four score(Four low) const {
    const Four d = seen_.numbers() * Four(total_) - low * Four(ones_);
    const Four sides = low * (Four(total_) - low);
    const Four score = d * d / sides;
    if constexpr (Minimum) return where(sides > Four(admitted_), score);
    return score;
  }
  [[nodiscard]] double drop(double score) const { return 2.0 * score / (total_ * total_); }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_; }

 private:
  double total_;
  double ones_;
  double floor_;
  double admitted_;
  const WholeTag* tag_;
  FourWhole mass_{0};
  FourWhole seen_{0};
};

// Two classes with any weights: see CountScorer.
template <class Entry>
class GiniTwoWeightLanes {
 public:
  // `unit` brings weights near 1.
  GiniTwoWeightLanes(const std::vector<double>& counts, const double* weight, double unit, double floor)
      : zeros_(counts[0]), ones_(counts[1]), unit_(unit), floor_(floor), weight_(weight) {}

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    double of[kLanes];
    double of_one[kLanes];
    double of_zero[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Entry entry = order[l][i];
      const auto bits = std::bit_cast<std::uint64_t>(of[l] = weight_[entry.id()]);
      const std::uint64_t one = std::uint64_t{0} - entry.label();  // all bits of class 1, none of class 0
      of_one[l] = std::bit_cast<double>(bits & one);
      of_zero[l] = std::bit_cast<double>(bits & ~one);
    }
    mass_ = mass_ + Four(of[0], of[1], of[2], of[3]);
    one_ = one_ + Four(of_one[0], of_one[1], of_one[2], of_one[3]);
    zero_ = zero_ + Four(of_zero[0], of_zero[1], of_zero[2], of_zero[3]);
  }
  [[nodiscard]] Four low() const { return mass_; }
  [[nodiscard]] Four score(Four) const {
    const Four none(0.0);
    const Four unit(unit_);
    const Four low0 = zero_ * unit;
    const Four low1 = one_ * unit;
    const Four high0 = larger(none, Four(zeros_) - zero_) * unit;
    const Four high1 = larger(none, Four(ones_) - one_) * unit;
    const Four low = low0 + low1;
    const Four high = high0 + high1;
    const Four d0 = low0 * high - high0 * low;
    const Four d1 = low1 * high - high1 * low;
    const Four all = low + high;
    return (d0 * d0 + d1 * d1) / (all * all * low * high);
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double total() const { return zeros_ + ones_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_; }

 private:
  double zeros_;
  double ones_;
  double unit_;
  double floor_;
  const double* weight_;
  Four mass_{0.0};
  Four zero_{0.0};
  Four one_{0.0};
};

// Any number of classes with whole weights: see GiniCounts. A row of weight w is w rows at once.
template <class Entry>
class GiniWholeLanes {
 public:
  GiniWholeLanes(double total, const std::vector<double>& counts, const double* weight, double floor,
                 std::vector<double>& scratch)
      : total_(total), classes_(counts.size()), floor_(floor), weight_(weight), count_(counts.data()) {
    for (const double count : counts) squares_ += count * count;
    scratch.assign(kLanes * classes_, 0.0);
    low_ = scratch.data();
  }
  void add(const LaneOrders<Entry>& order, std::size_t i) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Entry entry = order[l][i];
      const std::size_t k = entry.label();
      const double w = weight_[entry.id()];
      double& low = low_[l * classes_ + k];
      low_squares_[l] += w * (low + low + w);
      low += w;
      cross_[l] += w * count_[k];
      mass_[l] += w;
    }
  }
  [[nodiscard]] Four low() const { return four(mass_); }
  [[nodiscard]] Four score(Four low) const {
    const Four apart = four(low_squares_) * Four(total_ * total_) - four(cross_) * (Four(2.0 * total_) * low) +
                       low * low * Four(squares_);
    return apart / (low * (Four(total_) - low));
  }
  [[nodiscard]] double drop(double score) const { return score / (total_ * total_); }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double floor() const { return std::max(1e-14, floor_) * total_ * total_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_ * total_ * total_; }

 private:
  static Four four(const double (&x)[kLanes]) { return {x[0], x[1], x[2], x[3]}; }
  double total_;
  std::size_t classes_;
  double floor_;
  double squares_ = 0.0;
  const double* weight_;
  const double* count_;  // by class: weight in the node
  double* low_ = nullptr;  // by column and class
  double low_squares_[kLanes] = {};
  double cross_[kLanes] = {};
  double mass_[kLanes] = {};
};

// Squared error with any weights: see SquaredScorer.
template <class Entry>
class SquaredWeightLanes {
 public:
  SquaredWeightLanes(double total, double sum, const double* value, const double* weight, double unit, double floor)
      : total_(total), mean_(sum / total), unit_(unit), floor_(floor), value_(value), weight_(weight) {}

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    const std::uint32_t a = order[0][i].id();
    const std::uint32_t b = order[1][i].id();
    const std::uint32_t c = order[2][i].id();
    const std::uint32_t d = order[3][i].id();
    const Four weight(weight_[a], weight_[b], weight_[c], weight_[d]);
    mass_ = mass_ + weight;
    sum_ = sum_ + weight * Four(value_[a], value_[b], value_[c], value_[d]);
  }
  [[nodiscard]] Four low() const { return mass_; }
  [[nodiscard]] Four score(Four mass) const {
    const Four unit(unit_);
    const Four low = mass * unit;
    const Four high = (Four(total_) - mass) * unit;
    const Four d = sum_ * unit - low * Four(mean_);
    return where(high > Four(0.0), d * d / (low * high));
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.0; }

 private:
  double total_;
  double mean_;
  double unit_;
  double floor_;
  const double* value_;
  const double* weight_;
  Four mass_{0.0};
  Four sum_{0.0};
};

// The best cut of each column, as if no two entries shared a value, its drop up to rounding. `least` is what a side
// must weigh; Minimum: it is looked at here, and not by the statistics.
template <bool Minimum, class Entry, class Stat>
std::array<Cut, kLanes> scan_weighed_lanes(const LaneOrders<Entry>& orders, std::size_t rows, Stat stat,
                                           const CutLimits& limits, double least) {
  std::array<Cut, kLanes> best;
  const LaneOrders<Entry> order = orders;
  const std::size_t first_cut = std::max<std::size_t>(1, limits.min_rows);
  if (rows < 2 * first_cut || stat.total() < 2.0 * least) return best;
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
