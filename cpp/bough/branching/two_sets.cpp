// Two sets of levels: all of them where that is little work or asked for, else cuts of the levels in order.
#include <cstdint>
#include <numeric>

#include "bough/branching/branching.hpp"
#include "bough/criterion/side.hpp"

namespace bough {

namespace {

// Every set of levels, in reflected Gray code order as the fast search takes them: the first of equal ones stays.
ColumnTest best_of_all_sets(OpenColumn& column, Contest& contest) {
  const std::size_t n = column.cells.size();
  contest.start(branches_with_missing(column, 2), exempt_branch(column, 2));
  const std::uint64_t last = std::uint64_t{1} << (n - 1);
  std::uint64_t bits = 0;
  std::vector<std::vector<std::uint32_t>> groups(2);
  for (std::uint64_t step = 1; step < last; ++step) {
    bits ^= step & (~step + 1);
    groups[0].clear();
    groups[1].clear();
    for (std::size_t v = 0; v < n; ++v)
      groups[((bits >> v) & 1U) != 0 ? 0 : 1].push_back(static_cast<std::uint32_t>(v));
    enter(column, contest, groups, bits);
  }
  contest.settle();
  ColumnTest test = winner(contest, 2);
  if (!test.any) return test;
  for (std::size_t v = 0; v < n; ++v) test.branch.push_back(((contest.tag() >> v) & 1U) != 0 ? 0 : 1);
  return test;
}

}  // namespace

ColumnTest best_two_sets(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2) return {};
  const SubsetRule rule = column.options.subsets;
  const Criterion criterion = column.options.criterion;
  // For two classes and a concave impurity, and for squared error, a cut of the levels in order of their answers is the
  // best of all sets.
  const bool concave = criterion != Criterion::gain_ratio && criterion != Criterion::user;
  const bool in_order = column.unknown != Unknown::learned && rule != SubsetRule::all &&
                        ((column.target.classes == 2 && concave) || criterion == Criterion::squared_error);
  constexpr std::size_t kMuchWork = std::size_t{1} << 24;
  const bool little = n <= kExactLevels &&
                      (column.sums.are_sums() || (std::size_t{1} << (n - 1)) * column.node.held->size() <= kMuchWork);
  Contest contest = column.contest(column.limits(), false);
  const bool complete =
      (rule == SubsetRule::exact && (criterion != Criterion::twoing || column.target.classes > kSuperclassed)) ||
      (rule == SubsetRule::exact && little) || rule == SubsetRule::all || (rule == SubsetRule::automatic && little);
  if (!in_order && complete) return best_of_all_sets(column, contest);
  if (criterion == Criterion::twoing && !in_order && column.unknown == Unknown::left_out) {
    CutLimits limits;
    limits.min_rows = static_cast<std::size_t>(column.limits().min_rows);
    limits.min_weight = column.limits().min_weight;
    limits.tie = column.options.tie;
    limits.zero_gain = column.options.zero_gain;
    limits.watch = &column.watch;
    TwoSides sides;
    ValueTable table = column.cells.table;
    const double total = std::accumulate(table.stat.begin(), table.stat.end(), 0.0);
    const double unit = unit_for(total);
    for (double& count : table.stat) count *= unit;
    sides.rounding = rounding_of_side(1.0, total * unit);
    const Subset subset = subset_by_superclasses(table, column.options.twoing, limits, column.limits().floor, sides);
    if (!subset.any) return {};
    std::vector<std::int32_t> branch;
    branch.reserve(subset.low.size());
    for (const std::uint8_t low : subset.low) branch.push_back(low != 0 ? 0 : 1);
    ColumnTest test = judge_given(column, std::move(branch), 2, -1);
    test.found = subset.found;
    return test;
  }
  const std::vector<std::uint32_t> order = order_by_answer(column);
  enter_cuts(column, contest, order);
  ColumnTest test = cut_of(contest, order);
  test.found = in_order ? Found::ordered : Found::pca;
  if (!in_order && column.target.classes == 0)
    test.found = criterion == Criterion::absolute_error ? Found::median_order : Found::mean_order;
  return test;
}

}  // namespace bough
