// The weight of a node as its impurity counts it: with the factors that classes have in the choice of splits (priors,
// costs). Nodes without rows have none, though they show another's counts.
#pragma once

#include <cstdint>

#include "bough/tree/tree.hpp"

namespace bough {

[[nodiscard]] inline double growth_weight(const Tree& tree, std::int32_t node) {
  if (!tree.is_classifier() || !(tree.weight[node] > 0.0)) return tree.weight[node];
  double sum = 0.0;
  for (std::int64_t k = tree.count_begin[node]; k < tree.count_begin[node + 1]; ++k) {
    sum += tree.count_weight[k] * tree.growth_scale[tree.count_class[k]];
  }
  return sum;
}

}  // namespace bough
