// Rows as the keys that the cuts of a forest are compared with: a block of rows, one row after the other; behind the
// columns lies the key of the leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "bough/forest/forest.hpp"
#include "bough/table/ranked.hpp"

namespace bough::forest {

class KeyBlock {
 public:
  // Room for so many rows.
  KeyBlock(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows)
      : forest_(forest), columns_(columns), stride_(columns.size() + 1), key_(stride_ * rows, 0) {
    for (const Coding& coding : forest.column) special_ = special_ || coding.levels > 0;
  }

  void fill(std::size_t begin, std::size_t rows) {
    missing_ = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) fill_column(c, begin, rows);
  }
  [[nodiscard]] const std::uint32_t* keys() const { return key_.data(); }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] bool special() const { return special_ || missing_; }

 private:
  void fill_column(std::size_t c, std::size_t begin, std::size_t rows) {
    const ColumnView& view = columns_[c];
    switch (view.type) {
      case ColumnView::Type::f32:
        return read<float>(c, begin, rows);
      case ColumnView::Type::f64:
        return read<double>(c, begin, rows);
      case ColumnView::Type::i32:
        return read<std::int32_t>(c, begin, rows);
      case ColumnView::Type::i64:
        return read<std::int64_t>(c, begin, rows);
      case ColumnView::Type::u64:
        break;
    }
    read<std::uint64_t>(c, begin, rows);
  }

  template <class Value>
  void read(std::size_t c, std::size_t begin, std::size_t rows) {
    const ColumnView& view = columns_[c];
    const Coding& coding = forest_.column[c];
    const auto* data = static_cast<const Value*>(view.data);
    const bool codes = view.kind != ColumnKind::numeric;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto at = static_cast<std::int64_t>(begin + i);
      const Value value = data[at * view.stride];
      bool missing = view.missing != nullptr && view.missing[at * view.missing_stride] != 0;
      if constexpr (std::is_floating_point_v<Value>) missing = missing || std::isnan(value);
      if constexpr (std::is_signed_v<Value> && !std::is_floating_point_v<Value>)
        missing = missing || (codes && value < 0);
      std::uint32_t key = kMissingKey;
      if (missing) {
        missing_ = true;
      } else if (coding.levels > 0) {
        key = static_cast<std::uint32_t>(value);
        if (key >= coding.levels - 1) key = kMissingKey;  // a level that the forest has not seen
      } else {
        key = number_key(coding, static_cast<double>(value));
      }
      key_[i * stride_ + c] = key;
    }
  }

  static std::uint32_t number_key(const Coding& coding, double value) {
    if (coding.threshold.empty()) return float_key(float_above(value));
    return static_cast<std::uint32_t>(std::ranges::lower_bound(coding.threshold, value) - coding.threshold.begin());
  }

  const Forest& forest_;
  std::span<const ColumnView> columns_;
  std::size_t stride_;
  std::vector<std::uint32_t> key_;
  bool special_ = false;
  bool missing_ = false;
};

}  // namespace bough::forest
