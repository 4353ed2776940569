// The rules of one class that are worth their bits: of all subsets one whose theory and exceptions are told shortest.
// Rules pruned one by one overlap, and many say what others have said.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/labelled_rows.hpp"

namespace bough {

struct SubsetSearch {
  double theory_weight = 0.5;      // what a bit of theory counts beside one of exceptions
  std::size_t most_exhaustive = 10;  // rules of which every subset is tried
  std::size_t most_from_full = 200;  // rules for which the search also begins with all of them
  bool annealing = false;  // whether the search goes on by chance
  std::size_t steps = 200;  // of it, for each rule
  std::size_t most_steps = 100'000;
  std::uint64_t seed = 0;
};

// Which of the rules, sets of `rules` by their numbers, are kept for a class; `theory` has the bits of each of them.
// Rules are added and dropped one at a time, always the one that saves most, the first of equal ones.
[[nodiscard]] std::vector<std::uint8_t> choose_subset(std::span<const RowSet> rules,
                                                      std::span<const std::int64_t> numbers,
                                                      std::span<const double> theory, const LabelledRows& rows,
                                                      std::size_t label, const SubsetSearch& search, Watch& watch);

}  // namespace bough
