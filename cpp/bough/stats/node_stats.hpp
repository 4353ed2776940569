// Sufficient statistics of a node, whatever is missing: what its answer, its risk and its impurity are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"

namespace bough {

struct NodeStats {
  std::size_t rows = 0;
  double weight = 0.0;             // sum of sample weights
  double effective = 0.0;          // the same with the class scales of growth
  std::vector<double> counts;      // classification: sums of sample weights by class
  double sum = 0.0;                // regression: of the centred values
  bool pure = false;               // one class, or one value
  double impurity = 0.0;
  double risk = 0.0;
  std::int32_t label = 0;          // classification
  double value = 0.0;              // regression: the answer, centred
  // Regression: rows between whose values the answer lies, where it is a median or all rows agree; -1: it is a mean.
  std::int64_t answer_rows[2] = {-1, -1};
};

// Impurity of class counts (times the scales of growth) under a criterion; twoing has none and reports gini.
double class_impurity(const std::vector<double>& counts, const Target& target, Criterion criterion);

// Fills effective, pure, impurity, risk and label from the counts.
void settle_classes(NodeStats& stats, const Target& target, Criterion criterion);

}  // namespace bough
