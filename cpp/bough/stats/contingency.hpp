// Pearson's chi-squared for a table of groups by classes: the one home of the statistic for tests of chance.
#pragma once

#include <cstddef>
#include <span>

namespace bough {

struct ChiSquared {
  double value = 0.0;
  double df = 0.0;
  double all = 0.0;  // the weight in the table
};

// `count` holds a row of `classes` weights for each group; groups and classes without weight take no part.
[[nodiscard]] ChiSquared chi_squared(std::span<const double> count, std::size_t classes);

// The text's one-sided sum: what the first group holds against what chance would send there.
[[nodiscard]] ChiSquared chi_squared_of_first(std::span<const double> count, std::size_t classes);

}  // namespace bough
