// A threshold in the type of the column at hand, exactly: no value changes sides through a conversion.
#pragma once

#include <cstdint>
#include <optional>

#include "bough/split/split.hpp"
#include "bough/table/keys.hpp"

namespace bough {

// The key of the largest value of the family that goes low (x <= t or x < t in exact arithmetic); none if all go high.
[[nodiscard]] std::optional<std::int64_t> last_low_key(const Threshold& threshold, KeyFamily family);

// Whether the value of a row, which is known, is on the low side of a threshold of its column.
[[nodiscard]] inline bool goes_low(const ColumnView& column, std::int64_t row, const Threshold& threshold) {
  const std::optional<std::int64_t> last = last_low_key(threshold, family_of(column.type));
  return last && key_at(column, row) <= *last;
}

}  // namespace bough
