// One question of a column search, and the criterion that answers it: what the files that define ColumnSearch share.
#pragma once

#include <span>

#include "bough/criterion/class_drop.hpp"
#include "bough/criterion/floor.hpp"
#include "bough/search/column_search.hpp"

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

  // A side of the known rows that holds no more is rounding; whole counts have none.
  [[nodiscard]] double least(bool whole) const {
    return whole ? 0.0 : rounding_of_side(stats->rows, stats->effective * unit);
  }
  [[nodiscard]] double floor() const { return rounding_of_gain(*node.stats, criterion); }
};

// Calls use(drop) with the functor of a criterion on class counts.
template <class Use>
auto with_class_drop(Criterion criterion, std::size_t classes, const XLog2X& xlogx, const double* cost, double least,
                     Use use) {
  switch (criterion) {
    case Criterion::entropy:
      return use(EntropyDrop{classes, &xlogx, least});
    case Criterion::misclassification:
      return use(MisclassificationDrop{classes, least});
    case Criterion::twoing:
      return use(TwoingDrop{classes, least});
    case Criterion::weighted_gini:
      return use(WeightedGiniDrop{classes, cost, least});
    default:
      return use(GiniDrop{classes, least});
  }
}

}  // namespace bough
