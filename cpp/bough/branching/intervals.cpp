// Intervals of numbers or ordered levels: two thresholds are searched together, more are added one by one.
#include <algorithm>
#include <cmath>

#include "bough/branching/branching.hpp"

namespace bough {

ColumnTest best_intervals(OpenColumn& column) {
  // Two thresholds are searched together; more are added one by one where each does most.
  const std::size_t n = column.cells.size();
  const std::size_t most = std::min(n, static_cast<std::size_t>(column.options.branches.intervals));
  if (most < 2) return {};
  std::vector<std::size_t> edges;  // cells below each
  Contest contest = column.contest(column.limits(), false);
  std::vector<std::uint32_t> order = cells_up_to(n);
  enter_cuts(column, contest, order);
  ColumnTest best = cut_of(contest, order);
  if (best.any) edges = {static_cast<std::size_t>(contest.tag())};
  std::size_t tests = contest.admissible();
  const auto groups_of = [&](const std::vector<std::size_t>& cuts) {
    std::vector<std::vector<std::uint32_t>> groups(cuts.size() + 1);
    std::size_t at = 0;
    for (std::size_t v = 0; v < n; ++v) {
      while (at < cuts.size() && v >= cuts[at]) ++at;
      groups[at].push_back(static_cast<std::uint32_t>(v));
    }
    return groups;
  };
  const auto take = [&](const Contest& won, std::vector<std::size_t> cuts, Found found) {
    if (!won.any()) return false;
    const double bar = best.any ? won.worth(best.judged) : 0.0;
    if (best.any && !(won.worth(won.best()) > bar + column.options.tie * std::abs(bar))) return false;
    best.any = true;
    best.judged = won.best();
    best.missing = won.missing();
    best.found = found;
    edges = std::move(cuts);
    best.branches = static_cast<std::int32_t>(branches_with_missing(column, edges.size() + 1));
    const auto groups = groups_of(edges);
    best.branch.assign(n, 0);
    for (std::size_t b = 0; b < groups.size(); ++b) {
      for (const std::uint32_t v : groups[b]) best.branch[v] = static_cast<std::int32_t>(b);
    }
    return true;
  };
  if (most >= 3 && column.sums.are_sums()) {
    Contest pairs = column.contest(column.limits(), false);
    pairs.start(branches_with_missing(column, 3), exempt_branch(column, 3));
    const std::vector<std::uint32_t> reversed(order.rbegin(), order.rend());
    const CellRuns low = column.sums.runs(order, false);
    const CellRuns high = column.sums.runs(reversed, false);
    const CellRuns low_more = column.sums.runs(order, true);
    const CellRuns high_more = column.sums.runs(reversed, true);
    const CellSum missing = column.sums.missing();
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const std::span<const std::uint32_t> rest(order.data() + i, n - i);
      const CellRuns middle = column.sums.runs(rest, false);
      const CellRuns middle_more = column.unknown == Unknown::learned ? column.sums.runs(rest, true) : CellRuns{};
      for (std::size_t j = i + 1; j < n; ++j) {
        const std::uint64_t tag = (static_cast<std::uint64_t>(i) << 32U) | j;
        const auto one = [&](std::int32_t to) {
          const std::size_t test = pairs.add(tag, to);
          const CellRuns& first = to == 0 ? low_more : low;
          const CellRuns& second = to == 1 && column.unknown == Unknown::learned ? middle_more : middle;
          const CellRuns& third = to == 2 && column.unknown == Unknown::learned ? high_more : high;
          pairs.fill(test, 0, first.at(i - 1), first.weight[i - 1], first.rows[i - 1]);
          pairs.fill(test, 1, second.at(j - i - 1), second.weight[j - i - 1], second.rows[j - i - 1]);
          pairs.fill(test, 2, third.at(n - j - 1), third.weight[n - j - 1], third.rows[n - j - 1]);
          return test;
        };
        if (column.unknown == Unknown::learned) {
          for (std::int32_t to = 0; to < 3; ++to) one(to);
        } else if (column.unknown == Unknown::own_branch) {
          pairs.fill(one(3), 3, missing.stat.data(), missing.weight, missing.rows);
        } else {
          one(-1);
        }
      }
    }
    pairs.settle();
    tests += pairs.admissible();
    take(pairs, {static_cast<std::size_t>(pairs.tag() >> 32U), static_cast<std::size_t>(pairs.tag() & 0xffffffffU)},
         Found::exact);
  }
  while (best.any && edges.size() + 1 < most) {
    Contest more = column.contest(column.limits(), false);
    const std::size_t groups = edges.size() + 2;
    more.start(branches_with_missing(column, groups), exempt_branch(column, groups));
    for (std::size_t cut = 1; cut < n; ++cut) {
      if (std::find(edges.begin(), edges.end(), cut) != edges.end()) continue;
      std::vector<std::size_t> cuts = edges;
      cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), cut), cut);
      enter(column, more, groups_of(cuts), cut);
    }
    more.settle();
    tests += more.admissible();
    std::vector<std::size_t> cuts = edges;
    const auto cut = static_cast<std::size_t>(more.tag());
    cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), cut), cut);
    if (!take(more, std::move(cuts), Found::greedy)) break;
  }
  if (best.any && column.options.gain.threshold_penalty) pay(column, std::log2(static_cast<double>(tests)), best);
  return best;
}

}  // namespace bough
