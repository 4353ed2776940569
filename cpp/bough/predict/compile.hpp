// A tree compiled for one table: 16 bytes a node, thresholds in the types of its columns.
// Only what happens to known values is here; everything else asks the Router.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/predict/keys.hpp"
#include "bough/predict/route.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// How a node is decided: by one comparison, by two bit masks (two branches, codes below 64), or by the Router.
enum class HotKind : std::uint8_t { threshold = 0, mask = 1, routed = 2 };

struct HotNode {
  std::int64_t cut = 0;        // threshold: the last key that goes low; mask: which pair of masks
  std::int32_t second = 0;     // the node of branch 1; branch 0 is the next node
  std::uint32_t packed = 0;  // bit 0 flip, bits 1 and 2 branch 0 and 1 end in a leaf, bits 3 and 4 kind, from 6 slot

  static constexpr std::uint32_t lanes = 64;  // rows in a tile of keys, which holds one run of lanes for each slot
  static constexpr std::uint32_t slot_limit = 1U << 26U;

  [[nodiscard]] std::uint32_t flip() const { return packed & 1U; }
  [[nodiscard]] std::uint32_t ends(std::uint32_t branch) const { return (packed >> (1U + branch)) & 1U; }
  [[nodiscard]] HotKind kind() const { return static_cast<HotKind>((packed >> 3U) & 3U); }
  [[nodiscard]] std::uint32_t offset() const { return packed & ~(lanes - 1U); }  // of the slot's keys in the tile
};
static_assert(sizeof(HotNode) == 16);

struct LevelMasks {
  std::uint64_t known = 0;  // the codes that take a branch here
  std::uint64_t one = 0;  // those of branch 1
};

struct HotTree {
  std::vector<HotNode> nodes;
  std::vector<LevelMasks> masks;
  std::vector<ColumnView> slots;  // the columns that thresholds and masks ask
};

// Throws InvalidInput if a primary split does not fit its column.
[[nodiscard]] HotTree compile(const Tree& tree, std::span<const ColumnView> columns, const Router& router);

}  // namespace bough
