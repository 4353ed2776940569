// The feature "a sum of terms": weights times the values of numeric columns, the codes of ordered levels and the
// indicators of nominal ones, or times the product of two of these, which makes a curve of a plane. Tests ask on which
// side of a threshold it lies, models of leaves answer with it. Several sums of the same terms can compete
// (feature/largest.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/feature/layers.hpp"
#include "bough/feature/state.hpp"

namespace bough {

struct ColumnView;

// List k has the terms begin[k] .. begin[k + 1], in the order column, code, other column, other code.
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
  // Of lists that are networks; then the weights of the terms are what they pull (pull_of), and none is added up.
  Layers layers;
  // A list whose terms make several sums has numbers machine_begin[k] .. machine_begin[k + 1]: for each sum a weight
  // for each term, and a constant. The weight of such a term is how far its weights lie apart. Empty: no list has any.
  std::vector<std::int64_t> machine_begin;
  std::vector<double> machine_weight;

  // Products, (first - centre) (second - other_centre); all empty if no term is one.
  std::vector<std::int32_t> other;  // the column of the second factor, -1: the term has one factor
  std::vector<std::int32_t> other_code;
  std::vector<std::int64_t> other_origin;
  std::vector<double> centre;
  std::vector<double> other_centre;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  [[nodiscard]] bool is_product(std::size_t t) const { return !other.empty() && other[t] >= 0; }
  // The numbers of the sums that compete; none if the list is one sum.
  [[nodiscard]] std::span<const double> machine(std::int64_t list) const {
    if (machine_begin.empty()) return {};
    const auto first = static_cast<std::size_t>(machine_begin[list]);
    return std::span(machine_weight).subspan(first, static_cast<std::size_t>(machine_begin[list + 1]) - first);
  }
};

// One term, as builders and searches hand it over.
struct LinearTerm {
  std::int32_t column = 0;
  std::int32_t code = -1;
  double weight = 0.0;
  double fill = 0.0;
  double scale = 1.0;
  std::int64_t origin = 0;
  std::int32_t other = -1;
  std::int32_t other_code = -1;
  std::int64_t other_origin = 0;
  double centre = 0.0;
  double other_centre = 0.0;

  // Whether two terms ask the same of a row, whatever their weights.
  [[nodiscard]] bool asks_as(const LinearTerm& term) const {
    return column == term.column && code == term.code && other == term.other && other_code == term.other_code;
  }
};

struct Sum {
  double value = 0.0;  // of a sum that is missing: with every missing term filled
  std::int32_t state = State::known;
};

// One factor: its state, and what it counts where it is known.
template <class Row>
[[nodiscard]] std::int32_t read_factor(const Row& row, std::int32_t column, std::int32_t code, std::int64_t origin,
                                       double& x) {
  const std::int32_t state = row.state(column, code >= 0);
  if (state != State::known) return state;
  x = code >= 0 ? (row.code(column) == code ? 1.0 : 0.0) : row.number(column, origin);
  return State::known;
}

// Calls add(t, x) for the terms in their order, x being what term t counts for the row, before it is weighted: missing
// terms count what their `fill` says, products where one factor is missing. What they make is missing if all of them
// are, or if one is and the list says so.
template <class Row, class Add>
[[nodiscard]] std::int32_t each_term(const TermLists& lists, std::int64_t list, const Row& row, const Add& add) {
  const bool whole = !lists.whole.empty() && lists.whole[list] != 0;
  std::int32_t found = State::missing;
  bool gap = false;
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    double x = 0.0;
    std::int32_t state = read_factor(row, lists.column[t], lists.code[t], lists.origin[t], x);
    if (state == State::unseen) return State::unseen;
    if (lists.is_product(static_cast<std::size_t>(t))) {
      double y = 0.0;
      const std::int32_t second = read_factor(row, lists.other[t], lists.other_code[t], lists.other_origin[t], y);
      if (second == State::unseen) return State::unseen;
      if (second != State::known) state = second;
      x = (x - lists.centre[t]) * (y - lists.other_centre[t]);
    }
    if (state == State::known) {
      found = State::known;
    } else {
      x = lists.fill[t];
      gap = true;
    }
    add(t, x);
  }
  return gap && whole ? State::missing : found;
}

// In the order of the terms and in plain doubles, so that a row gets the same sum wherever it is asked for. It is also
// missing if it is no number (infinite values of both signs).
template <class Row>
[[nodiscard]] Sum sum_of(const TermLists& lists, std::int64_t list, double start, const Row& row) {
  Sum sum{start, State::missing};
  sum.state = each_term(lists, list, row, [&](std::int64_t t, double x) { sum.value += lists.weight[t] * x; });
  if (sum.state == State::unseen) return {0.0, State::unseen};
  if (std::isnan(sum.value)) sum.state = State::missing;
  return sum;
}

// The same through the layer of the list, where it has one.
template <class Row>
[[nodiscard]] Sum number_of(const TermLists& lists, std::int64_t list, const Row& row) {
  const std::int32_t units = lists.layers.of(list);
  if (units == 0) return sum_of(lists, list, 0.0, row);
  Pass pass(lists.layers.numbers(list), units);
  const std::int64_t first = lists.begin[list];
  Sum sum;
  sum.state = each_term(lists, list, row, [&](std::int64_t t, double x) { pass.add(t - first, x); });
  if (sum.state == State::known) sum.value = pass.number();
  if (std::isnan(sum.value)) sum.state = State::missing;
  return sum;
}

// Term t of all.
[[nodiscard]] LinearTerm term_at(const TermLists& lists, std::int64_t t);
// Appends a list; `machine` has the numbers of the sums that compete, if it is one.
void add_terms(TermLists& lists, const std::vector<LinearTerm>& terms, bool whole, const Layer& layer = {},
               std::span<const double> machine = {});
// Appends list k of others.
void copy_terms(const TermLists& from, std::int64_t k, TermLists& to);
// `whole` for all lists, or for none if it says nothing; so with products.
void tidy(TermLists& lists);

}  // namespace bough
