// Columns over values that a test holds.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough::testing {

template <class T>
constexpr ColumnView::Type type_of() {
  if constexpr (std::is_same_v<T, float>) return ColumnView::Type::f32;
  if constexpr (std::is_same_v<T, double>) return ColumnView::Type::f64;
  if constexpr (std::is_same_v<T, std::int32_t>) return ColumnView::Type::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ColumnView::Type::i64;
  return ColumnView::Type::u64;
}

// Numbers, or the codes of levels, which are of 32 bits.
template <class T>
ColumnView view(const std::vector<T>& values,
                ColumnKind kind = std::is_same_v<T, std::int32_t> ? ColumnKind::nominal : ColumnKind::numeric) {
  ColumnView column;
  column.kind = kind;
  column.type = type_of<T>();
  column.data = values.data();
  return column;
}

}  // namespace bough::testing
