// In which order classes get their rules: the rarest first; the last one, the most frequent, is the default.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/java_random.hpp"

namespace bough {

// Classes of equal weight in the order of their numbers.
[[nodiscard]] std::vector<std::uint32_t> class_order(std::span<const double> weight);

// As JRip orders them, which differs in classes of equal weight: shuffled, then sorted by a quicksort that is not
// stable.
[[nodiscard]] std::vector<std::uint32_t> jrip_class_order(std::span<const double> weight, JavaRandom& main);

}  // namespace bough
