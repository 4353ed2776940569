// See grow.hpp.
#include "bough/engine/grow.hpp"

#include "bough/base/error.hpp"
#include "bough/engine/open/grow.hpp"
#include "bough/engine/plan.hpp"
#include "bough/engine/sorted/grow.hpp"

namespace bough {

Tree grow(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  if (table.columns.empty()) throw InvalidInput("table", "no columns");
  return plan(options, target.classes).is_open() ? grow_open(table, target, options, watch)
                                                 : grow_sorted(table, target, options, watch);
}

}  // namespace bough
