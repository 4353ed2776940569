// See two_normals.hpp.
#include "bough/search/two_normals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bough {
namespace {

constexpr double kNothing = 1e-20;  // a share of the variance that is rounding
constexpr double kBeside = 1e-9;    // how near to a group that does not vary

// The roots of a x^2 + 2 b x + c: the one that is nearer to `to`, the lower of two that are as near.
double nearer_root(double a, double b, double c, double to, double otherwise) {
  const double inside = b * b - a * c;
  if (!(inside >= 0.0)) return otherwise;
  const double q = -(b + std::copysign(std::sqrt(inside), b));
  if (q == 0.0) return 0.0;
  const double one = std::min(q / a, c / q);
  const double two = std::max(q / a, c / q);
  return std::abs(two - to) < std::abs(one - to) * (1.0 - kBeside) ? two : one;
}

}  // namespace

std::vector<Moments> moments_by_group(std::span<const double> value, std::span<const std::uint32_t> group,
                                      std::span<const double> weight, std::size_t groups) {
  std::vector<Moments> found(groups);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (group[i] >= groups) continue;
    found[group[i]].weight += weight[i];
    found[group[i]].mean += weight[i] * value[i];
  }
  for (Moments& one : found) {
    if (one.weight > 0.0) one.mean /= one.weight;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (group[i] >= groups) continue;
    const double apart = value[i] - found[group[i]].mean;
    found[group[i]].squares += weight[i] * apart * apart;
  }
  return found;
}

double point_between(const Normal& one, const Normal& two) {
  const double middle = std::midpoint(one.mean, two.mean);
  const double apart = two.mean - one.mean;
  const double a = one.variance;
  const double b = two.variance;
  if (!(std::min(a, b) > 0.0)) {
    if (a == b) return middle;
    return a < b ? one.mean + kBeside * apart : two.mean - kBeside * apart;
  }
  double point = middle;
  if (std::abs(a - b) <= 1e-12 * std::max(a, b)) {
    if (apart != 0.0) point = middle + a * std::log(one.share / two.share) / apart;
  } else {
    // Around the first mean, in units of its deviation: x = one.mean + sqrt(a) t.
    const double unit = std::sqrt(a);
    const double d = apart / unit;
    const double ratio = b / a;
    const double shares = std::log(one.share / two.share) + 0.5 * std::log(ratio);
    point = one.mean + unit * nearer_root(1.0 - ratio, -d, d * d + 2.0 * ratio * shares, 0.0, 0.5 * d);
  }
  return std::isfinite(point) ? point : middle;
}

KnownRows known_rows(const OpenColumn& column, std::span<const double> value_of_cell) {
  KnownRows known;
  const Cells& cells = column.cells;
  const Holding& held = *column.node.held;
  for (std::size_t v = 0; v < cells.size(); ++v) {
    for (std::uint32_t i = cells.begin[v]; i < cells.begin[v + 1]; ++i) {
      const std::uint32_t at = cells.order[i];
      const std::uint32_t label = column.target.label[held.row[at]];
      known.value.push_back(value_of_cell[v]);
      known.label.push_back(label);
      known.weight.push_back(held.weight[at]);
      known.counts.push_back(held.weight[at] * column.target.growth_scale[label]);
    }
  }
  return known;
}

namespace {

Normal normal_of(const Moments& counted, double rows, double all) {
  // Classes may count more or less than their rows, but rows make a sample.
  const double variance = rows > 1.0 ? counted.squares / counted.weight * (rows / (rows - 1.0)) : 0.0;
  return {counted.weight, counted.mean, variance > kNothing * all ? variance : 0.0};
}

// How many cells of this order go low: those up to the point, or as near as minima and equal values let them be; 0 if
// there is no place.
std::size_t cells_below(const OpenColumn& column, const std::vector<std::uint32_t>& order,
                        std::span<const double> value, double point) {
  const ValueTable& cells = column.cells.table;
  const TestLimits limits = column.limits();
  const bool inclusive = column.options.side == Side::le;
  double all = 0.0;
  double rows = 0.0;
  double below_point = 0.0;
  for (const std::uint32_t v : order) {
    all += cells.weight[v];
    rows += cells.rows[v];
    if (inclusive ? value[v] <= point : value[v] < point) below_point += cells.weight[v];
  }
  const double least = limits.min_weight * (1.0 - limits.tie);
  double low = 0.0;
  double low_rows = 0.0;
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    low += cells.weight[order[k - 1]];
    low_rows += cells.rows[order[k - 1]];
    if (!(value[order[k]] > value[order[k - 1]])) continue;
    if (low < least || all - low < least || low_rows < limits.min_rows || rows - low_rows < limits.min_rows) continue;
    const double moved = std::abs(low - below_point);
    if (!(moved < nearest * (1.0 - limits.tie))) continue;
    nearest = moved;
    best = k;
  }
  return best;
}

}  // namespace

ColumnTest part_at_point(OpenColumn& column, std::span<const double> value, const std::vector<std::uint8_t>& first) {
  const KnownRows known = known_rows(column, value);
  std::vector<std::uint32_t> side(known.label.size());
  for (std::size_t i = 0; i < side.size(); ++i) side[i] = first[known.label[i]] != 0 ? 0 : 1;
  const std::vector<Moments> counted = moments_by_group(known.value, side, known.counts, 2);
  if (!(counted[0].weight > 0.0) || !(counted[1].weight > 0.0)) return {};
  double rows[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < side.size(); ++i) rows[side[i]] += known.weight[i];
  const std::vector<std::uint32_t> one(side.size(), 0);
  const Moments together = moments_by_group(known.value, one, known.counts, 1).front();
  const double all = together.squares / together.weight;
  const double point = point_between(normal_of(counted[0], rows[0], all), normal_of(counted[1], rows[1], all));
  std::vector<std::uint32_t> order = cells_up_to(column.cells.size());
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
  const std::size_t below = cells_below(column, order, value, point);
  if (below == 0) return {};
  std::vector<std::int32_t> branch(order.size(), 1);
  for (std::size_t k = 0; k < below; ++k) branch[order[k]] = 0;
  return judge_sent(column, branch, 2, -1);
}

}  // namespace bough
