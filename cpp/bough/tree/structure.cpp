// See structure.hpp. One pass with the current path as a stack; no recursion.
#include "bough/tree/structure.hpp"

#include <limits>
#include <string>
#include <utility>

#include "bough/base/error.hpp"

namespace bough {
namespace {

[[noreturn]] void bad_parent(std::size_t node, const std::string& problem) {
  throw InvalidInput("parent[" + std::to_string(node) + "]", problem);
}

}  // namespace

Structure derive_structure(std::span<const std::int32_t> parent) {
  const std::size_t n = parent.size();
  if (n == 0) throw InvalidInput("parent", "a tree has at least one node");
  if (n >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InvalidInput("parent", "more nodes than 32-bit ids can name");
  }
  if (parent[0] != -1) bad_parent(0, "the root has parent -1, found " + std::to_string(parent[0]));

  Structure s;
  s.branch.assign(n, 0);
  s.end.assign(n, 0);
  s.child_begin.assign(n + 1, 0);
  std::vector<std::int32_t> path = {0};
  std::vector<std::int32_t> born(n, 0);  // children met so far
  for (std::size_t i = 1; i < n; ++i) {
    const std::int32_t p = parent[i];
    if (p < 0 || static_cast<std::size_t>(p) >= i) {
      bad_parent(i, "a parent is a node before its child, found " + std::to_string(p));
    }
    while (!path.empty() && path.back() != p) {
      s.end[path.back()] = static_cast<std::int32_t>(i);
      path.pop_back();
    }
    if (path.empty()) {
      bad_parent(i, "nodes are in preorder, but the subtree of node " + std::to_string(p) + " was already complete");
    }
    s.branch[i] = born[p]++;
    path.push_back(static_cast<std::int32_t>(i));
  }
  for (const std::int32_t open : path) s.end[open] = static_cast<std::int32_t>(n);

  for (std::size_t i = 0; i < n; ++i) s.child_begin[i + 1] = s.child_begin[i] + born[i];
  s.children.resize(n - 1);
  for (std::size_t i = 1; i < n; ++i) {
    s.children[s.child_begin[parent[i]] + s.branch[i]] = static_cast<std::int32_t>(i);
  }
  return s;
}

void link(Tree& tree) {
  Structure s = derive_structure(tree.parent);
  tree.branch = std::move(s.branch);
  tree.end = std::move(s.end);
  tree.child_begin = std::move(s.child_begin);
  tree.children = std::move(s.children);
}

std::vector<std::int32_t> node_depths(const Tree& tree) {
  std::vector<std::int32_t> depth(tree.parent.size(), 0);
  for (std::size_t i = 1; i < depth.size(); ++i) depth[i] = depth[tree.parent[i]] + 1;
  return depth;
}

}  // namespace bough
