// See rules.hpp: the checks of rules at the border.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "bough/base/error.hpp"
#include "bough/cover/rules.hpp"
#include "bough/split/split.hpp"
#include "bough/tree/check_terms.hpp"
#include "bough/tree/checks.hpp"

namespace bough {
namespace {

constexpr std::int32_t numeric = 0;
constexpr std::int32_t nominal = 2;
constexpr TermRules rule_terms = {"lin", 1, false, false};

void check_sizes(const Rules& rules) {
  const std::size_t n = rules.kind.size();
  check_lists("rule_begin", rules.rule_begin, n);
  expect_size("column", rules.column.size(), n);
  expect_size("negated", rules.negated.size(), n);
  expect_size("or_missing", rules.or_missing.size(), n);
  expect_size("low_bound", rules.low_bound.size(), n);
  expect_size("high_bound", rules.high_bound.size(), n);
  expect_size("low_type", rules.low_type.size(), n);
  expect_size("high_type", rules.high_type.size(), n);
  expect_size("low_bits", rules.low_bits.size(), n);
  expect_size("high_bits", rules.high_bits.size(), n);
  check_enum("kind", rules.kind, LiteralKind::sum);
  check_enum("low_bound", rules.low_bound, Bound::closed);
  check_enum("high_bound", rules.high_bound, Bound::closed);
  check_enum("low_type", rules.low_type, ValueType::u64);
  check_enum("high_type", rules.high_type, ValueType::u64);
  const auto count = [&](LiteralKind kind) {
    return static_cast<std::size_t>(std::count(rules.kind.begin(), rules.kind.end(), kind));
  };
  check_offsets("set_begin", rules.set_begin, count(LiteralKind::levels), rules.set_code.size());
  check_term_sizes(rules.sums, rule_terms);
  expect_size("lin_begin", rules.sums.begin.size(), count(LiteralKind::sum) + 1);
  expect_size("lin_whole", rules.sums.whole.size(), count(LiteralKind::sum));
  for (std::size_t k = 0; k < rules.sums.whole.size(); ++k) {
    if (rules.sums.whole[k] != 1) fail("lin_whole", k, "a sum in a rule is missing if one of its terms is: expected 1");
  }
}

void check_flag(const char* field, std::size_t i, std::uint8_t flag, bool has) {
  if (flag > 1) fail(field, i, "expected 0 or 1, found " + std::to_string(flag));
  if (flag == 1 && !has) fail(field, i, "this kind of literal has none: expected 0");
}

struct End {
  const char* bound_field;
  const char* type_field;
  const char* bits_field;
  Bound bound;
  Threshold at;
};

void check_end(const End& end, std::size_t i, bool has, bool doubles) {
  if (!has && end.bound != Bound::none) fail(end.bound_field, i, "this kind of literal has none: expected 0");
  if (end.bound == Bound::none) {
    if (end.at.type != ValueType::f64) fail(end.type_field, i, "no bound, no type: expected 0");
    if (end.at.bits != 0) fail(end.bits_field, i, "no bound, no number: expected 0");
    return;
  }
  if (doubles && end.at.type != ValueType::f64) fail(end.type_field, i, "the bound of a sum is a double: expected 0");
  if (end.at.type == ValueType::f64 && std::isnan(end.at.as_f64())) fail(end.bits_field, i, "a bound is no NaN");
}

void check_interval(const Rules& rules, std::size_t i) {
  const LiteralKind kind = rules.kind[i];
  const bool has = kind == LiteralKind::interval || kind == LiteralKind::sum;
  const End low = {"low_bound", "low_type", "low_bits", rules.low_bound[i], {rules.low_bits[i], rules.low_type[i]}};
  const End high = {
      "high_bound", "high_type", "high_bits", rules.high_bound[i], {rules.high_bits[i], rules.high_type[i]}};
  check_end(low, i, has, kind == LiteralKind::sum);
  check_end(high, i, has, kind == LiteralKind::sum);
  if (!has) return;
  if (low.bound == Bound::none && high.bound == Bound::none) fail("low_bound", i, "an interval has at least one bound");
  if (low.bound == Bound::none || high.bound == Bound::none) return;
  const bool point = low.bound == Bound::closed && high.bound == Bound::closed;
  const bool holds = point ? !is_below(high.at, low.at) : is_below(low.at, high.at);
  if (!holds) fail("high_bits", i, "an interval ends above where it begins, or there if it is closed");
}

void check_set(const Rules& rules, std::size_t set) {
  const std::int64_t begin = rules.set_begin[set];
  const std::int64_t end = rules.set_begin[set + 1];
  if (begin == end) fail("set_begin", set + 1, "a set without levels");
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int32_t below = k == begin ? -1 : rules.set_code[k - 1];
    if (rules.set_code[k] <= below) {
      fail("set_code", k, "the codes of a set rise from 0, found " + std::to_string(rules.set_code[k]));
    }
  }
}

void check_end_code(const End& end, std::size_t i, std::int64_t levels) {
  if (end.bound == Bound::none) return;
  if (end.at.type != ValueType::i64) fail(end.type_field, i, "an ordered column has integer codes: expected 1");
  if (end.at.as_i64() >= 0 && end.at.as_i64() < levels) return;
  fail(end.bits_field, i,
       "the column has " + std::to_string(levels) + " levels, found code " + std::to_string(end.at.as_i64()));
}

}  // namespace

void validate(const Rules& rules) {
  check_sizes(rules);
  check_terms(rules.sums, rule_terms);
  for (std::size_t i = 0; i < rules.kind.size(); ++i) {
    const LiteralKind kind = rules.kind[i];
    const bool sum = kind == LiteralKind::sum;
    if (sum != (rules.column[i] == -1) || rules.column[i] < -1) {
      fail("column", i,
           std::string("expected ") + (sum ? "-1 for a sum" : "a column") + ", found " +
               std::to_string(rules.column[i]));
    }
    check_flag("negated", i, rules.negated[i], kind == LiteralKind::levels || kind == LiteralKind::interval);
    check_flag("or_missing", i, rules.or_missing[i], kind != LiteralKind::missing && kind != LiteralKind::known);
    check_interval(rules, i);
  }
  for (std::size_t set = 0; set + 1 < rules.set_begin.size(); ++set) check_set(rules, set);
}

void check_columns(const Rules& rules, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels) {
  if (kinds.size() != n_levels.size()) throw InvalidInput("columns", "as many kinds as numbers of levels");
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    if (kinds[c] < numeric || kinds[c] > nominal) fail("kinds", c, "unknown code " + std::to_string(kinds[c]));
  }
  std::size_t set = 0;
  for (std::size_t i = 0; i < rules.kind.size(); ++i) {
    if (rules.kind[i] == LiteralKind::sum) continue;
    const auto c = static_cast<std::size_t>(rules.column[i]);
    if (c >= kinds.size()) {
      fail("column", i, "expected a column below " + std::to_string(kinds.size()) + ", found " + std::to_string(c));
    }
    if (rules.kind[i] == LiteralKind::levels) {
      if (kinds[c] == numeric) fail("kind", i, "a numeric column has no levels");
      const std::int64_t last = rules.set_begin[++set] - 1;
      if (rules.set_code[last] >= n_levels[c]) {
        fail("set_code", last,
             "the column has " + std::to_string(n_levels[c]) + " levels, found code " +
                 std::to_string(rules.set_code[last]));
      }
    } else if (rules.kind[i] == LiteralKind::interval && kinds[c] != numeric) {
      if (kinds[c] == nominal) fail("kind", i, "a nominal column has no intervals");
      check_end_code({"low_bound", "low_type", "low_bits", rules.low_bound[i], {rules.low_bits[i], rules.low_type[i]}},
                     i, n_levels[c]);
      check_end_code(
          {"high_bound", "high_type", "high_bits", rules.high_bound[i], {rules.high_bits[i], rules.high_type[i]}}, i,
          n_levels[c]);
    }
  }
  check_term_columns(rules.sums, rule_terms, kinds, n_levels);
}

}  // namespace bough
