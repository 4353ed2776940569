// Cutting deletes ranges, keeps everything else, and tells where each node came from.
#include <doctest/doctest.h>

#include <vector>

#include "bough/base/error.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/validate.hpp"
#include "tree/examples.hpp"

namespace bough::testing {

TEST_CASE("cutting an inner node makes it a leaf") {
  const Tree tree = two_tests().freeze();
  const CutTree result = cut(tree, std::vector<std::int32_t>{2});
  validate(result.tree);
  CHECK(result.origin == std::vector<std::int32_t>{0, 1, 2});
  CHECK(result.tree.is_leaf(2));
  CHECK(result.tree.majority[2] == -1);
  CHECK(result.tree.splits.size() == 2);
  CHECK(result.tree.splits.set_begin == std::vector<std::int64_t>{0, 2});
  CHECK(result.tree.count_begin == std::vector<std::int64_t>{0, 2, 3, 5});
}

TEST_CASE("cutting the root, a leaf, nested nodes or nothing") {
  const Tree tree = two_tests().freeze();
  CHECK(cut(tree, std::vector<std::int32_t>{2, 0, 2}).origin == std::vector<std::int32_t>{0});
  CHECK(cut(tree, std::vector<std::int32_t>{1, 4}).tree.parent == tree.parent);
  CHECK(cut(tree, {}).tree.splits.set_branch == tree.splits.set_branch);
  CHECK_THROWS_AS(static_cast<void>(cut(tree, std::vector<std::int32_t>{6})), InvalidInput);
  CHECK_THROWS_AS(static_cast<void>(cut(tree, std::vector<std::int32_t>{-1})), InvalidInput);
}

TEST_CASE("edges, terms and branches of missing values go with their splits") {
  const Tree tree = every_kind().freeze();
  CHECK(cut(tree, {}).tree.splits.interval_branch == tree.splits.interval_branch);
  CHECK(cut(tree, {}).tree.splits.missing == tree.splits.missing);
  const CutTree result = cut(tree, std::vector<std::int32_t>{2, 5});
  validate(result.tree);
  const SplitPool& splits = result.tree.splits;
  CHECK(result.origin == std::vector<std::int32_t>{0, 1, 2, 5, 9, 10, 11, 12, 13});
  CHECK(splits.missing == std::vector<std::int32_t>{3, 2, 1, -1, -1});
  CHECK(splits.edge_begin == std::vector<std::int64_t>{0, 2, 3});
  CHECK(splits.interval_branch == std::vector<std::int32_t>{0, 1, 2, 1, 0});
  CHECK(splits.terms.column == std::vector<std::int32_t>{2});
  CHECK(splits.terms.negated == std::vector<std::uint8_t>{1});
  CHECK(cut(tree, std::vector<std::int32_t>{0}).tree.splits.missing.empty());
}

TEST_CASE("a deep chain is cut in linear time") {
  const Tree tree = chain(100'000);
  const CutTree result = cut(tree, std::vector<std::int32_t>{100'000});
  validate(result.tree);
  CHECK(result.tree.size() == 100'001);
  CHECK(result.origin.back() == 100'000);
}

}  // namespace bough::testing
