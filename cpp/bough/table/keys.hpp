// A cell becomes a key: an int64 whose order is the order of the values, so that one comparison serves all types.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "bough/table/ranked.hpp"

namespace bough {

// Keys of one family can be compared with each other: reals, signed integers, unsigned integers.
enum class KeyFamily : std::uint8_t { real, integer, natural };

[[nodiscard]] constexpr KeyFamily family_of(ColumnView::Type type) {
  if (type == ColumnView::Type::f32 || type == ColumnView::Type::f64) return KeyFamily::real;
  return type == ColumnView::Type::u64 ? KeyFamily::natural : KeyFamily::integer;
}

// The key of a cell that needs a second look: missing, never seen, or the one integer that has no key of its own.
inline constexpr std::int64_t unknown_key = std::numeric_limits<std::int64_t>::min();

[[nodiscard]] inline std::int64_t key_of(double x) {
  if (std::isnan(x)) return unknown_key;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);                 // -0.0 becomes 0.0
  const std::uint64_t reverse = (std::uint64_t{0} - (bits >> 63U)) >> 1U;  // negative doubles are stored by magnitude
  return std::bit_cast<std::int64_t>(bits ^ reverse);
}
[[nodiscard]] inline std::int64_t key_of(float x) { return key_of(static_cast<double>(x)); }
[[nodiscard]] inline std::int64_t key_of(std::int64_t x) { return x; }
[[nodiscard]] inline std::int64_t key_of(std::int32_t x) { return x; }
[[nodiscard]] inline std::int64_t key_of(std::uint64_t x) {
  return std::bit_cast<std::int64_t>(x ^ (std::uint64_t{1} << 63U));
}

// The cell of a column whose type is T.
template <class T>
[[nodiscard]] T cell(const ColumnView& column, std::int64_t row) {
  T value;
  const auto* at = static_cast<const std::byte*>(column.data) + row * column.stride * std::int64_t{sizeof(T)};
  std::memcpy(&value, at, sizeof value);
  return value;
}

[[nodiscard]] inline bool is_masked(const ColumnView& column, std::int64_t row) {
  return column.missing != nullptr && column.missing[row * column.missing_stride] != 0;
}

[[nodiscard]] inline std::int64_t key_at(const ColumnView& column, std::int64_t row) {
  if (column.kind != ColumnKind::numeric) {
    const auto code = cell<std::int32_t>(column, row);
    return code < 0 ? unknown_key : code;
  }
  if (is_masked(column, row)) return unknown_key;
  switch (column.type) {
    case ColumnView::Type::f32:
      return key_of(cell<float>(column, row));
    case ColumnView::Type::f64:
      return key_of(cell<double>(column, row));
    case ColumnView::Type::i32:
      return key_of(cell<std::int32_t>(column, row));
    case ColumnView::Type::i64:
      return key_of(cell<std::int64_t>(column, row));
    case ColumnView::Type::u64:
      return key_of(cell<std::uint64_t>(column, row));
  }
  return unknown_key;
}

// The keys of some rows of a column, as key_at gives them.
void fill_keys(const ColumnView& column, std::int64_t begin, std::int64_t rows, std::int64_t* keys);

}  // namespace bough
