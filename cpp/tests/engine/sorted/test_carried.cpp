// Carried sums: the best cut or set, minima, and which side is left.
#include <doctest/doctest.h>

#include <vector>

#include "bough/engine/sorted/carried.hpp"

namespace bough::testing {
namespace {

Target classes(std::uint32_t number) {
  Target target;
  target.classes = number;
  target.growth_scale.assign(number, 1.0);
  return target;
}

}  // namespace

TEST_CASE("a carried cut takes the best place between two values") {
  const std::vector<CarriedRow> rows = {{0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {3, 2, 1}, {4, 3, 1}};
  const CarriedSplit split = carried_cut(rows, classes(2), Criterion::gini, {});
  REQUIRE(split.any);
  CHECK(split.position == 3);
  CHECK(split.gain == doctest::Approx(2.4));  // 5 rows of impurity 0.48
  CHECK(split.first_is_left);
}

TEST_CASE("entropy is summed in natural logarithms") {
  const std::vector<CarriedRow> rows = {{0, 0, 0}, {1, 1, 1}};
  const CarriedSplit split = carried_cut(rows, classes(2), Criterion::entropy, {});
  CHECK(split.gain / carried_unit(Criterion::entropy) == doctest::Approx(2.0));
}

TEST_CASE("minima count rows and weights of both sides") {
  const std::vector<CarriedRow> rows = {{0, 0, 0, 0.0, 3.0}, {1, 1, 1, 0.0, 1.0}, {2, 2, 1, 0.0, 1.0}};
  CutLimits limits;
  limits.min_weight = 2.5;
  CHECK_FALSE(carried_cut(rows, classes(2), Criterion::gini, limits).any);
  limits.min_weight = 2.0;
  CHECK(carried_cut(rows, classes(2), Criterion::gini, limits).position == 1);
  limits.min_rows = 2;
  CHECK_FALSE(carried_cut(rows, classes(2), Criterion::gini, limits).any);
}

TEST_CASE("a cut that gains nothing counts only where it is asked for") {
  const std::vector<CarriedRow> rows = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}};
  CutLimits limits;
  CHECK_FALSE(carried_cut(rows, classes(2), Criterion::gini, limits).any);
  limits.zero_gain = true;
  CHECK(carried_cut(rows, classes(2), Criterion::gini, limits).position == 2);
}

TEST_CASE("a carried set finds the levels that belong together, the last declared one present or not") {
  const std::vector<CarriedRow> rows = {{0, 0, 0}, {1, 1, 1}, {2, 2, 0}, {3, 3, 2}, {4, 3, 2}, {5, 3, 2}};
  for (const std::uint32_t levels : {4U, 5U}) {
    const CarriedSplit split = carried_subset(rows, levels, classes(3), Criterion::gini, {});
    REQUIRE(split.any);
    CHECK(split.code == std::vector<std::int32_t>{0, 1, 2, 3});
    CHECK(split.first[0] == split.first[2]);
    CHECK(split.first[0] == split.first[1]);
    CHECK(split.first[0] != split.first[3]);
    CHECK(split.first_is_left == (split.first[0] == 1));
  }
}

TEST_CASE("regression: the levels of the lower mean are left") {
  const std::vector<CarriedRow> rows = {{0, 0, 0, 5.0}, {1, 2, 0, 1.0}, {2, 1, 0, 5.5}, {3, 2, 0, 1.5}};
  const CarriedSplit split = carried_subset(rows, 3, Target{}, Criterion::squared_error, {});
  REQUIRE(split.any);
  CHECK(split.first == std::vector<std::uint8_t>{0, 0, 1});
  CHECK(split.first_is_left);
  CHECK(split.gain == doctest::Approx(16.0));
}

}  // namespace bough::testing
