// The global criterion J = alpha x size + sum of the impurities of the leaves (Duda, Hart and Stork, section 8.3.3), of
// whole trees. One split alone is no reason to stop: the branches of the root are together more impure than the root,
// and it takes many splits until the sum falls. So trees are compared as they grow, and growth stops at the best one.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// What each node of a tree adds to J, as a leaf and as an inner node.
class GlobalCriterion {
 public:
  GlobalCriterion(const Tree& tree, const SizePenalty& penalty);

  // A branch without rows is a leaf that cannot be impure.
  [[nodiscard]] double leaf(std::int32_t node) const { return size(node, true) + impurity(node); }
  [[nodiscard]] double inner(std::int32_t node) const { return size(node, false); }
  // Sums that differ by no more than rounding does.
  [[nodiscard]] double tolerance() const { return 1e-12 * leaf(0); }

 private:
  [[nodiscard]] double size(std::int32_t node, bool is_leaf) const;
  [[nodiscard]] double impurity(std::int32_t node) const;

  const Tree& tree_;
  SizePenalty penalty_;
  double whole_;  // the weight of the root, where impurities count by shares
};

// The tree of least J among those through which a fully grown tree has grown: split by split, the one of the largest
// decrease first, as for a given number of leaves, or layer by layer. Of equal ones the smallest. What an expert has
// given is in all of them.
[[nodiscard]] CutTree stop_at_least(Tree&& grown, const SizePenalty& penalty, const ExpertOptions& expert);

}  // namespace bough
