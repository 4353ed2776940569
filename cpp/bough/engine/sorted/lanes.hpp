// Cuts of four sorted columns of a node at once, the group skeleton (cut.hpp) for the commonest case: every row of
// weight 1, no constraints. Cut number i divides all columns at the same place, so what depends on i alone is worked
// out once, and the running sums of the columns do not wait for each other. Nothing in the loop branches on data.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/base/four.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/search/cut.hpp"

namespace bough {

inline constexpr std::size_t kLanes = 4;

// Where the entries of the node begin in each of four columns.
template <class Entry>
using LaneOrders = std::array<const Entry*, kLanes>;

// Statistics: add(orders, i) takes entry i of every column; score(i) judges the cut behind the first i entries in every
// column; drop and floor as in cut.hpp. The scores are those of the scorers there up to rounding: the division is one
// for all columns.

// Two classes: see GiniTwoCounts.
template <class Entry>
class GiniTwoLanes {
 public:
  GiniTwoLanes(std::size_t rows, double ones) : rows_(static_cast<double>(rows)), ones_(ones) {}

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    for (std::size_t l = 0; l < kLanes; ++l) seen_[l] += static_cast<std::int32_t>(order[l][i].label());
  }
  [[nodiscard]] Four score(double i) const {
    const Four seen(seen_[0], seen_[1], seen_[2], seen_[3]);
    const Four d = seen * Four(rows_) - Four(ones_ * i);
    return d * d * Four(1.0 / (i * (rows_ - i)));
  }
  [[nodiscard]] double drop(double score) const { return 2.0 * score / (rows_ * rows_); }
  [[nodiscard]] double floor() const { return 0.0; }

 private:
  double rows_;
  double ones_;
  std::int32_t seen_[kLanes] = {};
};

// Any number of classes: see GiniCounts.
template <class Entry, class Whole>
class GiniLanes {
 public:
  GiniLanes(std::size_t rows, const std::vector<double>& counts, std::vector<Whole>& scratch)
      : rows_(static_cast<double>(rows)), classes_(counts.size()) {
    scratch.resize((1 + kLanes) * classes_);
    count_ = scratch.data();
    step_ = count_ + classes_;
    for (std::size_t k = 0; k < classes_; ++k) {
      squares_ += counts[k] * counts[k];
      count_[k] = static_cast<Whole>(counts[k]);
    }
    std::fill_n(step_, kLanes * classes_, Whole{1});
  }
  void add(const LaneOrders<Entry>& order, std::size_t i) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::size_t k = order[l][i].label();
      Whole& step = step_[l * classes_ + k];
      low_squares_[l] += step;
      step += 2;
      cross_[l] += count_[k];
    }
  }
  [[nodiscard]] Four score(double i) const {
    const Four low = four(low_squares_) * Four(rows_ * rows_);
    const Four apart = low - four(cross_) * Four(2.0 * rows_ * i) + Four(i * i * squares_);
    return apart * Four(1.0 / (i * (rows_ - i)));
  }
  [[nodiscard]] double drop(double score) const { return score / (rows_ * rows_); }
  [[nodiscard]] double floor() const { return 1e-14 * rows_ * rows_; }

 private:
  static Four four(const Whole (&x)[kLanes]) {
    return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2]), static_cast<double>(x[3])};
  }
  double rows_;
  std::size_t classes_;
  double squares_ = 0.0;
  Whole* count_ = nullptr;  // by class: rows in the node
  Whole* step_ = nullptr;   // by column and class: what the next row adds to the sum of squares, 2 l_k + 1
  Whole low_squares_[kLanes] = {};
  Whole cross_[kLanes] = {};
};

// Squared error: see SquaredScorer.
template <class Entry>
class SquaredLanes {
 public:
  SquaredLanes(double total, double sum, const double* value, double floor)
      : total_(total), mean_(sum / total), floor_(floor), value_(value) {}

  void add(const LaneOrders<Entry>& order, std::size_t i) {
    sum_ = sum_ +
           Four(value_[order[0][i].id()], value_[order[1][i].id()], value_[order[2][i].id()], value_[order[3][i].id()]);
  }
  [[nodiscard]] Four score(double i) const {
    const Four d = sum_ - Four(i * mean_);
    return d * d * Four(1.0 / (i * (total_ - i)));
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double floor() const { return floor_; }

 private:
  double total_;
  double mean_;
  double floor_;
  const double* value_;
  Four sum_{0.0};
};

// The best cut of each column, as if no two entries shared a value.
template <class Entry, class Stat>
std::array<Cut, kLanes> scan_lanes(const LaneOrders<Entry>& orders, std::size_t rows, Stat stat,
                                   const CutLimits& limits) {
  std::array<Cut, kLanes> best;
  const LaneOrders<Entry> order = orders;
  const std::size_t first_cut = std::max<std::size_t>(1, limits.min_rows);
  if (rows < 2 * first_cut) return best;
  const double above = 1.0 + limits.tie;
  Four bar(stat.floor());
  Four position(0.0);
  for (std::size_t i = 0; i + 1 < first_cut; ++i) stat.add(order, i);
  for (std::size_t i = first_cut - 1; i < rows - first_cut; ++i) {
    stat.add(order, i);
    const auto cut = static_cast<double>(static_cast<std::int64_t>(i + 1));
    const Four score = stat.score(cut);
    const auto better = score > bar;
    bar = larger(bar, where(better, score * Four(above)));
    position = larger(position, where(better, Four(cut)));
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    best[l].position = static_cast<std::size_t>(static_cast<std::int64_t>(position[l]));
    best[l].drop = stat.drop(bar[l] / above);
    best[l].low_weight = position[l];
  }
  return best;
}

}  // namespace bough
