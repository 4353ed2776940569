// Cuts for statistics that cannot be subtracted: one pass from each end. Serves the semigroup of worst error (sums
// with minima and maxima) and the order statistics of absolute error (a Fenwick tree over the node's ranks of y).
// Both count from the node's own answer, so that sums carry no more rounding than the node's error deserves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/criterion/value_drop.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/search/cut.hpp"

namespace bough {

// Sum of |y - median| of a growing or shrinking set of rows.
class AbsoluteSide {
 public:
  // `value` and `rank` by id; ranks are positions among the `size` rows of the node, ascending in value; `origin` is
  // the node's answer.
  AbsoluteSide(std::size_t size, const double* value, const std::uint32_t* rank, const double* weight, double origin)
      : origin_(origin),
        value_(value),
        rank_(rank),
        weight_(weight),
        mass_(size + 1),
        sum_(size + 1),
        at_(size),
        top_(std::bit_floor(size)) {}

  void reset() {
    std::fill(mass_.begin(), mass_.end(), 0.0);
    std::fill(sum_.begin(), sum_.end(), 0.0);
    all_mass_ = all_sum_ = 0.0;
  }
  void add(std::uint32_t id, double sign = 1.0) {
    const double w = sign * (weight_ != nullptr ? weight_[id] : 1.0);
    const double y = value_[id] - origin_;
    at_[rank_[id]] = y;
    all_mass_ += w;
    all_sum_ += w * y;
    for (std::size_t i = rank_[id] + 1; i < mass_.size(); i += i & (~i + 1)) {
      mass_[i] += w;
      sum_[i] += w * y;
    }
  }
  [[nodiscard]] double mass() const { return all_mass_; }
  [[nodiscard]] double cost() const {
    const Half half = lower_half();
    return (all_sum_ - half.sum - half.median * (all_mass_ - half.mass)) + (half.median * half.mass - half.sum);
  }
  // The median; in the middle where half of the mass lies on each side of a gap, as in the node's answer.
  [[nodiscard]] double answer() const {
    const double above = at_[std::min(first_beyond(0.5 * all_mass_ * (1.0 + 1e-14)), at_.size() - 1)];
    return 0.5 * (lower_half().median + above) + origin_;
  }
  // The same for a few rows, without touching the others: proportional to their number.
  [[nodiscard]] double answer_of(std::vector<std::uint32_t>& ids) const {
    std::sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
    const auto weight = [&](std::uint32_t id) { return weight_ != nullptr ? weight_[id] : 1.0; };
    double half = 0.0;
    for (const std::uint32_t id : ids) half += 0.5 * weight(id);
    double mass = 0.0;
    std::size_t low = 0;
    while (low + 1 < ids.size() && (mass += weight(ids[low])) < half * (1.0 - 1e-14)) ++low;
    const bool gap = low + 1 < ids.size() && mass <= half * (1.0 + 1e-14);
    return 0.5 * (value_[ids[low]] + value_[ids[low + (gap ? 1 : 0)]]);
  }

 private:
  struct Half {
    double mass = 0.0;
    double sum = 0.0;
    double median = 0.0;
  };
  // The largest prefix that holds less than half of the mass, and the value that follows it.
  [[nodiscard]] Half lower_half() const {
    Half half;
    std::size_t position = 0;
    for (std::size_t step = top_; step > 0; step >>= 1) {
      const std::size_t next = position + step;
      if (next < mass_.size() && half.mass + mass_[next] < 0.5 * all_mass_ * (1.0 - 1e-14)) {
        position = next;
        half.mass += mass_[next];
        half.sum += sum_[next];
      }
    }
    half.median = at_[std::min(position, at_.size() - 1)];
    return half;
  }

  // The rank of the first row at which the mass up to it is larger than this.
  [[nodiscard]] std::size_t first_beyond(double mass) const {
    std::size_t position = 0;
    double below = 0.0;
    for (std::size_t step = top_; step > 0; step >>= 1) {
      const std::size_t next = position + step;
      if (next < mass_.size() && below + mass_[next] <= mass) {
        position = next;
        below += mass_[next];
      }
    }
    return position;
  }

  double origin_;
  const double* value_;
  const std::uint32_t* rank_;
  const double* weight_;
  std::vector<double> mass_;
  std::vector<double> sum_;
  std::vector<double> at_;  // value by rank, for the rows added so far
  std::size_t top_;
  double all_mass_ = 0.0;
  double all_sum_ = 0.0;
};

// The largest |y - mean| of a growing set of rows.
class WorstSide {
 public:
  WorstSide(std::size_t, const double* value, const std::uint32_t*, const double* weight, double origin)
      : origin_(origin), value_(value), weight_(weight) {
    reset();
  }
  void reset() {
    stat_[0] = stat_[1] = 0.0;
    stat_[2] = 1e308;
    stat_[3] = -1e308;
  }
  void add(std::uint32_t id) {
    const double w = weight_ != nullptr ? weight_[id] : 1.0;
    const double y = value_[id] - origin_;
    const double one[4] = {w, w * y, y, y};
    WorstDrop::merge(stat_, one);
  }
  [[nodiscard]] double mass() const { return stat_[0]; }
  [[nodiscard]] double cost() const { return WorstDrop::worst(stat_); }
  [[nodiscard]] double answer() const { return stat_[1] / stat_[0] + origin_; }
  [[nodiscard]] const double* stat() const { return stat_; }

 private:
  double origin_;
  const double* value_;
  const double* weight_;
  double stat_[4];
};

inline double together(const AbsoluteSide&, double low, double high) { return low + high; }
inline double together(const WorstSide&, double low, double high) { return std::max(low, high); }
inline double as_drop(const AbsoluteSide&, double cost, double mass) { return cost / mass; }
inline double as_drop(const WorstSide&, double cost, double) { return cost; }

// These passes are slow enough to be interrupted between so many entries.
inline constexpr std::size_t kPolled = std::size_t{1} << 16;

// Cuts of entries in the order given; `may_cut(i)` says whether a cut may lie between entries i - 1 and i.
template <class Entry, class OneSide, class MayCut>
Cut scan_two_passes(std::span<const Entry> known, OneSide& side, const CutLimits& limits, std::vector<double>& scratch,
                    MayCut may_cut) {
  Cut best;
  const std::size_t n = known.size();
  const std::size_t first_cut = std::max<std::size_t>(1, limits.min_rows);
  if (n < 2 * first_cut) return best;
  scratch.resize(3 * n);
  double* const cost = scratch.data();  // of the low side, later of both; by number of low entries
  double* const mass = cost + n;
  double* const answer = mass + n;
  const bool constrained = limits.constrained();
  side.reset();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (i % kPolled == kPolled - 1) limits.poll(kPolled);
    side.add(known[i].id());
    cost[i + 1] = side.cost();
    mass[i + 1] = side.mass();
    if (constrained) answer[i + 1] = side.answer();
  }
  side.reset();
  for (std::size_t i = n; i-- > 1;) {
    if (i % kPolled == 0) limits.poll(kPolled);
    side.add(known[i].id());
    const bool allowed = i >= first_cut && n - i >= first_cut && mass[i] >= limits.min_weight &&
                         side.mass() >= limits.min_weight && (!constrained || limits.allows(answer[i], side.answer()));
    cost[i] = allowed ? together(side, cost[i], side.cost()) : -1.0;
  }
  side.add(known[0].id());
  const double node = side.cost();
  const double total = side.mass();
  double bar = limits.first_bar(1e-13 * node);
  for (std::size_t i = 1; i < n; ++i) {
    if (cost[i] < 0.0) continue;
    const double gain = node - cost[i];
    if (!(gain > bar) || !may_cut(i)) continue;
    bar = limits.next_bar(gain, 1e-14 * node);
    best.drop = as_drop(side, gain, total);
    best.position = i;
    best.low_weight = mass[i];
  }
  return best;
}

}  // namespace bough
