// Merging of sibling leaves (Duda, Hart and Stork, section 8.4.2): again and again the node all of whose children are
// leaves and whose joining raises the impurity least becomes a leaf, as long as that is little enough.
#pragma once

#include <cstdint>
#include <limits>

#include "bough/pruning/log.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

struct MergeOptions {
  double most = std::numeric_limits<double>::infinity();  // the largest increase that is allowed
  bool by_weight = false;   // an increase counts by the share of the root's weight that the node has
  std::int64_t leaves = 1;  // stop when there are no more leaves than this
};

// The increase at a node is its own impurity less the mean of its children's, each by its part of their weight (with
// the class scales of growth): what its split gained. Of equal increases the first node in preorder is joined first.
[[nodiscard]] PrunedTree merge_leaves(const Tree& tree, const MergeOptions& options);

}  // namespace bough
