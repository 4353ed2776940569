// See grow.hpp.
#include "bough/engine/grow.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/engine/open/grow.hpp"
#include "bough/engine/plan.hpp"
#include "bough/engine/sorted/grow.hpp"
#include "bough/stopping/global_criterion.hpp"

namespace bough {
namespace {

// Half of Gini's impurity is Gini's in another unit. The sorted engine scans by Gini: what is compared with impurities
// and gains is doubled before, impurities and gains are halved after. A factor of two rounds nothing, so that the tests
// are the same to the last bit.
Tree grow_halved(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  GrowOptions doubled = options;
  doubled.criterion = Criterion::gini;
  doubled.stop.max_impurity *= 2.0;
  doubled.stop.min_gain *= 2.0;
  doubled.min_impurity_decrease *= 2.0;
  Tree tree = grow_sorted(table, target, doubled, watch);
  for (double& impurity : tree.impurity) impurity *= 0.5;
  for (std::size_t split = 0; split < tree.splits.score.size(); ++split) {
    if (tree.splits.role[split] != SplitRole::surrogate) tree.splits.score[split] *= 0.5;
  }
  return tree;
}

Tree grow_any(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  if (plan(options, target.classes).is_open()) return grow_open(table, target, options, watch);
  return options.criterion == Criterion::gini_half ? grow_halved(table, target, options, watch)
                                                   : grow_sorted(table, target, options, watch);
}

// Refused splits by the numbers of the nodes that are left; what was refused below is no longer of interest.
void renumber(std::vector<RefusedSplit>& refused, const std::vector<std::int32_t>& origin) {
  std::erase_if(refused, [&](const RefusedSplit& split) { return !std::ranges::binary_search(origin, split.node); });
  for (RefusedSplit& split : refused)
    split.node = static_cast<std::int32_t>(std::ranges::lower_bound(origin, split.node) - origin.begin());
}

}  // namespace

Tree grow(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  if (table.columns.empty()) throw InvalidInput("table", "no columns");
  Tree tree = grow_any(table, target, options, watch);
  if (options.stop.size.alpha < 0.0) return tree;
  CutTree stopped = stop_at_least(std::move(tree), options.stop.size, options.expert);
  if (options.refused != nullptr && !stopped.origin.empty()) renumber(*options.refused, stopped.origin);
  return std::move(stopped.tree);
}

}  // namespace bough
