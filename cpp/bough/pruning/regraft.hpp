// A tree that is being edited: nodes become leaves or take over the test and the children of one of their children.
// Nodes keep their old ids until the new tree is written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/stats/node_stats.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Whether a node of the new tree has other rows than in the old one, or only leads to such nodes.
enum class Renewal : std::uint8_t { none, way, own };

class Shape {
 public:
  explicit Shape(const Tree& tree);

  [[nodiscard]] bool is_leaf(std::int32_t node) const { return test_[node] < 0; }
  // The old node whose test a node has.
  [[nodiscard]] std::int32_t test(std::int32_t node) const { return test_[node]; }
  [[nodiscard]] std::span<const std::int32_t> children(std::int32_t node) const {
    const std::int32_t test = test_[node];
    if (test < 0) return {};
    return std::span(tree_.children)
        .subspan(tree_.child_begin[test], tree_.child_begin[test + 1] - tree_.child_begin[test]);
  }
  void make_leaf(std::int32_t node) { test_[node] = -1; }
  void raise(std::int32_t node, std::int32_t child) { test_[node] = test_[child]; }

  [[nodiscard]] bool is_raised(std::int32_t node) const { return test_[node] >= 0 && test_[node] != node; }
  // The old ids of the nodes that are left, in preorder.
  [[nodiscard]] std::vector<std::int32_t> preorder() const;
  [[nodiscard]] std::vector<Renewal> renewals(std::span<const std::int32_t> order) const;

 private:
  const Tree& tree_;
  std::vector<std::int32_t> test_;
};

// The new tree; fresh[fresh_at[node]] is what is known of a node with other rows (-1: as before). A node without rows
// answers as its parent does.
[[nodiscard]] Tree regraft(const Tree& tree, const Shape& shape, std::span<const std::int32_t> order,
                           std::span<const NodeStats> fresh, std::span<const std::int32_t> fresh_at);

}  // namespace bough
