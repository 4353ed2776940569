// The builder: what it derives, and the calls it refuses.
#include <doctest/doctest.h>

#include <vector>

#include "bough/base/error.hpp"
#include "bough/tree/structure.hpp"
#include "tree/examples.hpp"

namespace bough::testing {

TEST_CASE("freezing derives ranges, branches and children") {
  const Tree tree = two_tests().freeze();
  CHECK(tree.size() == 6);
  CHECK(tree.end == std::vector<std::int32_t>{6, 2, 6, 4, 5, 6});
  CHECK(tree.branch == std::vector<std::int32_t>{0, 0, 1, 0, 1, 2});
  CHECK(tree.child_begin == std::vector<std::int32_t>{0, 2, 2, 5, 5, 5, 5});
  CHECK(tree.children == std::vector<std::int32_t>{1, 2, 3, 4, 5});
  CHECK(tree.split_begin == std::vector<std::int64_t>{0, 2, 2, 3, 3, 3, 3});
  CHECK(tree.splits.payload[2] == 1);
  CHECK(node_depths(tree) == std::vector<std::int32_t>{0, 1, 1, 2, 2, 2});
}

TEST_CASE("a chain of 100,000 tests is an ordinary tree") {
  const Tree tree = chain(100'000);
  CHECK(tree.size() == 200'001);
  CHECK(node_depths(tree).back() == 100'000);
}

TEST_CASE("nodes come in preorder and siblings in the order of their branches") {
  TreeBuilder builder({}, {});
  CHECK_THROWS_AS(builder.add_value_node(0, 0, {}, 0.0), InvalidInput);
  builder.add_value_node(-1, 0, {}, 0.0);
  builder.add_threshold(on_column(0), at(0.0), 0);
  CHECK_THROWS_AS(builder.add_value_node(0, 1, {}, 0.0), InvalidInput);
  CHECK_THROWS_AS(builder.add_value_node(1, 0, {}, 0.0), InvalidInput);
  builder.add_value_node(0, 0, {}, 0.0);
  builder.add_value_node(0, 1, {}, 0.0);
  builder.add_value_node(1, 0, {}, 0.0);  // the subtree of node 1 is complete
  CHECK_THROWS_WITH_AS(static_cast<void>(builder.freeze()),
                       "parent[3]: nodes are in preorder, but the subtree of node 1 was already complete",
                       InvalidInput);
  CHECK_THROWS_AS(static_cast<void>(builder.freeze()), InvalidInput);
}

TEST_CASE("an answer fits the kind of the tree") {
  TreeBuilder regression({}, {});
  CHECK_THROWS_AS(regression.add_class_node(-1, 0, {}, 0, {}, {}), InvalidInput);
  TreeBuilder classification({1.0}, {});
  CHECK_THROWS_AS(classification.add_value_node(-1, 0, {}, 0.0), InvalidInput);
  CHECK_THROWS_AS(classification.add_levels(on_column(0), {}, {}), InvalidInput);
}

}  // namespace bough::testing
