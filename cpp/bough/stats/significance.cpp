// See significance.hpp.
#include "bough/stats/significance.hpp"

#include <algorithm>
#include <cmath>

#include "bough/base/distributions.hpp"
#include "bough/stats/contingency.hpp"

namespace bough {
namespace {

double log_p_of_means(const GroupStats& groups) {
  const std::size_t n = groups.stat.size() / groups.width;
  const auto group = [&](std::size_t g) { return groups.stat.subspan(g * groups.width, groups.width); };
  double weight = 0.0;
  double sum = 0.0;
  for (std::size_t g = 0; g < n; ++g) {
    weight += group(g)[0];
    sum += group(g)[1];
  }
  double between = 0.0;
  double within = 0.0;
  for (std::size_t g = 0; g < n; ++g) {
    const auto stat = group(g);
    if (!(stat[0] > 0.0)) continue;
    const double mean = stat[1] / stat[0];
    const double apart = mean - sum / weight;
    between += stat[0] * apart * apart;
    within += std::max(0.0, stat[2] - stat[1] * mean);
  }
  const double above = static_cast<double>(n) - 1.0;
  const double below = weight - static_cast<double>(n);
  if (!(below > 0.0) || !(between > 0.0)) return 0.0;
  return within > 0.0 ? log_f_tail((between / above) / (within / below), above, below) : -HUGE_VAL;
}

}  // namespace

double log_p_of_difference(const GroupStats& groups, SignificanceTest test) {
  if (groups.stat.empty()) return 0.0;
  if (!groups.classes) return log_p_of_means(groups);
  const ChiSquared found = test == SignificanceTest::one_sided ? chi_squared_of_first(groups.stat, groups.width)
                                                               : chi_squared(groups.stat, groups.width);
  return log_chi_squared_tail(found.value, found.df);
}

}  // namespace bough
