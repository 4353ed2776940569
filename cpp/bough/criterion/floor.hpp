// Gains up to here are rounding: equal shares of the classes must not part a node.
#pragma once

#include <algorithm>
#include <cmath>

#include "bough/engine/options.hpp"
#include "bough/stats/node_stats.hpp"

namespace bough {

// Most criteria have forms that do not cancel, so that rounding is relative to the impurity. Information is a
// difference of sums of n log n, and errors and costs are differences of sums: there it is relative to the terms.
[[nodiscard]] inline double rounding_of_gain(const NodeStats& node, Criterion criterion) {
  constexpr double kStep = 2.3e-16;
  switch (criterion) {
    case Criterion::entropy:
    case Criterion::gain_ratio:
    case Criterion::weighted_entropy: {
      const double bits = 1.0 + std::abs(std::log2(node.effective));
      const double largest = criterion == Criterion::weighted_entropy ? std::max(1.0, node.impurity) : 1.0;
      return 8.0 * kStep * bits * largest;
    }
    case Criterion::misclassification:
    case Criterion::expected_cost:
      return 1e-14 * std::max(1.0, node.impurity);
    case Criterion::absolute_error:
      return 1e-13 * node.impurity;
    default:
      return 1e-14 * node.impurity;
  }
}

// Where tests that gain nothing compete, rounding must not choose among them: such gains are none.
[[nodiscard]] inline double without_rounding(double gain, double floor) { return std::abs(gain) <= floor ? 0.0 : gain; }

}  // namespace bough
