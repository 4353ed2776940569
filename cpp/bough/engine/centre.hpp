// The origin of the values of a regression.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"

namespace bough {

// A number near the mean that has few digits, so that whole values stay whole when it is taken off, and sums of them
// exact.
inline double round_centre(double mean, const Target& target, const std::vector<std::uint32_t>& rows) {
  double farthest = 0.0;
  for (const std::uint32_t row : rows) farthest = std::max(farthest, std::abs(target.value[row] - mean));
  if (!std::isfinite(farthest) || !(farthest > 0.0)) return mean;
  const double unit = std::exp2(std::floor(std::log2(farthest)));
  const double rounded = std::round(mean / unit) * unit;
  return std::isfinite(rounded) ? rounded : mean;
}

}  // namespace bough
