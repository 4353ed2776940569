#include "bough/pruning/description_length.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/base/log_gamma.hpp"
#include "bough/pruning/merge_leaves.hpp"
#include "tree/examples.hpp"

namespace bough {

TEST_CASE("logarithms of factorials") {
  double exact = 0.0;
  for (int n = 1; n <= 170; ++n) {
    exact += std::log(static_cast<double>(n));
    CHECK(std::abs(log_gamma(n + 1.0) - exact) < 1e-13 * std::max(1.0, exact));
  }
  CHECK(log_gamma(0.5) == doctest::Approx(0.5723649429247001).epsilon(1e-13));
  CHECK(log_gamma(1e-3) == doctest::Approx(6.907178885383853).epsilon(1e-13));
  CHECK(log_gamma(1e6) == doctest::Approx(12815504.569147611).epsilon(1e-13));
  CHECK(log2_choose(10, 3) == doctest::Approx(std::log2(120.0)).epsilon(1e-12));
}

TEST_CASE("numbers have no description length") {
  const std::vector<std::int64_t> values = {4};
  CHECK_THROWS_AS(std::ignore = prune_description_length(testing::chain(3), values, {}), InvalidInput);
}

TEST_CASE("a deep chain is merged to its root") {
  const Tree tree = testing::chain(20000);
  const PrunedTree merged = merge_leaves(tree, {});
  CHECK(merged.tree.size() == 1);
  CHECK(merged.log.size() == 20000);
  CHECK(merged.log.front().leaves == 20000);  // of 20001
  CHECK(merged.log.back().leaves == 1);
  MergeOptions some;
  some.leaves = 5;
  CHECK(merge_leaves(tree, some).log.back().leaves == 5);
}

}  // namespace bough
