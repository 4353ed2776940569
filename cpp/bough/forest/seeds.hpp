// Seeds of a forest: of a tree from (seed, number), of a node from its parent's and the branch. So the bits of a tree
// depend neither on threads, nor on the order of growth, nor on what was drawn elsewhere.
#pragma once

#include <cstdint>

#include "bough/base/random.hpp"

namespace bough::forest {

inline std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  return Random(seed ^ ((number + 1) * 0xd1342543de82ef95U)).next();
}

// What the seed of a tree is split into.
inline std::uint64_t bag_seed(std::uint64_t tree_seed) { return mix(tree_seed, 0); }
inline std::uint64_t root_seed(std::uint64_t tree_seed) { return mix(tree_seed, 1); }
inline std::uint64_t columns_seed(std::uint64_t tree_seed) { return mix(tree_seed, 2); }
// What the seed of a node is split into, beside those of its branches, 0 and 1.
inline std::uint64_t missing_seed(std::uint64_t node_seed) { return mix(node_seed, 2); }
inline std::uint64_t absent_seed(std::uint64_t node_seed) { return mix(node_seed, 3); }

// Whether a word stands for the low one of two branches, with the chance of its weight's share. Weights are below 2^31.
inline bool is_below(std::uint32_t word, std::int64_t low, std::int64_t both) {
  return std::uint64_t{word} * static_cast<std::uint64_t>(both) < static_cast<std::uint64_t>(low) << 32U;
}

// A stream of 32-bit words, the high half of each 64-bit one first: a draw costs a multiplication, not a division.
class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {}

  std::uint32_t next() {
    low_next_ = !low_next_;
    if (!low_next_) return static_cast<std::uint32_t>(held_);
    held_ = random_.next();
    return static_cast<std::uint32_t>(held_ >> 32U);
  }
  // Below n, every number with the same chance (Lemire 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{next()} * n;
    auto low = static_cast<std::uint32_t>(product);
    if (low < n) {
      const std::uint32_t least = (0U - n) % n;
      while (low < least) {
        product = std::uint64_t{next()} * n;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  Random random_;
  std::uint64_t held_ = 0;
  bool low_next_ = false;
};

}  // namespace bough::forest
