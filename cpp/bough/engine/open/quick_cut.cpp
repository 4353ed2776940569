// See quick_cut.hpp.
#include "bough/engine/open/quick_cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "bough/engine/open/column.hpp"
#include "bough/engine/open/contest.hpp"

namespace bough {
namespace {

constexpr std::size_t kFew = 256;  // rows that are sorted by comparisons
constexpr double kNear = 1.0 - 1e-6;  // share of the best from which on cuts are judged

// Sorts by the upper half; the lower one, a position, rises already.
void sort_by_upper(std::vector<std::uint64_t>& keys, unsigned bits) {
  if (keys.size() < kFew) {
    std::ranges::sort(keys);
    return;
  }
  const unsigned passes = (bits + 10) / 11;
  const unsigned digit = (bits + passes - 1) / std::max(passes, 1U);
  const std::uint64_t mask = (std::uint64_t{1} << digit) - 1;
  std::vector<std::uint64_t> other(keys.size());
  std::vector<std::uint32_t> next(mask + 1);
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = 32 + pass * digit;
    std::ranges::fill(next, 0U);
    for (const std::uint64_t key : keys) ++next[(key >> shift) & mask];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
    for (const std::uint64_t key : keys) other[next[(key >> shift) & mask]++] = key;
    keys.swap(other);
  }
}

// The rows that have a value, by rising value.
class ByRank {
 public:
  ByRank(const RankedColumn& column, const Holding& held) {
    keys_.reserve(held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
      const std::uint32_t rank = column.rank[held.row[i]];
      if (rank < column.ranks) keys_.push_back((std::uint64_t{rank} << 32U) | i);
    }
    sort_by_upper(keys_, static_cast<unsigned>(std::bit_width(column.ranks)));
  }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::uint32_t at(std::size_t i) const { return static_cast<std::uint32_t>(keys_[i]); }
  // Whether the value changes between i and i + 1.
  [[nodiscard]] bool ends(std::size_t i) const { return (keys_[i] >> 32U) != (keys_[i + 1] >> 32U); }

 private:
  std::vector<std::uint64_t> keys_;
};

class ByValue {
 public:
  explicit ByValue(std::span<const double> value) : value_(value) {
    keys_.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!std::isnan(value[i])) keys_.push_back((rising(value[i]) & kUpper) | i);
    }
    const auto lower = [&](std::uint64_t a, std::uint64_t b) {
      const double x = value_[static_cast<std::uint32_t>(a)];
      const double y = value_[static_cast<std::uint32_t>(b)];
      return x != y ? x < y : a < b;
    };
    sort_by_upper(keys_, 32);
    // Values with the same upper half of their bits.
    for (std::size_t from = 0; from < keys_.size();) {
      std::size_t to = from + 1;
      while (to < keys_.size() && ((keys_[to] ^ keys_[from]) & kUpper) == 0) ++to;
      const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(from);
      const auto last = keys_.begin() + static_cast<std::ptrdiff_t>(to);
      if (to - from > 1 && !std::is_sorted(first, last, lower)) std::sort(first, last, lower);
      from = to;
    }
  }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::uint32_t at(std::size_t i) const { return static_cast<std::uint32_t>(keys_[i]); }
  [[nodiscard]] bool ends(std::size_t i) const { return value_[at(i)] < value_[at(i + 1)]; }

 private:
  static constexpr std::uint64_t kUpper = 0xffffffff00000000U;
  // Bits that rise with the value; both zeros are one.
  static std::uint64_t rising(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    const std::uint64_t flip = (bits >> 63U) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63U;
    return bits ^ flip;
  }
  std::span<const double> value_;
  std::vector<std::uint64_t> keys_;
};

// A cut behind entry i of the order.
struct Near {
  double score = 0.0;
  std::size_t behind = 0;
  double weight = 0.0;
};

// What a cut gains up to a factor, from exact sums. Two classes need no sum of squares.
class TwoCounts {
 public:
  explicit TwoCounts(const std::vector<double>& whole) : whole_(whole[1]), all_(whole[0] + whole[1]) {}
  void add(std::uint32_t label, double weight) {
    ones_ += label != 0 ? weight : 0.0;
    weight_ += weight;
  }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double score() const {
    const double apart = ones_ * all_ - whole_ * weight_;
    return apart * apart / (weight_ * (all_ - weight_));
  }

 private:
  double whole_;
  double all_;
  double ones_ = 0.0;
  double weight_ = 0.0;
};

class ManyCounts {
 public:
  explicit ManyCounts(const std::vector<double>& whole) : whole_(whole), low_(whole.size(), 0.0) {
    for (const double one : whole) {
      all_ += one;
      high_squares_ += one * one;
    }
    base_ = high_squares_ / all_;
  }
  void add(std::uint32_t label, double weight) {
    const double low = low_[label];
    const double high = whole_[label] - low;
    low_squares_ += weight * (2.0 * low + weight);
    high_squares_ -= weight * (2.0 * high - weight);
    low_[label] = low + weight;
    weight_ += weight;
  }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double score() const { return low_squares_ / weight_ + high_squares_ / (all_ - weight_) - base_; }

 private:
  const std::vector<double>& whole_;
  std::vector<double> low_;
  double low_squares_ = 0.0;
  double high_squares_ = 0.0;
  double weight_ = 0.0;
  double all_ = 0.0;
  double base_ = 0.0;
};

struct CutAsked {
  const NodeView& node;
  const Target& target;
  const GrowOptions& options;
  const Judge& judge;
  Watch& watch;
};

// Admissible cuts that come near the best, in their order; all of them where rounding could hide which is best.
template <class Counts, class Order>
std::vector<Near> near_best(const Order& order, const CutAsked& asked, const std::vector<double>& whole,
                            const TestLimits& limits) {
  const std::vector<std::uint32_t>& label = asked.node.label;
  const std::vector<double>& weight = asked.node.held->weight;
  const double least = limits.min_weight * (1.0 - limits.tie);
  const double all = std::accumulate(whole.begin(), whole.end(), 0.0);
  const std::size_t n = order.size();
  const auto rows = static_cast<std::size_t>(limits.min_rows);
  const double slack = asked.target.classes > 2 ? 1e-12 * all : 0.0;
  Counts counts(whole);
  std::vector<Near> found;
  double bar = -slack;  // of the best so far, less what counts as near
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::uint32_t at = order.at(i);
    counts.add(label[at], weight[at]);
    if (!order.ends(i) || i + 1 < rows) continue;
    if (n - i - 1 < rows) break;
    if (counts.weight() < least || all - counts.weight() < least) continue;
    const double score = counts.score();
    if (!(score >= bar)) continue;
    found.push_back({score, i, counts.weight()});
    bar = std::max(bar, score * kNear - slack);
  }
  std::erase_if(found, [&](const Near& one) { return one.score < bar; });
  return found;
}

template <class Order>
QuickCut best_of(const Order& order, const CutAsked& asked) {
  QuickCut cut;
  if (order.size() < 2) return cut;
  const std::uint32_t classes = asked.target.classes;
  const std::vector<std::uint32_t>& label = asked.node.label;
  const std::vector<double>& weight = asked.node.held->weight;
  CellSum parent;
  parent.stat.assign(classes, 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) parent.stat[label[order.at(i)]] += weight[order.at(i)];
  parent.weight = std::accumulate(parent.stat.begin(), parent.stat.end(), 0.0);
  parent.rows = static_cast<double>(order.size());
  const TestLimits limits = limits_of(asked.options, *asked.node.stats);
  const std::vector<double> whole = parent.stat;
  const double all = parent.weight;
  const std::vector<Near> near = classes == 2 ? near_best<TwoCounts>(order, asked, whole, limits)
                                              : near_best<ManyCounts>(order, asked, whole, limits);
  if (near.empty()) return cut;
  Contest contest(asked.judge, std::move(parent), {all, asked.node.stats->effective}, limits, false, asked.watch);
  contest.start(2);
  CellSum low;
  CellSum high;
  low.stat.assign(classes, 0.0);
  high.stat.assign(classes, 0.0);
  std::size_t next = 0;
  for (const Near& one : near) {
    for (; next <= one.behind; ++next) low.stat[label[order.at(next)]] += weight[order.at(next)];
    for (std::size_t k = 0; k < classes; ++k) high.stat[k] = whole[k] - low.stat[k];
    low.weight = one.weight;
    high.weight = all - one.weight;
    low.rows = static_cast<double>(next);
    high.rows = static_cast<double>(order.size() - next);
    contest.add(one.behind, -1, {&low, &high});
  }
  contest.settle();
  if (!contest.any()) return cut;
  const auto behind = static_cast<std::size_t>(contest.tag());
  std::size_t first = behind;
  while (first > 0 && !order.ends(first - 1)) --first;
  cut.any = true;
  cut.judged = contest.best();
  cut.low_first = order.at(first);
  cut.low_last = order.at(behind);
  cut.high_first = order.at(behind + 1);
  double below = 0.0;
  for (std::size_t i = 0; i <= behind; ++i) below += weight[order.at(i)];
  cut.low_share = below / all;
  return cut;
}

}  // namespace

bool knows_quick_cut(const GrowOptions& options, const Target& target, const NodeView& node) {
  const bool gini = options.criterion == Criterion::gini || options.criterion == Criterion::gini_half;
  const bool parted = options.branching == Branching::merged || options.branching == Branching::intervals;
  return target.classes > 0 && node.whole && gini && !parted && !options.zero_gain && !options.ask_missing &&
         !options.gain.relative_minimum && !options.gain.threshold_penalty && options.gain.epsilon == 0.0 &&
         options.selection.search != SearchRule::unbiased && options.selection.search != SearchRule::quest;
}

QuickCut quick_cut(const RankedColumn& column, const NodeView& node, const Target& target, const GrowOptions& options,
                   const Judge& judge, Watch& watch) {
  return best_of(ByRank(column, *node.held), {node, target, options, judge, watch});
}

QuickCut quick_cut(std::span<const double> value, const NodeView& node, const Target& target,
                   const GrowOptions& options, const Judge& judge, Watch& watch) {
  return best_of(ByValue(value), {node, target, options, judge, watch});
}

}  // namespace bough
