// Each promise of the tree, broken once: the validator names the field and the position.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "bough/base/error.hpp"
#include "bough/tree/validate.hpp"
#include "tree/examples.hpp"
#include "tree/refused.hpp"

namespace bough::testing {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A code that no enumerator has, as a file may hold.
template <class Enum>
Enum unknown(std::uint8_t code) {
  return std::bit_cast<Enum>(code);
}

std::string place_after(const std::function<void(Tree&)>& edit, Tree tree = two_tests().freeze()) {
  edit(tree);
  return refused_at([&] { validate(tree); });
}

std::string place_in_kinds(const std::function<void(SplitPool&)>& edit) {
  return place_after([&](Tree& tree) { edit(tree.splits); }, every_kind().freeze());
}

std::string place_of_columns(std::vector<std::int32_t> kinds, std::vector<std::int64_t> levels,
                             const Tree& tree = two_tests().freeze()) {
  return refused_at([&] { check_columns(tree, kinds, levels); });
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
  CHECK(place_after([](Tree& t) { t.splits.kind[0] = unknown<SplitKind>(4); }) == "split_kind[0]");
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
  CHECK(place_after([](Tree& t) { t.splits.set_branch[1] = 0; }) == "accepted");
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

TEST_CASE("the branch of missing values") {
  // Splits of every_kind(): 0 intervals, 1 a competing conjunction, 2 conjunction, 3 levels, 4 levels, 5 intervals,
  // 6 a surrogate.
  CHECK(place_in_kinds([](SplitPool&) {}) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing.pop_back(); }) == "split_missing");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[0] = -2; }) == "split_missing[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[0] = 4; }) == "split_missing[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[0] = 2; }) == "edge_begin[1]");  // nothing leads to branch 3
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[0] = -1; }) == "edge_begin[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[1] = 3; }) == "split_missing[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[1] = 1; }) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[2] = 2; }) == "split_kind[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[2] = -1; }) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[3] = 1; }) == "set_begin[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[4] = 0; }) == "set_begin[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[5] = 0; }) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing[6] = 0; }) == "split_missing[6]");
  CHECK(place_in_kinds([](SplitPool& p) { p.missing.clear(); }) == "edge_begin[1]");
  // Levels in branch 2, missing values alone in branch 1.
  CHECK(place_in_kinds([](SplitPool& p) {
          p.missing[3] = 1;
          p.set_branch[1] = p.set_branch[2] = 2;
        }) == "split_missing[3]");
  // A threshold with a third branch for missing values, and one without.
  CHECK(place_after([](Tree& t) { t.splits.missing = {2, -1, -1}; }) == "split_kind[0]");
  CHECK(place_after([](Tree& t) { t.splits.missing = {1, -1, 2}; }) == "accepted");
  CHECK(place_after([](Tree& t) { t.splits.missing = {3, -1, -1}; }) == "split_missing[0]");
}

TEST_CASE("intervals") {
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_begin.clear(); }) == "edge_begin");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_begin[1] = 1; }) == "edge_begin[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_begin[1] = 5; }) == "edge_begin[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_begin.push_back(3); }) == "interval_branch");
  CHECK(place_in_kinds([](SplitPool& p) {
          p.edge_begin.push_back(3);
          p.interval_branch.push_back(0);
        }) == "edge_begin[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_type.pop_back(); }) == "edge_type");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_type[1] = unknown<ValueType>(3); }) == "edge_type[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_bits[0] = std::bit_cast<std::uint64_t>(not_a_number); }) ==
        "edge_bits[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_bits[0] = p.edge_bits[1]; }) == "edge_bits[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_bits[1] = std::bit_cast<std::uint64_t>(infinity); }) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) { p.edge_bits[0] = std::bit_cast<std::uint64_t>(infinity); }) ==
        "edge_bits[1]");
  CHECK(place_in_kinds([](SplitPool& p) {
          p.edge_type[0] = ValueType::i64;
          p.edge_bits[0] = 2;
        }) == "edge_bits[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.interval_branch[0] = 4; }) == "interval_branch[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.interval_branch[0] = -1; }) == "interval_branch[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.interval_branch[0] = 1; }) == "edge_begin[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.payload[5] = 0; }) == "split_payload[5]");
  CHECK(place_in_kinds([](SplitPool& p) { p.value_type[0] = ValueType::i64; }) == "split_value_type[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.low[0] = 1; }) == "split_low[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.side[0] = Side::lt; }) == "accepted");
  CHECK(place_in_kinds([](SplitPool& p) {
          p.edge_begin[1] = p.edge_begin[2] = 0;
          p.edge_bits.clear();
          p.edge_type.clear();
          p.interval_branch = {0, 0};
          p.side[5] = Side::le;
        }) == "edge_begin[1]");
}

TEST_CASE("is it missing: no edge, and a branch for those that are") {
  const auto tree = [](std::int32_t missing, Side side) {
    TreeBuilder builder({}, {});
    builder.add_value_node(-1, 0, {}, 0.0);
    builder.add_intervals(with_missing(on_column(0), missing), {}, std::vector<std::int32_t>{0});
    builder.add_value_node(0, 0, {}, 0.0);
    builder.add_value_node(0, 1, {}, 0.0);
    Tree made = builder.freeze();
    made.splits.side[0] = side;
    return made;
  };
  CHECK(place_after([](Tree&) {}, tree(1, Side::le)) == "accepted");
  CHECK(place_after([](Tree&) {}, tree(1, Side::lt)) == "split_side[0]");
  CHECK_THROWS_AS(static_cast<void>(tree(0, Side::le)), InvalidInput);
  CHECK_THROWS_AS(static_cast<void>(tree(-1, Side::le)), InvalidInput);
}

TEST_CASE("conjunctions") {
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.begin.clear(); }) == "term_begin");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.begin[1] = 0; }) == "term_begin[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.begin[1] = 3; }) == "term_begin[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.begin.push_back(3); }) == "term_begin[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.column.pop_back(); }) == "term_column");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.negated.pop_back(); }) == "term_negated");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.column[0] = -1; }) == "term_column[0]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.code[2] = -1; }) == "term_code[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.negated[2] = 2; }) == "term_negated[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.terms.code[2] = Property::kThreshold; }) == "term_code[2]");
  const auto with_threshold = [](const auto& edit) {
    return place_in_kinds([&](SplitPool& p) {
      p.terms.code[2] = Property::kThreshold;
      p.terms.type.assign(3, ValueType::f64);
      p.terms.side.assign(3, Side::le);
      p.terms.bits.assign(3, 0);
      edit(p.terms);
    });
  };
  CHECK(with_threshold([](PropertyLists&) {}) == "accepted");
  CHECK(with_threshold([](PropertyLists& t) { t.code[2] = 0; }) == "term_bits[0]");
  CHECK(with_threshold([](PropertyLists& t) { t.type.pop_back(); }) == "term_type");
  CHECK(with_threshold([](PropertyLists& t) { t.side.clear(); }) == "term_side");
  CHECK(with_threshold([](PropertyLists& t) { t.bits.push_back(0); }) == "term_bits");
  CHECK(with_threshold([](PropertyLists& t) { t.type[2] = unknown<ValueType>(3); }) == "term_type[2]");
  CHECK(with_threshold([](PropertyLists& t) { t.side[2] = unknown<Side>(2); }) == "term_side[2]");
  CHECK(with_threshold([](PropertyLists& t) { t.bits[2] = std::bit_cast<std::uint64_t>(not_a_number); }) ==
        "term_bits[2]");
  CHECK(with_threshold([](PropertyLists& t) { t.bits[1] = 1; }) == "term_bits[1]");
  CHECK(with_threshold([](PropertyLists& t) { t.side[1] = Side::lt; }) == "term_side[1]");
  CHECK(place_in_kinds([](SplitPool& p) { p.column[2] = 2; }) == "split_column[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.low[2] = 2; }) == "split_low[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.side[2] = Side::lt; }) == "split_side[2]");
  CHECK(place_in_kinds([](SplitPool& p) { p.payload[2] = 0; }) == "split_payload[2]");
}

TEST_CASE("numbers of all types in one order") {
  const double two63 = 9223372036854775808.0;
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::vector<Threshold> rising = {at(-infinity), at(-2.0 * two63), at_int(least),      at_int(least + 1),
                                         at(-2.5),      at_int(-2),       at(-0.5),           at_uint(0),
                                         at(0.5),       at_int(1),        at(two63 - 1024.0), at_uint(1ULL << 63U),
                                         at_uint(most), at(2.0 * two63),  at(infinity)};
  for (std::size_t i = 0; i < rising.size(); ++i) {
    for (std::size_t j = 0; j < rising.size(); ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(is_below(rising[i], rising[j]) == (i < j));
    }
  }
  CHECK_FALSE(is_below(at(-two63), at_int(least)));
  CHECK_FALSE(is_below(at_int(least), at(-two63)));
  CHECK_FALSE(is_below(at(-0.0), at_int(0)));
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
  const Tree all = every_kind().freeze();
  CHECK(place_of_columns({0, 2, 2}, {0, 71, 4}, all) == "accepted");
  CHECK(place_of_columns({2, 2, 2}, {9, 71, 4}, all) == "split_kind[0]");
  CHECK(place_of_columns({1, 2, 2}, {9, 71, 4}, all) == "edge_type[0]");
  CHECK(place_of_columns({0, 2, 2}, {0, 71, 3}, all) == "term_code[0]");
  CHECK(place_of_columns({0, 0, 2}, {0, 71, 4}, all) == "term_column[1]");
  CHECK(place_of_columns({0, 2}, {0, 71}, all) == "split_column[1]");
  Tree edited = all;
  edited.splits.terms.column[2] = 0;
  CHECK(place_of_columns({0, 2, 2}, {0, 71, 4}, edited) == "term_column[2]");
  edited.splits.terms.column[2] = 7;
  CHECK(place_of_columns({0, 2, 2}, {0, 71, 4}, edited) == "term_column[2]");
}

}  // namespace bough::testing
