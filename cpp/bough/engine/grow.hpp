// Growing a tree, by the engine that knows the request.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// The full-grown tree; its complexities are not set (see pruning/). Rows of weight 0 take no part.
Tree grow(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch);

}  // namespace bough
