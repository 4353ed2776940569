// Rules at the border and asked of rows, without Python: under the sanitizers the proof that nothing is read outside.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/apply_rules.hpp"
#include "bough/cover/rules.hpp"
#include "table/views.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

// IF c0 IN {1, 70} THEN; IF c1 NOT IN [2, 5) OR MISSING THEN; IF c0 IS MISSING AND c1 IS KNOWN THEN
Rules three_rules() {
  Rules rules;
  rules.rule_begin = {0, 1, 2, 4};
  rules.kind = {LiteralKind::levels, LiteralKind::interval, LiteralKind::missing, LiteralKind::known};
  rules.column = {0, 1, 0, 1};
  rules.negated = {0, 1, 0, 0};
  rules.or_missing = {0, 1, 0, 0};
  rules.low_bound = {Bound::none, Bound::closed, Bound::none, Bound::none};
  rules.high_bound = {Bound::none, Bound::open, Bound::none, Bound::none};
  rules.low_type = {ValueType::f64, ValueType::i64, ValueType::f64, ValueType::f64};
  rules.high_type = std::vector<ValueType>(4, ValueType::f64);
  rules.low_bits = {0, 2, 0, 0};
  rules.high_bits = {0, std::bit_cast<std::uint64_t>(5.0), 0, 0};
  rules.set_begin = {0, 2};
  rules.set_code = {1, 70};
  return rules;
}

}  // namespace

TEST_CASE("literals hold as they say, on rows of every state") {
  const Rules rules = three_rules();
  validate(rules);
  check_columns(rules, std::vector<std::int32_t>{2, 0}, std::vector<std::int64_t>{71, 0});
  const std::vector<std::int32_t> levels = {1, 70, 0, -1, -2, -1};
  const std::vector<double> numbers = {3.0, 3.0, 5.0, 2.0, std::nan(""), 4.5};
  const std::vector<ColumnView> columns = {view(levels), view(numbers)};
  Watch watch;
  CHECK(first_cover(rules, columns, 6, Unseen::missing, 1, watch) == std::vector<std::int32_t>{0, 0, 1, 2, 1, 2});
  const auto all = all_covers(rules, columns, 6, Unseen::missing, 2, watch);
  CHECK(std::vector<std::uint8_t>(all.begin() + 12, all.begin() + 15) == std::vector<std::uint8_t>{0, 1, 0});
}

TEST_CASE("the smallest integer is a value, not a missing one") {
  Rules rules = three_rules();
  rules.kind[1] = LiteralKind::known;
  rules.negated[1] = rules.or_missing[1] = 0;
  rules.low_bound[1] = rules.high_bound[1] = Bound::none;
  rules.low_type[1] = ValueType::f64;
  rules.low_bits[1] = rules.high_bits[1] = 0;
  validate(rules);
  const std::vector<std::int32_t> levels = {0};
  const std::vector<std::int64_t> numbers = {std::numeric_limits<std::int64_t>::min()};
  const std::vector<ColumnView> columns = {view(levels), view(numbers)};
  Watch watch;
  CHECK(first_cover(rules, columns, 1, Unseen::missing, 1, watch) == std::vector<std::int32_t>{1});
}

TEST_CASE("codes that lie far apart take no more room than they are many") {
  Rules rules = three_rules();
  rules.set_code = {1, std::numeric_limits<std::int32_t>::max()};
  validate(rules);
  const std::vector<std::int32_t> levels = {std::numeric_limits<std::int32_t>::max(), 1, 2};
  const std::vector<double> numbers = {3.0, 3.0, 3.0};
  const std::vector<ColumnView> columns = {view(levels), view(numbers)};
  Watch watch;
  CHECK(first_cover(rules, columns, 3, Unseen::other, 1, watch) == std::vector<std::int32_t>{0, 0, 3});
}

TEST_CASE("faults are named by field and index") {
  const auto refused = [](const auto& edit) {
    Rules rules = three_rules();
    edit(rules);
    return refused_at([&] { validate(rules); });
  };
  CHECK(refused([](Rules&) {}) == "accepted");
  CHECK(refused([](Rules& r) { r.rule_begin.clear(); }) == "rule_begin");
  CHECK(refused([](Rules& r) { r.rule_begin[1] = -5; }) == "rule_begin[1]");
  CHECK(refused([](Rules& r) { r.set_begin = {0, 0}; }) == "set_begin[1]");
  CHECK(refused([](Rules& r) { r.set_begin.push_back(2); }) == "set_begin");
  CHECK(refused([](Rules& r) { r.high_bits[1] = 0; }) == "high_bits[1]");
  CHECK(refused([](Rules& r) { r.sums.begin.clear(); }) == "lin_begin");
  CHECK(refused([](Rules& r) { r.sums.whole.push_back(1); }) == "lin_whole");
}

}  // namespace bough::testing
