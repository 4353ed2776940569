// Which rows a rule grows on and which it is pruned on: drawn anew for each rule, class by class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/data.hpp"
#include "bough/cover/draws.hpp"
#include "bough/cover/options.hpp"

namespace bough {

struct RowParts {
  std::vector<std::uint32_t> order;  // all rows, those for growing first
  RowSet growing;
  RowSet pruning;
};

// `place` says where a class comes in the order of classes. The order of the rows matters only for the draws.
[[nodiscard]] RowParts split_rows(std::span<const std::uint32_t> rows, const CoverData& data,
                                  std::span<const std::uint32_t> place, const CoverOptions& options, Draws& draws);

}  // namespace bough
