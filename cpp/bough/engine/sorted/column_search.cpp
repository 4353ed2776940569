#include "bough/engine/sorted/column_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "bough/engine/sorted/carried.hpp"
#include "bough/engine/sorted/column_query.hpp"
#include "bough/engine/sorted/scorers.hpp"
#include "bough/search/choice.hpp"

namespace bough {
namespace {

bool is_information(Criterion criterion) {
  return criterion == Criterion::entropy || criterion == Criterion::gain_ratio;
}

// Whether cuts need more than their drop of impurity: a ratio, or one of the rules of C4.5.
bool has_gain_cuts(const GrowOptions& options) {
  const GainOptions& gain = options.gain;
  const bool rules = gain.relative_minimum || gain.threshold_penalty || gain.value_gap > 0.0 || gain.epsilon > 0.0;
  return options.criterion == Criterion::gain_ratio || (options.criterion == Criterion::entropy && rules);
}

bool has_scales(const Target& target) {
  return std::any_of(target.growth_scale.begin(), target.growth_scale.end(), [](double scale) { return scale != 1.0; });
}

// Whether products of four such amounts might not fit into double precision: whole rows times scales of classes.
bool is_far(double amount) { return amount > 0x1p200 || amount < 0x1p-200; }

}  // namespace

template <class Entry>
ColumnSearch<Entry>::ColumnSearch(const RankedTable& table, const Target& target, const GrowOptions& options,
                                  Watch& watch, std::size_t rows, const DistinctRows* distinct)
    : table_(table),
      target_(target),
      options_(options),
      scaled_(has_scales(target)),
      gain_cuts_(has_gain_cuts(options)),
      xlogx_(is_information(options.criterion) && target.weight.empty() && !scaled_ ? rows : 0),
      gain_rule_(options, xlogx_) {
  limits_.min_rows = static_cast<std::size_t>(std::max<std::int64_t>(1, options.min_leaf_rows));
  limits_.min_weight = options.min_leaf_weight;
  limits_.tie = options.tie;
  limits_.watch = &watch;
  limits_.zero_gain = options.zero_gain;
  // Without weights, or with fractions of rows, a minimum weight is also a minimum number of rows.
  const bool weighted = !target.weight.empty();
  if (!weighted) {
    const auto least = static_cast<std::size_t>(std::max(0.0, std::ceil(options.min_leaf_weight)));
    limits_.min_rows = std::max(limits_.min_rows, least);
  }
  lanes_serve_ = options.ties == TieRule::first && options.monotone.empty() && !options.zero_gain &&
                 ((!scaled_ && options.criterion == Criterion::gini) || options.criterion == Criterion::squared_error);
  const std::size_t classes = target.classes;
  weighed_lanes_serve_ =
      classes == 0 || classes == 2 || (options.missing != MissingRule::fractional && exact_in_products(target.weight));
  if (options.criterion == Criterion::weighted_gini) {
    symmetric_cost_.resize(classes * classes);
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = 0; j < classes; ++j) {
        symmetric_cost_[i * classes + j] = 0.5 * (target.cost[i * classes + j] + target.cost[j * classes + i]);
      }
    }
  }
  no_average_ = many_valued(table, options.gain.many_valued_share, gain_rule_);
  if (distinct != nullptr) {
    has_close_ = distinct->have_closer(table, options.gain.value_gap);
  } else {
    has_close_.assign(table.columns.size(), 0);
  }
}

// Whether a column may be scanned as if no two of its entries shared a value: the cut found is then checked, and a tie
// sends the column back to the ordinary scan, which is no loss if that is rare. In the whole table the share of tied
// neighbours is 1 - ranks / rows, in a node of m rows it is not above m / ranks.
template <class Entry>
bool ColumnSearch<Entry>::fits_lanes(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node) const {
  const Column& column = cohort.columns[index];
  if (column.layout != Layout::order || column.has_missing) return false;
  const RankedColumn& ranked = table_.columns[index];
  if (ranked.view.kind == ColumnKind::nominal) return false;
  const std::size_t ranks = ranked.ranks;
  return 8 * (node.end - node.begin) <= ranks || table_.rows - ranks <= table_.rows / 8;
}

template <class Entry>
std::array<Cut, kLanes> ColumnSearch<Entry>::cut_lanes(const Cohort<Entry>& cohort, const LaneOrders<Entry>& order,
                                                       const NodeRange& node, SearchScratch& scratch) const {
  const NodeStats& stats = *node.stats;
  if (!cohort.weight.empty()) return cut_weighed_lanes(cohort, order, node, scratch);
  if (target_.classes == 0) {
    const SquaredLanes<Entry> sums(stats.weight, stats.sum, cohort.value.data(),
                                   rounding_of_gain(stats, Criterion::squared_error));
    return scan_lanes(order, stats.rows, sums, node.limits);
  }
  if (target_.classes == 2)
    return scan_lanes(order, stats.rows, GiniTwoLanes<Entry>(stats.rows, stats.counts[1]), node.limits);
  if (stats.rows < (std::size_t{1} << 15)) {
    const GiniLanes<Entry, std::int32_t> counts(stats.rows, stats.counts, scratch.few);
    return scan_lanes(order, stats.rows, counts, node.limits);
  }
  const GiniLanes<Entry, std::int64_t> counts(stats.rows, stats.counts, scratch.many);
  return scan_lanes(order, stats.rows, counts, node.limits);
}

template <class Entry>
void ColumnSearch<Entry>::search(const Cohort<Entry>& cohort, std::size_t begin, std::size_t end, const NodeRange& node,
                                 SearchScratch& scratch, Ranking& ranking) const {
  LaneOrders<Entry> order{};
  std::array<bool, kLanes> together{};
  const Entry* any = nullptr;
  if (lanes_serve_ && (cohort.weight.empty() || weighed_lanes_serve_)) {
    for (std::size_t c = begin; c < end; ++c) {
      together[c - begin] = fits_lanes(cohort, c, node);
      if (together[c - begin]) any = order[c - begin] = cohort.columns[c].order.data() + node.begin;
    }
  }
  std::array<Cut, kLanes> cuts;
  if (any != nullptr) {
    for (const Entry*& lane : order) lane = lane != nullptr ? lane : any;
    cuts = cut_lanes(cohort, order, node, scratch);
  }
  for (std::size_t c = begin; c < end; ++c) {
    if (together[c - begin]) {
      const Cut& cut = cuts[c - begin];
      if (cut.position == 0 || !ranking.admits(worth(cut.drop, c))) continue;
      const std::uint32_t low = order[c - begin][cut.position - 1].id();
      const std::uint32_t high = order[c - begin][cut.position].id();
      if (!cohort.columns[c].ties(low, high)) {
        const Cut exact =
            cohort.weight.empty() ? cut : weighed_cut(cohort, order[c - begin], node, cut.position, scratch);
        Candidate candidate = of_cut(c, node, *node.stats, exact, cohort.row_of(low), cohort.row_of(high));
        candidate.position = static_cast<std::uint32_t>(cut.position);
        ranking.offer(std::move(candidate));
        continue;
      }
    }
    Candidate candidate = best(cohort, c, node, scratch);
    if (candidate.column >= 0) ranking.offer(std::move(candidate));
  }
}

template <class Entry>
Candidate ColumnSearch<Entry>::best(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node,
                                    SearchScratch& scratch) const {
  if (options_.monotone.empty()) return best_within(cohort, index, node, node.limits, scratch);
  CutLimits limits = node.limits;
  limits.monotone = options_.monotone[index];
  return best_within(cohort, index, node, limits, scratch);
}

template <class Entry>
Candidate ColumnSearch<Entry>::best_within(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node,
                                           const CutLimits& limits, SearchScratch& scratch) const {
  const Column& column = cohort.columns[index];
  Query query{cohort, column, index, node, limits, scratch, table_.columns[index].view.kind, node.stats, {}};
  query.criterion = options_.criterion;
  if (query.kind == ColumnKind::nominal && options_.branching != Branching::binary) return by_branches(query);
  if (gain_cuts_ && query.kind != ColumnKind::nominal) return by_gain_cut(query);
  if (query.weights() != nullptr || is_far(node.stats->effective)) query.unit = unit_for(node.stats->effective);
  if (options_.ties == TieRule::rounding) {
    if (std::optional<Candidate> found = by_carried_sums(query)) return *std::move(found);
  }
  if (column.layout == Layout::table) return by_table(query);
  const std::size_t known = cohort.known_in(column, node.begin, node.end);
  query.known = std::span<const Entry>(column.order.data() + node.begin, known);
  if (known < 2 * limits.min_rows) return {};
  if (query.kind == ColumnKind::numeric || query.kind == ColumnKind::ordered) {
    if (column.ties(query.known.front().id(), query.known.back().id())) return {};
  }
  if (known < node.end - node.begin) count_known(query);
  if (options_.criterion == Criterion::absolute_error || options_.criterion == Criterion::worst_error)
    return two_passes(query);
  return query.kind == ColumnKind::nominal ? by_levels_in_order(query) : by_order(query);
}

template <class Entry>
void ColumnSearch<Entry>::count_known(Query& query) const {
  const std::size_t classes = target_.classes;
  NodeStats& stats = query.scratch.known;
  stats.rows = query.known.size();
  stats.weight = 0.0;
  stats.sum = 0.0;
  stats.counts.assign(classes, 0.0);
  for (const Entry entry : query.known) {
    const double w = query.cohort.weight_of(entry.id());
    stats.weight += w;
    if (classes > 0) {
      stats.counts[entry.label()] += w;
    } else {
      stats.sum += w * query.cohort.value[entry.id()];
    }
  }
  stats.effective = stats.weight;
  if (classes > 0) {
    stats.effective = std::inner_product(stats.counts.begin(), stats.counts.end(), target_.growth_scale.begin(), 0.0);
  }
  query.stats = &stats;
}

// The same from the other side: where few values are missing, the node's counts less theirs.
template <class Entry>
void ColumnSearch<Entry>::subtract_missing(Query& query) const {
  NodeStats& stats = query.scratch.known;
  stats.rows = query.known.size();
  stats.sum = 0.0;
  stats.counts = query.node.stats->counts;
  const Entry* end = query.column.order.data() + query.node.end;
  for (const Entry* entry = query.known.data() + query.known.size(); entry != end; ++entry) {
    stats.counts[entry->label()] -= query.cohort.weight_of(entry->id());
  }
  stats.weight = 0.0;
  for (double& count : stats.counts) {
    count = std::max(count, 0.0);
    stats.weight += count;
  }
  stats.effective = std::inner_product(stats.counts.begin(), stats.counts.end(), target_.growth_scale.begin(), 0.0);
  query.stats = &stats;
}

// What counts of the classes are multiplied by.
template <class Entry>
const double* ColumnSearch<Entry>::scales(Query& query) const {
  if (query.unit == 1.0) return target_.growth_scale.data();
  std::vector<double>& scale = query.scratch.scale;
  scale = target_.growth_scale;
  for (double& factor : scale) factor *= query.unit;
  return scale.data();
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_order(Query& query) const {
  const Cut cut = target_.classes > 0 ? cut_classes(query) : cut_values(query);
  return finish_position(query, cut);
}

template <class Entry>
Cut ColumnSearch<Entry>::cut_classes(Query& query) const {
  const bool gini = options_.criterion == Criterion::gini;
  const bool plain = query.weights() == nullptr && !scaled_;  // whole counts
  if (gini && !scaled_ && !query.cohort.tag.empty() && !query.limits.constrained()) {
    GiniTwoWhole<Entry> scorer(query.stats->weight, query.stats->counts[1], query.cohort.tag.data(), query.floor());
    return scan_cuts(query.known, query.column.ties, scorer, query.limits);
  }
  if (gini && plain && !query.limits.constrained()) {
    if (target_.classes == 2) {
      GiniTwoCounts<Entry> scorer(query.stats->rows, query.stats->counts[1]);
      return scan_cuts(query.known, query.column.ties, scorer, query.limits);
    }
    if (query.stats->rows < (std::size_t{1} << 15)) {
      GiniCounts<Entry, std::int32_t> scorer(query.stats->rows, query.stats->counts, query.scratch.few);
      return scan_cuts(query.known, query.column.ties, scorer, query.limits);
    }
    GiniCounts<Entry, std::int64_t> scorer(query.stats->rows, query.stats->counts, query.scratch.many);
    return scan_cuts(query.known, query.column.ties, scorer, query.limits);
  }
  return with_class_drop(options_.criterion, target_.classes, xlogx_, symmetric_cost_.data(), [&](const auto& drop) {
    CountScorer<Entry, std::decay_t<decltype(drop)>> scorer(drop, query.stats->counts, scales(query), query.weights(),
                                                            query.scratch.work, query.floor());
    return scan_cuts(query.known, query.column.ties, scorer, query.limits);
  });
}

template <class Entry>
Cut ColumnSearch<Entry>::cut_values(Query& query) const {
  const double* value = query.cohort.value.data();
  if (query.weights() != nullptr) {
    SquaredScorer<Entry, true> scorer(query.stats->weight, query.stats->sum, value, query.weights(), query.floor(),
                                      query.unit);
    return scan_cuts(query.known, query.column.ties, scorer, query.limits);
  }
  SquaredScorer<Entry, false> scorer(query.stats->weight, query.stats->sum, value, nullptr, query.floor());
  return scan_cuts(query.known, query.column.ties, scorer, query.limits);
}

template <class Entry>
Candidate ColumnSearch<Entry>::of_cut(std::size_t column, const NodeRange& node, const NodeStats& known, const Cut& cut,
                                      std::uint32_t low_row, std::uint32_t high_row) const {
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column);
  const double share = options_.discount_missing ? known.effective / node.stats->effective : 1.0;
  const bool level = options_.zero_gain && options_.ties == TieRule::first;
  const double drop = level ? without_rounding(cut.drop, rounding_of_gain(*node.stats, options_.criterion)) : cut.drop;
  candidate.gain = drop * share;
  candidate.worth = worth(candidate.gain, column);
  // Where rounding decides, candidates compete by sums and not by shares.
  if (options_.ties == TieRule::rounding) {
    candidate.worth *= node.stats->effective * carried_unit(options_.criterion);
  }
  candidate.low_row = low_row;
  candidate.high_row = high_row;
  candidate.low_share = cut.low_weight / known.weight;
  return candidate;
}

template <class Entry>
Candidate ColumnSearch<Entry>::finish_cut(Query& query, const Cut& cut, std::uint32_t low_row,
                                          std::uint32_t high_row) const {
  return of_cut(query.index, query.node, *query.stats, cut, low_row, high_row);
}

template <class Entry>
Candidate ColumnSearch<Entry>::finish_position(Query& query, const Cut& cut) const {
  if (cut.position == 0) return {};
  const std::size_t at = cut.position;
  Candidate candidate =
      finish_cut(query, cut, query.cohort.row_of(query.known[at - 1].id()), query.cohort.row_of(query.known[at].id()));
  candidate.position = static_cast<std::uint32_t>(at);
  return candidate;
}

template <class Entry>
Candidate ColumnSearch<Entry>::finish_subset(Query& query, const Subset& subset) const {
  if (!subset.any) return {};
  Cut cut;
  cut.drop = subset.drop;
  Candidate candidate = finish_cut(query, cut, 0, 0);
  candidate.found = subset.found;
  const auto& code = query.scratch.table.code;
  candidate.levels = std::make_unique<LevelSet>();
  candidate.levels->code.assign(code.begin(), code.end());
  candidate.levels->low = subset.low;
  return candidate;
}

template class ColumnSearch<EntryOf<std::uint32_t>>;
template class ColumnSearch<EntryOf<std::uint64_t>>;

}  // namespace bough
