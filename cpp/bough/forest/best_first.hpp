// A tree with few leaves: of a tree grown to its end, the splits that best-first growth would have taken. Because a
// node draws from a seed of its own, its split does not depend on when it is made; the leaf of the largest gain is
// split next, of equal ones the oldest.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/forest/grown.hpp"
#include "bough/forest/keys.hpp"
#include "bough/forest/options.hpp"

namespace bough::forest {

[[nodiscard]] GrownTree best_first(GrownTree&& tree, const ForestData& data, const std::vector<KeyColumn>& keys,
                                   std::uint32_t leaves);

}  // namespace bough::forest
