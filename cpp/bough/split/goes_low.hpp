// Which side of a threshold a value of the training table is on.
#pragma once

#include "bough/split/split.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Whether the value of a row is on the low side of a threshold of its column, in exact arithmetic.
[[nodiscard]] bool goes_low(const ColumnView& view, std::size_t row, const Threshold& threshold);

}  // namespace bough
