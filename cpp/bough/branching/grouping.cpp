// Groups of levels as C4.5 makes them: every level starts as a branch of its own; the two branches whose joining serves
// the criterion best are joined while that is no loss, or while there are more branches than may be.
#include <algorithm>
#include <cmath>

#include "bough/branching/branching.hpp"

namespace bough {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

// More levels than these are first joined to so many groups, neighbours in the order of their answers: the search
// looks at every pair again and again.
constexpr std::size_t kMostGroups = 64;

Groups first_groups(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  Groups groups;
  if (n <= kMostGroups) {
    for (std::size_t v = 0; v < n; ++v) groups.push_back({static_cast<std::uint32_t>(v)});
    return groups;
  }
  const std::vector<std::uint32_t> order = order_by_answer(column);
  groups.resize(kMostGroups);
  for (std::size_t i = 0; i < n; ++i) groups[i * kMostGroups / n].push_back(order[i]);
  return groups;
}

Groups joined(const Groups& groups, std::size_t a, std::size_t b) {
  Groups result = groups;
  result[a].insert(result[a].end(), groups[b].begin(), groups[b].end());
  std::sort(result[a].begin(), result[a].end());
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(b));
  return result;
}

// The worth of the groups as they are, minima aside: a branch that is too small may still be joined.
struct Worth {
  bool any = false;
  Judgement judged;
  std::uint64_t tag = 0;
  std::int32_t missing = -1;
};

Worth judge_all(OpenColumn& column, const std::vector<Groups>& ways, bool within_limits) {
  TestLimits limits = column.limits();
  limits.two_branches = column.options.gain.two_branches;
  limits.zero_gain = true;
  if (!within_limits) {
    limits.min_rows = 0.0;
    limits.min_weight = 0.0;
  }
  Contest contest = column.contest(limits, false);
  contest.start(branches_with_missing(column, ways.front().size()), exempt_branch(column, ways.front().size()));
  for (std::size_t way = 0; way < ways.size(); ++way) enter(column, contest, ways[way], way);
  contest.settle();
  return {contest.any(), contest.best(), contest.tag(), contest.missing()};
}

// What it says to name one of the ways to make `groups` groups of `levels` levels, in bits: the Stirling number of the
// second kind, from the sum of its terms relative to the largest one.
double choice_bits(std::size_t levels, std::size_t groups) {
  if (groups >= levels) return 0.0;
  std::vector<double> ways(groups + 1, 0.0);  // of one more level: into a group that is there, or into a new one
  ways[0] = 1.0;
  double scale = 0.0;
  for (std::size_t level = 0; level < levels; ++level) {
    for (std::size_t k = groups; k > 0; --k) ways[k] = static_cast<double>(k) * ways[k] + ways[k - 1];
    ways[0] = 0.0;
    const double most = *std::max_element(ways.begin(), ways.end());
    scale += std::log2(most);
    for (double& way : ways) way /= most;
  }
  return std::max(0.0, scale + std::log2(ways[groups]));
}

// The same test, less what its choice cost.
Judgement less(const Judgement& judged, double cost) {
  if (cost <= 0.0 || judged.gain <= 0.0) return judged;
  return {judged.gain - cost, judged.ratio * (judged.gain - cost) / judged.gain};
}

}  // namespace

ColumnTest grouped_levels(OpenColumn& column) {
  if (column.cells.size() < 2) return {};
  Groups groups = first_groups(column);
  const bool by_ratio = column.options.criterion == Criterion::gain_ratio;
  const bool paid = by_ratio && column.options.gain.later_rules;
  const std::size_t levels = groups.size();
  const auto cost = [&](std::size_t made) {
    return paid ? choice_bits(levels, made) / column.node.stats->weight : 0.0;
  };
  const auto worth = [&](const Worth& one, std::size_t made) {
    const Judgement judged = less(one.judged, cost(made));
    return by_ratio ? judged.ratio : judged.gain;
  };
  Worth at = judge_all(column, {groups}, false);
  const std::size_t most = column.most_branches();
  while (groups.size() > 2) {
    std::vector<Groups> ways;
    for (std::size_t a = 0; a + 1 < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) ways.push_back(joined(groups, a, b));
    }
    const Worth next = judge_all(column, ways, false);
    const bool too_many = groups.size() > most;
    const bool too_small = !judge_all(column, {groups}, true).any;
    const double before = worth(at, groups.size());
    const bool no_loss = next.any && worth(next, groups.size() - 1) >= before - column.options.tie * std::abs(before);
    if (!next.any || (!too_many && !too_small && !no_loss)) break;
    groups = std::move(ways[next.tag]);
    at = next;
  }
  if (groups.size() > most) return {};
  Worth last = judge_all(column, {groups}, true);
  last.judged = less(last.judged, cost(groups.size()));
  if (paid && !(last.judged.gain > 1e-9)) {
    if (!column.options.zero_gain) return {};
    last.judged = {};
  }
  const bool averaged = column.options.gain.choice == Choice::above_average;
  ColumnTest test;
  if (!last.any || (!column.options.zero_gain && !averaged && !(last.judged.gain > column.limits().floor))) return test;
  test.any = true;
  test.judged = last.judged;
  test.missing = last.missing;
  test.branches = static_cast<std::int32_t>(branches_with_missing(column, groups.size()));
  test.found = Found::greedy;
  test.branch.resize(column.cells.size());
  for (std::size_t b = 0; b < groups.size(); ++b) {
    for (const std::uint32_t v : groups[b]) test.branch[v] = static_cast<std::int32_t>(b);
  }
  return test;
}

}  // namespace bough
