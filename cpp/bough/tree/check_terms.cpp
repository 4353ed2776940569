// See check_terms.hpp.
#include "bough/tree/check_terms.hpp"

#include <string>
#include <utility>

#include "bough/tree/checks.hpp"

namespace bough {
namespace {

constexpr std::int32_t numeric = 0;
constexpr std::int32_t nominal = 2;

std::string field(const TermRules& rules, const char* array) { return std::string(rules.name) + "_" + array; }

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
}

void check_terms(const TermLists& lists, const TermRules& rules) {
  const auto at = [&](const char* array, std::size_t i, const std::string& problem) {
    fail(field(rules, array).c_str(), i, problem);
  };
  check_finite(field(rules, "weight").c_str(), lists.weight);
  check_finite(field(rules, "fill").c_str(), lists.fill);
  check_amounts(field(rules, "scale").c_str(), lists.scale);
  for (std::size_t k = 0; k < lists.whole.size(); ++k) {
    if (lists.whole[k] > 1) at("whole", k, "expected 0 or 1, found " + std::to_string(lists.whole[k]));
  }
  for (std::size_t k = 0; k + 1 < lists.begin.size(); ++k) {
    if (lists.begin[k + 1] - lists.begin[k] < rules.least) {
      at("begin", k + 1, "a sum has at least " + std::to_string(rules.least) + " terms");
    }
    std::pair<std::int32_t, std::int32_t> previous = {-1, -1};
    for (std::int64_t t = lists.begin[k]; t < lists.begin[k + 1]; ++t) {
      const auto i = static_cast<std::size_t>(t);
      if (lists.column[i] < 0) at("column", i, "expected at least 0, found " + std::to_string(lists.column[i]));
      if (lists.code[i] < -1) at("code", i, "expected a level or -1, found " + std::to_string(lists.code[i]));
      const std::pair<std::int32_t, std::int32_t> own = {lists.column[i], lists.code[i]};
      if (own <= previous) at("column", i, "the terms of a sum rise by column and code, and none comes twice");
      if (own.first == previous.first && previous.second < 0) {
        at("code", i, "a column counts by its value or by its levels, not by both");
      }
      previous = own;
      if (rules.zeros) continue;
      if (lists.weight[i] == 0.0) at("weight", i, "a term without weight has no place in a test");
      if (lists.scale[i] == 0.0) at("scale", i, "expected a number above 0");
    }
  }
}

void check_term_columns(const TermLists& lists, const TermRules& rules, std::span<const std::int32_t> kinds,
                        std::span<const std::int64_t> n_levels) {
  for (std::size_t t = 0; t < lists.column.size(); ++t) {
    const auto c = static_cast<std::size_t>(lists.column[t]);
    if (c >= kinds.size()) {
      fail(field(rules, "column").c_str(), t,
           "expected a column below " + std::to_string(kinds.size()) + ", found " + std::to_string(c));
    }
    const std::int32_t code = lists.code[t];
    if ((code >= 0) != (kinds[c] == nominal)) {
      fail(field(rules, "code").c_str(), t,
           code >= 0 ? "only a nominal column counts by its levels" : "a nominal column counts by one of its levels");
    }
    if (code >= 0 && code >= n_levels[c]) {
      fail(field(rules, "code").c_str(), t,
           "the column has " + std::to_string(n_levels[c]) + " levels, found code " + std::to_string(code));
    }
    if (kinds[c] != numeric && lists.origin[t] != 0) {
      fail(field(rules, "origin").c_str(), t, "only numbers have an origin: expected 0");
    }
  }
}

}  // namespace bough
