// 64 rows at once, as the bits of a word: how many there are, and which of them pass a test.
#pragma once

#include <bit>
#include <cstdint>

namespace bough {

// How many bits are set, pair by pair, four by four, byte by byte. What std::popcount is compiled to for any x86-64
// processor is a call.
[[nodiscard]] constexpr int count_bits(std::uint64_t word) {
  word -= (word >> 1U) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<int>((word * 0x0101010101010101U) >> 56U);
}

// The bits r of `asked` for which test(r) is true. Where many are asked all below `end` are tested: that is quicker
// than finding them.
template <class Test>
[[nodiscard]] std::uint64_t filter_bits(std::uint64_t asked, const Test& test, unsigned end = 64) {
  constexpr int few = 16;
  std::uint64_t found = 0;
  if (count_bits(asked) > few) {
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
