// Which of the best tests of the columns a node takes: Quinlan's rule. The ratio favours tests that gain next to
// nothing from next to no information, so only tests of at least average gain may win by it.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/search/candidate.hpp"
#include "bough/search/gain.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// `best` holds one test a column, of worth its ratio; it becomes the test taken, then the others, those of at least
// average gain first. Empty if none is worth taking. `no_average`: by column, not 0 where its gain is no part of the
// average. `zero_gain`: a test that gains nothing is worth taking where no other is, the first column's.
void choose_above_average(Ranking& best, const std::vector<std::uint8_t>& no_average, const GainRule& rule,
                          bool zero_gain);

// By column, not 0 where a nominal column has so many levels, at least `share` of the rows of the table, that its gain
// has no part in the average; where all columns are such ones, none is.
[[nodiscard]] std::vector<std::uint8_t> many_valued(const RankedTable& table, double share, const GainRule& rule);

// The test of the largest ratio, of equal ratios the one that gains more; with `average` among those of at least
// average gain.
void choose_by_ratio_then_gain(Ranking& best, bool average);

}  // namespace bough
