// See row.hpp.
#include "bough/feature/row.hpp"

namespace bough {
namespace {

double distance(std::int64_t value, std::int64_t origin) {
  // Modulo 2^64, so that the distance of any two integers fits.
  const auto apart = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(origin);
  return value >= origin ? static_cast<double>(apart) : -static_cast<double>(std::uint64_t{0} - apart);
}

double distance(std::uint64_t value, std::int64_t origin) {
  if (origin < 0) return static_cast<double>(value) - static_cast<double>(origin);
  const auto zero = static_cast<std::uint64_t>(origin);
  return value >= zero ? static_cast<double>(value - zero) : -static_cast<double>(zero - value);
}

}  // namespace

double number_at(const ColumnView& column, std::int64_t row, std::int64_t origin) {
  if (column.kind != ColumnKind::numeric) return cell<std::int32_t>(column, row);
  switch (column.type) {
    case ColumnView::Type::f32:
      return static_cast<double>(cell<float>(column, row)) - static_cast<double>(origin);
    case ColumnView::Type::f64:
      return cell<double>(column, row) - static_cast<double>(origin);
    case ColumnView::Type::i32:
      return distance(std::int64_t{cell<std::int32_t>(column, row)}, origin);
    case ColumnView::Type::i64:
      return distance(cell<std::int64_t>(column, row), origin);
    case ColumnView::Type::u64:
      break;
  }
  return distance(cell<std::uint64_t>(column, row), origin);
}

}  // namespace bough
