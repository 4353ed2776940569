// A threshold in the type of the column at hand, exactly: no value changes sides through a conversion.
#pragma once

#include <cstdint>
#include <optional>

#include "bough/predict/keys.hpp"
#include "bough/split/split.hpp"

namespace bough {

// The key of the largest value of the family that goes low (x <= t or x < t in exact arithmetic); none if all go high.
[[nodiscard]] std::optional<std::int64_t> last_low_key(const Threshold& threshold, KeyFamily family);

}  // namespace bough
