// The columns of a forest as 32-bit keys: ranks, from which cuts are exact, or the values themselves as floats in an
// order-preserving form, from which a cut can be drawn. Levels are their codes in both. Where floats tell too few of
// the values apart, such as moments by the second, cuts are drawn by the values and placed in their ranks.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough::forest {

// Floats in the order of their keys; -0 is 0. Above all of them lies the key of a missing value.
inline constexpr std::uint32_t kMissingKey = ~0U;
inline std::uint32_t float_key(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
inline float key_float(std::uint32_t key) {
  return std::bit_cast<float>((key & 0x80000000U) != 0 ? key & 0x7fffffffU : ~key);
}
// The smallest float that is not below the value: it is at most a float t exactly if the value is.
inline float float_above(double value) {
  const auto rounded = static_cast<float>(value);
  return static_cast<double>(rounded) < value ? std::nextafter(rounded, HUGE_VALF) : rounded;
}

struct KeyColumn {
  const std::uint32_t* key = nullptr;
  std::uint32_t missing = ~0U;             // the key of rows without a value
  std::uint32_t levels = 0;                // of a nominal column, with that of missing values; 0: numbers
  const std::uint32_t* place = nullptr;    // by level, in an order of the forest by which they are cut as numbers
  std::span<const double> drawn_from;  // by rank: the value, where cuts are drawn by values that no float tells apart

  // Whether it is cut by sets of levels that each node puts together.
  [[nodiscard]] bool by_sets() const { return levels > 0 && place == nullptr; }
};

class Keys {
 public:
  // Ranks of the table; with `values` keys of the values instead, wherever these are numbers that floats tell apart.
  // `places` are those of the levels of nominal columns, empty where a column has none.
  Keys(const RankedTable& table, bool values, std::vector<std::vector<std::uint32_t>> places, int threads);

  [[nodiscard]] const std::vector<KeyColumn>& column() const { return column_; }
  // The value of a rank.
  [[nodiscard]] double value(std::size_t column, std::uint32_t rank) const { return value_[column][rank]; }
  // All keys row by row, or null where the columns are small enough to be near anyway.
  [[nodiscard]] const std::uint32_t* by_row() const { return by_row_.empty() ? nullptr : by_row_.data(); }

 private:
  std::vector<KeyColumn> column_;
  std::vector<std::vector<std::uint32_t>> key_;
  std::vector<std::vector<double>> value_;
  std::vector<std::vector<std::uint32_t>> place_;
  std::vector<std::uint32_t> by_row_;
};

}  // namespace bough::forest
