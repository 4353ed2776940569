// PART (Frank and Witten 1998): rules without global optimisation. Grow a partial tree, make one of its leaves a rule,
// take away what the rule covers, and again, until nothing is left.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/fractional.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct PartOptions {
  double min_weight = 2.0;  // of two branches of a test, and of a branch that is grown
  std::optional<double> confidence = 0.25;  // of the errors to expect; none: nothing is pruned
  std::optional<double> complement;  // 1 - confidence, where it is rounded on its own
  bool binary_levels = false;  // one level against the others instead of a branch for each
  bool mdl = true;  // the choice among thresholds costs bits
  bool actual_value = true;  // thresholds are values of the table, not halfway between two
  double epsilon = 1e-6;  // absolute tolerance of comparisons; 0: relative to the numbers
  double value_gap = 1e-5;  // values that are closer are not parted
  int threads = 1;
};

struct PartRules {
  FractionalRules rules;
  std::vector<std::int32_t> label;               // by rule
  std::vector<std::array<double, 2>> printed;  // by rule: the weight of its leaf, and what of it is of other classes
};

// `weight` may be empty: every row weighs 1; rows of weight 0 take no part.
[[nodiscard]] PartRules part(const RankedTable& table, const std::vector<std::uint32_t>& label, std::uint32_t classes,
                             const std::vector<double>& weight, const PartOptions& options, Watch& watch);

}  // namespace bough
