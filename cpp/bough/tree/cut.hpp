// Cutting: the given nodes become leaves. An edit never changes a tree; it returns a new one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

struct CutTree {
  Tree tree;
  std::vector<std::int32_t> origin;  // the old id of each node, so that notes and locks move along
};

// Nodes may be given in any order, nested, repeated or leaves already.
[[nodiscard]] CutTree cut(const Tree& tree, std::span<const std::int32_t> nodes);

}  // namespace bough
