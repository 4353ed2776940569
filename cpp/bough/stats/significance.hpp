// Is a split more than chance? The p-value of the differences between its branches, by what they hold of the target.
#pragma once

#include <cstddef>
#include <span>

#include "bough/engine/options.hpp"

namespace bough {

// What a group holds: `width` entries, the weights of the classes or (weight, sum, sum of squares) of numbers.
struct GroupStats {
  std::span<const double> stat;  // one group after the other
  std::size_t width = 0;
  bool classes = true;
};

// log p of no difference between the groups. For classes Pearson's chi-squared, or the sum over the first group alone;
// for numbers Fisher's F. Groups without weight take no part in chi-squared, and must not be given for F.
[[nodiscard]] double log_p_of_difference(const GroupStats& groups, SignificanceTest test = SignificanceTest::pearson);

}  // namespace bough
