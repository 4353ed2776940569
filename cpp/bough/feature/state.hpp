// Where a feature of a row has no value: what is said instead of a branch, below all branch numbers.
#pragma once

#include <cstdint>

namespace bough {

struct State {
  static constexpr std::int32_t known = 0;
  static constexpr std::int32_t missing = -1;
  static constexpr std::int32_t unseen = -2;  // a level that no training row had
  static constexpr std::int32_t absent = -3;  // a level that no training row of the node had
};

}  // namespace bough
