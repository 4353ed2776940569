// What a pruning did, node by node in the order of its decisions.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

struct Cut {
  std::int32_t node = 0;  // its id in the tree that was pruned
  bool raised = false;    // its largest branch took its place; otherwise it became a leaf
  double before = 0.0;    // the errors of the subtree, as the pruning counts them
  double after = 0.0;
};

struct PrunedTree {
  Tree tree;
  std::vector<Cut> log;
};

}  // namespace bough
