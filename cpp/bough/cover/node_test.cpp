// See node_test.hpp. The rows of a node become a table of the values that a column has there, by counting where the
// ranks are not many more than the rows, by sorting where they are. Both add the rows of a value in the same order.
#include "bough/cover/node_test.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "bough/base/parallel.hpp"
#include "bough/criterion/floor.hpp"
#include "bough/engine/pool_writer.hpp"
#include "bough/search/choice.hpp"
#include "bough/search/gain_cut.hpp"
#include "bough/search/level_branches.hpp"

namespace bough {
namespace {

constexpr std::size_t kCellsPerRow = 16;  // so many cells are passed as quickly as a row is sorted
constexpr std::size_t kFewRanks = 256;                       // whose sums fit into the nearest cache several times
constexpr std::size_t kCopies = 4;
constexpr std::size_t kBoxes = 4;                            // fewer are not worth the sums of their corners
constexpr std::size_t kCellsOfThreads = std::size_t{1} << 17;  // cells of a node that are worth a second thread

// Adds the weight of each row to the cell of its rank and class. Most rows may have the same value, and a sum has to
// wait for itself: rows take turns at several copies of the cells.
template <std::size_t copies>
void add_up(const HeldRows& rows, const std::uint32_t* rank, std::size_t classes, std::size_t width, double* cells) {
  const auto add = [&](std::size_t i, std::size_t copy) {
    cells[copy * width + std::size_t{rank[rows.row[i]]} * classes + rows.label[i]] += rows.weight[i];
  };
  std::size_t i = 0;
  for (; i + copies <= rows.size(); i += copies) {
    for (std::size_t copy = 0; copy < copies; ++copy) add(i + copy, copy);
  }
  for (; i < rows.size(); ++i) add(i, 0);
}

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
  const std::size_t ranks = ranked.ranks;
  const std::size_t width = (ranks + 1) * classes_;
  const std::size_t copies = ranks < kFewRanks ? kCopies : 1;
  if (scratch.cells.size() < copies * width) scratch.cells.resize(copies * width, 0.0);
  double* cells = scratch.cells.data();
  if (copies == 1) {
    add_up<1>(rows, ranked.rank.data(), classes_, width, cells);
  } else {
    add_up<kCopies>(rows, ranked.rank.data(), classes_, width, cells);
  }
  for (std::size_t c = 1; c < copies; ++c) {
    double* more = cells + c * width;
    for (std::size_t i = 0; i < width; ++i) cells[i] += std::exchange(more[i], 0.0);
  }
  std::fill_n(cells + ranks * classes_, classes_, 0.0);  // rows without a value
  ValueTable& table = scratch.table;
  const std::size_t most = std::min(ranks, rows.size());
  table.code.resize(most + 1);
  table.weight.resize(most + 1);
  table.stat.resize((most + 1) * classes_);
  std::size_t n = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    double weight = 0.0;
    for (std::size_t k = 0; k < classes_; ++k)
      weight += table.stat[n * classes_ + k] = std::exchange(cells[r * classes_ + k], 0.0);
    table.code[n] = static_cast<std::uint32_t>(r);
    table.weight[n] = weight;
    n += weight > 0.0 ? 1 : 0;
  }
  table.code.resize(n);
  table.weight.resize(n);
  table.stat.resize(n * classes_);
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
      table.weight.push_back(0.0);
      table.stat.resize(table.stat.size() + classes_, 0.0);
    }
    const auto i = static_cast<std::uint32_t>(key);
    table.weight.back() += rows.weight[i];
    table.stat[table.stat.size() - classes_ + rows.label[i]] += rows.weight[i];
  }
}

void NodeTests::count_values(std::size_t column, const HeldRows& rows, Scratch& scratch) const {
  const RankedColumn& ranked = table_.columns[column];
  ValueTable& table = scratch.table;
  table.clear(classes_);
  if (ranked.ranks * classes_ <= kCellsPerRow * rows.size()) {
    count_by_rank(column, rows, scratch);
  } else {
    count_by_sorting(column, rows, scratch);
  }
  table.rows.assign(table.size(), 1.0);  // at least: no minimum asks for more
  std::size_t missing = 0;
  if (ranked.has_missing) {
    for (const std::uint32_t row : rows.row) missing += static_cast<std::size_t>(ranked.is_missing(row));
  }
  scratch.rows = static_cast<double>(rows.size() - missing);
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

GainCut NodeTests::best_cut(std::size_t column, const GainCutNode& node, Scratch& scratch) const {
  const ValueTable& table = scratch.table;
  const std::uint32_t* code = table.code.data();
  const auto told_apart = [&](std::size_t v) { return may_cut(column, code[v - 1], code[v]); };
  if (classes_ != 2 || table.size() < kBoxes * kBoxSteps)
    return best_table_cut(table, node, rule_, scratch.whole, told_apart);
  std::array<double, 2> whole{};
  for (std::size_t v = 0; v < table.size(); ++v) {
    for (const std::size_t k : {0, 1}) whole[k] += table.at(v)[k];
  }
  return GainBoxes(ValueSteps{table.stat}, whole, node, rule_, told_apart).best(scratch.corners);
}

NodeTests::Offer NodeTests::ask_cuts(std::size_t column, double known, double weight, Scratch& scratch) const {
  const ValueTable& table = scratch.table;
  GainCutNode node{known, weight, known, options_.min_leaf_weight, 1.0, scratch.rows, false};
  if (table.size() < 2 || !limit_cut(node, classes_, rule_, options_.gain)) return {};
  const GainCut cut = best_cut(column, node, scratch);
  NodeStats all;
  all.effective = weight;
  const double floor = rounding_of_gain(all, options_.criterion);
  const std::optional<Judgement> judgement = judge_cut(cut, node, weight, floor, rule_, options_.gain);
  if (!judgement) return {};
  return {true, *judgement, table.code[cut.position - 1], table.code[cut.position]};
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
