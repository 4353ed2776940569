// Replay: the rows of the table walk a finished tree once more, as they did while it grew, to find the surrogates of
// every node that has survived pruning. Trees of a few hundred nodes cost next to nothing.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// The same tree with surrogates at every inner node. Table, target and options must be those of its growth.
Tree add_surrogates(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
                    Watch& watch);

}  // namespace bough
