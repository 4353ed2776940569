// See route.hpp. A branch number below 0 is one of the states in which a split does not know its branch.
#include "bough/predict/route.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>

#include "bough/base/error.hpp"
#include "bough/predict/threshold.hpp"
#include "bough/split/conjunction.hpp"

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

// A number or an ordered level: its key, or the state of a cell that has none.
struct Cell {
  std::int32_t state = 0;
  std::int64_t key = 0;
};

Cell look(const ColumnView& column, std::int64_t row) {
  if (column.kind == ColumnKind::numeric) {
    const std::optional<std::int64_t> known = numeric_key(column, row);
    return known ? Cell{0, *known} : Cell{missing, 0};
  }
  const auto code = cell<std::int32_t>(column, row);
  if (code < 0) return {code == -1 ? missing : unseen, 0};
  return {0, code};
}

}  // namespace

const ColumnView& Router::column_at(const char* field, std::int64_t place, std::int32_t column, bool nominal) const {
  const auto c = static_cast<std::size_t>(column);
  // Asked for every row at every node with a set of many levels: words are made only where something is wrong.
  const auto where = [&] { return std::string(field) + "[" + std::to_string(place) + "]"; };
  if (c >= columns_.size()) {
    throw InvalidInput(where(), "asks column " + std::to_string(c) + " of a table with " +
                                    std::to_string(columns_.size()) + " columns");
  }
  if (nominal != (columns_[c].kind == ColumnKind::nominal)) {
    throw InvalidInput(where(), "column " + std::to_string(c) + " is of another kind than in training");
  }
  return columns_[c];
}

const ColumnView& Router::column_of(std::int64_t split) const {
  const SplitPool& pool = tree_.splits;
  const bool nominal = pool.kind[split] == SplitKind::levels || pool.kind[split] == SplitKind::conjunction;
  return column_at("split_column", split, pool.column[split], nominal);
}

std::int32_t Router::by_threshold(std::int64_t split, const ColumnView& column, std::int64_t row) const {
  const Cell found = look(column, row);
  if (found.state < 0) return found.state;
  const SplitPool& pool = tree_.splits;
  const Threshold threshold = {pool.payload[split], pool.value_type[split], pool.side[split]};
  const std::optional<std::int64_t> last = last_low_key(threshold, family_of(column.type));
  return last && found.key <= *last ? pool.low[split] : 1 - pool.low[split];
}

std::int32_t Router::by_interval(std::int64_t split, const ColumnView& column, std::int64_t row) const {
  const Cell found = look(column, row);
  if (found.state < 0) return found.state;
  const SplitPool& pool = tree_.splits;
  const auto list = static_cast<std::int64_t>(pool.payload[split]);
  const auto edges = std::views::iota(pool.edge_begin[list], pool.edge_begin[list + 1]);
  const auto at = std::ranges::partition_point(edges, [&](std::int64_t e) {
    const Threshold edge = {pool.edge_bits[e], pool.edge_type[e], pool.side[split]};
    const std::optional<std::int64_t> last = last_low_key(edge, family_of(column.type));
    return !last || found.key > *last;
  });
  return pool.interval_branch[pool.edge_begin[list] + list + (at - edges.begin())];
}

std::int32_t Router::by_terms(std::int64_t split, std::int64_t row) const {
  const SplitPool& pool = tree_.splits;
  const std::uint64_t list = pool.payload[split];
  std::int32_t why = missing;  // it is unknown: a level that was never seen says more than a missing one
  const Met found = all_met(pool.term_begin[list], pool.term_begin[list + 1], [&](std::int64_t t) {
    const ColumnView& column = column_at("term_column", t, pool.term_column[t], true);
    const auto code = cell<std::int32_t>(column, row);
    if (code >= 0) return met(code == pool.term_code[t], pool.term_negated[t] != 0);
    why = std::min(why, code == -1 ? missing : unseen);
    return Met::unknown;
  });
  if (found == Met::unknown) return why;
  return found == Met::yes ? pool.low[split] : 1 - pool.low[split];
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
  switch (tree_.splits.kind[split]) {
    case SplitKind::threshold:
      return by_threshold(split, column, row);
    case SplitKind::levels:
      return by_level(split, column, row);
    case SplitKind::intervals:
      return by_interval(split, column, row);
    case SplitKind::conjunction:
      break;
  }
  return by_terms(split, row);
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
      branch = tree_.splits.missing_branch(primary);
      if (branch < 0 && routing.surrogates) branch = by_surrogate(node, row);
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
