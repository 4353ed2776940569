// Tests of a nominal column with one branch a level, or one level against the others, judged on the table of the levels
// present in a node.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/search/gain.hpp"
#include "bough/search/value_table.hpp"

namespace bough {

// What the search knows of the node: amounts are class counts times the scales of growth, weights sample weights.
struct LevelNode {
  double known = 0.0;  // amount of the rows with a value
  double all = 0.0;  // amount of all rows
  double minimum = 0.0;  // least weight of a branch
  std::size_t min_rows = 1;  // least rows of a branch
};

struct LevelBranches {
  bool any = false;
  Judgement judgement;
  std::size_t level = 0;  // one level against the others: its place in the table
};

// Impurity of counts times their sum, for criteria other than information.
double impurity_mass(Criterion criterion, const double* counts, std::size_t classes, double sum, const double* cost);

// One branch a level.
LevelBranches judge_levels(const ValueTable& table, const LevelNode& node, const GrowOptions& options,
                           const GainRule& rule, const double* cost);

// The level that is best told from the others.
LevelBranches judge_one_level(const ValueTable& table, const LevelNode& node, const GrowOptions& options,
                              const GainRule& rule, const double* cost);

}  // namespace bough
