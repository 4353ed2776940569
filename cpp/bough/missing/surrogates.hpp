// Surrogates: splits of other columns that imitate the primary split of a node, best imitation first. They send the
// rows whose primary value is missing, and credit columns that another one masks.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct Surrogate {
  std::int32_t column = -1;
  double agreement = 0.0;  // share of the weight sent as the primary does
  double adjusted = 0.0;   // how much of what the majority rule gets wrong it gets right
  // A cut: rows that hold the values on both sides of it, and the branch of the low side.
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;
  double low_share = 0.5;
  std::int32_t low = 0;
  std::int32_t high = -1;  // the branch of the high side at a node of many branches; -1: the other one of two
  // A set of levels: the levels met together with a known primary value, ascending, and their branches.
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> branch;
};

// Searches all columns but `primary` at the node [begin, end), whose rows have their branch in cohort.side, kStays
// where the primary value is missing. `low` is the primary's branch of low values, -1 if it is a set of levels.
template <class Entry>
std::vector<Surrogate> find_surrogates(const RankedTable& table, const Cohort<Entry>& cohort, std::size_t begin,
                                       std::size_t end, std::size_t primary, int low, const GrowOptions& options,
                                       Watch& watch);

// The branch that a surrogate gives a row of the table, or a State if the row's value does not tell.
[[nodiscard]] std::int32_t branch_by_surrogate(const RankedTable& table, const Surrogate& surrogate, std::size_t row);

}  // namespace bough
