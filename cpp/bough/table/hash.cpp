// See hash.hpp.
#include "bough/table/hash.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "bough/table/keys.hpp"

namespace bough {
namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t prime2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t prime3 = 0x165667B19E3779F9U;
constexpr std::uint64_t prime4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t prime5 = 0x27D4EB2F165667C5U;
constexpr std::uint64_t no_number = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
constexpr std::uint64_t no_count = std::uint64_t{1} << 63U;
constexpr std::int64_t lanes = 4;

std::uint64_t round_of(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * prime2, 31) * prime1; }

// The hash of so many words; word(i) is asked once, in order.
template <class Word>
std::uint64_t hash_words(std::int64_t count, Word word) {
  std::int64_t i = 0;
  std::uint64_t hash = prime5;
  if (count >= lanes) {
    std::array<std::uint64_t, lanes> lane = {prime1 + prime2, prime2, 0, std::uint64_t{0} - prime1};
    for (; i + lanes <= count; i += lanes) {
      for (std::int64_t k = 0; k < lanes; ++k) {
        const auto at = static_cast<std::size_t>(k);
        lane[at] = round_of(lane[at], word(i + k));
      }
    }
    hash = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) + std::rotl(lane[3], 18);
    for (const std::uint64_t one : lane) hash = (hash ^ round_of(0, one)) * prime1 + prime4;
  }
  hash += static_cast<std::uint64_t>(count) * sizeof(std::uint64_t);
  for (; i < count; ++i) hash = std::rotl(hash ^ round_of(0, word(i)), 27) * prime1 + prime4;
  hash = (hash ^ (hash >> 33U)) * prime2;
  hash = (hash ^ (hash >> 29U)) * prime3;
  return hash ^ (hash >> 32U);
}

// Both zeros are one number: 0.0 is added to have the one without a sign.
std::uint64_t word_of(double value) {
  return std::isnan(value) ? no_number : std::bit_cast<std::uint64_t>(value + 0.0);
}

template <class T>
std::uint64_t hash_floats(const ColumnView& column, std::int64_t rows) {
  return hash_words(rows, [&](std::int64_t row) { return word_of(static_cast<double>(cell<T>(column, row))); });
}

template <class T>
std::uint64_t hash_whole(const ColumnView& column, std::int64_t rows, WholeAs whole, std::uint64_t scale) {
  if (whole == WholeAs::count) {
    return hash_words(rows, [&](std::int64_t row) {
      return is_masked(column, row) ? no_count : static_cast<std::uint64_t>(cell<T>(column, row)) * scale;
    });
  }
  return hash_words(rows, [&](std::int64_t row) {
    return is_masked(column, row) ? no_number : word_of(static_cast<double>(cell<T>(column, row)));
  });
}

}  // namespace

std::uint64_t hash_column(const ColumnView& column, std::size_t rows, WholeAs whole, std::uint64_t scale) {
  const auto count = static_cast<std::int64_t>(rows);
  switch (column.type) {
    case ColumnView::Type::f32:
      return hash_floats<float>(column, count);
    case ColumnView::Type::f64:
      return hash_floats<double>(column, count);
    case ColumnView::Type::i32:
      return hash_whole<std::int32_t>(column, count, whole, scale);
    case ColumnView::Type::i64:
      return hash_whole<std::int64_t>(column, count, whole, scale);
    default:
      return hash_whole<std::uint64_t>(column, count, whole, scale);
  }
}

}  // namespace bough
