// Tails against tabled values.
#include <doctest/doctest.h>

#include <cmath>

#include "bough/base/distributions.hpp"

namespace bough::testing {

TEST_CASE("chi-squared tails have their tabled values") {
  CHECK(std::exp(log_chi_squared_tail(3.841458820694124, 1.0)) == doctest::Approx(0.05).epsilon(1e-10));
  CHECK(std::exp(log_chi_squared_tail(6.634896601021213, 1.0)) == doctest::Approx(0.01).epsilon(1e-10));
  CHECK(std::exp(log_chi_squared_tail(18.307038053275146, 10.0)) == doctest::Approx(0.05).epsilon(1e-10));
  CHECK(std::exp(log_chi_squared_tail(0.5, 3.0)) == doctest::Approx(0.9188914116).epsilon(1e-9));
  CHECK(log_chi_squared_tail(0.0, 3.0) == 0.0);
  CHECK(log_chi_squared_tail(2000.0, 1.0) == doctest::Approx(-1004.0267).epsilon(1e-6));
}

TEST_CASE("F tails have their tabled values") {
  CHECK(std::exp(log_f_tail(4.964602743730711, 1.0, 10.0)) == doctest::Approx(0.05).epsilon(1e-9));
  CHECK(std::exp(log_f_tail(2.9782370160823213, 10.0, 10.0)) == doctest::Approx(0.05).epsilon(1e-9));
}

TEST_CASE("ways to choose and to part") {
  CHECK(std::exp(log_choose(10.0, 3.0)) == doctest::Approx(120.0));
  CHECK(std::exp(log_partitions(5, 2)) == doctest::Approx(15.0));
  CHECK(std::exp(log_partitions(6, 3)) == doctest::Approx(90.0));
  CHECK(std::isinf(log_partitions(2, 3)));
}

}  // namespace bough::testing
