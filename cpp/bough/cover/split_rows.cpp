// See split_rows.hpp.
#include "bough/cover/split_rows.hpp"

#include <algorithm>
#include <numeric>

namespace bough {
namespace {

// Rows in the order of their classes, and where each class begins; the order inside a class stays.
std::vector<std::uint32_t> by_class(std::span<const std::uint32_t> rows, const CoverData& data,
                                    std::span<const std::uint32_t> place, std::vector<std::size_t>& begin) {
  begin.assign(place.size() + 1, 0);
  for (const std::uint32_t row : rows) ++begin[place[data.label[row]] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> next = begin;
  std::vector<std::uint32_t> sorted(rows.size());
  for (const std::uint32_t row : rows) sorted[next[place[data.label[row]]]++] = row;
  return sorted;
}

// Every so many-th row from the first on, then from the second on, and so forth: so each part has of every class.
std::vector<std::uint32_t> deal(std::span<const std::uint32_t> rows, std::size_t folds) {
  std::vector<std::uint32_t> dealt;
  dealt.reserve(rows.size());
  for (std::size_t k = 0; k < folds; ++k) {
    for (std::size_t i = k; i < rows.size(); i += folds) dealt.push_back(rows[i]);
  }
  return dealt;
}

}  // namespace

RowParts split_rows(std::span<const std::uint32_t> rows, const CoverData& data, std::span<const std::uint32_t> place,
                    const CoverOptions& options, Draws& draws) {
  const std::size_t n = data.table->rows;
  RowParts parts = {{}, RowSet(n), RowSet(n)};
  if (!options.prune || !options.held_out.empty()) {
    parts.order.assign(rows.begin(), rows.end());
    for (const std::uint32_t row : rows) {
      const bool held_out = options.prune && options.held_out[row] != 0;
      (held_out ? parts.pruning : parts.growing).add(row);
    }
    return parts;
  }
  if (options.stratified) {
    std::vector<std::size_t> begin;
    parts.order = by_class(rows, data, place, begin);
    for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
      draws.shuffle(std::span(parts.order).subspan(begin[c], begin[c + 1] - begin[c]));
    }
    parts.order = deal(parts.order, options.folds);
  } else {
    parts.order.assign(rows.begin(), rows.end());
    draws.shuffle(std::span(parts.order));
  }
  const std::size_t growing = rows.size() * (options.folds - 1) / options.folds;
  for (std::size_t i = 0; i < rows.size(); ++i) (i < growing ? parts.growing : parts.pruning).add(parts.order[i]);
  return parts;
}

}  // namespace bough
