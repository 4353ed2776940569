// See moments.hpp.
#include "bough/search/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bough/base/four.hpp"
#include "bough/base/parallel.hpp"

namespace bough {
namespace {

constexpr std::size_t kBlock = 1024;        // rows: so many of some terms stay in the near caches
constexpr std::size_t kStripe = 8;          // rows of the matrix that a task fills
constexpr double kScatterRounding = 1e-12;  // of the scatter of all rows: what rounding leaves of none

// sum a_i b_i of one block, eight at a time.
double dot(const double* a, const double* b, std::size_t n) {
  Four low(0.0);
  Four high(0.0);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    low = low + Four(a[i], a[i + 1], a[i + 2], a[i + 3]) * Four(b[i], b[i + 1], b[i + 2], b[i + 3]);
    high = high + Four(a[i + 4], a[i + 5], a[i + 6], a[i + 7]) * Four(b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
  }
  double rest = 0.0;
  for (; i < n; ++i) rest += a[i] * b[i];
  const Four both = low + high;
  return ((both[0] + both[1]) + (both[2] + both[3])) + rest;
}

}  // namespace

Symmetric weighted_products(const ObliqueNode& node, std::span<const std::size_t> use, std::span<const double> counts,
                            std::span<const double> centre) {
  const std::size_t n = counts.size();
  Symmetric products(use.size());
  parallel_for((use.size() + kStripe - 1) / kStripe, node.options.threads, [&] { node.watch.ask(); },
               [&](std::size_t stripe, int) {
                 const std::size_t end = std::min(use.size(), (stripe + 1) * kStripe);
                 std::vector<double> weighted(kBlock);
                 for (std::size_t from = 0; from < n; from += kBlock) {
                   const std::size_t size = std::min(kBlock, n - from);
                   node.watch.poll(size * kStripe);
                   for (std::size_t j = stripe * kStripe; j < end; ++j) {
                     const double* x = node.terms.column(use[j]).data() + from;
                     for (std::size_t i = 0; i < size; ++i) weighted[i] = counts[from + i] * (x[i] - centre[j]);
                     for (std::size_t k = 0; k <= j; ++k)
                       products(j, k) += dot(weighted.data(), node.terms.column(use[k]).data() + from, size);
                   }
                 }
               });
  return products;
}

GroupMoments::GroupMoments(const ObliqueNode& node)
    : node_(node), terms_(node.terms.count()), by_value_(false), total_(node.terms.count()) {
  const std::size_t n = node.terms.rows();
  const bool classes = node.target.classes > 0;
  by_value_ = !classes && node.options.oblique.by_value;
  counts_.resize(n);
  group_.assign(n, 0);
  std::vector<std::uint32_t> number(std::max<std::uint32_t>(node.target.classes, 2),
                                    std::numeric_limits<std::uint32_t>::max());
  std::vector<double> seen(number.size(), 0.0);
  const auto raw = [&](std::size_t i) { return classes ? node.label(i) : (node.node.value[i] > 0.0 ? 1U : 0U); };
  for (std::size_t i = 0; i < n; ++i) {
    counts_[i] = node.effective(i);
    seen[raw(i)] += counts_[i];
  }
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (!(seen[k] > 0.0)) continue;
    number[k] = static_cast<std::uint32_t>(weight_.size());
    weight_.push_back(seen[k]);
    all_ += seen[k];
  }
  // Rows that count nothing have no group of their own.
  for (std::size_t i = 0; i < n; ++i) group_[i] = counts_[i] > 0.0 ? number[raw(i)] : 0;
  mean_.assign(weight_.size() * terms_, 0.0);
  centre_.assign(terms_, 0.0);
  if (by_value_) with_value_.assign(terms_, 0.0);
  if (!(all_ > 0.0)) return;
  parallel_for(terms_, node.options.threads, [&](std::size_t t, int) {
    const std::span<const double> x = node.terms.column(t);
    std::vector<double> sum(weight_.size(), 0.0);
    for (std::size_t i = 0; i < n; ++i) sum[group_[i]] += counts_[i] * x[i];
    for (std::size_t g = 0; g < sum.size(); ++g) {
      mean_[g * terms_ + t] = sum[g] / weight_[g];
      centre_[t] += sum[g] / all_;
    }
    for (std::size_t i = 0; by_value_ && i < n; ++i)
      with_value_[t] += counts_[i] * (x[i] - centre_[t]) * node.node.value[i];
  });
  std::vector<std::size_t> every(terms_);
  std::iota(every.begin(), every.end(), std::size_t{0});
  total_ = weighted_products(node, every, counts_, centre_);
}

Symmetric GroupMoments::scatter(std::span<const std::size_t> use) const {
  Symmetric part(use.size());
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) part(j, k) = total_(use[j], use[k]);
  }
  return part;
}

namespace {

std::optional<std::vector<double>> solve(Symmetric scatter, std::vector<double> right, double r) {
  const double ridge = r * scatter.trace() / static_cast<double>(scatter.size());
  for (std::size_t j = 0; j < scatter.size(); ++j) scatter(j, j) += ridge;
  return cholesky_solve(std::move(scatter), std::move(right));
}

}  // namespace

std::optional<std::vector<double>> GroupMoments::discriminant(const std::vector<std::uint8_t>& first,
                                                              std::span<const std::size_t> use, double r) const {
  double side[2] = {0.0, 0.0};
  std::vector<double> sum[2] = {std::vector<double>(use.size(), 0.0), std::vector<double>(use.size(), 0.0)};
  for (std::size_t g = 0; g < groups(); ++g) {
    const std::size_t s = first[g] != 0 ? 0 : 1;
    side[s] += weight_[g];
    for (std::size_t j = 0; j < use.size(); ++j) sum[s][j] += weight_[g] * mean(g, use[j]);
  }
  if (!(side[0] > 0.0) || !(side[1] > 0.0)) return std::nullopt;
  std::vector<double> apart(use.size());
  for (std::size_t j = 0; j < use.size(); ++j) apart[j] = sum[0][j] / side[0] - sum[1][j] / side[1];
  Symmetric within = scatter(use);
  const double share = side[0] * side[1] / (side[0] + side[1]);
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) within(j, k) -= share * apart[j] * apart[k];
  }
  // Groups of equal rows have no scatter, only its rounding: their means tell them apart.
  if (!(within.trace() > kScatterRounding * scatter(use).trace())) return apart;
  return solve(std::move(within), std::move(apart), r);
}

std::optional<std::vector<double>> GroupMoments::ridge(std::span<const std::size_t> use, double r) const {
  std::vector<double> right(use.size());
  for (std::size_t j = 0; j < use.size(); ++j) right[j] = with_value_[use[j]];
  return solve(scatter(use), std::move(right), r);
}

double GroupMoments::shrinkage(std::span<const std::size_t> use) const {
  const std::size_t n = node_.terms.rows();
  const auto p = static_cast<double>(use.size());
  // For numbers the scatter is that around the mean of all.
  const auto centre = [&](std::size_t group, std::size_t t) { return by_value_ ? centre_[t] : mean(group, t); };
  Symmetric within = scatter(use);
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      double between = 0.0;
      for (std::size_t g = 0; !by_value_ && g < groups(); ++g)
        between += weight_[g] * (mean(g, use[j]) - centre_[use[j]]) * (mean(g, use[k]) - centre_[use[k]]);
      within(j, k) = (within(j, k) - between) / all_;
    }
  }
  std::vector<double> distance(n, 0.0);
  for (const std::size_t t : use) {
    const std::span<const double> x = node_.terms.column(t);
    std::vector<double> means(groups());
    for (std::size_t g = 0; g < groups(); ++g) means[g] = centre(g, t);
    for (std::size_t i = 0; i < n; ++i) distance[i] += (x[i] - means[group_[i]]) * (x[i] - means[group_[i]]);
  }
  double fourth = 0.0;
  for (std::size_t i = 0; i < n; ++i) fourth += counts_[i] * distance[i] * distance[i];
  const double level = within.trace() / p;
  double squares = 0.0;  // of the matrix
  double apart = 0.0;    // from equal variances
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t k = 0; k < j; ++k) squares += 2.0 * within(j, k) * within(j, k);
    squares += within(j, j) * within(j, j);
    apart += (within(j, j) - level) * (within(j, j) - level);
    for (std::size_t k = 0; k < j; ++k) apart += 2.0 * within(j, k) * within(j, k);
  }
  // Rows, not weights, make a sample.
  const double sampling = (fourth / all_ - squares) / node_.node.stats->weight;
  const double delta = apart > 0.0 ? std::clamp(sampling / apart, 0.0, 0.999) : 0.999;
  return std::max(1e-6, delta / (1.0 - delta));
}

std::vector<double> projected(const NodeTerms& terms, std::span<const std::size_t> use,
                              std::span<const double> weights) {
  std::vector<double> sum(terms.rows(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    const std::span<const double> x = terms.column(use[j]);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[j] * x[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (terms.weights()[i] == 0.0) sum[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return sum;
}

}  // namespace bough
