#include "bough/engine/open/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/branching/branching.hpp"
#include "bough/engine/open/quick_cut.hpp"
#include "bough/engine/open/selection.hpp"
#include "bough/engine/open/sending.hpp"
#include "bough/search/choice.hpp"
#include "bough/search/oblique.hpp"
#include "bough/split/branch_of.hpp"
#include "bough/split/low_key.hpp"

namespace bough {
namespace {

ColumnTest best_test(OpenColumn& column) {
  Branching branching = column.options.branching;
  if (branching == Branching::merged) return merged_cells(column);
  if (!column.nominal()) return branching == Branching::intervals ? best_intervals(column) : best_cut(column);
  if (branching == Branching::intervals) branching = column.options.branches.nominal;
  switch (branching) {
    case Branching::one_level:
      return best_one_level(column);
    case Branching::per_level:
      return all_levels(column);
    case Branching::grouped:
      return grouped_levels(column);
    default:
      return best_two_sets(column);
  }
}

// Levels that are absent from the node share one more branch.
void add_absent(LevelSet& levels, const OpenColumn& column) {
  const std::uint32_t declared = column.table.columns[column.column].ranks;
  std::vector<std::int32_t> branch(declared, levels.branches);
  for (std::size_t i = 0; i < levels.code.size(); ++i)
    branch[static_cast<std::size_t>(levels.code[i])] = levels.branch[i];
  if (levels.code.size() == declared) return;
  levels.code.resize(declared);
  std::iota(levels.code.begin(), levels.code.end(), 0);
  levels.branch = std::move(branch);
  ++levels.branches;
}

// The options without what is as long as the table or the expert's list.
GrowOptions without_rows(const GrowOptions& options) {
  GrowOptions plain = options;
  plain.stop.validation.clear();
  plain.expert = {};
  return plain;
}

}  // namespace

std::vector<std::uint8_t> columns_without_average(const RankedTable& table, const GrowOptions& options,
                                                  const GainRule& rule) {
  std::vector<std::uint8_t> without(table.columns.size(), 0);
  if (!(options.gain.many_valued_share > 0.0)) return without;
  const double many = options.gain.many_valued_share * static_cast<double>(table.rows);
  for (std::size_t c = 0; c < without.size(); ++c) {
    const RankedColumn& column = table.columns[c];
    without[c] = column.view.kind == ColumnKind::nominal && rule.at_least(column.ranks, many) ? 1 : 0;
  }
  // If all columns are like that, none is special.
  if (std::find(without.begin(), without.end(), 0) == without.end()) without.assign(without.size(), 0);
  return without;
}

OpenSearch::OpenSearch(const RankedTable& table, const Target& target, const GrowOptions& options, const Judge& judge,
                       const GainRule& rule, Watch& watch)
    : table_(table),
      target_(target),
      options_(options),
      judge_(judge),
      rule_(rule),
      watch_(watch),
      any_test_(without_rows(options)),
      as_given_(without_rows(options)),
      no_average_(columns_without_average(table, options, rule)) {
  any_test_.zero_gain = true;
  as_given_.branching = Branching::binary;
}

Candidate OpenSearch::as_candidate(const OpenColumn& column, const ColumnTest& test) const {
  const Cells& cells = column.cells;
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column.column);
  candidate.gain = test.judged.gain;
  const double cost = options_.feature_cost.empty() ? 1.0 : options_.feature_cost[column.column];
  candidate.worth = test.judged.ratio / cost;
  candidate.missing = test.missing;
  candidate.found = test.found;
  if (column.nominal()) {
    candidate.levels = std::make_unique<LevelSet>();
    LevelSet& levels = *candidate.levels;
    levels.branches = test.branches;
    levels.code.assign(cells.table.code.begin(), cells.table.code.end());
    levels.branch = test.branch;
    const bool asks_missing = test.branches == 2 && test.missing == 1 && column.unknown != Unknown::learned &&
                              std::find(test.branch.begin(), test.branch.end(), 1) == test.branch.end();
    if (asks_missing) {
      // Every level is a value, those too that no row of the node holds.
      levels.code.resize(table_.columns[column.column].ranks);
      std::iota(levels.code.begin(), levels.code.end(), 0);
      levels.branch.assign(levels.code.size(), 0);
      return candidate;
    }
    if (options_.gain.declared_branches && options_.branching == Branching::one_level) {
      const auto one = std::find(test.branch.begin(), test.branch.end(), 0) - test.branch.begin();
      levels.code.resize(table_.columns[column.column].ranks);
      std::iota(levels.code.begin(), levels.code.end(), 0);
      levels.branch.assign(levels.code.size(), 1);
      levels.branch[cells.table.code[static_cast<std::size_t>(one)]] = 0;
      return candidate;
    }
    const bool each = static_cast<std::size_t>(test.branches) == branches_with_missing(column, cells.size());
    if (options_.gain.declared_branches && options_.branching == Branching::per_level && each) {
      const std::uint32_t declared = table_.columns[column.column].ranks;
      levels.code.resize(declared);
      std::iota(levels.code.begin(), levels.code.end(), 0);
      levels.branch = levels.code;
      levels.branches = static_cast<std::int32_t>(branches_with_missing(column, declared));
      if (column.unknown == Unknown::own_branch) candidate.missing = levels.branches - 1;
      if (column.unknown == Unknown::learned)
        candidate.missing = static_cast<std::int32_t>(cells.table.code[static_cast<std::size_t>(test.missing)]);
    }
    if (options_.gain.declared_branches && options_.branching == Branching::grouped) add_absent(levels, column);
    return candidate;
  }
  set_edges(cells, test.branch, candidate);
  return candidate;
}

Candidate OpenSearch::as_candidate(const NodeView& node, std::size_t column, const QuickCut& cut) const {
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column);
  candidate.gain = cut.judged.gain;
  candidate.worth = cut.judged.ratio / (options_.feature_cost.empty() ? 1.0 : options_.feature_cost[column]);
  candidate.low_row = node.held->row[cut.low_first];
  candidate.high_row = node.held->row[cut.high_first];
  candidate.low_share = cut.low_share;
  return candidate;
}

OpenSearch::Offer OpenSearch::offer(const NodeView& node, std::size_t index) const {
  const RankedColumn& asked = table_.columns[index];
  const bool sends_missing = options_.missing == MissingRule::own_branch || options_.missing == MissingRule::learned;
  if (asked.view.kind != ColumnKind::nominal && !(asked.has_missing && sends_missing) &&
      knows_quick_cut(options_, target_, node)) {
    Offer quick;
    const QuickCut cut = quick_cut(asked, node, target_, options_, judge_, watch_);
    if (cut.any) quick.tests.push_back(as_candidate(node, index, cut));
    return quick;
  }
  OpenColumn column(table_, target_, options_, node, judge_, watch_, index);
  Offer offer;
  const bool quest = options_.selection.search == SearchRule::quest;
  const ColumnTest test = quest ? quadratic_point(column) : best_test(column);
  if (quest) offer.evidence = evidence_of(column);
  if (options_.selection.search == SearchRule::unbiased) {
    offer.tested = column.cells.size() > 1;
    offer.log_p = options_.branching == Branching::merged ? test.log_p : log_p_of_column(column);
  }
  if (test.any) offer.tests.push_back(as_candidate(column, test));
  if (options_.ask_missing) {
    const ColumnTest asked = is_missing(column);
    if (asked.any) offer.tests.push_back(as_candidate(column, asked));
  }
  return offer;
}

void OpenSearch::choose_by_evidence(std::vector<Offer>& offers) const {
  std::vector<Evidence> evidence;
  evidence.reserve(offers.size());
  for (const Offer& offer : offers) evidence.push_back(offer.evidence);
  const std::vector<double> worth = worth_by_evidence(evidence, options_.oblique.level);
  for (std::size_t c = 0; c < offers.size(); ++c) {
    for (Candidate& test : offers[c].tests) test.worth = worth[c];
  }
}

std::vector<Candidate> OpenSearch::search(const NodeView& node, const std::vector<std::uint8_t>& allowed,
                                          std::size_t& offered) const {
  const std::size_t columns = table_.columns.size();
  std::vector<Offer> offers(columns);
  constexpr std::size_t kAlone = 4096;  // a node with fewer cells is done before threads have started
  const bool shared = judge_.parallel() && node.held->size() * columns > kAlone;
  parallel_for(
      columns, shared ? options_.threads : 1, [this] { watch_.ask(); },
      [&](std::size_t c, int) {
        watch_.poll(node.held->size());
        if (allowed.empty() || allowed[c] != 0) offers[c] = offer(node, c);
      });
  offered = static_cast<std::size_t>(
      std::count_if(offers.begin(), offers.end(), [](const Offer& offer) { return !offer.tests.empty(); }));
  const bool quest = options_.selection.search == SearchRule::quest;
  const bool all = options_.gain.choice == Choice::above_average && !quest;
  const auto wanted = static_cast<std::size_t>(options_.max_competitors) + 1;
  Ranking best(all ? 2 * columns + 1 : wanted, options_.tie);
  const bool unbiased = options_.selection.search == SearchRule::unbiased;
  const auto tests =
      static_cast<double>(std::count_if(offers.begin(), offers.end(), [](const Offer& offer) { return offer.tested; }));
  if (quest) choose_by_evidence(offers);
  for (Offer& offer : offers) {
    if (unbiased) {
      const double log_p = std::min(0.0, offer.log_p + (options_.selection.bonferroni ? std::log(tests) : 0.0));
      if (!(log_p <= std::log(options_.selection.level))) continue;
      for (Candidate& test : offer.tests) test.worth = std::min(-log_p, 1e300);
    }
    for (Candidate& test : offer.tests) best.offer(std::move(test));
  }
  if (options_.selection.search == SearchRule::conjunctions) {
    Candidate found = best_conjunction(table_, target_, options_, node, allowed, judge_, watch_);
    if (found.column >= 0) best.offer(std::move(found));
  }
  if (makes_sums(options_.selection.search) && (options_.oblique.linear || !quest)) {
    Candidate found = best_sum(table_, target_, options_, node, allowed, judge_, watch_);
    if (quest) found.worth = static_cast<double>(columns) + 1.0;  // where a sum is asked for, columns stand in for it
    if (found.column >= 0) best.offer(std::move(found));
  }
  if (all && options_.gain.later_rules) {
    constexpr double kLarge = 250.0;  // weight a class from which on no average is asked for
    choose_by_ratio_then_gain(best, node.stats->weight < kLarge * static_cast<double>(target_.classes));
  } else if (all) {
    choose_above_average(best, no_average_, rule_, options_.zero_gain);
  }
  best.keep(wanted);
  return best.release();
}

namespace {

// The branches that the rows of a node take by a test, as a column of levels.
RankedTable as_column(const RankedTable& table, const Candidate& test, const Holding& held) {
  const TestReader reader(table, test);
  RankedTable told;
  told.rows = table.rows;
  RankedColumn& column = told.columns.emplace_back();
  column.view.kind = ColumnKind::nominal;
  column.ranks = static_cast<std::uint32_t>(reader.branches());
  column.rank.assign(table.rows, column.ranks);
  for (const std::uint32_t row : held.row) {
    const std::int32_t branch = reader(row);
    if (branch >= 0) column.rank[row] = static_cast<std::uint32_t>(branch);
    column.has_missing = column.has_missing || branch < 0;
  }
  return told;
}

}  // namespace

Candidate OpenSearch::rated(const NodeView& node, Candidate test) const {
  const RankedTable told = as_column(table_, test, *node.held);
  OpenColumn column(told, target_, as_given_, node, judge_, watch_, 0);
  const auto& code = column.cells.table.code;
  const std::int32_t branches = std::max(static_cast<std::int32_t>(told.columns.front().ranks), test.missing + 1);
  test.gain = test.worth = judge_sent(column, {code.begin(), code.end()}, branches, test.missing).judged.gain;
  return test;
}

Candidate OpenSearch::forced_conjunction(const NodeView& node, const ForcedSplit& split) const {
  Candidate candidate;
  candidate.column = split.column;
  candidate.open = std::make_unique<OpenTest>();
  candidate.open->holds = static_cast<std::uint8_t>(split.branch[0]);
  for (const Property& asked : split.terms) candidate.open->terms.push_back({.asked = asked, .given = true});
  const RankedTable told = as_column(table_, candidate, *node.held);
  OpenColumn column(told, target_, as_given_, node, judge_, watch_, 0);
  const auto& code = column.cells.table.code;
  const ColumnTest test = judge_sent(column, {code.begin(), code.end()}, std::max(2, split.missing + 1), split.missing);
  candidate.gain = candidate.worth = test.judged.gain;
  candidate.missing = test.missing;
  return candidate;
}

Candidate OpenSearch::forced(const NodeView& node, const ForcedSplit& split, const std::string& place) const {
  if (split.any_test()) {
    OpenColumn column(table_, target_, any_test_, node, judge_, watch_, static_cast<std::size_t>(split.column));
    const ColumnTest test = best_test(column);
    if (!test.any) throw InvalidInput(place, "the column has no test here");
    return as_candidate(column, test);
  }
  if (!split.terms.empty()) return forced_conjunction(node, split);
  OpenColumn column(table_, target_, as_given_, node, judge_, watch_, static_cast<std::size_t>(split.column));
  const Cells& cells = column.cells;
  std::vector<std::int32_t> branch(cells.size(), -1);  // a level that is not named is absent
  std::int32_t branches = split.missing + 1;
  for (const std::int32_t b : split.branch) branches = std::max(branches, b + 1);
  for (std::size_t v = 0; v < cells.size(); ++v) {
    if (column.nominal()) {
      const auto code = static_cast<std::int32_t>(cells.table.code[v]);
      branch[v] = std::max(-1, branch_of_level(split.code, split.branch, code));
      continue;
    }
    const ColumnView& view = table_.columns[column.column].view;
    branch[v] = split.branch[interval_of(static_cast<std::int64_t>(split.edges.size()),
                                         [&](std::int64_t e) { return goes_low(view, cells.row[v], split.edges[e]); })];
  }
  Candidate candidate;
  candidate.column = split.column;
  const ColumnTest test = judge_sent(column, branch, branches, split.missing);
  candidate.gain = candidate.worth = test.judged.gain;
  candidate.missing = test.missing;
  if (column.nominal()) {
    candidate.levels = std::make_unique<LevelSet>();
    candidate.levels->code = split.code;
    candidate.levels->branch = split.branch;
    candidate.levels->branches = test.branches;
    return candidate;
  }
  candidate.open = std::make_unique<OpenTest>();
  candidate.open->fixed = split.edges;
  candidate.open->branch = split.branch;
  return candidate;
}

}  // namespace bough
