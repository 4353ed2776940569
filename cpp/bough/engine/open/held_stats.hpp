// Statistics of the rows that a node of the open growth holds.
#pragma once

#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"
#include "bough/stats/node_stats.hpp"

namespace bough {

// `judge` is asked for the impurity, if it has one of its own.
[[nodiscard]] NodeStats stats_of(const Holding& held, const Target& target, const GrowOptions& options,
                                 const Judge& judge, double centre);

}  // namespace bough
