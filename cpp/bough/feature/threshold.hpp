// A threshold: the number that values of a column, or of a sum, are compared with, in a type that loses no digit of it.
#pragma once

#include <bit>
#include <cstdint>

namespace bough {

// In which type a threshold is written: a double where a midpoint fits, else the column's own type.
enum class ValueType : std::uint8_t { f64 = 0, i64 = 1, u64 = 2 };

// Which side of the threshold an equal value belongs to: `le` x <= t goes low, `lt` x < t goes low.
enum class Side : std::uint8_t { le = 0, lt = 1 };

// `bits` is a double, int64 or uint64, as `type` says.
struct Threshold {
  std::uint64_t bits = 0;
  ValueType type = ValueType::f64;
  Side side = Side::le;

  [[nodiscard]] double as_f64() const { return std::bit_cast<double>(bits); }
  [[nodiscard]] std::int64_t as_i64() const { return std::bit_cast<std::int64_t>(bits); }
};

}  // namespace bough
