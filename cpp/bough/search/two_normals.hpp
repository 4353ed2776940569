// Where two groups of numbers part: the point at which two normal densities with the groups' own means, variances and
// shares are equal (Loh and Shih 1997). No criterion is consulted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/engine/open/column.hpp"

namespace bough {

// Weight, mean, and the sum of squares around it.
struct Moments {
  double weight = 0.0;
  double mean = 0.0;
  double squares = 0.0;
};

// Of values by group; values of groups from `groups` on do not count. Twice over the values, so that what does not vary
// is seen not to.
[[nodiscard]] std::vector<Moments> moments_by_group(std::span<const double> value, std::span<const std::uint32_t> group,
                                                    std::span<const double> weight, std::size_t groups);

struct Normal {
  double share = 0.0;  // up to a common factor
  double mean = 0.0;
  double variance = 0.0;
};
// Of the points where the densities are equal the one that is nearer to the mean of the first; the middle of the means
// if there is none. Next to a group that does not vary.
[[nodiscard]] double point_between(const Normal& one, const Normal& two);

// The rows of a column whose value is known, cell by cell.
struct KnownRows {
  std::vector<double> value;
  std::vector<std::uint32_t> label;
  std::vector<double> weight;  // as rows
  std::vector<double> counts;  // as the classes count
};
[[nodiscard]] KnownRows known_rows(const OpenColumn& column, std::span<const double> value_of_cell);

// The cells up to the point between two groups of classes (first[class] != 0 or not) on one side, the others on the
// other; where a side is too small, the nearest place that is admissible.
[[nodiscard]] ColumnTest part_at_point(OpenColumn& column, std::span<const double> value_of_cell,
                                       const std::vector<std::uint8_t>& first);

}  // namespace bough
