// One level against the others, or a branch for every level.
#include <numeric>

#include "bough/branching/branching.hpp"

namespace bough {

ColumnTest best_one_level(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2) return {};
  Contest contest = column.contest(column.limits(), false);
  contest.start(branches_with_missing(column, 2), exempt_branch(column, 2));
  std::vector<std::vector<std::uint32_t>> groups(2);
  for (std::size_t level = 0; level < n; ++level) {
    groups[0] = {static_cast<std::uint32_t>(level)};
    groups[1] = cells_up_to(n);
    groups[1].erase(groups[1].begin() + static_cast<std::ptrdiff_t>(level));
    enter(column, contest, groups, level);
  }
  contest.settle();
  ColumnTest test = winner(contest, 2);
  if (!test.any) return test;
  test.branch.assign(n, 1);
  test.branch[contest.tag()] = 0;
  return test;
}

ColumnTest all_levels(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2 || n > column.most_branches()) return {};
  TestLimits limits = column.limits();
  limits.two_branches = column.options.gain.two_branches;
  // Tests without gain have a part in the average.
  limits.zero_gain = limits.zero_gain || column.options.gain.choice == Choice::above_average;
  Contest contest = column.contest(limits, false);
  contest.start(branches_with_missing(column, n), exempt_branch(column, n));
  std::vector<std::vector<std::uint32_t>> groups(n);
  for (std::size_t v = 0; v < n; ++v) groups[v] = {static_cast<std::uint32_t>(v)};
  enter(column, contest, groups, 0);
  contest.settle();
  ColumnTest test = winner(contest, static_cast<std::int32_t>(n));
  if (!test.any) return test;
  test.branches = static_cast<std::int32_t>(branches_with_missing(column, n));
  test.branch.resize(n);
  std::iota(test.branch.begin(), test.branch.end(), 0);
  return test;
}

}  // namespace bough
