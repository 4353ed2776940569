// Beam search: conjunctions of conditions, made longer by one condition at a time, of which the best few go on. Rules
// of CN2 and rules for numbers are found by it; what makes a conjunction good is a judge's business (rule_judge.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/asked.hpp"
#include "bough/cover/rule_judge.hpp"
#include "bough/cover/rules.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct BeamOptions {
  std::size_t width = 5;  // conjunctions that go on
  std::size_t steps = 5;  // of the search, and so the most literals of a rule
  double min_weight = 1.0;       // that a rule covers
  std::vector<std::uint8_t> asks = {1, 0, 1, 1, 0, 0};  // by `Ask`: whether it may be asked
  int threads = 1;
};

// A rule that was found: one conjunction, what it is worth, and the rows that it covers.
struct FoundRule {
  Rules body;
  double quality = 0.0;
  std::int32_t label = -1;  // of classes: the one that it is for
  std::vector<std::uint32_t> rows;
};

// The best conjunction that the judge admits, nothing if it admits none. `rows` are those that it is looked for in,
// each of positive weight; rows that the judge does not weigh have no say.
//   Conjunctions stand by quality, then by fewer conditions, by the weight that they cover, by the place in the beam of
// what they came from, by column, by `Ask` and by rank. A threshold takes the place of one on the same side of the same
// column. What covers the same rows as what it came from, or as a better one of the same step, or as an earlier member
// of the beam, says nothing new and does not go on; nor does a member that can no longer become better than the best.
// Thresholds lie halfway between two neighbouring values of the rows that are covered.
[[nodiscard]] std::optional<FoundRule> beam_search(const RankedTable& table, const RuleJudge& judge,
                                                   std::vector<std::uint32_t> rows, const BeamOptions& options,
                                                   Watch& watch);

}  // namespace bough
