// Description lengths by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "bough/cover/description.hpp"

namespace bough::testing {
namespace {

Description half() { return {0.5, 10.0, 0.5, false}; }

}  // namespace

TEST_CASE("the theory of a rule is half of what telling its literals takes") {
  CHECK(half().theory(0) == 0.0);
  // Which one of ten: log2 10 + 9 log2 1/0.9.
  CHECK(half().theory(1) == doctest::Approx(0.5 * (std::log2(10.0) - 9.0 * std::log2(0.9))));
}

TEST_CASE("the data of a list are its errors") {
  // Nothing covered, 2 of 8 rows positive, half of them expected: log2 9, and which 2 of 8 at a share of 1/8.
  CHECK(half().data({0.0, 8.0, 0.0, 2.0}) == doctest::Approx(std::log2(9.0) + 6.0 - 6.0 * std::log2(0.875)));
  CHECK(half().data({8.0, 0.0, 0.0, 0.0}) == doctest::Approx(std::log2(9.0)));
}

TEST_CASE("a length that JRip leaves undefined is defined here") {
  const Description jrip(0.5, 10.0, 0.5, true);
  const ListCounts wrong = {3.0, 5.0, 3.0, 1.0};
  CHECK(std::isnan(jrip.data(wrong)));
  CHECK(std::isfinite(half().data(wrong)));
}

TEST_CASE("a rule that is mostly wrong is deleted, a good one stays") {
  ListCounts list = {20.0, 80.0, 0.0, 0.0};
  const Turn good = {20.0, 20.0, 80.0, 0.0, 1};
  CHECK(!half().saved(good, list));
  CHECK(list.covered == 20.0);
  ListCounts poor = {20.0, 80.0, 15.0, 10.0};
  const Turn bad = {20.0, 5.0, 80.0, 10.0, 1};
  CHECK(half().saved(bad, poor));
  CHECK(poor.covered == 0.0);
  CHECK(poor.left == 100.0);
  CHECK(poor.left_positive == 15.0);
}

}  // namespace bough::testing
