// 64 rows at once, as the bits of a word: which of them pass a test.
#pragma once

#include <bit>
#include <cstdint>

namespace bough {

// The bits r of `asked` for which test(r) is true. Where many are asked all up to the highest one are tested: that is
// quicker than finding them.
template <class Test>
[[nodiscard]] std::uint64_t filter_bits(std::uint64_t asked, const Test& test) {
  constexpr int few = 16;
  std::uint64_t found = 0;
  if (std::popcount(asked) > few) {
    const auto end = static_cast<unsigned>(std::bit_width(asked));
    for (unsigned r = 0; r < end; ++r) found |= static_cast<std::uint64_t>(test(r)) << r;
    return found & asked;
  }
  for (; asked != 0; asked &= asked - 1) {
    const auto r = static_cast<unsigned>(std::countr_zero(asked));
    found |= static_cast<std::uint64_t>(test(r)) << r;
  }
  return found;
}

}  // namespace bough
