#include "bough/search/column_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "bough/criterion/floor.hpp"
#include "bough/criterion/value_drop.hpp"
#include "bough/search/carried.hpp"
#include "bough/search/choice.hpp"
#include "bough/search/gain_boxes.hpp"
#include "bough/search/gain_cut.hpp"
#include "bough/search/level_branches.hpp"
#include "bough/search/scorers.hpp"
#include "bough/search/two_pass.hpp"

namespace bough {

// One question: this column in this node, with the statistics of the rows whose value is known.
template <class Entry>
struct ColumnSearch<Entry>::Query {
  const Cohort<Entry>& cohort;
  const Column& column;
  std::size_t index;
  const NodeRange& node;
  const CutLimits& limits;
  SearchScratch& scratch;
  ColumnKind kind;
  const NodeStats* stats;        // rows, weight, effective, counts and sum of the known rows
  std::span<const Entry> known;  // layout order
  double unit = 1.0;             // brings weights near 1, because criteria multiply four of them

  [[nodiscard]] const double* weights() const { return cohort.weight.empty() ? nullptr : cohort.weight.data(); }
  Criterion criterion = Criterion::gini;

  [[nodiscard]] double floor() const { return rounding_of_gain(*node.stats, criterion); }
};

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

// A power of two, which changes no digit, near the inverse of a weight.
double unit_for(double weight) {
  return weight > 0.0 ? std::ldexp(1.0, std::clamp(-std::ilogb(weight), -1000, 1000)) : 1.0;
}

// Calls use(drop) with the functor of a criterion on class counts.
template <class Use>
auto with_class_drop(Criterion criterion, std::size_t classes, const XLog2X& xlogx, const double* cost, Use use) {
  switch (criterion) {
    case Criterion::entropy:
      return use(EntropyDrop{classes, &xlogx});
    case Criterion::misclassification:
      return use(MisclassificationDrop{classes});
    case Criterion::twoing:
      return use(TwoingDrop{classes});
    case Criterion::weighted_gini:
      return use(WeightedGiniDrop{classes, cost});
    default:
      return use(GiniDrop{classes});
  }
}

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
  lanes_serve_ = options.ties == TieRule::first && options.monotone.empty() && !options.zero_gain && !weighted &&
                 ((!scaled_ && options.criterion == Criterion::gini) || options.criterion == Criterion::squared_error);
  const std::size_t classes = target.classes;
  if (options.criterion == Criterion::weighted_gini) {
    symmetric_cost_.resize(classes * classes);
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = 0; j < classes; ++j) {
        symmetric_cost_[i * classes + j] = 0.5 * (target.cost[i * classes + j] + target.cost[j * classes + i]);
      }
    }
  }
  const std::size_t columns = table.columns.size();
  no_average_.assign(columns, 0);
  if (options.gain.many_valued_share > 0.0) {
    const double many = options.gain.many_valued_share * static_cast<double>(table.rows);
    for (std::size_t c = 0; c < columns; ++c) {
      const RankedColumn& column = table.columns[c];
      no_average_[c] = column.view.kind == ColumnKind::nominal && gain_rule_.at_least(column.ranks, many) ? 1 : 0;
    }
    // If all columns are like that, none is special.
    if (std::find(no_average_.begin(), no_average_.end(), 0) == no_average_.end()) no_average_.assign(columns, 0);
  }
  has_close_.assign(columns, 0);
  if (options.gain.value_gap > 0.0 && distinct != nullptr) {
    for (std::size_t c = 0; c < columns; ++c) {
      has_close_[c] = distinct->has_closer(table, c, options.gain.value_gap) ? 1 : 0;
    }
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
  if (lanes_serve_ && cohort.weight.empty()) {
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
        Candidate candidate = of_cut(c, node, *node.stats, cut, cohort.row_of(low), cohort.row_of(high));
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
  if (query.weights() != nullptr) query.unit = unit_for(node.stats->effective);
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

// None where too many levels ask for a heuristic, which has no carried sums.
template <class Entry>
std::optional<Candidate> ColumnSearch<Entry>::by_carried_sums(Query& query) const {
  const RankedColumn& ranked = table_.columns[query.index];
  const NodeRange& node = query.node;
  const std::vector<Entry>& order = query.column.layout == Layout::table ? query.cohort.list : query.column.order;
  std::vector<CarriedRow> rows;
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::uint32_t row = query.cohort.row_of(order[i].id());
    if (ranked.is_missing(row)) continue;
    const double y = target_.classes > 0 ? 0.0 : target_.value[row];
    rows.push_back({row, ranked.rank[row], order[i].label(), y, query.cohort.weight_of(order[i].id())});
  }
  const bool nominal = query.kind == ColumnKind::nominal;
  if (nominal && target_.classes > 2 && options_.subsets != SubsetRule::exact && options_.subsets != SubsetRule::all) {
    std::vector<std::uint32_t> codes;
    for (const CarriedRow& row : rows) {
      if (std::find(codes.begin(), codes.end(), row.value) == codes.end()) codes.push_back(row.value);
      if (codes.size() > kExactLevels || options_.subsets == SubsetRule::heuristic) return std::nullopt;
    }
  }
  CarriedSplit split;
  if (nominal) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    split = carried_subset(rows, ranked.ranks, target_, options_.criterion, query.limits);
  } else {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    split = carried_cut(rows, target_, options_.criterion, query.limits);
  }
  if (!split.any) return Candidate{};

  NodeStats& met = query.scratch.known;
  met.weight = met.effective = 0.0;
  for (const CarriedRow& row : rows) {
    met.weight += row.weight;
    met.effective += row.weight * (target_.classes > 0 ? target_.growth_scale[row.label] : 1.0);
  }
  Cut cut;
  cut.drop = std::max(0.0, split.gain) / (met.effective * carried_unit(options_.criterion));
  if (!options_.zero_gain && !(cut.drop > 1e-12 * node.stats->impurity)) return Candidate{};
  Candidate candidate;
  if (nominal) {
    candidate = of_cut(query.index, node, met, cut, 0, 0);
    candidate.found = target_.classes > 2 ? Found::exact : Found::ordered;
    candidate.levels = std::make_unique<LevelSet>();
    candidate.levels->code = std::move(split.code);
    candidate.levels->low = std::move(split.first);
  } else {
    for (std::size_t i = 0; i < split.position; ++i) cut.low_weight += rows[i].weight;
    candidate = of_cut(query.index, node, met, cut, rows[split.position - 1].row, rows[split.position].row);
    candidate.position = static_cast<std::uint32_t>(split.position);
  }
  // What candidates compete by keeps its last bits.
  const double known = options_.discount_missing ? 1.0 : node.stats->effective / met.effective;
  candidate.worth = worth(split.gain * known, query.index);
  candidate.low_branch = split.first_is_left ? 0 : 1;
  return candidate;
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

// The table of the values present, whatever the layout, with the statistics of the rows that have one.
template <class Entry>
void ColumnSearch<Entry>::fill_table(Query& query) const {
  if (query.column.layout == Layout::table) {
    fill_table_from_codes(query);
    return;
  }
  const std::size_t known = query.cohort.known_in(query.column, query.node.begin, query.node.end);
  query.known = std::span<const Entry>(query.column.order.data() + query.node.begin, known);
  if (known < query.node.end - query.node.begin) count_known(query);
  fill_table_from_runs(query);
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_levels_in_order(Query& query) const {
  fill_table_from_runs(query);
  return search_table(query);
}

// Adds one value to the table, from sums of sample weights by class or from {weight, sum}.
template <class Entry>
void ColumnSearch<Entry>::fill_table_from_runs(Query& query) const {
  const std::size_t classes = target_.classes;
  const double* scale = scales(query);
  ValueTable& table = query.scratch.table;
  table.clear(classes > 0 ? classes : SquaredDrop::kWidth);
  const std::uint32_t* rank = query.column.ties.rank;
  const auto code_at = [&](std::size_t i) {
    const std::uint32_t id = query.known[i].id();
    return rank != nullptr ? rank[id] : table_.columns[query.index].rank[query.cohort.row_of(id)];
  };
  for (std::size_t i = 0; i < query.known.size();) {
    const std::uint32_t code = code_at(i);
    const std::size_t begin = i;
    const std::size_t place = table.stat.size();
    table.stat.resize(place + table.width, 0.0);
    double* stat = table.stat.data() + place;
    double weight = 0.0;
    for (; i < query.known.size() && code_at(i) == code; ++i) {
      const std::uint32_t id = query.known[i].id();
      const double w = query.cohort.weight_of(id);
      weight += w;
      if (classes > 0) {
        stat[query.known[i].label()] += w;
      } else {
        stat[1] += w * query.cohort.value[id];
      }
    }
    if (classes > 0) {
      for (std::size_t k = 0; k < classes; ++k) stat[k] *= scale[k];
    } else {
      stat[0] = weight * query.unit;
      stat[1] *= query.unit;
    }
    table.code.push_back(code);
    table.rows.push_back(static_cast<double>(i - begin));
    table.weight.push_back(weight);
  }
}

// Adds the rows of the node to scratch.cells and scratch.code_rows by code; returns the codes that occur.
template <class Entry>
CodeSet ColumnSearch<Entry>::count_codes(Query& query, std::size_t slots, std::size_t width) const {
  const std::size_t classes = target_.classes;
  SearchScratch& scratch = query.scratch;
  if (scratch.cells.size() < slots * width) scratch.cells.resize(slots * width, 0.0);
  if (scratch.code_rows.size() < slots) scratch.code_rows.resize(slots, 0.0);
  const std::span<const Entry> list(query.cohort.list.data() + query.node.begin, query.node.end - query.node.begin);
  const std::uint8_t* code = query.column.code.data();
  CodeSet present;
  if (classes > 0 && query.weights() == nullptr) {
    // Whole counts, in two halves: neighbours often meet in one cell, and one would wait for the other.
    const std::size_t half = slots * classes;
    if (scratch.tally.size() < 2 * half) scratch.tally.resize(2 * half, 0);
    std::uint32_t* tally = scratch.tally.data();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t c = code[list[i].id()];
      present.add(c);
      ++tally[(i & 1) * half + c * classes + list[i].label()];
    }
    present.for_each([&](std::size_t c) {
      for (std::size_t cell = c * classes; cell < (c + 1) * classes; ++cell) {
        const std::uint32_t count = tally[cell] + tally[half + cell];
        scratch.cells[cell] = count;
        scratch.code_rows[c] += count;
        tally[cell] = tally[half + cell] = 0;
      }
    });
    return present;
  }
  for (const Entry entry : list) {
    const std::size_t c = code[entry.id()];
    const double w = query.cohort.weight_of(entry.id());
    present.add(c);
    scratch.code_rows[c] += 1.0;
    double* cell = scratch.cells.data() + c * width;
    if (classes > 0) {
      cell[entry.label()] += w;
    } else {
      cell[0] += w;
      cell[1] += w * query.cohort.value[entry.id()];
    }
  }
  return present;
}

// Statistics by code, then the values present in ascending order.
template <class Entry>
void ColumnSearch<Entry>::fill_table_from_codes(Query& query) const {
  const std::size_t classes = target_.classes;
  const std::size_t width = classes > 0 ? classes : SquaredDrop::kWidth;
  const double* scale = scales(query);
  SearchScratch& scratch = query.scratch;
  const std::uint32_t missing = query.column.missing_rank;
  const CodeSet present = count_codes(query, static_cast<std::size_t>(missing) + 1, width);
  ValueTable& table = scratch.table;
  table.clear(width);
  NodeStats& stats = scratch.known;
  stats.rows = 0;
  stats.weight = stats.effective = 0.0;
  present.for_each([&](std::size_t c) {
    double* cell = scratch.cells.data() + c * width;
    if (c != missing) {
      double weight = classes > 0 ? 0.0 : cell[0];
      const std::size_t place = table.stat.size();
      table.stat.resize(place + width);
      for (std::size_t k = 0; k < width; ++k) {
        if (classes > 0) weight += cell[k];
        table.stat[place + k] = cell[k] * (classes > 0 ? scale[k] : query.unit);
        if (classes > 0) stats.effective += table.stat[place + k];
      }
      table.code.push_back(static_cast<std::uint32_t>(c));
      table.rows.push_back(scratch.code_rows[c]);
      table.weight.push_back(weight);
      stats.rows += static_cast<std::size_t>(scratch.code_rows[c]);
      stats.weight += weight;
      if (classes == 0) stats.effective += weight;
    }
    std::fill_n(cell, width, 0.0);
    scratch.code_rows[c] = 0.0;
  });
  if (classes > 0) stats.effective /= query.unit;
  query.stats = &stats;
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_table(Query& query) const {
  if (query.weights() == nullptr && !scaled_ && target_.classes == 2 && options_.criterion == Criterion::gini &&
      query.kind != ColumnKind::nominal && !query.limits.constrained()) {
    return gini_two_table(query);
  }
  fill_table_from_codes(query);
  return search_table(query);
}

// The commonest case by far, without the detour over the value table: whole counts of two classes.
template <class Entry>
Candidate ColumnSearch<Entry>::gini_two_table(Query& query) const {
  const std::uint32_t missing = query.column.missing_rank;
  auto& tally = query.scratch.tally;
  const std::size_t slots = 2 * (static_cast<std::size_t>(missing) + 1);
  if (tally.size() < slots) tally.resize(slots, 0);
  CodeSet present;
  const std::uint8_t* code = query.column.code.data();
  for (std::size_t i = query.node.begin; i < query.node.end; ++i) {
    const Entry entry = query.cohort.list[i];
    const std::uint8_t c = code[entry.id()];
    present.add(c);
    ++tally[2 * static_cast<std::size_t>(c) + entry.label()];
  }
  std::size_t rows = query.node.stats->rows;
  double ones = query.node.stats->counts[1];
  if (query.column.has_missing) {
    rows -= tally[2 * static_cast<std::size_t>(missing)] + tally[2 * static_cast<std::size_t>(missing) + 1];
    ones -= tally[2 * static_cast<std::size_t>(missing) + 1];
  }
  const auto all = static_cast<double>(rows);
  const auto least = static_cast<double>(query.limits.min_rows);
  double low_rows = 0.0;
  double low_ones = 0.0;
  double bar = query.limits.zero_gain ? -0.5 : 0.0;
  double best_score = 0.0;
  Cut best;
  std::size_t low_code = 0;
  std::size_t high_code = 0;
  std::size_t last = missing;
  double score_before = -1.0;  // of the cut between `last` and the next value present
  present.for_each([&](std::size_t c) {
    if (c != missing) {
      if (score_before > bar && low_rows >= least && all - low_rows >= least) {
        best_score = score_before;
        bar = best_score * (1.0 + query.limits.tie);
        best.position = 1;
        best.low_weight = low_rows;
        low_code = last;
        high_code = c;
      }
      low_ones += tally[2 * c + 1];
      low_rows += static_cast<double>(tally[2 * c]) + tally[2 * c + 1];
      const double d = low_ones * all - ones * low_rows;
      score_before = d * d / (low_rows * (all - low_rows));
      last = c;
    }
    tally[2 * c] = tally[2 * c + 1] = 0;
  });
  if (best.position == 0) return {};
  best.drop = 2.0 * best_score / (all * all);
  query.scratch.known.weight = query.scratch.known.effective = all;
  query.stats = &query.scratch.known;
  const auto& sample = table_.columns[query.index].sample;
  return finish_cut(query, best, sample[low_code], sample[high_code]);
}

template <class Entry>
Candidate ColumnSearch<Entry>::search_table(Query& query) const {
  if (query.scratch.table.size() < 2) return {};
  if (query.kind == ColumnKind::nominal) return finish_subset(query, subset(query));
  const Cut cut = table_cut(query);
  if (cut.position == 0) return {};
  const auto& sample = table_.columns[query.index].sample;
  const auto& code = query.scratch.table.code;
  return finish_cut(query, cut, sample[code[cut.position - 1]], sample[code[cut.position]]);
}

template <class Entry>
Cut ColumnSearch<Entry>::table_cut(Query& query) const {
  SearchScratch& scratch = query.scratch;
  if (target_.classes == 0) {
    return cut_table(scratch.table, nullptr, SquaredDrop{}, query.limits, query.floor(), scratch.sides, Answers{true});
  }
  return with_class_drop(options_.criterion, target_.classes, xlogx_, symmetric_cost_.data(), [&](const auto& drop) {
    return cut_table(scratch.table, nullptr, drop, query.limits, query.floor(), scratch.sides, Answers{false});
  });
}

template <class Entry>
Subset ColumnSearch<Entry>::subset(Query& query) const {
  SearchScratch& scratch = query.scratch;
  const ValueTable& table = scratch.table;
  const double floor = query.floor();
  if (target_.classes == 0) {
    const std::vector<std::uint32_t> order = [&] {
      std::vector<std::uint32_t> by_mean(table.size());
      std::iota(by_mean.begin(), by_mean.end(), 0U);
      std::stable_sort(by_mean.begin(), by_mean.end(), [&](std::uint32_t a, std::uint32_t b) {
        return table.at(a)[1] / table.at(a)[0] < table.at(b)[1] / table.at(b)[0];
      });
      return by_mean;
    }();
    return subset_by_order(table, order, SquaredDrop{}, query.limits, floor, options_.subsets, scratch.sides,
                           Answers{true});
  }
  return with_class_drop(options_.criterion, target_.classes, xlogx_, symmetric_cost_.data(), [&](const auto& drop) {
    if (target_.classes <= 2) {
      const std::vector<std::uint32_t> order = order_by_share(table, 0, table.width);
      return subset_by_order(table, order, drop, query.limits, floor, options_.subsets, scratch.sides, Answers{false});
    }
    // Under minima the best admissible set need not be a cut of any superclass order, so few levels are searched
    // completely, and all of them on request or where the superclasses are too many to be tried.
    const bool all = options_.subsets == SubsetRule::all ||
                     (options_.subsets == SubsetRule::exact && target_.classes > kSuperclassed) ||
                     (options_.subsets != SubsetRule::heuristic && table.size() <= kExactLevels);
    if (options_.criterion == Criterion::twoing && !all)
      return subset_by_superclasses(table, query.limits, floor, scratch.sides);
    return subset_by_classes(table, drop, query.limits, floor, options_.subsets, scratch.sides);
  });
}

template <class Entry>
Candidate ColumnSearch<Entry>::judged(std::size_t column, const Judgement& judgement) const {
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column);
  candidate.gain = judgement.gain;
  const bool by_ratio = options_.criterion == Criterion::gain_ratio;
  candidate.worth = worth(by_ratio ? judgement.ratio : judgement.gain, column);
  return candidate;
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_branches(Query& query) const {
  fill_table(query);
  const ValueTable& table = query.scratch.table;
  const LevelNode node{query.stats->effective, query.node.stats->effective, options_.min_leaf_weight,
                       static_cast<std::size_t>(std::max<std::int64_t>(1, options_.min_leaf_rows))};
  const bool one = options_.branching == Branching::one_level;
  const LevelBranches found = one ? judge_one_level(table, node, options_, gain_rule_, symmetric_cost_.data())
                                  : judge_levels(table, node, options_, gain_rule_, symmetric_cost_.data());
  if (!found.any) return {};
  // Tests without gain have a part in the average.
  const bool averaged = options_.gain.choice == Choice::above_average;
  if (!averaged && !options_.zero_gain && gain_rule_.is_zero(found.judgement.gain)) return {};
  Candidate candidate = judged(query.index, found.judgement);
  candidate.levels = std::make_unique<LevelSet>();
  LevelSet& levels = *candidate.levels;
  if (options_.gain.declared_branches) {
    levels.code.resize(table_.columns[query.index].ranks);
    std::iota(levels.code.begin(), levels.code.end(), 0);
  } else {
    levels.code.assign(table.code.begin(), table.code.end());
  }
  levels.branch.resize(levels.code.size());
  std::iota(levels.branch.begin(), levels.branch.end(), 0);
  levels.branches = static_cast<std::int32_t>(levels.code.size());
  if (one) {
    const auto level = static_cast<std::int32_t>(table.code[found.level]);
    std::transform(levels.code.begin(), levels.code.end(), levels.branch.begin(),
                   [&](std::int32_t code) { return code == level ? 0 : 1; });
    levels.branches = 2;
  }
  return candidate;
}

// Whether two values are too close to be parted.
template <class Entry>
bool ColumnSearch<Entry>::close(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const {
  if (has_close_[column] == 0) return false;
  const ColumnView& view = table_.columns[column].view;
  return !(value_as_double(view, low_row) + options_.gain.value_gap < value_as_double(view, high_row));
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_gain_cut(Query& query) const {
  const std::size_t classes = target_.classes;
  const bool table_layout = query.column.layout == Layout::table;
  if (table_layout) {
    fill_table_from_codes(query);
  } else {
    const std::size_t known = query.cohort.known_in(query.column, query.node.begin, query.node.end);
    query.known = std::span<const Entry>(query.column.order.data() + query.node.begin, known);
    const std::size_t missing = query.node.end - query.node.begin - known;
    if (missing > 0 && missing < known) {
      subtract_missing(query);
    } else if (missing > 0) {
      count_known(query);
    }
  }
  const NodeStats& stats = *query.stats;
  if (stats.rows < 2) return {};
  GainCutNode node{stats.effective,
                   query.node.stats->effective,
                   stats.weight,
                   options_.min_leaf_weight,
                   static_cast<double>(std::max<std::int64_t>(1, options_.min_leaf_rows)),
                   static_cast<double>(stats.rows)};
  if (options_.gain.relative_minimum) {
    const double tenth = 0.1 * stats.weight / static_cast<double>(classes);
    if (gain_rule_.greater(tenth, node.minimum)) node.minimum = gain_rule_.greater(tenth, 25.0) ? 25.0 : tenth;
  }
  // Weka, whose tolerance is absolute, compares with the number of rows here, whatever they weigh.
  if (gain_rule_.greater(2.0 * node.minimum, options_.gain.epsilon > 0.0 ? node.rows : stats.weight)) return {};

  const ValueTable& table = query.scratch.table;
  const std::vector<std::uint32_t>& sample = table_.columns[query.index].sample;
  const auto row_at = [&](std::size_t i) {
    return table_layout ? sample[table.code[i]] : query.cohort.row_of(query.known[i].id());
  };
  std::vector<double>& whole = query.scratch.work;
  whole.assign(classes, 0.0);
  GainCut cut;
  if (table_layout) {
    for (std::size_t v = 0; v < table.size(); ++v) {
      for (std::size_t k = 0; k < classes; ++k) whole[k] += table.at(v)[k];
    }
    GainSides sides(gain_rule_, whole.data(), classes);
    cut = best_gain_cut(
        table.size(), node, gain_rule_, sides,
        [&](std::size_t v, GainSides& moving, GainState& state) {
          for (std::size_t k = 0; k < classes; ++k) {
            if (table.at(v)[k] > 0.0) moving.move(k, table.at(v)[k]);
            state.amount += table.at(v)[k];
          }
          state.weight += table.weight[v];
          state.rows += table.rows[v];
        },
        [&](std::size_t v) { return !close(query.index, row_at(v - 1), row_at(v)); }, classes);
  } else if (classes == 2 && !scaled_ && options_.gain.epsilon == 0.0) {
    const bool gaps = has_close_[query.index] != 0;
    const Ties ties = query.column.ties;
    const auto may_cut = [&](std::size_t i) {
      return !ties(query.known[i - 1].id(), query.known[i].id()) &&
             !(gaps && close(query.index, row_at(i - 1), row_at(i)));
    };
    GainBoxes boxes(query.known, query.weights(), {stats.counts[0], stats.counts[1]}, node, gain_rule_, may_cut);
    cut = boxes.best(query.scratch.corners);
  } else {
    for (std::size_t k = 0; k < classes; ++k) whole[k] = stats.counts[k] * target_.growth_scale[k];
    GainSides sides(gain_rule_, whole.data(), classes);
    cut = best_gain_cut(
        query.known.size(), node, gain_rule_, sides,
        [&](std::size_t i, GainSides& moving, GainState& state) {
          const Entry entry = query.known[i];
          const double w = query.cohort.weight_of(entry.id());
          const double amount = w * target_.growth_scale[entry.label()];
          moving.move(entry.label(), amount);
          state.amount += amount;
          state.weight += w;
          state.rows += 1.0;
        },
        [&](std::size_t i) {
          return !query.column.ties(query.known[i - 1].id(), query.known[i].id()) &&
                 !close(query.index, row_at(i - 1), row_at(i));
        },
        classes);
  }
  if (cut.position == 0) return {};
  // With an absolute tolerance the rule has looked already.
  if (options_.gain.epsilon == 0.0 && !options_.zero_gain && !(cut.gain > query.floor())) return {};
  Judgement judgement{cut.gain, 0.0};
  if (options_.gain.threshold_penalty) {
    judgement.gain -= std::log2(static_cast<double>(cut.cuts)) / query.node.stats->weight;
    if (!gain_rule_.greater(judgement.gain, 0.0)) return {};
  }
  const double branch_terms = gain_rule_.term(cut.low_amount) + gain_rule_.term(node.known - cut.low_amount);
  judgement.ratio = gain_rule_.ratio(judgement.gain, branch_terms, node.known, node.all);
  Candidate candidate = judged(query.index, judgement);
  candidate.low_row = row_at(cut.position - 1);
  candidate.high_row = row_at(cut.position);
  candidate.low_share = cut.low_weight / stats.weight;
  if (!table_layout) candidate.position = static_cast<std::uint32_t>(cut.position);
  return candidate;
}

template <class Entry>
void ColumnSearch<Entry>::choose(Ranking& best) const {
  if (options_.gain.choice == Choice::above_average) choose_above_average(best, no_average_, gain_rule_);
}

template <class Entry>
Candidate ColumnSearch<Entry>::two_passes(Query& query) const {
  const std::size_t size = query.node.end - query.node.begin;
  const double* value = query.cohort.value.data();
  const std::uint32_t* rank = query.cohort.value_rank.data();
  if (options_.criterion == Criterion::absolute_error) {
    return two_passes_of(query, AbsoluteSide(size, value, rank, query.weights(), query.node.stats->value));
  }
  return two_passes_of(query, WorstSide(size, value, rank, query.weights(), query.node.stats->value));
}

template <class Entry>
template <class OneSide>
Candidate ColumnSearch<Entry>::two_passes_of(Query& query, OneSide side) const {
  if (query.kind == ColumnKind::nominal) return level_two_passes(query, std::move(side));
  const auto may_cut = [&](std::size_t i) { return !query.column.ties(query.known[i - 1].id(), query.known[i].id()); };
  const Cut cut = scan_two_passes(query.known, side, query.limits, query.scratch.work, may_cut);
  return finish_position(query, cut);
}

// Sets of levels for criteria without subtraction: every set where that is little work, else cuts of the levels in the
// order of their answers (median or mean), which is a heuristic here.
template <class Entry>
template <class OneSide>
Candidate ColumnSearch<Entry>::level_two_passes(Query& query, OneSide side) const {
  constexpr bool kAbsolute = std::is_same_v<OneSide, AbsoluteSide>;
  fill_table_from_runs(query);
  const ValueTable& table = query.scratch.table;
  const std::size_t levels = table.size();
  if (levels < 2) return {};
  std::vector<std::size_t> begin(levels + 1, 0);
  for (std::size_t v = 0; v < levels; ++v) begin[v + 1] = begin[v] + static_cast<std::size_t>(table.rows[v]);
  std::vector<double> answer(levels);
  std::vector<double> worst(levels * WorstDrop::kWidth);
  for (std::size_t v = 0; v < levels; ++v) {
    if constexpr (kAbsolute) {
      std::vector<std::uint32_t> ids;
      for (std::size_t i = begin[v]; i < begin[v + 1]; ++i) ids.push_back(query.known[i].id());
      answer[v] = side.answer_of(ids);
    } else {
      side.reset();
      for (std::size_t i = begin[v]; i < begin[v + 1]; ++i) side.add(query.known[i].id());
      answer[v] = side.answer();
      std::copy_n(side.stat(), WorstDrop::kWidth, worst.begin() + static_cast<std::ptrdiff_t>(v * WorstDrop::kWidth));
    }
  }
  side.reset();
  for (const Entry entry : query.known) side.add(entry.id());
  const double node = side.cost();
  const double mass = side.mass();

  const bool little = levels <= kExactLevels &&
                      (!kAbsolute || (std::size_t{1} << (levels - 1)) * query.known.size() <= (std::size_t{1} << 24));
  if (options_.subsets == SubsetRule::exact || options_.subsets == SubsetRule::all ||
      (options_.subsets == SubsetRule::automatic && little)) {
    TwoSides& sides = query.scratch.sides;
    sides.start(table);
    OneSide other = side;  // starts with all rows; `side` becomes the low one
    side.reset();
    const Subset subset = enumerate_subsets(
        levels, query.limits, as_drop(side, 1e-13 * node, mass),
        [&](const std::vector<std::uint8_t>& low, std::size_t moved) {
          sides.move(table, moved, low[moved] != 0 ? 0 : 1);
          double cost = 0.0;
          if constexpr (kAbsolute) {
            const double sign = low[moved] != 0 ? 1.0 : -1.0;
            query.limits.poll(begin[moved + 1] - begin[moved]);
            for (std::size_t i = begin[moved]; i < begin[moved + 1]; ++i) {
              side.add(query.known[i].id(), sign);
              other.add(query.known[i].id(), -sign);
            }
            if (!sides.admissible(query.limits)) return -1.0;
            if (query.limits.constrained() && !query.limits.allows(side.answer(), other.answer())) return -1.0;
            cost = side.cost() + other.cost();
          } else {
            if (!sides.admissible(query.limits)) return -1.0;
            double stat[2][WorstDrop::kWidth] = {{0.0, 0.0, 1e308, -1e308}, {0.0, 0.0, 1e308, -1e308}};
            for (std::size_t v = 0; v < levels; ++v)
              WorstDrop::merge(stat[low[v] != 0 ? 0 : 1], worst.data() + v * WorstDrop::kWidth);
            cost = std::max(WorstDrop::worst(stat[0]), WorstDrop::worst(stat[1]));
          }
          return as_drop(side, node - cost, mass);
        });
    return finish_subset(query, subset);
  }
  std::vector<std::uint32_t> order(levels);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return answer[a] < answer[b]; });
  std::vector<Entry> entries;
  std::vector<std::size_t> levels_before(query.known.size() + 1, 0);  // at a boundary: the number of levels before it
  for (std::size_t place = 0; place < levels; ++place) {
    levels_before[entries.size()] = place;
    const auto first = query.known.begin() + static_cast<std::ptrdiff_t>(begin[order[place]]);
    entries.insert(entries.end(), first, query.known.begin() + static_cast<std::ptrdiff_t>(begin[order[place] + 1]));
  }
  Cut cut = scan_two_passes(std::span<const Entry>(entries), side, query.limits, query.scratch.work,
                            [&](std::size_t i) { return levels_before[i] != 0; });
  cut.position = levels_before[cut.position];
  return finish_subset(query,
                       subset_of_cut(table, order.data(), cut, kAbsolute ? Found::median_order : Found::mean_order));
}

template <class Entry>
Candidate ColumnSearch<Entry>::of_cut(std::size_t column, const NodeRange& node, const NodeStats& known, const Cut& cut,
                                      std::uint32_t low_row, std::uint32_t high_row) const {
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column);
  const double share = options_.discount_missing ? known.effective / node.stats->effective : 1.0;
  candidate.gain = cut.drop * share;
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
