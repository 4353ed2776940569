// See grow.hpp.
#include "bough/engine/grow.hpp"

#include <utility>

#include "bough/base/error.hpp"
#include "bough/engine/open/grow.hpp"
#include "bough/engine/plan.hpp"
#include "bough/engine/sorted/grow.hpp"
#include "bough/stopping/global_criterion.hpp"

namespace bough {

Tree grow(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  if (table.columns.empty()) throw InvalidInput("table", "no columns");
  Tree tree = plan(options, target.classes).is_open() ? grow_open(table, target, options, watch)
                                                      : grow_sorted(table, target, options, watch);
  if (options.stop.size.alpha < 0.0) return tree;
  return stop_at_least(std::move(tree), options.stop.size, options.expert);
}

}  // namespace bough
