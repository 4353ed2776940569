// A tree is improved as a whole after it was grown and pruned (tree alternating optimisation, Carreira-Perpinan and
// Tavallali 2018): node by node, from below, a test is looked for that sends rows to the branch whose subtree is right
// about them, and replaces the node's own if the tree errs less on its rows of training. It never errs more.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// The tree was grown from this table under these options, or pruned after that; rows go down one branch or stop.
// Nodes that have not two branches keep their tests.
[[nodiscard]] Tree refine(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
                          Watch& watch);

}  // namespace bough
