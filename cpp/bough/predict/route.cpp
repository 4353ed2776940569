// See route.hpp.
#include "bough/predict/route.hpp"

#include <string>

#include "bough/base/error.hpp"
#include "bough/feature/row.hpp"
#include "bough/split/branch_of.hpp"

namespace bough {

void Router::check(std::int64_t split) const {
  const SplitPool& pool = tree_.splits;
  switch (pool.feature(split)) {
    case Feature::column:
      (void)column_of_kind(columns_, pool.column[split], pool.kind[split] == SplitKind::levels);
      return;
    case Feature::all_of:
      return check_fit(columns_, pool.terms, static_cast<std::int64_t>(pool.payload[split]));
    case Feature::sum:
    case Feature::network:
      return check_fit_of_sum(columns_, pool.sums, pool.derived[split]);
  }
}

std::int32_t Router::step(std::int32_t node, std::int64_t row) const {
  const ValueRow values(columns_, row, tree_.routing.unseen == Otherwise::missing);
  std::int32_t branch = branch_of(tree_.splits, tree_.split_begin[node], values);
  if (branch < 0) branch = route(tree_, tree_.splits, node, branch, values);
  if (branch >= 0) return tree_.children[tree_.child_begin[node] + branch];
  if (branch != Way::refused) return branch;
  const std::int64_t split = tree_.split_begin[node];
  const bool alone = tree_.splits.feature(split) == Feature::column;
  throw InvalidInput("row " + std::to_string(row), (alone ? "column " + std::to_string(tree_.splits.column[split])
                                                          : "a column that node " + std::to_string(node) + " asks") +
                                                       " holds a level never seen in training");
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
