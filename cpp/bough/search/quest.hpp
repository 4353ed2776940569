// QUEST (Loh and Shih 1997): the column of a test is chosen by tests of significance, which favour no column for having
// many values, and its cut lies where two normal distributions meet. Nominal columns get numbers first
// (crimcoords.hpp).
#pragma once

#include <optional>
#include <vector>

#include "bough/engine/open/column.hpp"

namespace bough {

// What a column tells of the classes of a node, as log p of no difference.
struct Evidence {
  bool tested = false;  // whether it has two values in the node
  double means = 0.0;  // analysis of variance, of nominal columns chi-squared
  std::optional<double> spreads;  // Levene's test of equal variances; nominal columns have none
};
[[nodiscard]] Evidence evidence_of(const OpenColumn& column);

// What the columns compete by: the chosen one has most, the others follow by the first test; equal ones: the first.
// Chosen is the column of the smallest p of the first test if it is significant at the level, else that of the second
// test if it is, else the first all the same.
[[nodiscard]] std::vector<double> worth_by_evidence(const std::vector<Evidence>& evidence, double level);

// The cut of a column, or its two sets of levels, between two groups of the classes.
[[nodiscard]] ColumnTest quadratic_point(OpenColumn& column);

}  // namespace bough
