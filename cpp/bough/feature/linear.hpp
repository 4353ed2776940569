// The feature "a sum of terms": weights times the values of numeric columns, the codes of ordered levels and the
// indicators of nominal ones. Tests ask on which side of a threshold it lies, models of leaves answer with it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/feature/state.hpp"

namespace bough {

struct ColumnView;

// List k has the terms begin[k] .. begin[k + 1], in the order column, code.
struct TermLists {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> column;
  std::vector<std::int32_t>
      code;  // -1: the value, or the code of an ordered level; else 1 for this level, 0 for others
  std::vector<double> weight;      // in the units of the column
  std::vector<double> fill;        // what a missing value counts as
  std::vector<double> scale;       // the standard deviation of the term in the node, for importance and drawings
  std::vector<std::int64_t> origin;  // subtracted from a value first, as integers where the column has some
  std::vector<std::uint8_t> whole;   // by list: 1 if one missing term makes the sum missing; empty: nowhere

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

// One term, as builders and searches hand it over.
struct LinearTerm {
  std::int32_t column = 0;
  std::int32_t code = -1;
  double weight = 0.0;
  double fill = 0.0;
  double scale = 1.0;
  std::int64_t origin = 0;
};

struct Sum {
  double value = 0.0;  // of a sum that is missing: with every missing term filled
  std::int32_t state = State::known;
};

// In the order of the terms and in plain doubles, so that a row gets the same sum wherever it is asked for. Missing
// terms count what their `fill` says; the sum is missing if all of them are, if one is and the list says so, or if it
// is no number (infinite values of both signs).
template <class Row>
[[nodiscard]] Sum sum_of(const TermLists& lists, std::int64_t list, double start, const Row& row) {
  const bool whole = !lists.whole.empty() && lists.whole[list] != 0;
  Sum sum{start, State::missing};
  bool gap = false;
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    const std::int32_t column = lists.column[t];
    const bool indicator = lists.code[t] >= 0;
    const std::int32_t state = row.state(column, indicator);
    if (state == State::unseen) return {0.0, State::unseen};
    double x = lists.fill[t];
    if (state == State::known) {
      x = indicator ? (row.code(column) == lists.code[t] ? 1.0 : 0.0) : row.number(column, lists.origin[t]);
      sum.state = State::known;
    } else {
      gap = true;
    }
    sum.value += lists.weight[t] * x;
  }
  if ((gap && whole) || std::isnan(sum.value)) sum.state = State::missing;
  return sum;
}

// Appends a list.
void add_terms(TermLists& lists, const std::vector<LinearTerm>& terms, bool whole);
// Appends list k of others.
void copy_terms(const TermLists& from, std::int64_t k, TermLists& to);
// `whole` for all lists, or for none if it says nothing.
void tidy(TermLists& lists);

}  // namespace bough
