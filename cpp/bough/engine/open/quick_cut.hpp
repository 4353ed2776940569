// The best cut of numbers by Gini where rows weigh whole numbers, so that sums of them are exact: one walk over the
// rows in their order, without cells. Cuts that come near the best are then judged as any test is, so that the same cut
// wins, by the same gain, as if all had been.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/gain.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct QuickCut {
  bool any = false;
  Judgement judged;
  // Positions: the first and the last row of the highest value below, the first one above.
  std::uint32_t low_first = 0;
  std::uint32_t low_last = 0;
  std::uint32_t high_first = 0;
  double low_share = 0.5;  // of the known weight below
};

// Whether this growth, and this node of it, can be searched so.
[[nodiscard]] bool knows_quick_cut(const GrowOptions& options, const Target& target, const NodeView& node);

// Of a column.
[[nodiscard]] QuickCut quick_cut(const RankedColumn& column, const NodeView& node, const Target& target,
                                 const GrowOptions& options, const Judge& judge, Watch& watch);
// Of a feature that is no column: its value by position, NaN where it has none.
[[nodiscard]] QuickCut quick_cut(std::span<const double> value, const NodeView& node, const Target& target,
                                 const GrowOptions& options, const Judge& judge, Watch& watch);

}  // namespace bough
