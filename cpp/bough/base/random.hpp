// Random numbers that are the same on every machine and with every library: splitmix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bough {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  // Below n, every number with the same chance.
  std::size_t below(std::size_t n) {
    const std::uint64_t rest = (UINT64_MAX % n + 1) % n;
    std::uint64_t drawn = next();
    while (drawn > UINT64_MAX - rest) drawn = next();
    return static_cast<std::size_t>(drawn % n);
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bough
