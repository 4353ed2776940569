// See route.hpp.
#include "bough/predict/route.hpp"

#include <string>

#include "bough/base/error.hpp"
#include "bough/feature/row.hpp"
#include "bough/split/branch_of.hpp"

namespace bough {

void Router::check(std::int64_t split) const {
  const SplitPool& pool = tree_.splits;
  const SplitKind kind = pool.kind[split];
  if (kind != SplitKind::holds) {
    (void)column_of_kind(columns_, pool.column[split], kind == SplitKind::levels);
    return;
  }
  for (const std::int32_t column : columns_of(pool, split)) (void)column_of_kind(columns_, column, true);
}

std::int32_t Router::step(std::int32_t node, std::int64_t row) const {
  const ValueRow values(columns_, row, tree_.routing.unseen == Otherwise::missing);
  std::int32_t branch = branch_of(tree_.splits, tree_.split_begin[node], values);
  if (branch < 0) branch = route(tree_, tree_.splits, node, branch, values);
  if (branch >= 0) return tree_.children[tree_.child_begin[node] + branch];
  if (branch != Way::refused) return branch;
  const std::int32_t column = tree_.splits.column[tree_.split_begin[node]];
  throw InvalidInput("row " + std::to_string(row),
                     "column " + std::to_string(column) + " holds a level never seen in training");
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
