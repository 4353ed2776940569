// See pessimist.hpp. The exact binomial limit for no error, the normal approximation of it from one error on, and a
// line between the two (Quinlan 1993).
#include "bough/pruning/pessimist.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bough/base/error.hpp"

namespace bough {
namespace {

// The number above which the normal distribution has `tail` (at most a half); by bisection, once a pruning.
double upper_quantile(double tail) {
  double low = 0.0;
  double high = 40.0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (0.5 * std::erfc(middle / std::numbers::sqrt2) > tail ? low : high) = middle;
  }
}

}  // namespace

Pessimist::Pessimist(double confidence, double complement) : confidence_(confidence) {
  const bool inside = confidence > 0.0 && confidence < 1.0;
  if (!inside) throw InvalidInput("confidence", "expected a number between 0 and 1");
  if (!(std::abs(complement + confidence - 1.0) < 1e-6)) {
    throw InvalidInput("complement", "expected 1 - confidence");
  }
  if (confidence <= 0.5) z_ = upper_quantile(std::min(1.0 - complement, 0.5));
}

double Pessimist::normal_limit(double weight, double wrong) const {
  if (wrong + 0.5 >= weight) return std::max(weight - wrong, 0.0);
  const double f = (wrong + 0.5) / weight;
  const double z = z_;
  const double spread = std::sqrt(f / weight - f * f / weight + z * z / (4.0 * weight * weight));
  const double rate = (f + z * z / (2.0 * weight) + z * spread) / (1.0 + z * z / weight);
  return rate * weight - wrong;
}

double Pessimist::added(double weight, double wrong) const {
  if (confidence_ > 0.5) return 0.0;
  if (wrong >= 1.0) return normal_limit(weight, wrong);
  const double none = weight * (1.0 - std::pow(confidence_, 1.0 / weight));
  return wrong == 0.0 ? none : none + wrong * (normal_limit(weight, 1.0) - none);
}

}  // namespace bough
