// Rules pruned one by one, as C4.5Rules does: a condition goes where fewer errors are to be expected without it. So a
// test near the root of a tree may go from one rule and stay in another, which pruning the tree cannot do.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/labelled_rows.hpp"
#include "bough/cover/rule_bodies.hpp"

namespace bough {

// How errors are estimated: what was made, and rows that count besides.
struct ErrorEstimate {
  enum class Kind : std::uint8_t { pessimistic, laplace };
  Kind kind = Kind::pessimistic;
  double confidence = 0.25;
};

// What is left of each rule; one that covers nothing stays as it is.
struct PrunedRules {
  std::vector<std::uint8_t> kept;  // one an entry of `condition`
  std::vector<double> weight;      // of the rows covered
  std::vector<double> wrong;       // of those of another class
  std::vector<double> estimate;    // share of errors to expect, 1 if nothing is covered
};

// `conditions` says which rows each condition holds for.
[[nodiscard]] PrunedRules drop_conditions(const RuleBodies& rules, std::span<const RowSet> conditions,
                                          const LabelledRows& rows, const ErrorEstimate& estimate, int threads,
                                          Watch& watch);

}  // namespace bough
