// Errors to expect of a leaf: published and computed figures at the confidence 0.25, and the ends of the range.
#include <doctest/doctest.h>

#include "bough/base/error.hpp"
#include "bough/pruning/pessimist.hpp"

namespace bough::testing {

TEST_CASE("errors to expect beyond those made, at the usual confidence") {
  const Pessimist usual(0.25, 0.75);
  const double figures[][3] = {{6, 0, 1.237796844},     {9, 0, 1.284804154},    {1, 0, 0.75},
                               {16, 1, 1.475714632},    {168, 1, 1.573759113},  {100, 10, 2.749611451},
                               {41.73, 7, 2.314276991}, {2.5, 0.3, 1.02797152}, {3, 1, 1.044310339},
                               {1.2, 1, 0.2},           {3, 2.6, 0.4}};
  for (const auto& [weight, wrong, added] : figures) {
    CHECK(usual.added(weight, wrong) == doctest::Approx(added).epsilon(1e-9));
  }
}

TEST_CASE("the smaller the confidence, the more errors; above a half none") {
  double last = 0.0;
  for (const double confidence : {0.7, 0.5, 0.25, 0.1, 0.01, 1e-6, 1e-300}) {
    const Pessimist pessimist(confidence, 1.0 - confidence);
    CHECK(pessimist.added(50.0, 0.0) >= last);
    CHECK(pessimist.added(50.0, 0.0) <= 50.0);
    last = pessimist.added(50.0, 0.0);
    CHECK(pessimist.added(50.0, 3.0) >= 0.0);
  }
  CHECK(Pessimist(0.7, 0.3).added(50.0, 3.0) == 0.0);
  CHECK_THROWS_AS(Pessimist(0.0, 1.0), InvalidInput);
  CHECK_THROWS_AS(Pessimist(1.0, 0.0), InvalidInput);
  CHECK_THROWS_AS(Pessimist(0.25, 0.7), InvalidInput);
}

}  // namespace bough::testing
