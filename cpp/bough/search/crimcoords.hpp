// Crimcoords: numbers for the levels of a nominal column, so that what needs numbers can ask for it. They are the first
// discriminant coordinate of the level indicators, the scores under which the classes differ most (Gnanadesikan 1977).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bough {

// `count` holds a row of `classes` weights for each level. With two classes a score is the share of one class in the
// level, up to a factor and a constant. Levels without weight have 0, the mean of all; of the others the first that is
// not 0 is positive.
[[nodiscard]] std::vector<double> crimcoords(std::span<const double> count, std::size_t classes);

}  // namespace bough
