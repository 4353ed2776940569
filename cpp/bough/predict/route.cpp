// See route.hpp. A branch number below 0 is one of the states in which a split does not know its branch.
#include "bough/predict/route.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "bough/base/error.hpp"
#include "bough/predict/threshold.hpp"

namespace bough {
namespace {

constexpr std::int32_t missing = -1;
constexpr std::int32_t unseen = -2;
constexpr std::int32_t absent = -3;

// The key of a numeric cell, or none if the value is missing.
std::optional<std::int64_t> numeric_key(const ColumnView& column, std::int64_t row) {
  if (is_masked(column, row)) return std::nullopt;
  switch (column.type) {
    case ColumnView::Type::f32:
    case ColumnView::Type::f64: {
      const double x = column.type == ColumnView::Type::f64 ? cell<double>(column, row) : cell<float>(column, row);
      if (std::isnan(x)) return std::nullopt;
      return key_of(x);
    }
    case ColumnView::Type::i32:
      return key_of(cell<std::int32_t>(column, row));
    case ColumnView::Type::i64:
      return key_of(cell<std::int64_t>(column, row));
    case ColumnView::Type::u64:
      return key_of(cell<std::uint64_t>(column, row));
  }
  return std::nullopt;
}

}  // namespace

const ColumnView& Router::column_of(std::int64_t split) const {
  const SplitPool& pool = tree_.splits;
  const auto c = static_cast<std::size_t>(pool.column[split]);
  // Asked for every row at every node with a set of many levels: words are made only where something is wrong.
  const auto place = [&] { return "split_column[" + std::to_string(split) + "]"; };
  if (c >= columns_.size()) {
    throw InvalidInput(place(), "asks column " + std::to_string(c) + " of a table with " +
                                    std::to_string(columns_.size()) + " columns");
  }
  if ((pool.kind[split] == SplitKind::levels) != (columns_[c].kind == ColumnKind::nominal)) {
    throw InvalidInput(place(), "column " + std::to_string(c) + " is of another kind than in training");
  }
  return columns_[c];
}

std::int32_t Router::by_threshold(std::int64_t split, const ColumnView& column, std::int64_t row) const {
  std::int64_t key = 0;
  if (column.kind == ColumnKind::numeric) {
    const std::optional<std::int64_t> known = numeric_key(column, row);
    if (!known) return missing;
    key = *known;
  } else {
    const auto code = cell<std::int32_t>(column, row);
    if (code < 0) return code == -1 ? missing : unseen;
    key = code;
  }
  const SplitPool& pool = tree_.splits;
  const Threshold threshold = {pool.payload[split], pool.value_type[split], pool.side[split]};
  const std::optional<std::int64_t> last = last_low_key(threshold, family_of(column.type));
  return last && key <= *last ? pool.low[split] : 1 - pool.low[split];
}

std::int32_t Router::by_level(std::int64_t split, const ColumnView& column, std::int64_t row) const {
  const auto code = cell<std::int32_t>(column, row);
  if (code < 0) return code == -1 ? missing : unseen;
  const SplitPool& pool = tree_.splits;
  const auto begin = pool.set_code.begin() + pool.set_begin[pool.payload[split]];
  const auto end = pool.set_code.begin() + pool.set_begin[pool.payload[split] + 1];
  const auto found = std::lower_bound(begin, end, code);
  if (found == end || *found != code) return absent;
  return pool.set_branch[found - pool.set_code.begin()];
}

std::int32_t Router::branch_of(std::int64_t split, std::int64_t row) const {
  const ColumnView& column = column_of(split);
  return tree_.splits.kind[split] == SplitKind::levels ? by_level(split, column, row)
                                                       : by_threshold(split, column, row);
}

std::int32_t Router::by_surrogate(std::int32_t node, std::int64_t row) const {
  for (std::int64_t s = tree_.split_begin[node] + 1; s < tree_.split_begin[node + 1]; ++s) {
    if (tree_.splits.role[s] != SplitRole::surrogate) continue;
    const std::int32_t branch = branch_of(s, row);
    if (branch >= 0) return branch;
  }
  return missing;
}

std::int32_t Router::step(std::int32_t node, std::int64_t row) const {
  const Routing& routing = tree_.routing;
  const std::int64_t primary = tree_.split_begin[node];
  std::int32_t branch = branch_of(primary, row);
  if (branch < 0) {
    Otherwise rule = branch == unseen ? routing.unseen : (branch == absent ? routing.absent : Otherwise::missing);
    if (rule == Otherwise::error) {
      throw InvalidInput("row " + std::to_string(row), "column " + std::to_string(tree_.splits.column[primary]) +
                                                           " holds a level never seen in training");
    }
    if (rule == Otherwise::missing) {
      if (routing.surrogates) branch = by_surrogate(node, row);
      rule = routing.fallback;
    }
    if (branch < 0 && rule == Otherwise::spread) return spreads;
    if (branch < 0) branch = rule == Otherwise::majority ? tree_.majority[node] : -1;
  }
  return branch < 0 ? stops : tree_.children[tree_.child_begin[node] + branch];
}

std::int32_t Router::settle(std::int64_t row) const {
  std::int32_t node = 0;
  while (!tree_.is_leaf(node)) {
    const std::int32_t next = step(node, row);
    if (next == spreads) return ~node;
    if (next == stops) break;
    node = next;
  }
  return node;
}

}  // namespace bough
