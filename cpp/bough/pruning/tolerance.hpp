// Comparisons that rounding does not decide: numbers no further apart than a tolerance are equal.
#pragma once

#include <cmath>

namespace bough {

inline constexpr double relative_tie = 1e-12;  // of the larger of two numbers that sums made

struct Tolerance {
  double epsilon = 0.0;

  [[nodiscard]] bool same(double a, double b) const { return a == b || std::abs(a - b) < epsilon; }
  [[nodiscard]] bool above(double a, double b) const { return a - b > epsilon; }
  [[nodiscard]] bool at_most(double a, double b) const { return a <= b || a - b < epsilon; }
};

}  // namespace bough
