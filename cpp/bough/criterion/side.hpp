// What a side of a split must hold to be one. Sums are rounded, and a side that is the node less the other side keeps
// the roundings of both: of 1e301 - 1e301 something may be left that no row weighs, and less than nothing too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bough {

// The drop of a split one side of which holds nothing: no cut, even where cuts that gain nothing are allowed.
inline constexpr double kNoSide = -1.0;

// The most that rounding leaves of a sum of so many terms; more than that is weight.
[[nodiscard]] inline double rounding_of_side(std::size_t terms, double total) {
  constexpr double kHalfStep = 0x1p-53;
  return static_cast<double>(terms) * kHalfStep * total;
}

// A power of two, which changes no digit, that brings an amount near 1: products of several amounts neither overflow
// nor vanish then.
[[nodiscard]] inline double unit_for(double amount) {
  return amount > 0.0 && std::isfinite(amount) ? std::ldexp(1.0, std::clamp(-std::ilogb(amount), -1000, 1000)) : 1.0;
}

}  // namespace bough
