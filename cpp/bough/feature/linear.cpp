// See linear.hpp.
#include "bough/feature/linear.hpp"

#include <algorithm>

namespace bough {
namespace {

void close_list(TermLists& lists, bool whole) {
  lists.begin.push_back(static_cast<std::int64_t>(lists.column.size()));
  if (!whole && lists.whole.empty()) return;
  lists.whole.resize(static_cast<std::size_t>(lists.size()), 0);
  lists.whole.back() = whole ? 1 : 0;
}

void add_term(TermLists& lists, const LinearTerm& term) {
  lists.column.push_back(term.column);
  lists.code.push_back(term.code);
  lists.weight.push_back(term.weight);
  lists.fill.push_back(term.fill);
  lists.scale.push_back(term.scale);
  lists.origin.push_back(term.origin);
  if (term.other < 0 && lists.other.empty()) return;
  const std::size_t all = lists.column.size();
  lists.other.resize(all, -1);
  lists.other_code.resize(all, -1);
  lists.other_origin.resize(all, 0);
  lists.centre.resize(all, 0.0);
  lists.other_centre.resize(all, 0.0);
  lists.other.back() = term.other;
  lists.other_code.back() = term.other_code;
  lists.other_origin.back() = term.other_origin;
  lists.centre.back() = term.centre;
  lists.other_centre.back() = term.other_centre;
}

// Of the list added last.
void add_machine(TermLists& lists, std::span<const double> numbers) {
  if (numbers.empty()) return;
  lists.machine_begin.resize(lists.begin.size() - 1, static_cast<std::int64_t>(lists.machine_weight.size()));
  lists.machine_weight.insert(lists.machine_weight.end(), numbers.begin(), numbers.end());
  lists.machine_begin.push_back(static_cast<std::int64_t>(lists.machine_weight.size()));
}

}  // namespace

LinearTerm term_at(const TermLists& lists, std::int64_t t) {
  LinearTerm term{.column = lists.column[t],
                  .code = lists.code[t],
                  .weight = lists.weight[t],
                  .fill = lists.fill[t],
                  .scale = lists.scale[t],
                  .origin = lists.origin[t]};
  if (lists.other.empty()) return term;
  term.other = lists.other[t];
  term.other_code = lists.other_code[t];
  term.other_origin = lists.other_origin[t];
  term.centre = lists.centre[t];
  term.other_centre = lists.other_centre[t];
  return term;
}

void add_terms(TermLists& lists, const std::vector<LinearTerm>& terms, bool whole, const Layer& layer,
               std::span<const double> machine) {
  for (const LinearTerm& term : terms) add_term(lists, term);
  close_list(lists, whole);
  add_layer(lists.layers, lists.size() - 1, layer.units, layer.weight);
  add_machine(lists, machine);
}

void copy_terms(const TermLists& from, std::int64_t k, TermLists& to) {
  for (std::int64_t t = from.begin[k]; t < from.begin[k + 1]; ++t) add_term(to, term_at(from, t));
  close_list(to, !from.whole.empty() && from.whole[k] != 0);
  if (const std::int32_t units = from.layers.of(k); units > 0) {
    add_layer(to.layers, to.size() - 1, units, from.layers.numbers(k));
  }
  // One that ends behind the last machine has none, though lists that are not tidy do not say so yet.
  if (k + 1 < static_cast<std::int64_t>(from.machine_begin.size())) add_machine(to, from.machine(k));
}

void tidy(TermLists& lists) {
  if (std::ranges::all_of(lists.whole, [](std::uint8_t whole) { return whole == 0; })) lists.whole.clear();
  if (!lists.whole.empty()) lists.whole.resize(static_cast<std::size_t>(lists.size()), 0);
  tidy(lists.layers, lists.size());
  if (!lists.machine_begin.empty())
    lists.machine_begin.resize(lists.begin.size(), static_cast<std::int64_t>(lists.machine_weight.size()));
  if (std::ranges::any_of(lists.other, [](std::int32_t other) { return other >= 0; })) return;
  lists.other.clear();
  lists.other_code.clear();
  lists.other_origin.clear();
  lists.centre.clear();
  lists.other_centre.clear();
}

}  // namespace bough
