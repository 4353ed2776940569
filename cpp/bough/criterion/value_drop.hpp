// Criteria of regression as drops of a split into two branches, from the statistics of the branches.
#pragma once

#include <algorithm>
#include <cstddef>

namespace bough {

// Statistics {weight, sum}: a group. The drop of the variance of the node.
struct SquaredDrop {
  static constexpr std::size_t kWidth = 2;
  double operator()(const double* left, const double* right) const {
    const double all = left[0] + right[0];
    const double d = left[1] * right[0] - right[1] * left[0];
    return d * d / (all * all * left[0] * right[0]);
  }
};

// Statistics {weight, sum, min, max}: a semigroup, merged but never subtracted.
// The largest |y - mean of its branch| over both branches must fall.
struct WorstDrop {
  static constexpr std::size_t kWidth = 4;
  static double worst(const double* stat) {
    const double mean = stat[1] / stat[0];
    return std::max(stat[3] - mean, mean - stat[2]);
  }
  static void merge(double* into, const double* stat) {
    into[0] += stat[0];
    into[1] += stat[1];
    into[2] = std::min(into[2], stat[2]);
    into[3] = std::max(into[3], stat[3]);
  }
  double node;  // the worst of the node's known rows
  double operator()(const double* left, const double* right) const {
    return node - std::max(worst(left), worst(right));
  }
};

}  // namespace bough
