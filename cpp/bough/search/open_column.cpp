#include "bough/search/open_column.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bough {
namespace {

Unknown unknown_of(const GrowOptions& options, const Cells& cells) {
  if (!cells.has_missing()) return Unknown::left_out;
  if (options.missing == MissingRule::own_branch) return Unknown::own_branch;
  return options.missing == MissingRule::learned ? Unknown::learned : Unknown::left_out;
}

// Values of a number that are too many for their branching are joined first.
Cells cells_for(const RankedColumn& column, const NodeView& node, const Target& target, const GrowOptions& options) {
  constexpr std::size_t kTogether = 2000;
  const StatKind kind = stat_kind(target, options.criterion);
  Cells cells = make_cells(column, node, target, kind);
  if (options.branching == Branching::merged && column.view.kind == ColumnKind::numeric)
    return coarsened(std::move(cells), static_cast<std::size_t>(options.branches.bins), kind);
  if (options.branching == Branching::intervals && column.view.kind != ColumnKind::nominal)
    return coarsened(std::move(cells), kTogether, kind);
  return cells;
}

// The first of several cells in a row, by number.
std::vector<std::uint32_t> up_to(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

// Enters every cut of the cells in an order; tags count the cells below.
void enter_cuts(OpenColumn& column, Contest& contest, const std::vector<std::uint32_t>& order) {
  const std::vector<std::uint32_t> reversed(order.rbegin(), order.rend());
  const std::size_t n = order.size();
  const CellRuns low = column.sums.runs(order, false);
  const CellRuns high = column.sums.runs(reversed, false);
  CellRuns low_more;
  CellRuns high_more;
  const bool learned = column.unknown == Unknown::learned;
  if (learned) {
    low_more = column.sums.runs(order, true);
    high_more = column.sums.runs(reversed, true);
  }
  const CellSum missing = column.sums.missing();
  contest.start(branches_with_missing(column, 2), exempt_branch(column, 2));
  const auto enter = [&](std::size_t cut, std::int32_t to, const CellRuns& below, const CellRuns& above) {
    const std::size_t test = contest.add(cut, to);
    contest.fill(test, 0, below.at(cut - 1), below.weight[cut - 1], below.rows[cut - 1]);
    const std::size_t rest = n - cut - 1;
    contest.fill(test, 1, above.at(rest), above.weight[rest], above.rows[rest]);
    return test;
  };
  for (std::size_t cut = 1; cut < n; ++cut) {
    if (learned) {
      enter(cut, 0, low_more, high);
      enter(cut, 1, low, high_more);
    } else if (column.unknown == Unknown::own_branch) {
      contest.fill(enter(cut, 2, low, high), 2, missing.stat.data(), missing.weight, missing.rows);
    } else {
      enter(cut, -1, low, high);
    }
  }
  contest.settle();
}

ColumnTest cut_of(const Contest& contest, const std::vector<std::uint32_t>& order) {
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.branch.assign(order.size(), 1);
  for (std::size_t i = 0; i < contest.tag(); ++i) test.branch[order[i]] = 0;
  test.missing = contest.missing();
  test.branches = test.missing == 2 ? 3 : 2;
  return test;
}

}  // namespace

OpenColumn::OpenColumn(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
                       const Judge& judge, Watch& watch, std::size_t column)
    : table(table),
      target(target),
      options(options),
      node(node),
      judge(judge),
      watch(watch),
      column(column),
      cells(cells_for(table.columns[column], node, target, options)),
      unknown(unknown_of(options, cells)),
      sums(cells, node, stat_kind(target, options.criterion)) {}

TestLimits OpenColumn::limits() const {
  TestLimits limits;
  limits.min_rows = static_cast<double>(std::max<std::int64_t>(1, options.min_leaf_rows));
  limits.min_weight = options.min_leaf_weight;
  limits.zero_gain = options.zero_gain;
  limits.tie = options.tie;
  const double rounding = options.criterion == Criterion::absolute_error ? 1e-13 : 1e-14;
  limits.floor = rounding * node.stats->impurity;
  return limits;
}

Contest OpenColumn::contest(const TestLimits& limits, bool cuts) {
  CellSum parent = sums.all(sends_missing());
  Amounts amounts{0.0, node.stats->effective};
  amounts.known = target.classes > 0 ? std::accumulate(parent.stat.begin(), parent.stat.end(), 0.0) : parent.weight;
  return {judge, std::move(parent), amounts, limits, cuts && options.criterion == Criterion::gain_ratio, watch};
}

std::size_t branches_with_missing(const OpenColumn& column, std::size_t groups) {
  return groups + (column.unknown == Unknown::own_branch ? 1 : 0);
}

std::int32_t exempt_branch(const OpenColumn& column, std::size_t groups) {
  return column.unknown == Unknown::own_branch ? static_cast<std::int32_t>(groups) : -1;
}

void enter(OpenColumn& column, Contest& contest, const std::vector<std::vector<std::uint32_t>>& groups,
           std::uint64_t tag) {
  std::vector<CellSum> sums;
  sums.reserve(groups.size() + 1);
  for (const auto& group : groups) sums.push_back(column.sums.of(group, false));
  if (column.unknown == Unknown::own_branch) {
    sums.push_back(column.sums.missing());
    contest.add(tag, static_cast<std::int32_t>(groups.size()), sums);
  } else if (column.unknown == Unknown::learned) {
    for (std::size_t b = 0; b < groups.size(); ++b) {
      CellSum more = column.sums.of(groups[b], true);
      std::swap(sums[b], more);
      contest.add(tag, static_cast<std::int32_t>(b), sums);
      std::swap(sums[b], more);
    }
  } else {
    contest.add(tag, -1, sums);
  }
}

ColumnTest judge_given(OpenColumn& column, std::vector<std::int32_t> branch, std::int32_t branches,
                       std::int32_t missing) {
  TestLimits free;
  free.min_rows = 0.0;
  free.zero_gain = true;
  free.tie = column.options.tie;
  const bool sent = missing >= 0 && column.cells.has_missing();
  CellSum parent = column.sums.all(sent);
  Amounts amounts{0.0, column.node.stats->effective};
  amounts.known =
      column.target.classes > 0 ? std::accumulate(parent.stat.begin(), parent.stat.end(), 0.0) : parent.weight;
  Contest contest(column.judge, std::move(parent), amounts, free, false, column.watch);
  contest.start(static_cast<std::size_t>(branches));
  const std::size_t test = contest.add(0, missing);
  for (std::int32_t b = 0; b < branches; ++b) {
    std::vector<std::uint32_t> group;
    for (std::size_t v = 0; v < branch.size(); ++v) {
      if (branch[v] == b) group.push_back(static_cast<std::uint32_t>(v));
    }
    const CellSum sum = column.sums.of(group, sent && b == missing);
    contest.fill(test, static_cast<std::size_t>(b), sum.stat.data(), sum.weight, sum.rows);
  }
  contest.settle();
  ColumnTest given;
  given.any = contest.any();
  given.judged = contest.best();
  given.branch = std::move(branch);
  given.branches = branches;
  given.missing = missing;
  return given;
}

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
  const std::vector<std::uint32_t> order = up_to(n);
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

ColumnTest best_intervals(OpenColumn& column) {
  // Two thresholds are searched together; more are added one by one where each does most.
  const std::size_t n = column.cells.size();
  const std::size_t most =
      std::min({n, static_cast<std::size_t>(column.options.branches.intervals), column.most_branches()});
  if (most < 2) return {};
  std::vector<std::size_t> edges;  // cells below each
  Contest contest = column.contest(column.limits(), false);
  std::vector<std::uint32_t> order = up_to(n);
  enter_cuts(column, contest, order);
  ColumnTest best = cut_of(contest, order);
  if (best.any) edges = {static_cast<std::size_t>(contest.tag())};
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
    std::vector<std::size_t> cuts = edges;
    const auto cut = static_cast<std::size_t>(more.tag());
    cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), cut), cut);
    if (!take(more, std::move(cuts), Found::greedy)) break;
  }
  return best;
}

std::vector<double> cell_answers(const OpenColumn& column) {
  const Cells& cells = column.cells;
  const std::vector<double>& weight = column.node.held->weight;
  std::vector<double> answers(cells.size(), 0.0);
  for (std::size_t v = 0; v < cells.size(); ++v) {
    std::vector<std::uint32_t> rows(cells.order.begin() + cells.begin[v], cells.order.begin() + cells.begin[v + 1]);
    if (column.options.criterion != Criterion::absolute_error) {
      for (const std::uint32_t at : rows) answers[v] += weight[at] * column.node.value[at] / cells.table.weight[v];
      continue;
    }
    std::sort(rows.begin(), rows.end(),
              [&](std::uint32_t a, std::uint32_t b) { return column.node.place[a] < column.node.place[b]; });
    const double half = 0.5 * cells.table.weight[v];
    double below = 0.0;
    std::size_t low = 0;
    while (low + 1 < rows.size() && (below += weight[rows[low]]) < half * (1.0 - 1e-14)) ++low;
    const bool gap = low + 1 < rows.size() && below <= half * (1.0 + 1e-14);
    answers[v] = std::midpoint(column.node.value[rows[low]], column.node.value[rows[low + (gap ? 1 : 0)]]);
  }
  return answers;
}

std::vector<std::uint32_t> order_by_answer(const OpenColumn& column) {
  if (column.target.classes > 2) return order_by_component(column.cells.table);
  if (column.target.classes == 2) return order_by_share(column.cells.table, 0, 2);
  const std::vector<double> answer = cell_answers(column);
  std::vector<std::uint32_t> order = up_to(column.cells.size());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return answer[a] < answer[b]; });
  return order;
}

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
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.missing = contest.missing();
  test.branches = test.missing == 2 ? 3 : 2;
  for (std::size_t v = 0; v < n; ++v) test.branch.push_back(((contest.tag() >> v) & 1U) != 0 ? 0 : 1);
  return test;
}

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
    limits.watch = &column.watch;
    TwoSides sides;
    const Subset subset = subset_by_superclasses(column.cells.table, limits, column.limits().floor, sides);
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

ColumnTest best_one_level(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2) return {};
  Contest contest = column.contest(column.limits(), false);
  contest.start(branches_with_missing(column, 2), exempt_branch(column, 2));
  std::vector<std::vector<std::uint32_t>> groups(2);
  for (std::size_t level = 0; level < n; ++level) {
    groups[0] = {static_cast<std::uint32_t>(level)};
    groups[1] = up_to(n);
    groups[1].erase(groups[1].begin() + static_cast<std::ptrdiff_t>(level));
    enter(column, contest, groups, level);
  }
  contest.settle();
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.missing = contest.missing();
  test.branches = test.missing == 2 ? 3 : 2;
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
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.missing = contest.missing();
  test.branches = static_cast<std::int32_t>(branches_with_missing(column, n));
  test.branch.resize(n);
  std::iota(test.branch.begin(), test.branch.end(), 0);
  return test;
}

ColumnTest is_missing(OpenColumn& column) {
  if (!column.cells.has_missing() || column.cells.size() == 0) return {};
  CellSum parent = column.sums.all(true);
  Amounts amounts{0.0, column.node.stats->effective};
  amounts.known = amounts.all;
  Contest contest(column.judge, std::move(parent), amounts, column.limits(), false, column.watch);
  contest.start(2);
  const CellSum known = column.sums.all(false);
  const CellSum missing = column.sums.missing();
  contest.add(0, 1, {&known, &missing});
  contest.settle();
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.missing = 1;
  test.branches = 2;
  test.branch.assign(column.cells.size(), 0);
  return test;
}

}  // namespace bough
