// Pruning by a sum over the tree, such as bits: of all subtrees with the same root one of which the sum is least. From
// the leaves up, a node becomes a leaf where that costs no more than the node and what is left below it.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/pruning/ledger.hpp"
#include "bough/pruning/tolerance.hpp"

namespace bough {

// `costs` has leaf(node) and inner(node), which is without what is below it; `tolerance(as_leaf, as_tree)` says which
// sums are equal.
template <class Costs, class Ties>
[[nodiscard]] PrunedTree prune_to_least_sum(const Tree& tree, Costs& costs, const Ties& tolerance) {
  Ledger ledger(tree, tree.risk);
  ledger.open();
  std::vector<double> least(tree.parent.size(), 0.0);
  for (std::int32_t node = tree.size(); node-- > 0;) {
    const double as_leaf = costs.leaf(node);
    least[node] = as_leaf;
    if (tree.is_leaf(node)) continue;
    double as_tree = costs.inner(node);
    for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
      as_tree += least[tree.children[c]];
    }
    if (tolerance(as_leaf, as_tree).at_most(as_leaf, as_tree)) {
      ledger.make_leaf(node, as_tree, as_leaf);
    } else {
      least[node] = as_tree;
    }
  }
  return finish(tree, ledger);
}

}  // namespace bough
