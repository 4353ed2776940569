// Covering: rules for one class after the other, each class on the rows that the rules of earlier ones leave; what no
// rule covers is of the last class, the most frequent one. IREP, IREP*, RIPPER and JRip are sets of options.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/data.hpp"
#include "bough/cover/options.hpp"
#include "bough/cover/rule.hpp"
#include "bough/cover/rules.hpp"

namespace bough {

// Rules that a covering starts with. Locked ones come first in the result, as they are and in their order, and take
// their rows before anything is learnt; the others begin the list of their class.
struct InitialRules {
  Rules rules;
  std::vector<std::uint32_t> label;
  std::vector<std::uint8_t> locked;
};

struct CoverResult {
  Rules rules;
  std::vector<std::int32_t> label;    // the class of each rule
  std::vector<double> class_weight;  // of the rows that each rule takes in its turn, by rule and class; default last
  std::vector<double> growing;  // by rule: positive and total weight covered of the rows it grew on
  std::vector<double> pruning;  // the same of those it was pruned on
  std::vector<std::int32_t> initial;  // the initial rule that it is or was made of, -1: none
  std::vector<std::int32_t> order;  // of the classes; the last is the default
};

// Throws InvalidInput where classes, options or initial rules do not fit the table.
void check_cover(const CoverData& data, const InitialRules& initial, const CoverOptions& options);

// Checks, then learns.
[[nodiscard]] CoverResult cover(const CoverData& data, const InitialRules& initial, const CoverOptions& options,
                                Watch& watch);

}  // namespace bough
