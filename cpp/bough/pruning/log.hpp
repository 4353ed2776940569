// What a pruning did, step by step in the order of its decisions: the one form that all prunings keep.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

struct PruningStep {
  std::int32_t node = 0;     // its id in the tree that was pruned
  std::int32_t branch = -1;  // the branch that took its place; -1: it became a leaf
  double before = 0.0;       // what the pruning compares: of the subtree, and of what took its place
  double after = 0.0;
  std::int64_t leaves = 0;  // of the whole tree after this step
  double risk = 0.0;        // of its leaves on the training rows, not divided by their weight
  bool plain = false;       // training errors as they are were compared, not what the pruning is named for
};

struct PrunedTree {
  Tree tree;
  std::vector<PruningStep> log;
};

}  // namespace bough
