// See size_penalty.hpp.
#include "bough/pruning/size_penalty.hpp"

#include <cmath>

#include "bough/base/error.hpp"
#include "bough/pruning/least_sum.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/stopping/global_criterion.hpp"

namespace bough {

PrunedTree prune_size_penalty(const Tree& tree, const SizePenalty& penalty) {
  if (!std::isfinite(penalty.alpha) || penalty.alpha < 0.0) {
    throw InvalidInput("alpha", "expected a finite number of at least 0");
  }
  const GlobalCriterion criterion(tree, penalty);
  const Tolerance tolerance = {criterion.tolerance()};
  return prune_to_least_sum(tree, criterion, [&](double, double) { return tolerance; });
}

}  // namespace bough
