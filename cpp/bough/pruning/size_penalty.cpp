// See size_penalty.hpp.
#include "bough/pruning/size_penalty.hpp"

#include <cmath>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/stopping/global_criterion.hpp"

namespace bough {

PrunedTree prune_size_penalty(const Tree& tree, const SizePenalty& penalty) {
  if (!std::isfinite(penalty.alpha) || penalty.alpha < 0.0) {
    throw InvalidInput("alpha", "expected a finite number of at least 0");
  }
  const GlobalCriterion criterion(tree, penalty);
  const Tolerance tolerance = {criterion.tolerance()};
  Ledger ledger(tree, tree.risk);
  ledger.open();
  std::vector<double> least(tree.parent.size());
  for (std::int32_t node = tree.size(); node-- > 0;) {
    const double as_leaf = criterion.leaf(node);
    least[node] = as_leaf;
    if (tree.is_leaf(node)) continue;
    double as_tree = criterion.inner(node);
    for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
      as_tree += least[tree.children[c]];
    }
    if (tolerance.at_most(as_leaf, as_tree)) {
      ledger.make_leaf(node, as_tree, as_leaf);
    } else {
      least[node] = as_tree;
    }
  }
  return finish(tree, ledger);
}

}  // namespace bough
