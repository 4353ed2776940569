// Where between two neighbouring values of a column the threshold lies.
#pragma once

#include "bough/engine/options.hpp"
#include "bough/split/split.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// A threshold t with low <= t < high (side le) or low < t <= high (side lt), as a double where one fits, else as a
// value of the column's own type; next to an infinite value it is a data value. `low_share` is the share of the known
// weight that goes low: the weighted rule gives (1 - share) low + share high.
Threshold threshold_between(const ColumnView& column, std::size_t low_row, std::size_t high_row, double low_share,
                            CutRule rule, Side side);

}  // namespace bough
