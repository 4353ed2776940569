// See linear_algebra.hpp.
#include "bough/base/linear_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bough {

std::optional<std::vector<double>> cholesky_solve(Symmetric a, std::vector<double> b) {
  const std::size_t n = a.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      double sum = a(j, k);
      for (std::size_t m = 0; m < k; ++m) sum -= a(j, m) * a(k, m);
      a(j, k) = sum / a(k, k);
    }
    double pivot = a(j, j);
    for (std::size_t m = 0; m < j; ++m) pivot -= a(j, m) * a(j, m);
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return std::nullopt;
    a(j, j) = std::sqrt(pivot);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t m = 0; m < i; ++m) b[i] -= a(i, m) * b[m];
    b[i] /= a(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t m = i + 1; m < n; ++m) b[i] -= a(m, i) * b[m];
    b[i] /= a(i, i);
    if (!std::isfinite(b[i])) return std::nullopt;
  }
  return b;
}

namespace {

// Makes entry (p, q) of the matrix zero; `vectors` follows.
void rotate(Symmetric& a, Symmetric& vectors, std::size_t p, std::size_t q) {
  const double theta = (a(q, q) - a(p, p)) / (2.0 * a(p, q));
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double kp = a(k, p);
    const double kq = a(k, q);
    a(k, p) = c * kp - s * kq;
    a(k, q) = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double pk = a(p, k);
    const double qk = a(q, k);
    a(p, k) = c * pk - s * qk;
    a(q, k) = s * pk + c * qk;
    const double vp = vectors(k, p);
    const double vq = vectors(k, q);
    vectors(k, p) = c * vp - s * vq;
    vectors(k, q) = s * vp + c * vq;
  }
}

}  // namespace

Eigen jacobi_eigen(Symmetric a) {
  constexpr int kSweeps = 100;
  const std::size_t n = a.size();
  Symmetric vectors(n);
  double scale = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    vectors(i, i) = 1.0;
    for (std::size_t j = 0; j <= i; ++j) {
      a(j, i) = a(i, j);
      scale = std::max(scale, std::abs(a(i, j)));
    }
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p + 1 < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (!(std::abs(a(p, q)) > 1e-15 * scale)) continue;
        rotate(a, vectors, p, q);
        turned = true;
      }
    }
    if (!turned) break;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return a(i, i) > a(j, j); });
  Eigen found;
  for (const std::size_t i : order) {
    found.value.push_back(a(i, i));
    std::vector<double>& vector = found.vector.emplace_back(n);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      vector[k] = vectors(k, i);
      if (std::abs(vector[k]) > std::abs(vector[largest])) largest = k;
    }
    if (n > 0 && vector[largest] < 0.0) {
      for (double& entry : vector) entry = -entry;
    }
  }
  return found;
}

}  // namespace bough
