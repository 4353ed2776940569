// The random numbers of Java's documented generator, of 48 bits and linear congruential: JRip's splits depend on them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

class JavaRandom {
 public:
  explicit JavaRandom(std::int64_t seed) : state_((static_cast<std::uint64_t>(seed) ^ multiplier) & mask) {}

  std::int32_t next_int() { return next(32); }

  // Below n, which is at most 2^31 - 1; powers of two by the high bits.
  std::size_t below(std::size_t n) {
    const auto bound = static_cast<std::uint32_t>(n);
    auto drawn = static_cast<std::uint32_t>(next(31));
    if ((bound & (bound - 1)) == 0) return static_cast<std::size_t>((std::uint64_t{bound} * drawn) >> 31U);
    std::uint32_t rest = drawn % bound;
    while (drawn - rest + (bound - 1) > 0x7fffffffU) {
      drawn = static_cast<std::uint32_t>(next(31));
      rest = drawn % bound;
    }
    return rest;
  }

 private:
  static constexpr std::uint64_t multiplier = 0x5DEECE66DU;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 48U) - 1;

  std::int32_t next(unsigned bits) {
    state_ = (state_ * multiplier + 0xBU) & mask;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(state_ >> (48U - bits)));
  }

  std::uint64_t state_;
};

}  // namespace bough
