#include "bough/cover/rule_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "bough/base/distributions.hpp"

namespace bough {

namespace {

// The least statistic whose tail is at most alpha, by bisection.
double critical_value(double alpha, double df) {
  const double wanted = std::log(alpha);
  double low = 0.0;
  double high = df + 1.0;
  while (log_chi_squared_tail(high, df) > wanted) high *= 2.0;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2.0;
    (log_chi_squared_tail(middle, df) > wanted ? low : high) = middle;
  }
  return high;
}

// n ln(n / expected), which is 0 for n = 0.
double surprise(double n, double expected) { return n > 0 ? n * std::log(n / expected) : 0.0; }

}  // namespace

RuleJudge::RuleJudge(std::span<const std::uint32_t> label, std::size_t n_classes, std::span<const double> weights,
                     std::span<const double> prior, const JudgeOptions& options)
    : quality_(options.quality),
      label_(label),
      weights_(weights),
      n_classes_(n_classes),
      given_(options.label),
      total_(std::accumulate(prior.begin(), prior.end(), 0.0)),
      prior_(prior.begin(), prior.end()) {
  const auto present = std::ranges::count_if(prior_, [](double weight) { return weight > 0; });
  const double df = given_ >= 0 ? 1.0 : static_cast<double>(present) - 1.0;
  critical_ = options.alpha < 1.0 && df > 0.0 ? critical_value(options.alpha, df) : -1.0;
}

RuleJudge::RuleJudge(std::span<const double> value, std::span<const double> weights,
                     std::span<const std::uint32_t> rows)
    : quality_(RuleQuality::deviation), value_(value), weights_(weights) {
  double sum = 0.0;
  for (const std::uint32_t row : rows) {
    total_ += weights[row];
    sum += weights[row] * value[row];
  }
  if (total_ > 0) mean_ = sum / total_;
}

CoverSums RuleJudge::none() const {
  CoverSums sums;
  sums.by_class.resize(n_classes_);
  return sums;
}

void RuleJudge::clear(CoverSums& sums) const {
  std::ranges::fill(sums.by_class, 0.0);
  sums.weight = sums.sum = 0.0;
  sums.rows = 0;
  sums.majority = -1;
}

void RuleJudge::subtract(const CoverSums& whole, const CoverSums& part, CoverSums& into) const {
  into.rows = whole.rows - part.rows;
  into.weight = std::max(0.0, whole.weight - part.weight);
  into.sum = whole.sum - part.sum;
  into.majority = -1;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    into.by_class[c] = std::max(0.0, whole.by_class[c] - part.by_class[c]);
    if (into.majority < 0 || into.by_class[c] > into.by_class[static_cast<std::size_t>(into.majority)]) {
      into.majority = static_cast<std::int32_t>(c);
    }
  }
}

double RuleJudge::deviation(double weight, double sum) const {
  const double rest = total_ - weight;
  return weight > 0 && rest > 0 ? sum * sum / weight * (total_ / rest) : 0.0;
}

double RuleJudge::raw_quality(const CoverSums& sums) const {
  if (quality_ == RuleQuality::deviation) return deviation(sums.weight, sums.sum);
  if (quality_ == RuleQuality::entropy) {
    double told = 0.0;
    for (const double n : sums.by_class) told += surprise(n, sums.weight);
    return told / (sums.weight * std::numbers::ln2);
  }
  const auto label = static_cast<std::size_t>(label_of(sums));
  const double right = sums.by_class[label];
  if (quality_ == RuleQuality::wracc) return (right * total_ - sums.weight * prior_[label]) / (total_ * total_);
  return (right + 1.0) / (sums.weight + static_cast<double>(n_classes_));
}

double RuleJudge::raw_bound(const CoverSums& sums) const {
  switch (quality_) {
    case RuleQuality::deviation:
      return std::numeric_limits<double>::infinity();
    case RuleQuality::entropy:
      return 0.0;
    case RuleQuality::laplace: {
      const double right = sums.by_class[static_cast<std::size_t>(label_of(sums))];
      return (right + 1.0) / (right + static_cast<double>(n_classes_));
    }
    case RuleQuality::wracc:
      break;
  }
  double most = 0.0;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    if (given_ < 0 || static_cast<std::size_t>(given_) == c) {
      most = std::max(most, (sums.by_class[c] * total_ - sums.by_class[c] * prior_[c]) / (total_ * total_));
    }
  }
  return most;
}

double RuleJudge::likelihood_ratio(const CoverSums& sums) const {
  if (given_ >= 0) {
    const auto c = static_cast<std::size_t>(given_);
    const double right = sums.by_class[c];
    const double wrong = std::max(0.0, sums.weight - right);
    const double share = prior_[c] / total_;
    return 2.0 * (surprise(right, sums.weight * share) + surprise(wrong, sums.weight * (1.0 - share)));
  }
  double ratio = 0.0;
  for (std::size_t c = 0; c < n_classes_; ++c) ratio += surprise(sums.by_class[c], sums.weight * prior_[c] / total_);
  return 2.0 * ratio;
}

bool RuleJudge::admits(const CoverSums& sums, double quality) const {
  if (quality_ == RuleQuality::deviation || quality_ == RuleQuality::wracc) {
    if (!(quality > 0)) return false;
  }
  if (given_ >= 0) {
    const auto c = static_cast<std::size_t>(given_);
    if (!(sums.by_class[c] * total_ > sums.weight * prior_[c])) return false;
  }
  return critical_ < 0 || likelihood_ratio(sums) >= critical_;
}

}  // namespace bough
