// The rules of one class that are worth their bits: of all subsets one whose theory and exceptions are told shortest.
// Rules pruned one by one overlap, and many say what others have said.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/row_bits.hpp"

namespace bough {

struct SubsetSearch {
  double theory_weight = 0.5;      // what a bit of theory counts beside one of exceptions
  std::size_t most_exhaustive = 10;  // rules of which every subset is tried
  std::size_t most_from_full = 200;  // rules for which the search also begins with all of them
};

// Which of the rules, sets of `rules` by their numbers, are kept for a class; `theory` has the bits of each of them.
// Rules are added and dropped one at a time, always the one that saves most, the first of equal ones.
[[nodiscard]] std::vector<std::uint8_t> choose_subset(const RowBits& rules, std::span<const std::int64_t> numbers,
                                                      std::span<const double> theory, const LabelledRows& rows,
                                                      std::size_t label, const SubsetSearch& search, Watch& watch);

// The bits that tell the exceptions to a theory: of `covered` rows `false_positives` are of another class, of
// `uncovered` ones `false_negatives` are of this class. The larger part is coded with `share` of the errors in it.
[[nodiscard]] double exception_bits(double share, double covered, double uncovered, double false_positives,
                                    double false_negatives);

}  // namespace bough
