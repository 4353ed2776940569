#include "bough/engine/open/column.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/criterion/floor.hpp"

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

OpenColumn::OpenColumn(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
                       const Judge& judge, Watch& watch, Cells cells)
    : table(table),
      target(target),
      options(options),
      node(node),
      judge(judge),
      watch(watch),
      column(kNoColumn),
      cells(std::move(cells)),
      unknown(unknown_of(options, this->cells)),
      sums(this->cells, node, stat_kind(target, options.criterion)) {}

TestLimits limits_of(const GrowOptions& options, const NodeStats& node) {
  TestLimits limits;
  limits.min_rows = static_cast<double>(std::max<std::int64_t>(1, options.min_leaf_rows));
  limits.min_weight = options.min_leaf_weight;
  limits.zero_gain = limits.no_rounding = options.zero_gain;
  limits.tie = options.tie;
  limits.floor = rounding_of_gain(node, options.criterion);
  return limits;
}

TestLimits OpenColumn::limits() const { return limits_of(options, *node.stats); }

Amounts OpenColumn::amounts_of(const CellSum& parent) const {
  const bool classes = target.classes > 0;
  return {classes ? std::accumulate(parent.stat.begin(), parent.stat.end(), 0.0) : parent.weight,
          node.stats->effective};
}

Contest OpenColumn::contest(const TestLimits& limits, bool cuts) {
  CellSum parent = sums.all(sends_missing());
  const Amounts amounts = amounts_of(parent);
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

std::vector<std::uint32_t> cells_up_to(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

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

ColumnTest winner(const Contest& contest, std::int32_t groups) {
  ColumnTest test;
  if (!contest.any()) return test;
  test.any = true;
  test.judged = contest.best();
  test.missing = contest.missing();
  test.branches = test.missing == groups ? groups + 1 : groups;
  return test;
}

ColumnTest cut_of(const Contest& contest, const std::vector<std::uint32_t>& order) {
  ColumnTest test = winner(contest, 2);
  if (!test.any) return test;
  test.branch.assign(order.size(), 1);
  for (std::size_t i = 0; i < contest.tag(); ++i) test.branch[order[i]] = 0;
  return test;
}

void set_edges(const Cells& cells, const std::vector<std::int32_t>& branch, Candidate& candidate) {
  auto open = std::make_unique<OpenTest>();
  double below = 0.0;
  const double all = std::accumulate(cells.table.weight.begin(), cells.table.weight.end(), 0.0);
  for (std::size_t v = 0; v < cells.size(); ++v) {
    if (v == 0 || branch[v] != branch[v - 1]) {
      if (v > 0) {
        open->edge_rows.emplace_back(cells.last[v - 1], cells.row[v]);
        open->edge_share.push_back(below / all);
      }
      open->branch.push_back(branch[v]);
    }
    below += cells.table.weight[v];
  }
  if (open->branch.size() == 2 && open->branch[0] == 0 && open->branch[1] == 1) {
    candidate.low_row = open->edge_rows[0].first;
    candidate.high_row = open->edge_rows[0].second;
    candidate.low_share = open->edge_share[0];
    return;
  }
  candidate.open = std::move(open);
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
  std::vector<std::uint32_t> order = cells_up_to(column.cells.size());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return answer[a] < answer[b]; });
  return order;
}

void pay(const OpenColumn& column, double bits, ColumnTest& test) {
  const double left = test.judged.gain - bits / column.node.stats->weight;
  if (!(left > column.limits().floor)) {
    // What the choice costs makes no test worse than one that gains nothing.
    test.any = column.options.zero_gain;
    test.judged = {};
    return;
  }
  test.judged.ratio *= left / test.judged.gain;
  test.judged.gain = left;
}

ColumnTest judge_given(OpenColumn& column, std::vector<std::int32_t> branch, std::int32_t branches,
                       std::int32_t missing) {
  // Branches without rows have no part in the score, cells without a branch none in the parent.
  std::vector<CellSum> sums;
  std::vector<std::uint32_t> sent_cells;
  const bool sent = missing >= 0 && column.cells.has_missing();
  for (std::int32_t b = 0; b < branches; ++b) {
    std::vector<std::uint32_t> group;
    for (std::size_t v = 0; v < branch.size(); ++v) {
      if (branch[v] == b) group.push_back(static_cast<std::uint32_t>(v));
    }
    sent_cells.insert(sent_cells.end(), group.begin(), group.end());
    CellSum sum = column.sums.of(group, sent && b == missing);
    if (sum.weight > 0.0) sums.push_back(std::move(sum));
  }
  ColumnTest given;
  given.any = true;
  given.branch = std::move(branch);
  given.branches = branches;
  given.missing = missing;
  if (sums.size() < 2) return given;
  TestLimits free;
  free.min_rows = 0.0;
  free.zero_gain = true;
  free.tie = column.options.tie;
  CellSum parent = column.sums.of(sent_cells, sent);
  const Amounts amounts = column.amounts_of(parent);
  Contest contest(column.judge, std::move(parent), amounts, free, false, column.watch);
  contest.start(sums.size());
  contest.add(0, missing, sums);
  contest.settle();
  given.judged = contest.best();
  return given;
}

ColumnTest judge_sent(OpenColumn& column, const std::vector<std::int32_t>& branch, std::int32_t branches,
                      std::int32_t missing) {
  if (missing < 0 && column.unknown == Unknown::own_branch) missing = branches++;
  ColumnTest test = judge_given(column, branch, branches, missing);
  for (std::int32_t b = 0; missing < 0 && column.unknown == Unknown::learned && b < branches; ++b) {
    ColumnTest sent = judge_given(column, branch, branches, b);
    if (b == 0 || sent.judged.ratio > test.judged.ratio) test = std::move(sent);
  }
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
  ColumnTest test = winner(contest, 2);
  if (test.any) test.branch.assign(column.cells.size(), 0);
  return test;
}

}  // namespace bough
