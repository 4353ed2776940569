// One question of a column search, and the criterion that answers it: what the files that define ColumnSearch share.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "bough/criterion/floor.hpp"
#include "bough/criterion/side.hpp"
#include "bough/engine/sorted/column_search.hpp"

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

  // Tells the two sides what of them is rounding; whole counts have none. A millionth of the known rows is none for
  // certain, since sums have far fewer than 2^30 terms.
  void guard_sides(const std::vector<double>& scale, bool whole) const {
    scratch.sides.rounding = scratch.sides.light = 0.0;
    if (whole) return;
    const double least = scale.empty() ? 1.0 : *std::min_element(scale.begin(), scale.end());
    scratch.sides.rounding = rounding_of_side(1.0, stats->effective * unit);
    scratch.sides.light = 0x1p-20 * (stats->effective / least);
  }
  [[nodiscard]] double floor() const { return rounding_of_gain(*node.stats, criterion); }
};

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

}  // namespace bough
