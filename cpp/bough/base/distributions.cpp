#include "bough/base/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bough/base/log_gamma.hpp"

namespace bough {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr int kMostTerms = 10000;
constexpr double kEnough = 1e-16;

double log_sum(double a, double b) {
  const double most = std::max(a, b);
  return most == kNone ? kNone : most + std::log1p(std::exp(std::min(a, b) - most));
}

// log of the upper incomplete gamma function, divided by gamma(a): a series below the mean, a continued fraction above.
double log_gamma_tail(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  const double front = a * std::log(x) - x - log_gamma(a);
  if (x < a + 1.0) {
    double term = 1.0 / a;
    double sum = term;
    for (int n = 1; n < kMostTerms && term > sum * kEnough; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    const double lower = std::exp(front + std::log(sum));
    return lower < 1.0 ? std::log1p(-lower) : kNone;
  }
  constexpr double kTiny = 1e-300;
  double b = x + 1.0 - a;
  double c = 1.0 / kTiny;
  double d = 1.0 / b;
  double h = d;
  for (int i = 1; i < kMostTerms; ++i) {
    const double an = -i * (i - a);
    b += 2.0;
    d = an * d + b;
    d = 1.0 / (std::abs(d) < kTiny ? kTiny : d);
    c = b + an / c;
    c = std::abs(c) < kTiny ? kTiny : c;
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1.0) < kEnough) break;
  }
  return front + std::log(h);
}

// The continued fraction of the incomplete beta function (Lentz).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1.0;
  double d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
  double h = d;
  for (int m = 1; m < kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / away(1.0 + even * d);
    c = away(1.0 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / away(1.0 + odd * d);
    c = away(1.0 + odd / c);
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1.0) < kEnough) break;
  }
  return h;
}

// log of the regularised incomplete beta function I_x(a, b).
double log_beta_share(double a, double b, double x) {
  if (!(x > 0.0)) return kNone;
  if (x >= 1.0) return 0.0;
  const double front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  if (x < (a + 1.0) / (a + b + 2.0)) return front + std::log(beta_fraction(a, b, x) / a);
  const double other = std::exp(front + std::log(beta_fraction(b, a, 1.0 - x) / b));
  return other < 1.0 ? std::log1p(-other) : kNone;
}

}  // namespace

double log_chi_squared_tail(double x, double df) { return df > 0.0 ? log_gamma_tail(0.5 * df, 0.5 * x) : 0.0; }

double log_f_tail(double x, double above, double below) {
  if (!(x > 0.0) || !(above > 0.0)) return 0.0;
  if (!(below > 0.0)) return 0.0;
  if (std::isinf(x)) return kNone;
  return log_beta_share(0.5 * below, 0.5 * above, below / (below + above * x));
}

double log_choose(double n, double k) {
  if (k < 0.0 || k > n) return kNone;
  return log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0);
}

double log_partitions(std::size_t n, std::size_t k) {
  if (k == 0 || k > n) return n == 0 && k == 0 ? 0.0 : kNone;
  // S(i, j) = j S(i - 1, j) + S(i - 1, j - 1)
  std::vector<double> ways(k + 1, kNone);
  ways[0] = 0.0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = std::min(i, k); j >= 1; --j)
      ways[j] = log_sum(ways[j] + std::log(static_cast<double>(j)), ways[j - 1]);
    ways[0] = kNone;
  }
  return ways[k];
}

}  // namespace bough
