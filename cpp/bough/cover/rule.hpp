// A rule while a covering learns it: its conditions, the rows it covers, and what it did on the rows it was made with.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "bough/cover/condition.hpp"
#include "bough/cover/row_set.hpp"

namespace bough {

// Positive and total weight; not a number where there were no such rows.
struct Weights {
  double positive = std::numeric_limits<double>::quiet_NaN();
  double total = std::numeric_limits<double>::quiet_NaN();
};

struct LearntRule {
  std::vector<Condition> conditions;
  RowSet covered;  // of all rows of the class's data, whoever takes them first
  Weights growing;
  Weights pruning;
  std::int32_t initial = -1;  // the number of the initial rule that it is, or that it was made of
};

}  // namespace bough
