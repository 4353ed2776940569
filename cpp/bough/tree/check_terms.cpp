// See check_terms.hpp.
#include "bough/tree/check_terms.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "bough/feature/largest.hpp"
#include "bough/tree/checks.hpp"

namespace bough {
namespace {

std::string field(const TermRules& rules, const char* array) { return std::string(rules.name) + "_" + array; }

// What the schema says of one factor.
void check_factor(const TermRules& rules, const char* prefix, std::size_t t, std::int32_t column, std::int32_t code,
                  std::int64_t origin, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels) {
  const std::string other = prefix;
  const auto at = [&](const std::string& array, const std::string& problem) {
    fail(field(rules, array.c_str()).c_str(), t, problem);
  };
  const auto c = static_cast<std::size_t>(column);
  const std::string codes = other.empty() ? "code" : "other_code";
  if (c >= kinds.size()) {
    at(other.empty() ? "column" : other,
       "expected a column below " + std::to_string(kinds.size()) + ", found " + std::to_string(c));
  }
  if ((code >= 0) != (kinds[c] == kNominalKind)) {
    at(codes,
       code >= 0 ? "only a nominal column counts by its levels" : "a nominal column counts by one of its levels");
  }
  if (code >= 0 && code >= n_levels[c]) {
    at(codes, "the column has " + std::to_string(n_levels[c]) + " levels, found code " + std::to_string(code));
  }
  if (kinds[c] != kNumericKind && origin != 0) {
    at(other.empty() ? "origin" : "other_origin", "only numbers have an origin: expected 0");
  }
}

// Term t where lists have products: (first - centre) (second - other_centre), or one factor.
void check_second(const TermLists& lists, const TermRules& rules, std::size_t t) {
  const auto at = [&](const char* array, const std::string& problem) { fail(field(rules, array).c_str(), t, problem); };
  const std::int32_t other = lists.other[t];
  if (other < -1) at("other", "expected a column or -1, found " + std::to_string(other));
  if (lists.other_code[t] < -1) {
    at("other_code", "expected a level or -1, found " + std::to_string(lists.other_code[t]));
  }
  if (other < 0) {
    if (lists.other_code[t] != -1) at("other_code", "a term of one factor has no second level: expected -1");
    if (lists.other_origin[t] != 0) at("other_origin", "a term of one factor has no second origin: expected 0");
    if (lists.centre[t] != 0.0) at("centre", "a term of one factor has no centre: expected 0");
    if (lists.other_centre[t] != 0.0) at("other_centre", "a term of one factor has no second centre: expected 0");
    return;
  }
  const bool square = other == lists.column[t];
  if (other < lists.column[t]) at("other", "the second factor of a product is no earlier column than the first");
  if (square && (lists.code[t] >= 0 || lists.other_code[t] >= 0)) {
    at("other", "levels of one column are not multiplied");
  }
  if (square && lists.other_origin[t] != lists.origin[t]) at("other_origin", "a column is counted from one origin");
  if (lists.code[t] >= 0 && lists.centre[t] != 0.0) at("centre", "a level has no centre: expected 0");
  if (lists.other_code[t] >= 0 && lists.other_centre[t] != 0.0) at("other_centre", "a level has no centre: expected 0");
}

}  // namespace

void check_term_sizes(const TermLists& lists, const TermRules& rules) {
  const std::size_t terms = lists.column.size();
  check_lists(field(rules, "begin").c_str(), lists.begin, terms);
  expect_size(field(rules, "code").c_str(), lists.code.size(), terms);
  expect_size(field(rules, "weight").c_str(), lists.weight.size(), terms);
  expect_size(field(rules, "fill").c_str(), lists.fill.size(), terms);
  expect_size(field(rules, "scale").c_str(), lists.scale.size(), terms);
  expect_size(field(rules, "origin").c_str(), lists.origin.size(), terms);
  if (!lists.whole.empty()) expect_size(field(rules, "whole").c_str(), lists.whole.size(), lists.begin.size() - 1);
  const std::size_t seconds = lists.other.empty() ? 0 : terms;
  if (seconds > 0 && !rules.products) {
    throw InvalidInput(field(rules, "other"), "products are asked by tests only");
  }
  expect_size(field(rules, "other").c_str(), lists.other.size(), seconds);
  expect_size(field(rules, "other_code").c_str(), lists.other_code.size(), seconds);
  expect_size(field(rules, "other_origin").c_str(), lists.other_origin.size(), seconds);
  expect_size(field(rules, "centre").c_str(), lists.centre.size(), seconds);
  expect_size(field(rules, "other_centre").c_str(), lists.other_centre.size(), seconds);
  if (lists.machine_begin.empty()) {
    expect_size("mac_weight", lists.machine_weight.size(), 0);
    return;
  }
  check_offsets("mac_begin", lists.machine_begin, lists.begin.size() - 1, lists.machine_weight.size());
  if (lists.machine_weight.empty()) fail("mac_begin", 0, "no sums compete: expected no entries");
}

void check_terms(const TermLists& lists, const TermRules& rules) {
  const auto at = [&](const char* array, std::size_t i, const std::string& problem) {
    fail(field(rules, array).c_str(), i, problem);
  };
  check_finite(field(rules, "weight").c_str(), lists.weight);
  check_finite(field(rules, "fill").c_str(), lists.fill);
  check_amounts(field(rules, "scale").c_str(), lists.scale);
  check_finite(field(rules, "centre").c_str(), lists.centre);
  check_finite(field(rules, "other_centre").c_str(), lists.other_centre);
  if (!lists.other.empty() && std::ranges::all_of(lists.other, [](std::int32_t other) { return other == -1; })) {
    throw InvalidInput(field(rules, "other"), "empty where no term is a product");
  }
  check_finite("mac_weight", lists.machine_weight);
  for (std::size_t k = 0; k < lists.whole.size(); ++k) {
    if (lists.whole[k] > 1) at("whole", k, "expected 0 or 1, found " + std::to_string(lists.whole[k]));
  }
  for (std::size_t k = 0; k + 1 < lists.begin.size(); ++k) {
    if (lists.begin[k + 1] - lists.begin[k] < rules.least) {
      at("begin", k + 1, "a sum has at least " + std::to_string(rules.least) + " terms");
    }
    std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t> previous = {-1, -1, -1, -1};
    for (std::int64_t t = lists.begin[k]; t < lists.begin[k + 1]; ++t) {
      const auto i = static_cast<std::size_t>(t);
      if (lists.column[i] < 0) at("column", i, "expected at least 0, found " + std::to_string(lists.column[i]));
      if (lists.code[i] < -1) at("code", i, "expected a level or -1, found " + std::to_string(lists.code[i]));
      if (!lists.other.empty()) check_second(lists, rules, i);
      const bool product = lists.is_product(i);
      const std::tuple own = {lists.column[i], lists.code[i], product ? lists.other[i] : -1,
                              product ? lists.other_code[i] : -1};
      if (own <= previous) at("column", i, "the terms of a sum rise by column and code, and none comes twice");
      if (std::get<0>(own) == std::get<0>(previous) && std::get<1>(previous) < 0 && std::get<1>(own) >= 0) {
        at("code", i, "a column counts by its value or by its levels, not by both");
      }
      previous = own;
      if (rules.zeros) continue;
      if (lists.weight[i] == 0.0) at("weight", i, "a term without weight has no place in a test");
      if (lists.scale[i] == 0.0) at("scale", i, "expected a number above 0");
    }
  }
}

void check_machine(const TermLists& lists, std::int64_t list, std::span<const std::int32_t> levels) {
  const std::span<const double> machine = lists.machine(list);
  const auto terms = static_cast<std::size_t>(lists.begin[list + 1] - lists.begin[list]);
  const std::size_t count = machine.size() / (terms + 1);
  const auto end = static_cast<std::size_t>(list) + 1;
  if (machine.size() != count * (terms + 1) || count < 2) {
    fail("mac_begin", end,
         "expected the weights of " + std::to_string(terms) +
             " terms and a constant for each of "
             "two sums or more");
  }
  if (levels.size() != count || levels.back() != static_cast<std::int32_t>(count) - 1) {
    fail("mac_begin", end, "expected as many sums as levels, which are 0 to " + std::to_string(count - 1));
  }
  for (std::size_t t = 0; t < terms; ++t) {
    const std::size_t at = static_cast<std::size_t>(lists.begin[list]) + t;
    if (lists.weight[at] == spread_of(machine, terms, t)) continue;
    fail("lin_weight", at, "the weight of a term of several sums is how far their weights lie apart");
  }
}

void check_term_columns(const TermLists& lists, const TermRules& rules, std::span<const std::int32_t> kinds,
                        std::span<const std::int64_t> n_levels) {
  for (std::size_t t = 0; t < lists.column.size(); ++t) {
    check_factor(rules, "", t, lists.column[t], lists.code[t], lists.origin[t], kinds, n_levels);
    if (!lists.is_product(t)) continue;
    check_factor(rules, "other", t, lists.other[t], lists.other_code[t], lists.other_origin[t], kinds, n_levels);
  }
}

}  // namespace bough
