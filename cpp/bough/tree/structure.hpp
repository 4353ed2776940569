// What follows from the parents alone: in preorder they determine branches, ranges and children.
// Siblings are numbered in the order of their positions, so the first child of node i is always i + 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

struct Structure {
  std::vector<std::int32_t> branch;
  std::vector<std::int32_t> end;
  std::vector<std::int32_t> child_begin;
  std::vector<std::int32_t> children;
};

// Throws InvalidInput (place "parent[i]") if the nodes are not one tree in preorder.
[[nodiscard]] Structure derive_structure(std::span<const std::int32_t> parent);

// Fills branch, end, child_begin and children of a tree whose `parent` is set.
void link(Tree& tree);

// The number of tests between the root and each node.
[[nodiscard]] std::vector<std::int32_t> node_depths(const Tree& tree);

}  // namespace bough
