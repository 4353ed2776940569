// What a side of a split must hold to be one. Sums are rounded, and a side that is the node less the other side keeps
// the roundings of both: of 1e301 - 1e301 something may be left that no row weighs, and less than nothing too.
#pragma once

#include <algorithm>
#include <cmath>

namespace bough {

// What rounding leaves of a sum of so many terms less another is smaller than this; as much as this is weight.
[[nodiscard]] inline double rounding_of_side(double terms, double total) { return terms * 0x1p-52 * total; }

// A power of two, which changes no digit, that brings an amount near 1: products of several amounts neither overflow
// nor vanish then.
[[nodiscard]] inline double unit_for(double amount) {
  return amount > 0.0 && std::isfinite(amount) ? std::ldexp(1.0, std::clamp(-std::ilogb(amount), -1000, 1000)) : 1.0;
}

}  // namespace bough
