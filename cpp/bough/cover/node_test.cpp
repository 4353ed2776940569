// See node_test.hpp. The rows of a node become a table of the values that a column has there, by counting where the
// ranks are not many more than the rows, by sorting where they are. Both add the rows of a value in the same order.
#include "bough/cover/node_test.hpp"

#include <algorithm>
#include <numeric>

#include "bough/base/parallel.hpp"
#include "bough/criterion/floor.hpp"
#include "bough/engine/pool_writer.hpp"
#include "bough/search/choice.hpp"
#include "bough/search/gain_cut.hpp"
#include "bough/search/level_branches.hpp"

namespace bough {
namespace {

constexpr std::size_t kRanksPerRow = 8;  // so many ranks are passed as quickly as a row is sorted
constexpr std::size_t kCellsOfThreads = std::size_t{1} << 17;  // cells of a node that are worth a second thread

}  // namespace

NodeTests::NodeTests(const RankedTable& table, std::uint32_t classes, const GrowOptions& options, Watch& watch)
    : table_(table),
      classes_(classes),
      options_(options),
      watch_(watch),
      xlogx_(table.rows),
      rule_(options, xlogx_),
      distinct_(table, options.threads),
      no_average_(many_valued(table, options.gain.many_valued_share, rule_)),
      has_close_(distinct_.have_closer(table, options.gain.value_gap)),
      offers_(table.columns.size()),
      scratch_(static_cast<std::size_t>(std::max(options.threads, 1))) {}

void NodeTests::count_by_rank(std::size_t column, const HeldRows& rows, Scratch& scratch) const {
  const RankedColumn& ranked = table_.columns[column];
  const std::size_t width = classes_ + 1;  // weights of the classes, and rows
  scratch.cells.assign((std::size_t{ranked.ranks} + 1) * width, 0.0);
  double* cells = scratch.cells.data();
  const std::uint32_t* rank = ranked.rank.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double* cell = cells + std::size_t{rank[rows.row[i]]} * width;
    cell[rows.label[i]] += rows.weight[i];
    cell[classes_] += 1.0;
  }
  ValueTable& table = scratch.table;
  for (std::uint32_t r = 0; r < ranked.ranks; ++r) {
    const double* cell = cells + std::size_t{r} * width;
    if (cell[classes_] == 0.0) continue;
    table.code.push_back(r);
    table.rows.push_back(cell[classes_]);
    table.stat.insert(table.stat.end(), cell, cell + classes_);
  }
}

void NodeTests::count_by_sorting(std::size_t column, const HeldRows& rows, Scratch& scratch) const {
  const RankedColumn& ranked = table_.columns[column];
  std::vector<std::uint64_t>& keys = scratch.keys;
  keys.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t rank = ranked.rank[rows.row[i]];
    if (rank != ranked.ranks) keys.push_back(std::uint64_t{rank} << 32U | i);
  }
  std::sort(keys.begin(), keys.end());
  ValueTable& table = scratch.table;
  for (const std::uint64_t key : keys) {
    const auto rank = static_cast<std::uint32_t>(key >> 32U);
    if (table.code.empty() || table.code.back() != rank) {
      table.code.push_back(rank);
      table.rows.push_back(0.0);
      table.stat.resize(table.stat.size() + classes_, 0.0);
    }
    const auto i = static_cast<std::uint32_t>(key);
    table.rows.back() += 1.0;
    table.stat[table.stat.size() - classes_ + rows.label[i]] += rows.weight[i];
  }
}

void NodeTests::count_values(std::size_t column, const HeldRows& rows, Scratch& scratch) const {
  ValueTable& table = scratch.table;
  table.clear(classes_);
  if (table_.columns[column].ranks <= kRanksPerRow * rows.size()) {
    count_by_rank(column, rows, scratch);
  } else {
    count_by_sorting(column, rows, scratch);
  }
  table.weight.resize(table.size());
  for (std::size_t v = 0; v < table.size(); ++v)
    table.weight[v] = std::accumulate(table.at(v), table.at(v) + classes_, 0.0);
}

NodeTests::Offer NodeTests::ask_levels(double known, double weight, const ValueTable& table) const {
  const LevelNode node{known, weight, options_.min_leaf_weight, 1};
  const bool one = options_.branching == Branching::one_level;
  const LevelBranches found = one ? judge_one_level(table, node, options_, rule_, nullptr)
                                  : judge_levels(table, node, options_, rule_, nullptr);
  if (!found.any) return {};
  return {true, found.judgement, one ? table.code[found.level] : 0, 0};
}

// Whether two ranks are told apart.
bool NodeTests::may_cut(std::size_t column, std::uint32_t low_rank, std::uint32_t high_rank) const {
  if (has_close_[column] == 0) return true;
  const ColumnView& view = table_.columns[column].view;
  const auto value = [&](std::uint32_t rank) { return value_as_double(view, distinct_.row_of(column, rank)); };
  return value(low_rank) + options_.gain.value_gap < value(high_rank);
}

NodeTests::Offer NodeTests::ask_cuts(std::size_t column, double known, double weight, Scratch& scratch) const {
  const ValueTable& table = scratch.table;
  const double rows = std::accumulate(table.rows.begin(), table.rows.end(), 0.0);
  GainCutNode node{known, weight, known, options_.min_leaf_weight, 1.0, rows, false};
  if (table.size() < 2 || !limit_cut(node, classes_, rule_, options_.gain)) return {};
  const std::uint32_t* code = table.code.data();
  const GainCut cut = best_table_cut(table, node, rule_, scratch.whole,
                                     [&](std::size_t v) { return may_cut(column, code[v - 1], code[v]); });
  NodeStats all;
  all.effective = weight;
  const double floor = rounding_of_gain(all, options_.criterion);
  const std::optional<Judgement> judgement = judge_cut(cut, node, weight, floor, rule_, options_.gain);
  if (!judgement) return {};
  return {true, *judgement, code[cut.position - 1], code[cut.position]};
}

NodeTests::Offer NodeTests::ask(std::size_t column, const HeldRows& rows, double weight, Scratch& scratch) const {
  count_values(column, rows, scratch);
  const ValueTable& table = scratch.table;
  const double known = std::accumulate(table.weight.begin(), table.weight.end(), 0.0);
  if (!(known > 0.0)) return {};
  const bool nominal = table_.columns[column].view.kind == ColumnKind::nominal;
  return nominal ? ask_levels(known, weight, table) : ask_cuts(column, known, weight, scratch);
}

NodeTest NodeTests::make_test(std::size_t column, const Offer& offer, const HeldRows& rows) const {
  const RankedColumn& ranked = table_.columns[column];
  NodeTest test;
  test.column = static_cast<std::int32_t>(column);
  test.rank = offer.low_rank;
  if (ranked.view.kind == ColumnKind::nominal) {
    const bool one = options_.branching == Branching::one_level;
    test.kind = one ? NodeTest::Kind::one_level : NodeTest::Kind::levels;
    if (!one) test.branches = ranked.ranks;
    return test;
  }
  const auto row_of = [&](std::uint32_t rank) {
    return *std::find_if(rows.row.begin(), rows.row.end(), [&](std::uint32_t row) { return ranked.rank[row] == rank; });
  };
  test.threshold = PoolWriter(table_, options_, &distinct_)
                       .threshold_of(test.column, row_of(offer.low_rank), row_of(offer.high_rank), 0.5);
  return test;
}

std::optional<NodeTest> NodeTests::best(const HeldRows& rows, const std::vector<double>& counts) {
  const double weight = std::accumulate(counts.begin(), counts.end(), 0.0);
  const std::size_t columns = table_.columns.size();
  const int threads = rows.size() * columns < kCellsOfThreads ? 1 : options_.threads;
  parallel_for(
      columns, threads, [&] { watch_.ask(); },
      [&](std::size_t c, int worker) {
        watch_.poll(rows.size());
        offers_[c] = ask(c, rows, weight, scratch_[static_cast<std::size_t>(worker)]);
      });
  Ranking tests(columns, 0.0);
  for (std::size_t c = 0; c < columns; ++c) {
    if (!offers_[c].any) continue;
    Candidate candidate;
    candidate.column = static_cast<std::int32_t>(c);
    candidate.gain = offers_[c].judgement.gain;
    candidate.worth = offers_[c].judgement.ratio;
    tests.offer(std::move(candidate));
  }
  choose_above_average(tests, no_average_, rule_, false);
  if (tests.empty()) return std::nullopt;
  const auto column = static_cast<std::size_t>(tests.front().column);
  return make_test(column, offers_[column], rows);
}

}  // namespace bough
