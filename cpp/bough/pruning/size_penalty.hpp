// Pruning by the global criterion: of all subtrees with the same root the one whose J = alpha x size + impurities of
// the leaves is least. J is a sum over nodes, so one pass from the leaves up finds it.
#pragma once

#include "bough/engine/options.hpp"
#include "bough/pruning/log.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Of equal subtrees the smallest. The log compares what a subtree and a leaf in its place add to J.
[[nodiscard]] PrunedTree prune_size_penalty(const Tree& tree, const SizePenalty& penalty);

}  // namespace bough
