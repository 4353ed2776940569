// See crimcoords.hpp. With counts n(l, k), shares p(l) and q(k) of levels and classes, the scores f maximise the
// variance between classes at total variance 1. Their generalised eigenproblem T f = B f becomes an ordinary one in
// M(l, k) = (n(l, k) - p(l) q(k)) / sqrt(p(l) q(k)): f(l) sqrt(p(l)) is its first left singular vector. So the singular
// matrix T need not be inverted.
#include "bough/search/crimcoords.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "bough/base/linear_algebra.hpp"

namespace bough {
namespace {

struct Shares {
  std::vector<double> level;
  std::vector<double> of_class;
  std::vector<double> apart;  // M, a row for each level
};

Shares shares_of(std::span<const double> count, std::size_t classes) {
  const std::size_t levels = count.size() / classes;
  Shares shares{std::vector<double>(levels, 0.0), std::vector<double>(classes, 0.0), {}};
  double all = 0.0;
  for (const double one : count) all += one;
  for (std::size_t l = 0; l < levels; ++l) {
    for (std::size_t k = 0; k < classes; ++k) {
      shares.level[l] += count[l * classes + k] / all;
      shares.of_class[k] += count[l * classes + k] / all;
    }
  }
  for (std::size_t l = 0; l < levels; ++l) {
    for (std::size_t k = 0; k < classes; ++k) {
      const double chance = shares.level[l] * shares.of_class[k];
      const double apart = count[l * classes + k] / all - chance;
      shares.apart.push_back(chance > 0.0 ? apart / std::sqrt(chance) : 0.0);
    }
  }
  return shares;
}

// The first right singular vector of M, by the smaller of its two products.
std::vector<double> first_vector(const std::vector<double>& apart, std::size_t classes) {
  const std::size_t levels = apart.size() / classes;
  const bool by_level = levels < classes;
  const std::size_t size = by_level ? levels : classes;
  Symmetric products(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t m = 0; m < (by_level ? classes : levels); ++m) {
        products(i, j) += by_level ? apart[i * classes + m] * apart[j * classes + m]
                                   : apart[m * classes + i] * apart[m * classes + j];
      }
    }
  }
  const Eigen found = jacobi_eigen(std::move(products));
  constexpr double kNothing = 1e-24;  // of chi-squared over the weight, which the value is at most
  if (!(found.value.front() > kNothing)) return std::vector<double>(classes, 0.0);
  const std::vector<double>& first = found.vector.front();
  if (!by_level) return first;
  std::vector<double> right(classes, 0.0);
  for (std::size_t l = 0; l < levels; ++l) {
    for (std::size_t k = 0; k < classes; ++k) right[k] += first[l] * apart[l * classes + k];
  }
  return right;
}

}  // namespace

std::vector<double> crimcoords(std::span<const double> count, std::size_t classes) {
  const std::size_t levels = count.size() / classes;
  const Shares shares = shares_of(count, classes);
  const std::vector<double> first = first_vector(shares.apart, classes);
  std::vector<double> score(levels, 0.0);
  double sign = 0.0;
  for (std::size_t l = 0; l < levels; ++l) {
    if (!(shares.level[l] > 0.0)) continue;
    // M v / sqrt(p(l)) from the shares of the classes in the level, so that equal ones have equal scores.
    const std::span<const double> own = count.subspan(l * classes, classes);
    const double all = std::accumulate(own.begin(), own.end(), 0.0);
    for (std::size_t k = 0; k < classes; ++k) {
      if (!(shares.of_class[k] > 0.0)) continue;
      score[l] += first[k] * (own[k] / all - shares.of_class[k]) / std::sqrt(shares.of_class[k]);
    }
    if (sign == 0.0) sign = score[l];
  }
  if (sign < 0.0) {
    for (double& one : score) one = -one;
  }
  return score;
}

}  // namespace bough
