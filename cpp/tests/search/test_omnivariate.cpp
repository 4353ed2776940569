// The tests by which a node chooses among searches, against values worked out by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bough/search/omnivariate.hpp"

namespace bough::testing {

TEST_CASE("five times two halves: no difference, no spread, and a case in between") {
  CHECK(log_p_of_halves(std::vector<double>(10, 0.0)) == 0.0);
  CHECK(log_p_of_halves(std::vector<double>(10, 0.1)) == -std::numeric_limits<double>::infinity());
  // Differences 0.1 and 0.3 each time: squares 0.5, variances 0.02 each, F = 0.5 / 0.2 = 2.5.
  const double p = std::exp(log_p_of_halves({0.1, 0.3, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3}));
  CHECK(p == doctest::Approx(0.1615).epsilon(0.01));
}

TEST_CASE("McNemar's exact test counts the rows that only one of two has right") {
  CHECK(p_of_disagreement(0, 0) == 1.0);
  CHECK(p_of_disagreement(3, 3) == 1.0);
  CHECK(p_of_disagreement(9, 1) == doctest::Approx(22.0 / 1024.0));
  CHECK(p_of_disagreement(0, 6) == doctest::Approx(2.0 / 64.0));
}

}  // namespace bough::testing
