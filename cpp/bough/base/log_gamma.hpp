// Logarithms of factorials, also of fractions. The standard library's function keeps a sign in a global variable.
#pragma once

#include <cmath>
#include <numbers>

namespace bough {

// The natural logarithm of Gamma(x) for x > 0, to about 1e-14 of its size, or of 1 if that is more.
inline double log_gamma(double x) {
  double shift = 1.0;
  while (x < 12.0) {  // Gamma(x + 1) = x Gamma(x); the product of at most 12 factors cannot overflow
    shift *= x;
    x += 1.0;
  }
  const double inverse = 1.0 / x;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12.0 -
                 square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square * (1.0 / 1188.0)))));
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2.0 * std::numbers::pi) + series - std::log(shift);
}

// The binary logarithm of x!, for x >= 0.
inline double log2_factorial(double x) { return log_gamma(x + 1.0) / std::numbers::ln2; }

// The binary logarithm of the number of ways to choose k of n.
inline double log2_choose(double n, double k) { return log2_factorial(n) - log2_factorial(k) - log2_factorial(n - k); }

}  // namespace bough
