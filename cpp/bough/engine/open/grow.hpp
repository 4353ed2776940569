// The open growth: any combination of branching, criterion, stopping and missing rule, one node at a time. It is the
// textbook's loop; requests that the sorted engine knows take that one, with the same result (engine/plan.hpp).
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

[[nodiscard]] Tree grow_open(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch);

}  // namespace bough
