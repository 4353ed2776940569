#include "bough/stats/contingency.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace bough::testing {

TEST_CASE("the statistic of a table of two groups by two classes, by hand") {
  // Rows 30 and 70, columns 50 and 50: 15 and 35 are expected, and every cell is 5 away.
  const std::vector<double> count = {20, 10, 30, 40};
  const ChiSquared found = chi_squared(count, 2);
  CHECK(found.value == doctest::Approx(25.0 / 15 + 25.0 / 15 + 25.0 / 35 + 25.0 / 35));
  CHECK(found.df == 1.0);
  CHECK(found.all == 100.0);
  CHECK(chi_squared_of_first(count, 2).value == doctest::Approx(50.0 / 15));
  CHECK(chi_squared_of_first(count, 2).df == 1.0);
}

TEST_CASE("groups and classes without weight take no part") {
  const ChiSquared whole = chi_squared(std::vector<double>{20, 10, 30, 40}, 2);
  const ChiSquared padded = chi_squared(std::vector<double>{20, 0, 10, 0, 0, 0, 30, 0, 40}, 3);
  CHECK(padded.value == doctest::Approx(whole.value));
  CHECK(padded.df == whole.df);
}

}  // namespace bough::testing
