// See ledger.hpp.
#include "bough/pruning/ledger.hpp"

#include <algorithm>
#include <utility>

#include "bough/engine/options.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/tree/cut.hpp"

namespace bough {

Ledger::Sum Ledger::sum(std::int32_t node) {
  Sum found;
  stack_.assign(1, node);
  while (!stack_.empty()) {
    const std::int32_t at = stack_.back();
    stack_.pop_back();
    if (shape_.is_leaf(at)) {
      ++found.leaves;
      found.risk += risk_[at];
    } else {
      const auto below = shape_.children(at);
      stack_.insert(stack_.end(), below.begin(), below.end());
    }
  }
  return found;
}

double Ledger::risk_below(std::int32_t node) { return sum(node).risk; }

void Ledger::count(std::int32_t node, int sign) {
  const Sum found = sum(node);
  leaves_ += sign * found.leaves;
  total_ = std::max(0.0, total_ + sign * found.risk);
}

void Ledger::make_leaf(std::int32_t node, double before, double after, bool plain) {
  count(node, -1);
  shape_.make_leaf(node);
  count(node, 1);
  log_.push_back({node, -1, before, after, leaves_, total_, plain});
}

void Ledger::raise(std::int32_t node, std::int32_t branch) {
  count(node, -1);
  shape_.raise(node, shape_.children(node)[branch]);
}

void Ledger::changed(std::int32_t node, std::int32_t branch, double before, double after) {
  count(node, 1);
  log_.push_back({node, branch, before, after, leaves_, total_, false});
}

PrunedTree finish(const Tree& tree, Ledger& ledger) {
  PrunedTree pruned;
  pruned.log = ledger.take_log();
  std::vector<std::int32_t> leaves;
  leaves.reserve(pruned.log.size());
  for (const PruningStep& cut : pruned.log) leaves.push_back(cut.node);
  pruned.tree = cut(tree, leaves).tree;
  pruned.tree.complexity = node_complexity(pruned.tree, ComplexityRule::weakest_link, 0.0);
  return pruned;
}

}  // namespace bough
