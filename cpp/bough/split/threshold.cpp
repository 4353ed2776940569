#include "bough/split/threshold.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace bough {
namespace {

double between(double low, double high, double high_share) {
  if (high_share == 0.5) {
    const double sum = low + high;
    return std::isfinite(sum) ? sum / 2.0 : low / 2.0 + high / 2.0;
  }
  return (1.0 - high_share) * low + high_share * high;
}

Threshold as_double(double value, Side side) { return {std::bit_cast<std::uint64_t>(value), ValueType::f64, side}; }

Threshold between_doubles(double low, double high, double high_share, Side side) {
  const double t = between(low, high, high_share);
  const bool fits = std::isfinite(t) && std::isfinite(low) && std::isfinite(high) &&
                    (side == Side::le ? low <= t && t < high : low < t && t <= high);
  if (fits) return as_double(t, side);
  return as_double(side == Side::le ? low : high, side);
}

// A share of a whole number, rounded down.
std::uint64_t share_of(std::uint64_t whole, double share) {
  if (share == 0.5) return whole / 2;
  const double part = share * static_cast<double>(whole);
  if (!(part > 0.0)) return 0;
  return part < static_cast<double>(whole) ? static_cast<std::uint64_t>(part) : whole;
}

// Integers are apart by at least one, so a double between them exists unless they are too large for it: then the
// threshold is an integer, from low to high - 1 if equal values go low, from low + 1 to high if they go high.
template <class Integer>
Threshold between_integers(Integer low, Integer high, double high_share, Side side) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const auto a = static_cast<double>(low);
  const auto b = static_cast<double>(high);
  if (std::abs(a) < kExact && std::abs(b) < kExact) {
    const double t = between(a, b, high_share);
    if (side == Side::le ? a <= t && t < b : a < t && t <= b) return as_double(t, side);
  }
  // Modulo 2^64, so that the distance of any two integers of one type fits.
  const std::uint64_t apart = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t steps = share_of(apart, high_share);
  const std::uint64_t inside = side == Side::le ? std::min(steps, apart - 1) : std::max<std::uint64_t>(steps, 1);
  return {static_cast<std::uint64_t>(low) + inside, std::is_signed_v<Integer> ? ValueType::i64 : ValueType::u64, side};
}

}  // namespace

Threshold threshold_between(const ColumnView& column, std::size_t low_row, std::size_t high_row, double low_share,
                            CutRule rule, Side side) {
  const double high_share = rule == CutRule::weighted ? low_share : 0.5;
  const std::uint64_t low = column.value_bits(low_row);
  const std::uint64_t high = column.value_bits(high_row);
  if (column.kind == ColumnKind::ordered) {
    // Levels between the two go to the nearer end; one in the very middle goes low.
    const std::int64_t middle = (std::bit_cast<std::int64_t>(low) + std::bit_cast<std::int64_t>(high)) / 2;
    return {std::bit_cast<std::uint64_t>(middle), ValueType::i64, Side::le};
  }
  switch (column.value_type()) {
    case ValueType::f64:
      return between_doubles(std::bit_cast<double>(low), std::bit_cast<double>(high), high_share, side);
    case ValueType::i64:
      return between_integers(std::bit_cast<std::int64_t>(low), std::bit_cast<std::int64_t>(high), high_share, side);
    case ValueType::u64:
      break;
  }
  return between_integers(low, high, high_share, side);
}

}  // namespace bough
