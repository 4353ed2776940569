// See low_key.hpp: three families of columns against three types of thresholds.
#include "bough/split/low_key.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace bough {
namespace {

using Key = std::optional<std::int64_t>;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr double two63 = 9223372036854775808.0;
constexpr double two64 = 18446744073709551616.0;

// Keys of neighbouring doubles differ by one (-0.0 has none: the key below 0.0 is -1, which no value takes).
Key real_below(double t, bool equal_too) { return equal_too ? key_of(t) : key_of(t) - 1; }

// `nearest` is the integer threshold rounded to a double; `order` its exact order to the integer: -1, 0 or 1.
Key real_below(double nearest, int order, bool equal_too) {
  if (order < 0) return key_of(nearest);
  return order > 0 ? key_of(nearest) - 1 : real_below(nearest, equal_too);
}

template <class Int>
int order_of(double nearest, Int exact, double beyond) {
  if (nearest >= beyond) return 1;
  const auto back = static_cast<Int>(nearest);
  return back < exact ? -1 : (back > exact ? 1 : 0);
}

Key real_key(const Threshold& t, bool equal_too) {
  if (t.type == ValueType::f64) return real_below(t.as_f64(), equal_too);
  if (t.type == ValueType::i64) {
    const auto nearest = static_cast<double>(t.as_i64());
    return real_below(nearest, order_of(nearest, t.as_i64(), two63), equal_too);
  }
  const auto nearest = static_cast<double>(t.bits);
  return real_below(nearest, order_of(nearest, t.bits, two64), equal_too);
}

Key integer_key(const Threshold& t, bool equal_too) {
  if (t.type == ValueType::f64) {
    const double x = equal_too ? std::floor(t.as_f64()) : std::ceil(t.as_f64());
    if (x >= two63) return most;
    if (x < -two63) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(x);
    if (equal_too) return whole;
    return whole == least ? Key{} : whole - 1;
  }
  if (t.type == ValueType::i64) {
    if (equal_too) return t.as_i64();
    return t.as_i64() == least ? Key{} : t.as_i64() - 1;
  }
  if (t.bits > static_cast<std::uint64_t>(most)) return most;
  return static_cast<std::int64_t>(t.bits) - (equal_too ? 0 : 1);
}

Key natural_key(const Threshold& t, bool equal_too) {
  if (t.type == ValueType::f64) {
    const double x = equal_too ? std::floor(t.as_f64()) : std::ceil(t.as_f64());
    if (x >= two64) return key_of(std::numeric_limits<std::uint64_t>::max());
    if (x < 0.0 || (x == 0.0 && !equal_too)) return std::nullopt;
    return key_of(static_cast<std::uint64_t>(x) - (equal_too ? 0U : 1U));
  }
  if (t.type == ValueType::i64 && t.as_i64() < 0) return std::nullopt;
  if (t.bits == 0 && !equal_too) return std::nullopt;
  return key_of(t.bits - (equal_too ? 0U : 1U));
}

}  // namespace

std::optional<std::int64_t> last_low_key(const Threshold& threshold, KeyFamily family) {
  const bool equal_too = threshold.side == Side::le;
  switch (family) {
    case KeyFamily::real:
      return real_key(threshold, equal_too);
    case KeyFamily::integer:
      return integer_key(threshold, equal_too);
    case KeyFamily::natural:
      return natural_key(threshold, equal_too);
  }
  return std::nullopt;
}

}  // namespace bough
