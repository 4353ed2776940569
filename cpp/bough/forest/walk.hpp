// Rows down the trees of a forest: a step at a node, and many rows that take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bough/base/prefetch.hpp"
#include "bough/forest/forest.hpp"
#include "bough/forest/key_block.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kGroup = 64;  // rows that take turns
inline constexpr int kTurns = 6;             // steps before finished rows are dropped

// The step of a row at a node; `special`: columns may be nominal and values missing.
template <bool special, class Node>
std::uint32_t step(const Forest& forest, const std::uint32_t* sets, const Node& node, const std::uint32_t* row) {
  const std::uint32_t key = row[node.column()];
  if constexpr (special) {
    if (key == kMissingKey) return node.child() + node.missing_high();
    if (node.column() < forest.column.size() && forest.column[node.column()].levels > 0) {
      return node.child() + ((sets[node.cut + key / 32] >> (key % 32)) & 1U);
    }
  }
  return node.child() + (key > node.cut ? 1U : 0U);
}

// Calls use(row of the block, node of the tree) for each of the rows that are taken through the tree.
template <bool special, class Node, class Use>
void walk(const Forest& forest, const Node* tree, const KeyBlock& keys, std::span<const std::uint32_t> rows,
          const Use& use) {
  // A row that is on its way: the place of its keys, its number, and where it is.
  struct Walker {
    const std::uint32_t* key;
    std::uint32_t row;
    std::uint32_t at;
  };
  std::array<Walker, kGroup> walker;
  const std::uint32_t* const base = keys.keys();
  const std::uint32_t* const sets = forest.set.data();
  const std::size_t stride = keys.stride();
  for (std::size_t begin = 0; begin < rows.size(); begin += kGroup) {
    auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kGroup, rows.size() - begin));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t row = rows[begin + i];
      walker[i] = {base + row * stride, row, 0};
    }
    while (count > 0) {
      for (int turn = 0; turn < kTurns; ++turn) {
        for (std::uint32_t i = 0; i < count; ++i) {
          walker[i].at = step<special>(forest, sets, tree[walker[i].at], walker[i].key);
          prefetch(tree + walker[i].at);  // by its next turn, the other rows have had theirs
        }
      }
      std::uint32_t left = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Walker w = walker[i];
        if (tree[w.at].child() == w.at) {
          use(w.row, w.at);
        } else {
          walker[left++] = w;
        }
      }
      count = left;
    }
  }
}

template <class Use>
void walk_tree(const Forest& forest, std::size_t tree, const KeyBlock& keys, std::span<const std::uint32_t> rows,
               const Use& use) {
  const auto go = [&](const auto* nodes) {
    const auto* root = nodes + forest.begin[tree];
    const auto found = [&](std::uint32_t row, std::uint32_t at) { use(row, at, root[at].cut); };
    if (keys.special()) {
      walk<true>(forest, root, keys, rows, found);
    } else {
      walk<false>(forest, root, keys, rows, found);
    }
  };
  if (forest.wide()) {
    go(forest.wide_node.data());
  } else {
    go(forest.short_node.data());
  }
}

}  // namespace bough::forest
