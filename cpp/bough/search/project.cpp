// See project.hpp.
#include "bough/search/project.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/branching/branching.hpp"
#include "bough/engine/open/column.hpp"
#include "bough/engine/open/quick_cut.hpp"

namespace bough {

SumCut scan(std::span<const double> s, const ObliqueNode& node) {
  const bool sends_missing =
      node.options.missing == MissingRule::own_branch || node.options.missing == MissingRule::learned;
  const auto gap = [](double one) { return std::isnan(one); };
  if (knows_quick_cut(node.options, node.target, node.node) && !(sends_missing && std::ranges::any_of(s, gap))) {
    const QuickCut quick = quick_cut(s, node.node, node.target, node.options, node.judge, node.watch);
    SumCut cut;
    if (!quick.any) return cut;
    cut.any = true;
    cut.judged = quick.judged;
    cut.low = s[quick.low_last];
    cut.high = s[quick.high_first];
    cut.low_share = quick.low_share;
    return cut;
  }
  return cut_by(s, node, best_cut);
}

SumCut cut_by(std::span<const double> s, const ObliqueNode& node, const std::function<ColumnTest(OpenColumn&)>& rule) {
  const StatKind kind = stat_kind(node.target, node.options.criterion);
  OpenColumn column(node.table, node.target, node.options, node.node, node.judge, node.watch,
                    make_cells(s, node.node, node.target, kind));
  const ColumnTest test = rule(column);
  SumCut cut;
  if (!test.any) return cut;
  const Cells& cells = column.cells;
  const auto below = static_cast<std::size_t>(std::ranges::count(test.branch, 0));
  const std::vector<double>& weight = cells.table.weight;
  const auto middle = weight.begin() + static_cast<std::ptrdiff_t>(below);
  cut.any = true;
  cut.judged = test.judged;
  cut.low = s[cells.order[cells.begin[below] - 1]];
  cut.high = s[cells.order[cells.begin[below]]];
  cut.low_share = std::accumulate(weight.begin(), middle, 0.0) / std::accumulate(weight.begin(), weight.end(), 0.0);
  cut.missing = test.missing;
  return cut;
}

}  // namespace bough
