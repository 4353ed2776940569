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

}  // namespace

void add_terms(TermLists& lists, const std::vector<LinearTerm>& terms, bool whole) {
  for (const LinearTerm& term : terms) {
    lists.column.push_back(term.column);
    lists.code.push_back(term.code);
    lists.weight.push_back(term.weight);
    lists.fill.push_back(term.fill);
    lists.scale.push_back(term.scale);
    lists.origin.push_back(term.origin);
  }
  close_list(lists, whole);
}

void copy_terms(const TermLists& from, std::int64_t k, TermLists& to) {
  for (std::int64_t t = from.begin[k]; t < from.begin[k + 1]; ++t) {
    to.column.push_back(from.column[t]);
    to.code.push_back(from.code[t]);
    to.weight.push_back(from.weight[t]);
    to.fill.push_back(from.fill[t]);
    to.scale.push_back(from.scale[t]);
    to.origin.push_back(from.origin[t]);
  }
  close_list(to, !from.whole.empty() && from.whole[k] != 0);
}

void tidy(TermLists& lists) {
  if (std::ranges::all_of(lists.whole, [](std::uint8_t whole) { return whole == 0; })) lists.whole.clear();
  if (!lists.whole.empty()) lists.whole.resize(static_cast<std::size_t>(lists.size()), 0);
}

}  // namespace bough
