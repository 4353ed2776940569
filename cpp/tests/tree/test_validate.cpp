// Each promise of the tree, broken once: the validator names the field and the position.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "bough/base/error.hpp"
#include "bough/tree/validate.hpp"
#include "tree/examples.hpp"

namespace bough::testing {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A code that no enumerator has, as a file may hold.
template <class Enum>
Enum unknown(std::uint8_t code) {
  return std::bit_cast<Enum>(code);
}

std::string place_after(const std::function<void(Tree&)>& edit) {
  Tree tree = two_tests().freeze();
  edit(tree);
  try {
    validate(tree);
  } catch (const InvalidInput& error) {
    return error.place();
  }
  return "accepted";
}

std::string place_of_columns(std::vector<std::int32_t> kinds, std::vector<std::int64_t> levels) {
  const Tree tree = two_tests().freeze();
  try {
    check_columns(tree, kinds, levels);
  } catch (const InvalidInput& error) {
    return error.place();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("an untouched tree passes") {
  CHECK(place_after([](Tree&) {}) == "accepted");
}

TEST_CASE("structure") {
  CHECK(place_after([](Tree& t) { t.parent[0] = 0; }) == "parent[0]");
  CHECK(place_after([](Tree& t) { t.parent[3] = 3; }) == "parent[3]");
  CHECK(place_after([](Tree& t) { t.parent[3] = 1000; }) == "parent[3]");
  CHECK(place_after([](Tree& t) { t.parent[3] = -7; }) == "parent[3]");
  CHECK(place_after([](Tree& t) { t.parent[4] = 1; }) == "parent[4]");
  CHECK(place_after([](Tree& t) { t.branch[4] = 0; }) == "branch[4]");
  CHECK(place_after([](Tree& t) { t.end[2] = 5; }) == "end[2]");
  CHECK(place_after([](Tree& t) { t.child_begin[1] = 1; }) == "child_begin[1]");
  CHECK(place_after([](Tree& t) { t.children[0] = 2; }) == "children[0]");
  CHECK(place_after([](Tree& t) { t.majority[0] = 2; }) == "majority[0]");
  CHECK(place_after([](Tree& t) { t.majority[1] = 0; }) == "majority[1]");
  CHECK(place_after([](Tree& t) { t.rows[1] = -1; }) == "rows[1]");
  CHECK(place_after([](Tree& t) { t.rows.pop_back(); }) == "rows");
  CHECK(place_after([](Tree& t) { t.split_begin[1] = 4; }) == "split_begin[2]");
  CHECK(place_after([](Tree& t) { t.split_begin[0] = 1; }) == "split_begin[0]");
  CHECK(place_after([](Tree& t) { t.split_begin[6] = 4; }) == "split_begin[6]");
  CHECK(place_after([](Tree& t) { t.split_begin[1] = 0; }) == "split_begin[1]");
  CHECK(place_after([](Tree& t) { t = Tree{}; }) != "accepted");
}

TEST_CASE("facts and answers") {
  CHECK(place_after([](Tree& t) { t.weight[2] = -1.0; }) == "weight[2]");
  CHECK(place_after([](Tree& t) { t.impurity[2] = not_a_number; }) == "impurity[2]");
  CHECK(place_after([](Tree& t) { t.risk[2] = infinity; }) == "risk[2]");
  CHECK(place_after([](Tree& t) { t.complexity[0] = -1e-300; }) == "complexity[0]");
  CHECK(place_after([](Tree& t) { t.label[5] = 2; }) == "label[5]");
  CHECK(place_after([](Tree& t) { t.label[5] = -1; }) == "label[5]");
  CHECK(place_after([](Tree& t) { t.count_class[1] = 0; }) == "count_class[1]");
  CHECK(place_after([](Tree& t) { t.count_class[1] = 9; }) == "count_class[1]");
  CHECK(place_after([](Tree& t) { t.count_weight[1] = not_a_number; }) == "count_weight[1]");
  CHECK(place_after([](Tree& t) { t.class_scale[0] = -1.0; }) == "class_scale[0]");
  CHECK(place_after([](Tree& t) { t.class_scale[0] = 0.0; }) == "count_begin[1]");
  CHECK(place_after([](Tree& t) { t.class_scale[0] = 1e308; }) == "count_begin[0]");
  CHECK(place_after([](Tree& t) { t.count_begin[1] = 99; }) == "count_begin[2]");
  CHECK(place_after([](Tree& t) { t.value.assign(6, 0.0); }) == "value");
  CHECK(place_after([](Tree& t) { t.class_scale.clear(); }) == "count_begin");
}

TEST_CASE("splits and level sets") {
  CHECK(place_after([](Tree& t) { t.splits.role[0] = SplitRole::surrogate; }) == "split_role[0]");
  CHECK(place_after([](Tree& t) { t.splits.role[1] = SplitRole::primary; }) == "split_role[1]");
  CHECK(place_after([](Tree& t) { t.splits.role[1] = unknown<SplitRole>(9); }) == "split_role[1]");
  CHECK(place_after([](Tree& t) { t.splits.kind[0] = unknown<SplitKind>(2); }) == "split_kind[0]");
  CHECK(place_after([](Tree& t) { t.splits.kind[0] = SplitKind::levels; }) == "split_payload[0]");
  CHECK(place_after([](Tree& t) { t.splits.kind[2] = SplitKind::threshold; }) == "split_kind[2]");
  CHECK(place_after([](Tree& t) { t.splits.found[0] = unknown<Found>(200); }) == "split_found[0]");
  CHECK(place_after([](Tree& t) { t.splits.side[0] = unknown<Side>(2); }) == "split_side[0]");
  CHECK(place_after([](Tree& t) { t.splits.side[1] = Side::lt; }) == "split_side[1]");
  CHECK(place_after([](Tree& t) { t.splits.low[0] = 2; }) == "split_low[0]");
  CHECK(place_after([](Tree& t) { t.splits.low[1] = 1; }) == "split_low[1]");
  CHECK(place_after([](Tree& t) { t.splits.value_type[0] = unknown<ValueType>(3); }) == "split_value_type[0]");
  CHECK(place_after([](Tree& t) { t.splits.value_type[1] = ValueType::i64; }) == "split_value_type[1]");
  CHECK(place_after([](Tree& t) { t.splits.column[0] = -1; }) == "split_column[0]");
  CHECK(place_after([](Tree& t) { t.splits.payload[0] = std::bit_cast<std::uint64_t>(not_a_number); }) ==
        "split_payload[0]");
  CHECK(place_after([](Tree& t) { t.splits.payload[0] = std::bit_cast<std::uint64_t>(infinity); }) == "accepted");
  CHECK(place_after([](Tree& t) { t.splits.payload[2] = 0; }) == "split_payload[2]");
  CHECK(place_after([](Tree& t) { t.splits.payload[2] = 1ULL << 63U; }) == "split_payload[2]");
  CHECK(place_after([](Tree& t) { t.splits.score[0] = not_a_number; }) == "split_score[0]");
  CHECK(place_after([](Tree& t) { t.splits.adjusted[0] = infinity; }) == "split_adjusted[0]");
  CHECK(place_after([](Tree& t) { t.splits.adjusted.clear(); }) == "accepted");
  CHECK(place_after([](Tree& t) { t.splits.adjusted.pop_back(); }) == "split_adjusted");
  CHECK(place_after([](Tree& t) { t.splits.set_code[2] = -3; }) == "set_code[2]");
  CHECK(place_after([](Tree& t) { t.splits.set_code[3] = 0; }) == "set_code[3]");
  CHECK(place_after([](Tree& t) { t.splits.set_branch[1] = 2; }) == "set_branch[1]");
  CHECK(place_after([](Tree& t) { t.splits.set_branch[1] = 0; }) == "set_begin[1]");
  CHECK(place_after([](Tree& t) { t.splits.set_branch[4] = 0; }) == "set_begin[2]");
  CHECK(place_after([](Tree& t) { t.splits.set_begin[1] = 4; }) == "set_code[2]");
  CHECK(place_after([](Tree& t) { t.splits.set_begin[1] = -1; }) == "set_begin[1]");
  CHECK(place_after([](Tree& t) { t.splits.set_begin.clear(); }) == "set_begin");
  CHECK(place_after([](Tree& t) { t.splits.set_begin = {0, 2, 6, 6}; }) == "set_begin[2]");
  CHECK(place_after([](Tree& t) { t.routing.fallback = Otherwise::error; }) == "routing.fallback");
  CHECK(place_after([](Tree& t) { t.routing.absent = Otherwise::error; }) == "routing.absent");
  CHECK(place_after([](Tree& t) { t.routing.absent = Otherwise::spread; }) == "routing.absent");
  CHECK(place_after([](Tree& t) { t.routing.unseen = unknown<Otherwise>(4); }) == "routing.unseen");
}

TEST_CASE("splits fit the columns of the schema") {
  CHECK(place_of_columns({0, 2}, {0, 71}) == "accepted");
  CHECK(place_of_columns({0}, {0}) == "split_column[1]");
  CHECK(place_of_columns({2, 2}, {3, 71}) == "split_kind[0]");
  CHECK(place_of_columns({0, 0}, {0, 0}) == "split_kind[1]");
  CHECK(place_of_columns({0, 2}, {0, 70}) == "set_code[5]");
  CHECK(place_of_columns({1, 2}, {5, 71}) == "split_value_type[0]");
  CHECK(place_of_columns({3, 2}, {5, 71}) == "kinds[0]");
  CHECK(place_of_columns({0, 2}, {0}) == "columns");
}

}  // namespace bough::testing
