// See keys.hpp.
#include "bough/table/keys.hpp"

namespace bough {
namespace {

template <class T>
void fill_numeric(const ColumnView& column, std::int64_t begin, std::int64_t rows, std::int64_t* keys) {
  if (column.stride == 1) {
    const auto* at = static_cast<const std::byte*>(column.data) + begin * std::int64_t{sizeof(T)};
    for (std::int64_t r = 0; r < rows; ++r) {
      T value;
      std::memcpy(&value, at + r * std::int64_t{sizeof(T)}, sizeof value);
      keys[r] = key_of(value);
    }
  } else {
    for (std::int64_t r = 0; r < rows; ++r) keys[r] = key_of(cell<T>(column, begin + r));
  }
  if (column.missing == nullptr) return;
  for (std::int64_t r = 0; r < rows; ++r) {
    if (is_masked(column, begin + r)) keys[r] = unknown_key;
  }
}

void fill_codes(const ColumnView& column, std::int64_t begin, std::int64_t rows, std::int64_t* keys) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto code = cell<std::int32_t>(column, begin + r);
    keys[r] = code < 0 ? unknown_key : code;
  }
}

}  // namespace

void fill_keys(const ColumnView& column, std::int64_t begin, std::int64_t rows, std::int64_t* keys) {
  if (column.kind != ColumnKind::numeric) return fill_codes(column, begin, rows, keys);
  switch (column.type) {
    case ColumnView::Type::f32:
      return fill_numeric<float>(column, begin, rows, keys);
    case ColumnView::Type::f64:
      return fill_numeric<double>(column, begin, rows, keys);
    case ColumnView::Type::i32:
      return fill_numeric<std::int32_t>(column, begin, rows, keys);
    case ColumnView::Type::i64:
      return fill_numeric<std::int64_t>(column, begin, rows, keys);
    case ColumnView::Type::u64:
      return fill_numeric<std::uint64_t>(column, begin, rows, keys);
  }
}

}  // namespace bough
