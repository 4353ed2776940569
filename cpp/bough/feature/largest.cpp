// See largest.hpp.
#include "bough/feature/largest.hpp"

#include <algorithm>

namespace bough {

double spread_of(std::span<const double> machine, std::size_t terms, std::size_t term) {
  double low = machine[term];
  double high = low;
  for (std::size_t at = term; at < machine.size(); at += terms + 1) {
    low = std::min(low, machine[at]);
    high = std::max(high, machine[at]);
  }
  return high - low;
}

}  // namespace bough
