// Columns that come together where rows have weights: the scan that fits the target, and what its best cuts part.
#include <algorithm>
#include <array>
#include <cmath>

#include "bough/engine/sorted/column_query.hpp"
#include "bough/engine/sorted/weighed_lanes.hpp"

namespace bough {

template <class Entry>
std::array<Cut, kLanes> ColumnSearch<Entry>::cut_weighed_lanes(const Cohort<Entry>& cohort,
                                                               const LaneOrders<Entry>& order, const NodeRange& node,
                                                               SearchScratch& scratch) const {
  const NodeStats& stats = *node.stats;
  const double floor = rounding_of_gain(stats, options_.criterion);
  const double* weight = cohort.weight.data();
  const double unit = unit_for(stats.effective);
  const double least =
      std::max(node.limits.min_weight, rounding_of_side(static_cast<double>(stats.rows), stats.weight));
  if (target_.classes == 0) {
    const SquaredWeightLanes<Entry> sums(stats.weight, stats.sum, cohort.value.data(), weight, unit, floor);
    return scan_weighed_lanes<true>(order, stats.rows, sums, node.limits, least);
  }
  if (!cohort.tag.empty()) {
    const double side = std::ceil(least);  // sides weigh whole numbers
    const auto scan = [&](const auto& whole) {
      return scan_weighed_lanes<false>(order, stats.rows, whole, node.limits, side);
    };
    const WholeTag* tag = cohort.tag.data();
    if (side <= 1.0) return scan(GiniTwoWholeLanes<Entry, false>(stats.weight, stats.counts[1], tag, floor, side));
    return scan(GiniTwoWholeLanes<Entry, true>(stats.weight, stats.counts[1], tag, floor, side));
  }
  if (target_.classes == 2) {
    const GiniTwoWeightLanes<Entry> any(stats.counts, weight, unit, floor);
    return scan_weighed_lanes<true>(order, stats.rows, any, node.limits, least);
  }
  const GiniWholeLanes<Entry> whole(stats.weight, stats.counts, weight, floor, scratch.work);
  return scan_weighed_lanes<true>(order, stats.rows, whole, node.limits, least);
}

// What the first entries of a column weigh, by class: whole weights are exact from either side.
template <class Entry>
std::array<double, 2> whole_below(const Cohort<Entry>& cohort, const Entry* order, const NodeStats& stats,
                                  std::size_t position) {
  const bool from_below = position <= stats.rows / 2;
  std::int32_t mass = 0;
  std::int32_t seen = 0;
  for (std::size_t i = from_below ? 0 : position, end = from_below ? position : stats.rows; i < end; ++i) {
    const std::int32_t tag = cohort.tag[order[i].id()];
    mass += tag & kTagWeight;
    seen += tag & kTagWeight & (tag >> 31);
  }
  const std::array<double, 2> side = {static_cast<double>(mass - seen), static_cast<double>(seen)};
  return from_below ? side : std::array<double, 2>{stats.counts[0] - side[0], stats.counts[1] - side[1]};
}

// The cut behind the first entries of a column, with the bits that the scan of one column gives it.
template <class Entry>
Cut ColumnSearch<Entry>::weighed_cut(const Cohort<Entry>& cohort, const Entry* order, const NodeRange& node,
                                     std::size_t position, SearchScratch& scratch) const {
  const NodeStats& stats = *node.stats;
  const double unit = unit_for(stats.effective);
  const std::size_t classes = target_.classes;
  if (!cohort.tag.empty()) {
    const std::array<double, 2> low = whole_below(cohort, order, stats, position);
    const std::array<double, 2> high = {stats.counts[0] - low[0], stats.counts[1] - low[1]};
    return {GiniDrop{2}(low.data(), high.data()), position, low[0] + low[1]};
  }
  double mass = 0.0;
  if (classes == 0) {
    double sum = 0.0;
    for (std::size_t i = 0; i < position; ++i) {
      const std::uint32_t id = order[i].id();
      const double w = cohort.weight[id];
      mass += w;
      sum += w * cohort.value[id];
    }
    const double low = mass * unit;
    const double high = (stats.weight - mass) * unit;
    const double d = sum * unit - low * (stats.sum / stats.weight);
    return {d * d / (low * high), position, mass};
  }
  scratch.work.assign(2 * classes, 0.0);
  double* low = scratch.work.data();
  double* high = low + classes;
  for (std::size_t i = 0; i < position; ++i) {
    const double w = cohort.weight[order[i].id()];
    mass += w;
    low[order[i].label()] += w;
  }
  for (std::size_t k = 0; k < classes; ++k) {
    high[k] = std::max(0.0, stats.counts[k] - low[k]) * unit;
    low[k] *= unit;
  }
  return {GiniDrop{classes}(low, high), position, mass};
}

template std::array<Cut, kLanes> ColumnSearch<EntryOf<std::uint32_t>>::cut_weighed_lanes(
    const Cohort<EntryOf<std::uint32_t>>&, const LaneOrders<EntryOf<std::uint32_t>>&, const NodeRange&,
    SearchScratch&) const;
template std::array<Cut, kLanes> ColumnSearch<EntryOf<std::uint64_t>>::cut_weighed_lanes(
    const Cohort<EntryOf<std::uint64_t>>&, const LaneOrders<EntryOf<std::uint64_t>>&, const NodeRange&,
    SearchScratch&) const;
template Cut ColumnSearch<EntryOf<std::uint32_t>>::weighed_cut(const Cohort<EntryOf<std::uint32_t>>&,
                                                               const EntryOf<std::uint32_t>*, const NodeRange&,
                                                               std::size_t, SearchScratch&) const;
template Cut ColumnSearch<EntryOf<std::uint64_t>>::weighed_cut(const Cohort<EntryOf<std::uint64_t>>&,
                                                               const EntryOf<std::uint64_t>*, const NodeRange&,
                                                               std::size_t, SearchScratch&) const;

}  // namespace bough
