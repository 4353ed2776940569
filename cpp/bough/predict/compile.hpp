// A tree compiled for one table: 16 bytes a node, thresholds in the types of its columns.
// Only what happens to known values is here; everything else asks the Router.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/predict/route.hpp"
#include "bough/table/keys.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// How a node is decided: by one comparison, by two bit masks (two branches, codes below 64), by the Router, by a table
// of the codes, by looking up an interval, or by a weighted sum.
enum class HotKind : std::uint8_t { threshold = 0, mask = 1, routed = 2, table = 3, intervals = 4, sum = 5 };

struct HotNode {
  std::int64_t cut =
      0;  // threshold: the last key that goes low; mask: which pair of masks; others: where it is in their lists
  std::int32_t second = 0;  // the node of branch 1; branch 0 is the next node; table: its length
  std::uint32_t packed = 0;  // bit 0 flip, bits 1 and 2 branch 0 and 1 end in a leaf, bits 3 to 5 kind, from 6 slot

  static constexpr std::uint32_t lanes = 64;  // rows in a tile of keys, which holds one run of lanes for each slot
  static constexpr std::uint32_t slot_limit = 1U << 26U;

  [[nodiscard]] std::uint32_t flip() const { return packed & 1U; }
  [[nodiscard]] std::uint32_t ends(std::uint32_t branch) const { return (packed >> (1U + branch)) & 1U; }
  [[nodiscard]] HotKind kind() const { return static_cast<HotKind>((packed >> 3U) & 7U); }
  [[nodiscard]] std::uint32_t offset() const { return packed & ~(lanes - 1U); }  // of the slot's keys in the tile
};
static_assert(sizeof(HotNode) == 16);

struct LevelMasks {
  std::uint64_t known = 0;  // the codes that take a branch here
  std::uint64_t one = 0;  // those of branch 1
};

// Intervals of keys, by where they lie in the pools of the tree.
struct HotIntervals {
  std::size_t edge = 0;  // the first of its edges
  std::size_t edges = 0;
  std::size_t child = 0;  // the child of the lowest interval; those of the others follow
};

// The threshold of a sum, by where its terms lie; a sum that is no number asks the Router.
struct HotSum {
  std::size_t begin = 0;
  std::size_t end = 0;
  double threshold = 0.0;
  bool up_to = true;  // the threshold itself is low
};

// What a term reads of a row: a number less an origin, the code of an ordered level, or an indicator of a level.
struct TermSlot {
  ColumnView view;
  std::int32_t column = 0;
  std::int32_t code = -1;
  std::int64_t origin = 0;
};

struct HotTree {
  std::vector<HotNode> nodes;
  std::vector<LevelMasks> masks;
  std::vector<HotIntervals> intervals;
  std::vector<std::int64_t> edges;  // the last key below each
  std::vector<std::int32_t> interval_child;
  std::vector<std::int32_t> tables;  // the child of a code, 0: it takes no branch here
  std::vector<ColumnView> slots;  // the columns that thresholds, masks and tables ask
  std::vector<HotSum> sums;
  std::vector<double> weight;  // of the terms
  std::vector<std::uint32_t> term_slot;
  std::vector<TermSlot> term_slots;
  std::vector<double> share;  // routing spread: of each node among its siblings, by weight; else empty

  // The child of the interval that a key is in.
  [[nodiscard]] std::int32_t by_interval(const HotNode& node, std::int64_t key) const {
    const HotIntervals& own = intervals[node.cut];
    const std::int64_t* first = edges.data() + own.edge;
    const std::int64_t* above = std::lower_bound(first, first + own.edges, key);
    return interval_child[own.child + static_cast<std::size_t>(above - first)];
  }

  // On which side of its threshold the sum of a row lies, whose terms have these values: 1 above, 0 not; -1 if it is
  // no number. Added up as everywhere (feature/linear.hpp).
  [[nodiscard]] std::int32_t side_of_sum(const HotNode& node, const double* values) const {
    const HotSum& own = sums[node.cut];
    double sum = 0.0;
    for (std::size_t t = own.begin; t < own.end; ++t) sum += weight[t] * values[term_slot[t]];
    if (std::isnan(sum)) return -1;
    return (own.up_to ? sum <= own.threshold : sum < own.threshold) ? 0 : 1;
  }

  // The child that the keys of a row, one a slot, lead to from an inner node; -1 where only the Router knows.
  [[nodiscard]] std::int32_t step(std::int32_t at, const std::int64_t* keys) const {
    const HotNode& node = nodes[at];
    const HotKind kind = node.kind();
    if (kind == HotKind::routed || kind == HotKind::sum) return -1;
    const std::int64_t key = keys[node.offset() / HotNode::lanes];
    if (key == unknown_key) return -1;
    std::uint32_t one = (key > node.cut ? 1U : 0U) ^ node.flip();
    if (kind == HotKind::table) {
      const bool inside = static_cast<std::uint64_t>(key) < static_cast<std::uint64_t>(node.second);
      const std::int32_t child = inside ? tables[node.cut + key] : 0;
      return child == 0 ? -1 : child;
    }
    if (kind == HotKind::intervals) return by_interval(node, key);
    if (kind == HotKind::mask) {
      const LevelMasks& mask = masks[node.cut];
      if (static_cast<std::uint64_t>(key) >= 64U || ((mask.known >> static_cast<unsigned>(key)) & 1U) == 0) return -1;
      one = (mask.one >> static_cast<unsigned>(key)) & 1U;
    }
    return one == 0 ? at + 1 : node.second;
  }
};

// Throws InvalidInput if a primary split does not fit its column.
[[nodiscard]] HotTree compile(const Tree& tree, std::span<const ColumnView> columns, const Router& router);

}  // namespace bough
