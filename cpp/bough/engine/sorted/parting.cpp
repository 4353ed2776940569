#include "bough/engine/sorted/parting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "bough/engine/sorted/surrogates.hpp"
#include "bough/missing/policy.hpp"

namespace bough {
namespace {

// Some order of the cohort that holds every row of a node.
template <class Entry>
std::span<const Entry> entries_of(const Cohort<Entry>& cohort, std::size_t begin, std::size_t end) {
  const std::vector<Entry>& any = cohort.list.empty() ? cohort.columns.front().order : cohort.list;
  return {any.data() + begin, end - begin};
}

template <class Entry>
void tally(NodeStats& stats, const Cohort<Entry>& cohort, Entry entry) {
  const double w = cohort.weight_of(entry.id());
  ++stats.rows;
  stats.weight += w;
  if (!stats.counts.empty()) {
    stats.counts[entry.label()] += w;
  } else {
    stats.sum += w * cohort.value[entry.id()];
  }
}

// Answers, risks and impurities of regression for the rows with side b in stats[b]; sums and weights are there
// already. `sorted` runs upwards in y where the criterion needs the median.
template <class Entry>
void settle_values(std::span<NodeStats> stats, const Cohort<Entry>& cohort, std::span<const Entry> entries,
                   std::span<const Entry> sorted, Criterion criterion, bool by_side) {
  struct Sums {
    double mean = 0.0;
    double squares = 0.0;
    double low = 1e308;
    double high = -1e308;
    double below = 0.0;      // weight met so far, upwards
    std::int64_t median_low = -1;   // ids, once they are known
    std::int64_t median_high = -1;
    std::uint32_t any = 0;
    double absolute = 0.0;
  };
  Sums sums[2];
  for (std::size_t b = 0; b < stats.size(); ++b)
    sums[b].mean = stats[b].weight > 0.0 ? stats[b].sum / stats[b].weight : 0.0;
  const auto branch_of = [&](Entry entry) { return by_side ? cohort.side[entry.id()] : std::uint8_t{0}; };
  for (const Entry entry : entries) {
    const std::uint8_t b = branch_of(entry);
    if (b == kStays) continue;
    const double y = cohort.value[entry.id()];
    Sums& s = sums[b];
    s.squares += cohort.weight_of(entry.id()) * (y - s.mean) * (y - s.mean);
    s.low = std::min(s.low, y);
    s.high = std::max(s.high, y);
    s.any = entry.id();
  }
  const auto value = [&](std::int64_t id) { return cohort.value[static_cast<std::size_t>(id)]; };
  const bool median = criterion == Criterion::absolute_error;
  if (median) {
    // The median lies between the first value with at least half of the weight up to it and the first with more.
    for (const Entry entry : sorted) {
      const std::uint8_t b = branch_of(entry);
      if (b == kStays) continue;
      Sums& s = sums[b];
      s.below += cohort.weight_of(entry.id());
      const double half = 0.5 * stats[b].weight;
      if (s.median_low < 0 && s.below >= half * (1.0 - 1e-14)) s.median_low = entry.id();
      if (s.median_high < 0 && s.below > half * (1.0 + 1e-14)) s.median_high = entry.id();
    }
    for (Sums& s : sums) s.median_high = s.median_high < 0 ? s.median_low : s.median_high;
    for (const Entry entry : entries) {
      const std::uint8_t b = branch_of(entry);
      if (b == kStays) continue;
      sums[b].absolute += cohort.weight_of(entry.id()) * std::abs(cohort.value[entry.id()] - value(sums[b].median_low));
    }
  }
  for (std::size_t b = 0; b < stats.size(); ++b) {
    NodeStats& node = stats[b];
    const Sums& s = sums[b];
    node.effective = node.weight;
    node.pure = !(s.low < s.high);
    node.value = s.mean;
    if (node.rows > 0 && (node.pure || median)) {
      const std::int64_t low = node.pure ? s.any : s.median_low;
      const std::int64_t high = node.pure ? s.any : s.median_high;
      node.value = std::midpoint(value(low), value(high));
      node.answer_rows[0] = cohort.row_of(static_cast<std::uint32_t>(low));
      node.answer_rows[1] = cohort.row_of(static_cast<std::uint32_t>(high));
    }
    node.risk = node.pure ? 0.0 : (median ? s.absolute : s.squares);
    node.impurity = node.weight > 0.0 ? node.risk / node.weight : 0.0;
    if (criterion == Criterion::worst_error)
      node.impurity = node.pure ? 0.0 : std::max(s.high - s.mean, s.mean - s.low);
  }
}

// Sides of the rows whose primary value is known; the others are marked kStays. Side 0 is the low or first side.
template <class Entry>
void send_known(const RankedTable& table, Cohort<Entry>& cohort, std::size_t begin, std::size_t end,
                const Candidate& primary) {
  const auto index = static_cast<std::size_t>(primary.column);
  const auto& column = cohort.columns[index];
  const RankedColumn& ranked = table.columns[index];
  if (column.layout == Layout::table) {
    std::uint8_t branch[kTableRanks + 1];
    std::fill(std::begin(branch), std::end(branch), kStays);
    if (primary.levels == nullptr) {
      for (std::uint32_t code = 0; code < ranked.ranks; ++code)
        branch[code] = code <= ranked.rank[primary.low_row] ? 0 : 1;
    } else {
      const LevelSet& levels = *primary.levels;
      for (std::size_t v = 0; v < levels.code.size(); ++v) branch[levels.code[v]] = levels.low[v] != 0 ? 0 : 1;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t id = cohort.list[i].id();
      cohort.side[id] = branch[column.code[id]];
    }
    return;
  }
  const std::size_t known = begin + cohort.known_in(column, begin, end);
  const auto send = [&](std::size_t from, std::size_t to, std::uint8_t branch) {
    for (std::size_t i = from; i < to; ++i) cohort.side[column.order[i].id()] = branch;
  };
  send(known, end, kStays);
  if (primary.levels == nullptr) {
    send(begin, begin + primary.position, 0);
    send(begin + primary.position, known, 1);
    return;
  }
  const LevelSet& levels = *primary.levels;
  std::size_t level = 0;
  for (std::size_t i = begin; i < known; ++i) {
    const std::uint32_t id = column.order[i].id();
    const auto code = static_cast<std::int32_t>(ranked.rank[cohort.row_of(id)]);
    while (levels.code[level] < code) ++level;
    cohort.side[id] = levels.low[level] != 0 ? 0 : 1;
  }
}

// Where the response of a branch stands: the mean, or the mean class number under the scales of growth.
double response(const NodeStats& stats, const Target& target) {
  if (stats.counts.empty()) return stats.sum / stats.weight;
  double mass = 0.0;
  double moment = 0.0;
  for (std::size_t k = 0; k < stats.counts.size(); ++k) {
    const double effective = stats.counts[k] * target.growth_scale[k];
    mass += effective;
    moment += static_cast<double>(k) * effective;
  }
  return moment / mass;
}

}  // namespace

template <class Entry>
PartedNode part_node(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch,
                     Cohort<Entry>& cohort, std::size_t begin, std::size_t end, const Candidate& primary, bool always,
                     bool low_is_one) {
  PartedNode parted;
  send_known(table, cohort, begin, end, primary);
  const auto index = static_cast<std::size_t>(primary.column);
  const std::span<const Entry> entries =
      cohort.columns[index].layout == Layout::order
          ? std::span<const Entry>(cohort.columns[index].order.data() + begin, end - begin)
          : entries_of(cohort, begin, end);
  for (NodeStats& child : parted.child) child.counts.assign(target.classes, 0.0);
  std::vector<Entry> undecided;
  for (const Entry entry : entries) {
    const std::uint8_t branch = cohort.side[entry.id()];
    if (branch == kStays) {
      undecided.push_back(entry);
    } else {
      tally(parted.child[branch], cohort, entry);
    }
  }
  bool low_goes_high = low_is_one;
  if (options.branch_order == BranchOrder::response) {
    low_goes_high = primary.low_branch >= 0 ? primary.low_branch == 1
                                            : !(response(parted.child[0], target) < response(parted.child[1], target));
  }
  if (low_goes_high) {
    std::swap(parted.child[0], parted.child[1]);
    for (const Entry entry : entries) {
      std::uint8_t& branch = cohort.side[entry.id()];
      if (branch != kStays) branch = static_cast<std::uint8_t>(1 - branch);
    }
    parted.low = 1;
  }
  const double known[2] = {parted.child[0].weight, parted.child[1].weight};
  // Sums of weights carry rounding, which must not choose the larger branch.
  const double equal = options.ties == TieRule::rounding ? 0.0 : options.tie * (known[0] + known[1]);
  parted.majority = known[1] > known[0] + equal ? 1 : 0;
  if (std::abs(known[0] - known[1]) <= equal && options.tie_stops) parted.majority = -1;
  const bool asks = options.missing == MissingRule::surrogate;
  // As in rpart: the majority comes with the search for surrogates; without one, rows stay while the tree grows.
  if (asks && options.majority == MajorityRule::routed_rows && options.surrogates.most <= 0) parted.majority = -1;

  if (options.surrogates.most > 0 && (always || (asks && !undecided.empty()))) {
    const int low = primary.levels == nullptr ? parted.low : -1;
    parted.surrogates = find_surrogates(table, cohort, {begin, end}, index, low, options, watch);
  }
  if (!undecided.empty()) {
    const Routing routing = routing_of(options);
    // Found first, written afterwards: surrogates are judged by the rows that the primary split sends.
    for (const Entry entry : undecided) {
      const std::uint32_t row = cohort.row_of(entry.id());
      const std::int32_t branch = route_missing(routing, -1, parted.majority, [&] {
        for (const Surrogate& surrogate : parted.surrogates) {
          const std::int32_t found = branch_by_surrogate(table, surrogate, row);
          if (found >= 0) return found;
        }
        return State::missing;
      });
      cohort.side[entry.id()] = branch < 0 ? kStays : static_cast<std::uint8_t>(branch);
      if (branch < 0) {
        parted.stays = true;
      } else {
        tally(parted.child[branch], cohort, entry);
      }
    }
  }
  if (options.majority == MajorityRule::routed_rows) {
    const std::size_t rows[2] = {parted.child[0].rows, parted.child[1].rows};
    parted.majority = rows[0] == rows[1] ? -1 : (rows[1] > rows[0] ? 1 : 0);
  }
  if (target.classes > 0) {
    for (NodeStats& child : parted.child) settle_classes(child, target, options.criterion);
  } else {
    std::span<const Entry> sorted;
    if (!cohort.value_order.empty()) sorted = {cohort.value_order.data() + begin, end - begin};
    settle_values<Entry>(parted.child, cohort, entries, sorted, options.criterion, true);
  }
  return parted;
}

template <class Entry>
NodeStats stats_of_node(const Target& target, const GrowOptions& options, const Cohort<Entry>& cohort,
                        std::size_t begin, std::size_t end) {
  NodeStats stats;
  stats.counts.assign(target.classes, 0.0);
  const std::span<const Entry> entries = entries_of(cohort, begin, end);
  for (const Entry entry : entries) tally(stats, cohort, entry);
  if (target.classes > 0) {
    settle_classes(stats, target, options.criterion);
  } else {
    std::span<const Entry> sorted;
    if (!cohort.value_order.empty()) sorted = {cohort.value_order.data() + begin, end - begin};
    settle_values<Entry>({&stats, 1}, cohort, entries, sorted, options.criterion, false);
  }
  return stats;
}

using Narrow = EntryOf<std::uint32_t>;
using Wide = EntryOf<std::uint64_t>;
template PartedNode part_node(const RankedTable&, const Target&, const GrowOptions&, Watch&, Cohort<Narrow>&,
                              std::size_t, std::size_t, const Candidate&, bool, bool);
template PartedNode part_node(const RankedTable&, const Target&, const GrowOptions&, Watch&, Cohort<Wide>&, std::size_t,
                              std::size_t, const Candidate&, bool, bool);
template NodeStats stats_of_node(const Target&, const GrowOptions&, const Cohort<Narrow>&, std::size_t, std::size_t);
template NodeStats stats_of_node(const Target&, const GrowOptions&, const Cohort<Wide>&, std::size_t, std::size_t);

}  // namespace bough
