// The sorted growth: CART, C4.5 and ID3 over orders of the rows that are kept along the tree, quick for large tables.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

[[nodiscard]] Tree grow_sorted(const RankedTable& table, const Target& target, const GrowOptions& options,
                               Watch& watch);

}  // namespace bough
