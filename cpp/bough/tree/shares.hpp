// In which parts a case goes down all branches of a node: by the weights of the children.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bough/tree/tree.hpp"

namespace bough {

class ChildShares {
 public:
  ChildShares(const Tree& tree, std::int32_t node) : tree_(tree) {
    const std::int32_t begin = tree.child_begin[node];
    const std::int32_t end = tree.child_begin[node + 1];
    double most = 0.0;
    for (std::int32_t c = begin; c < end; ++c) {
      total_ += tree.weight[tree.children[c]];
      most = std::max(most, tree.weight[tree.children[c]]);
    }
    if (std::isfinite(total_)) return;
    unit_ = most;  // weights near the end of the range of doubles
    total_ = 0.0;
    for (std::int32_t c = begin; c < end; ++c) total_ += tree.weight[tree.children[c]] / unit_;
  }

  // Whether any child has weight.
  [[nodiscard]] bool any() const { return total_ > 0.0; }

  [[nodiscard]] double of(std::int32_t child) const { return tree_.weight[child] / unit_ / total_; }

 private:
  const Tree& tree_;
  double unit_ = 1.0;
  double total_ = 0.0;
};

}  // namespace bough
