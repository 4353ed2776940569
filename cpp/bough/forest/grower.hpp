// One tree of a forest, grown depth first on keys shared by all trees (Breiman 2001; Geurts, Ernst and Wehenkel 2006).
// Each node looks at a few columns drawn from its own seed. The way a node is searched depends on its size only, and
// all ways give the same cut.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bough/base/watch.hpp"
#include "bough/forest/grown.hpp"
#include "bough/forest/keys.hpp"
#include "bough/forest/options.hpp"

namespace bough::forest {

class TreeGrower {
 public:
  TreeGrower() = default;
  virtual ~TreeGrower() = default;
  TreeGrower(const TreeGrower&) = delete;
  TreeGrower& operator=(const TreeGrower&) = delete;
  TreeGrower(TreeGrower&&) = delete;
  TreeGrower& operator=(TreeGrower&&) = delete;

  // `bag` says how often each row is in the bag.
  [[nodiscard]] virtual GrownTree grow(std::uint64_t tree_seed, std::span<const std::uint32_t> bag, Watch& watch) = 0;
};

// The growers of one thread; scratch is kept from tree to tree.
[[nodiscard]] std::unique_ptr<TreeGrower> make_grower(const ForestData& data, const Keys& keys,
                                                      const ForestOptions& options);

}  // namespace bough::forest
