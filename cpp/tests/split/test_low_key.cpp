// Thresholds of every type against columns of every type, at the places where a rounded comparison goes wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "bough/split/low_key.hpp"
#include "bough/table/keys.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

constexpr std::int64_t two53 = 9007199254740992;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
KeyFamily family() {
  if (std::is_floating_point_v<T>) return KeyFamily::real;
  return std::is_signed_v<T> ? KeyFamily::integer : KeyFamily::natural;
}

template <class T>
bool is_low(T x, const Threshold& t) {
  const auto last = last_low_key(t, family<T>());
  return last && key_of(x) <= *last;
}

}  // namespace

TEST_CASE("keys keep the order of doubles, and both zeros are one") {
  const double values[] = {-infinity, -1e308,  -1.0, -5e-324, 0.0, 5e-324, 1.0, std::nextafter(1.0, 2.0),
                           1e308,     infinity};
  for (std::size_t i = 1; i < std::size(values); ++i) CHECK(key_of(values[i - 1]) < key_of(values[i]));
  CHECK(key_of(-0.0) == key_of(0.0));
  CHECK(key_of(std::nan("")) == unknown_key);
  CHECK(key_of(-infinity) > unknown_key);
}

TEST_CASE("a double threshold on doubles") {
  const double next = std::nextafter(1.0, 2.0);
  CHECK(is_low(1.0, at(1.0)));
  CHECK_FALSE(is_low(next, at(1.0)));
  CHECK_FALSE(is_low(1.0, at(1.0, Side::lt)));
  CHECK(is_low(1.0, at(next, Side::lt)));
  CHECK(is_low(-0.0, at(0.0)));
  CHECK(is_low(0.0, at(-0.0)));
  CHECK_FALSE(is_low(-0.0, at(0.0, Side::lt)));
  CHECK(is_low(-5e-324, at(0.0, Side::lt)));
  CHECK(is_low(-infinity, at(-infinity)));
  CHECK_FALSE(is_low(-infinity, at(-infinity, Side::lt)));
  CHECK(is_low(1e308, at(infinity, Side::lt)));
  CHECK_FALSE(is_low(infinity, at(infinity, Side::lt)));
}

TEST_CASE("a float is compared as the double that it is") {
  CHECK_FALSE(is_low(0.1F, at(0.1)));  // the float nearest to 0.1 is above the double nearest to 0.1
  CHECK(is_low(0.1F, at(static_cast<double>(0.1F))));
}

TEST_CASE("an integer threshold on doubles") {
  const auto big = static_cast<double>(two53);
  CHECK(is_low(big, at_int(two53 + 1)));
  CHECK(is_low(big, at_int(two53 + 1, Side::lt)));
  CHECK_FALSE(is_low(big + 2, at_int(two53 + 1)));
  CHECK(is_low(big, at_int(two53)));
  CHECK_FALSE(is_low(big, at_int(two53, Side::lt)));
  CHECK_FALSE(is_low(std::ldexp(1.0, 63), at_int(most)));
  CHECK(is_low(std::nextafter(std::ldexp(1.0, 63), 0.0), at_int(most)));
  CHECK_FALSE(is_low(std::ldexp(1.0, 64), at_uint(top)));
  CHECK(is_low(std::nextafter(std::ldexp(1.0, 64), 0.0), at_uint(top, Side::lt)));
  CHECK(is_low(-std::ldexp(1.0, 63), at_int(least)));
  CHECK_FALSE(is_low(-std::ldexp(1.0, 63), at_int(least, Side::lt)));
}

TEST_CASE("thresholds on signed integers") {
  CHECK(is_low(std::int64_t{2}, at(2.5)));
  CHECK_FALSE(is_low(std::int64_t{3}, at(2.5)));
  CHECK(is_low(std::int64_t{-3}, at(-2.5)));
  CHECK(is_low(std::int64_t{2}, at(2.5, Side::lt)));
  CHECK_FALSE(is_low(std::int64_t{2}, at(2.0, Side::lt)));
  CHECK_FALSE(is_low(two53 + 1, at(static_cast<double>(two53))));
  CHECK_FALSE(is_low(two53 + 1, at_int(two53)));
  CHECK(is_low(most, at(infinity)));
  CHECK(is_low(most, at(std::ldexp(1.0, 63), Side::lt)));
  CHECK_FALSE(is_low(least, at(-infinity)));
  CHECK(is_low(least, at(-std::ldexp(1.0, 63))));
  CHECK_FALSE(is_low(least, at(-std::ldexp(1.0, 63), Side::lt)));
  CHECK_FALSE(is_low(least, at_int(least, Side::lt)));
  CHECK(is_low(most, at_uint(top)));
  CHECK(is_low(std::int64_t{-1}, at_uint(0, Side::lt)));
  CHECK_FALSE(is_low(std::int64_t{0}, at_uint(0, Side::lt)));
}

TEST_CASE("thresholds on unsigned integers") {
  CHECK_FALSE(is_low(std::uint64_t{0}, at(-0.5)));
  CHECK(is_low(std::uint64_t{0}, at(-0.0)));
  CHECK_FALSE(is_low(std::uint64_t{0}, at(0.0, Side::lt)));
  CHECK(is_low(std::uint64_t{0}, at(0.5, Side::lt)));
  CHECK_FALSE(is_low(std::uint64_t{0}, at_int(-1)));
  CHECK_FALSE(is_low(std::uint64_t{0}, at_uint(0, Side::lt)));
  CHECK(is_low(std::uint64_t{0}, at_int(0)));
  CHECK(is_low(top, at(std::ldexp(1.0, 64))));
  CHECK(is_low(top, at(std::ldexp(1.0, 64), Side::lt)));
  CHECK_FALSE(is_low(top, at_uint(top - 1)));
  CHECK_FALSE(is_low(top, at_uint(top, Side::lt)));
}

}  // namespace bough::testing
