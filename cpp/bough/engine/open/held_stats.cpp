#include "bough/engine/open/held_stats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bough {
namespace {

// The two rows around the middle of the weight; the same row where it falls inside one.
std::pair<std::size_t, std::size_t> middle(const Holding& held, const std::vector<double>& value, double weight) {
  std::vector<std::size_t> order(held.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value[a] < value[b]; });
  const double half = 0.5 * weight;
  double below = 0.0;
  std::size_t low = held.size();
  for (const std::size_t at : order) {
    below += held.weight[at];
    if (low == held.size() && below >= half * (1.0 - 1e-14)) low = at;
    if (below > half * (1.0 + 1e-14)) return {low, at};
  }
  return {low, low};
}

void settle_values(NodeStats& stats, const Holding& held, const Target& target, const GrowOptions& options,
                   double centre) {
  std::vector<double> value(held.size());
  double low = 1e308;
  double high = -1e308;
  for (std::size_t i = 0; i < held.size(); ++i) {
    value[i] = target.value[held.row[i]] - centre;
    stats.sum += held.weight[i] * value[i];
    low = std::min(low, value[i]);
    high = std::max(high, value[i]);
  }
  stats.effective = stats.weight;
  stats.pure = !(low < high);
  const double mean = stats.sum / stats.weight;
  stats.value = mean;
  if (stats.pure) {
    stats.value = value[0];
    stats.answer_rows[0] = stats.answer_rows[1] = held.row[0];
    return;
  }
  const bool absolute = options.criterion == Criterion::absolute_error;
  const bool says_median = options.leaf == LeafRule::median || (options.leaf == LeafRule::by_criterion && absolute);
  double squares = 0.0;
  for (std::size_t i = 0; i < held.size(); ++i) squares += held.weight[i] * (value[i] - mean) * (value[i] - mean);
  double distances = 0.0;
  if (absolute || says_median) {
    const auto [first, second] = middle(held, value, stats.weight);
    for (std::size_t i = 0; i < held.size(); ++i) distances += held.weight[i] * std::abs(value[i] - value[first]);
    if (says_median) {
      stats.value = std::midpoint(value[first], value[second]);
      stats.answer_rows[0] = held.row[first];
      stats.answer_rows[1] = held.row[second];
    }
  }
  stats.risk = says_median ? distances : squares;
  stats.impurity = (absolute ? distances : squares) / stats.weight;
  if (options.criterion == Criterion::worst_error) stats.impurity = std::max(high - mean, mean - low);
}

}  // namespace

NodeStats stats_of(const Holding& held, const Target& target, const GrowOptions& options, const Judge& judge,
                   double centre) {
  NodeStats stats;
  stats.rows = held.size();
  stats.counts.assign(target.classes, 0.0);
  for (std::size_t i = 0; i < held.size(); ++i) {
    stats.weight += held.weight[i];
    if (target.classes > 0) stats.counts[target.label[held.row[i]]] += held.weight[i];
  }
  if (target.classes > 0) {
    settle_classes(stats, target, options.criterion);
  } else {
    settle_values(stats, held, target, options, centre);
  }
  if (options.criterion != Criterion::user || stats.pure) return stats;
  const StatKind kind = stat_kind(target, options.criterion);
  std::vector<double> stat(stat_width(target, kind), 0.0);
  if (kind == StatKind::classes) {
    for (std::size_t k = 0; k < stat.size(); ++k) stat[k] = stats.counts[k] * target.growth_scale[k];
  } else {
    stat[0] = stats.weight;
    stat[1] = stats.sum;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const double y = target.value[held.row[i]] - centre;
      stat[2] += held.weight[i] * y * y;
    }
  }
  const double own = judge.impurity(stat.data(), stat.size());
  if (own >= 0.0) stats.impurity = own;
  return stats;
}

}  // namespace bough
