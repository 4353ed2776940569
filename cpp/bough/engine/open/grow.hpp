// The open growth: any combination of branching, criterion, stopping and missing rule, one node at a time. It is the
// textbook's loop; requests that the fast loop (grow.cpp) knows take that one, with the same result.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Whether the fast loop does not know the request.
[[nodiscard]] bool needs_open_growth(const Target& target, const GrowOptions& options);

[[nodiscard]] Tree grow_open(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch);

}  // namespace bough
