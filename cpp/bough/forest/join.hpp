// Grown trees become part of a forest: keys between which cuts lie turn into thresholds, thresholds into cuts.
#pragma once

#include <utility>
#include <vector>

#include "bough/forest/forest.hpp"

namespace bough::forest {

// A tree whose numeric cuts are float keys, but for those that no float divides.
struct FinishedTree {
  GrownTree tree;
  std::vector<std::pair<std::uint32_t, double>> close;  // nodes whose values are closer than floats are, with threshold
  double bag_weight = 0;
};

[[nodiscard]] FinishedTree finish(GrownTree&& tree, const Keys& keys, bool random_cuts);

void append(Forest& forest, std::vector<FinishedTree>&& trees);

// Appends the trees of another forest that was grown on the same table: the same forest as if all were grown at once.
void join(Forest& forest, const Forest& more);

}  // namespace bough::forest
