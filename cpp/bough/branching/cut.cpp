// One threshold of numbers or ordered levels, with the rules of C4.5 where they are asked for.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/search/open_column.hpp"

namespace bough {

ColumnTest best_cut(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2) return {};
  TestLimits limits = column.limits();
  const GainOptions& gain = column.options.gain;
  if (gain.relative_minimum && column.target.classes > 0) {
    const double known = std::accumulate(column.cells.table.weight.begin(), column.cells.table.weight.end(), 0.0);
    const double tenth = 0.1 * known / static_cast<double>(column.target.classes);
    if (tenth > limits.min_weight) limits.min_weight = std::min(tenth, 25.0);
  }
  const std::vector<std::uint32_t> order = cells_up_to(n);
  Contest contest = column.contest(limits, true);
  enter_cuts(column, contest, order);
  ColumnTest test = cut_of(contest, order);
  if (test.any && gain.threshold_penalty) {
    const double paid = std::log2(static_cast<double>(contest.admissible())) / column.node.stats->weight;
    const double left = test.judged.gain - paid;
    if (!(left > limits.floor)) return {};
    test.judged.ratio *= left / test.judged.gain;
    test.judged.gain = left;
  }
  return test;
}

}  // namespace bough
