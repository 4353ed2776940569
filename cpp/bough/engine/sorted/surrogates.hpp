// The search for surrogates over the orders of a cohort, for splits of two branches.
#pragma once

#include <cstddef>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Searches all columns but `primary` at a node, whose rows have their branch in cohort.side, kStays where the primary
// value is missing. `low` is the primary's branch of low values, -1 if it is a set of levels. Columns of nodes that are
// too large for a block are shared among the threads.
template <class Entry>
std::vector<Surrogate> find_surrogates(const RankedTable& table, const Cohort<Entry>& cohort, const Stretch& node,
                                       std::size_t primary, int low, const GrowOptions& options, Watch& watch);

// Whether a node of so many rows can have a surrogate: a cut needs enough rows on either side.
[[nodiscard]] bool may_have_surrogates(const RankedTable& table, const Target& target, const GrowOptions& options,
                                       std::size_t rows);

}  // namespace bough
