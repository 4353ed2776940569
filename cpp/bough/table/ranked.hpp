// A ranked column: for each row the rank of its value among the distinct values of the column. Made once and shared
// by all trees, folds and forests that grow on the same rows. Ranks are exact: two adjacent doubles get two ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/split/split.hpp"

namespace bough {

// Columns with at most this many ranks are counted in a table instead of being kept sorted.
inline constexpr std::uint32_t kTableRanks = 255;

enum class ColumnKind : std::uint8_t { numeric = 0, ordered = 1, nominal = 2 };

// One column as the caller holds it: read in place, never copied. Strides count elements; `missing` may be null.
// Missing are NaN, negative codes, and rows whose entry in `missing` is not 0.
struct ColumnView {
  enum class Type : std::uint8_t { f32, f64, i32, i64, u64 };
  ColumnKind kind = ColumnKind::numeric;
  Type type = Type::f64;
  const void* data = nullptr;
  std::int64_t stride = 1;
  const std::uint8_t* missing = nullptr;
  std::int64_t missing_stride = 1;

  // The value of a row as the bits of the type in which thresholds of this column are written.
  [[nodiscard]] std::uint64_t value_bits(std::size_t row) const;
  [[nodiscard]] ValueType value_type() const;
  [[nodiscard]] const void* address(std::size_t row) const {
    const std::int64_t width = type == Type::f32 || type == Type::i32 ? 4 : 8;
    return static_cast<const char*>(data) + static_cast<std::int64_t>(row) * stride * width;
  }
};

struct RankedColumn {
  ColumnView view;
  std::vector<std::uint32_t> rank;  // one a row; coded columns: the code; missing: `ranks`
  std::uint32_t ranks = 0;          // number of distinct values, or of levels
  bool has_missing = false;
  std::vector<std::uint32_t> sample;  // columns of few ranks (kTableRanks): a row for each rank that occurs
  // A bit a row: set where another row may have the same rank. Numeric columns in which most values occur once; in the
  // others it is empty, and any row may. Small enough for the near caches, unlike the ranks.
  std::vector<std::uint64_t> shared;

  [[nodiscard]] bool is_missing(std::size_t row) const { return rank[row] == ranks; }
};

// `used` may be null; rows with used[row] == 0 get the rank of missing values and contribute no value.
// `levels` is the number of levels of a coded column (ordered or nominal), ignored for numeric ones.
RankedColumn rank_column(const ColumnView& column, std::size_t rows, std::uint32_t levels, const std::uint8_t* used);

struct RankedTable {
  std::size_t rows = 0;
  std::vector<RankedColumn> columns;
};

}  // namespace bough
