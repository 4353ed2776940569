// Nominal levels in order: by the share of class 1 or the mean, equal ones by code, in which a cut of two classes or
// numbers is the best of all sets (Breiman et al. 1984); of more classes by the first principal component of their
// shares (Coppersmith, Hong and Hosking 1999). In a node, or once for the forest, which ranger calls order (Wright and
// Koenig 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/forest/options.hpp"
#include "bough/search/value_table.hpp"

namespace bough::forest {

// Levels with what their rows add up to.
struct LevelSums {
  std::size_t width = 1;             // sums of a level
  std::vector<std::uint32_t> code;   // rising
  std::vector<std::int64_t> weight;
  std::vector<std::int64_t> sum;     // weight of class 1, or sum of the values; or weights of the classes
};

class LevelOrder {
 public:
  // Places of the levels, the first one first.
  const std::vector<std::uint32_t>& sort(const LevelSums& levels);

 private:
  std::vector<std::uint32_t> order_;
  std::vector<double> mean_;
  ValueTable table_;
};

inline constexpr std::uint32_t kNoPlace = ~0U;

// By column, empty unless nominal: the place of each level in the order of all rows; `kNoPlace` if no row has it.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> level_places(const ForestData& data);

}  // namespace bough::forest
