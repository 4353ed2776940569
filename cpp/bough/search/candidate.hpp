// A candidate: the best test of one column in a node, before it becomes a split of the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/split/split.hpp"

namespace bough {

struct Candidate {
  std::int32_t column = -1;      // -1: the column has no admissible test
  double gain = 0.0;             // drop of impurity, discounted for missing values
  double worth = 0.0;            // gain over the cost of the column: what candidates compete by
  Found found = Found::exact;
  // A cut of numbers or ordered levels: rows that hold the values on both sides of it, and the share that goes low.
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;
  double low_share = 0.0;
  std::size_t position = 0;  // columns with an order: how many entries of the node's range go low
  // A set of levels: the levels present, ascending, and which of them take the first side.
  std::vector<std::int32_t> code;
  std::vector<std::uint8_t> low;
  int low_branch = -1;  // the branch of the low or first side in the order of responses; -1: not known yet
};

// Puts a candidate where it belongs among the best so far: by worth, after its equals, `most` at the most. Called in
// the order of the columns, so that the first column wins ties.
inline void rank_candidate(std::vector<Candidate>& best, Candidate&& candidate, std::size_t most, double tie) {
  std::size_t place = best.size();
  while (place > 0 && candidate.worth > best[place - 1].worth * (1.0 + tie)) --place;
  if (place >= most) return;
  best.insert(best.begin() + static_cast<std::ptrdiff_t>(place), std::move(candidate));
  if (best.size() > most) best.pop_back();
}

}  // namespace bough
