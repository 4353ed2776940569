// See quadrature.hpp. The points are the roots of the Legendre polynomial, found by Newton's method from a good guess.
#include "bough/explain/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace bough {
namespace {

struct Legendre {
  double value;
  double slope;
};

// The polynomial of degree n at x, -1 < x < 1, by its recurrence.
Legendre legendre(std::size_t n, double x) {
  double before = 1.0;
  double value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto d = static_cast<double>(k);
    const double next = ((2.0 * d - 1.0) * x * value - (d - 1.0) * before) / d;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (x * value - before) / (x * x - 1.0)};
}

}  // namespace

Quadrature gauss_legendre(std::size_t points) {
  Quadrature found{std::vector<double>(points), std::vector<double>(points), std::vector<double>(points)};
  const auto n = static_cast<double>(points);
  for (std::size_t i = 0; i < (points + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    for (int step = 0; step < 8; ++step) {
      const Legendre p = legendre(points, x);
      const double change = p.value / p.slope;
      x -= change;
      if (std::abs(change) <= 1e-16) break;
    }
    if (2 * i + 1 == points) x = 0.0;
    const double slope = legendre(points, x).slope;
    const double weight = 1.0 / ((1.0 - x) * (1.0 + x) * slope * slope);  // half of that on [-1, 1]
    const std::size_t high = points - 1 - i;
    found.at[i] = found.rest[high] = (1.0 - x) / 2.0;
    found.at[high] = found.rest[i] = (1.0 + x) / 2.0;
    found.weight[i] = found.weight[high] = weight;
  }
  return found;
}

}  // namespace bough
