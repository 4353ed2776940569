#include "bough/split/goes_low.hpp"

#include <bit>
#include <cmath>

namespace bough {

bool goes_low(const ColumnView& view, std::size_t row, const Threshold& threshold) {
  const std::uint64_t bits = view.value_bits(row);
  const bool equal_is_low = threshold.side == Side::le;
  const ValueType own = view.kind == ColumnKind::numeric ? view.value_type() : ValueType::i64;
  if (threshold.type != own && threshold.type != ValueType::f64) {
    const Threshold value{bits, own, Side::le};
    return equal_is_low ? !is_below(threshold, value) : is_below(value, threshold);
  }
  if (view.kind == ColumnKind::numeric && view.value_type() == ValueType::f64) {
    const double x = std::bit_cast<double>(bits);
    return equal_is_low ? x <= threshold.as_f64() : x < threshold.as_f64();
  }
  const bool is_unsigned = view.kind == ColumnKind::numeric && view.value_type() == ValueType::u64;
  if (threshold.type == ValueType::f64) {
    const double t = threshold.as_f64();
    const double least = is_unsigned ? 0.0 : -0x1p63;
    const double beyond = is_unsigned ? 0x1p64 : 0x1p63;
    if (t < least) return false;
    if (t >= beyond) return true;
    // x <= t as x <= floor(t), x < t as x < ceil(t); a ceiling may be beyond the type.
    const double whole = equal_is_low ? std::floor(t) : std::ceil(t);
    if (whole >= beyond) return true;
    if (is_unsigned) {
      const auto bound = static_cast<std::uint64_t>(whole);
      return equal_is_low ? bits <= bound : bits < bound;
    }
    const auto x = std::bit_cast<std::int64_t>(bits);
    const auto bound = static_cast<std::int64_t>(whole);
    return equal_is_low ? x <= bound : x < bound;
  }
  if (threshold.type == ValueType::u64) return equal_is_low ? bits <= threshold.bits : bits < threshold.bits;
  const auto x = std::bit_cast<std::int64_t>(bits);
  return equal_is_low ? x <= threshold.as_i64() : x < threshold.as_i64();
}

}  // namespace bough
