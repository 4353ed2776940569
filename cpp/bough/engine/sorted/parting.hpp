// Parting a node: every row gets its branch from the primary split, or, where its value is missing, from the missing
// policy; then the statistics of the two children are known.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/search/candidate.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct PartedNode {
  NodeStats child[2];
  std::uint8_t low = 0;             // the branch of low values, or of the first side of a set of levels
  std::int32_t majority = -1;       // the branch for cases that nothing else decides
  bool stays = false;               // some rows stay in the node
  std::vector<Surrogate> surrogates;
};

// Writes the branch of every row of the node into cohort.side. Surrogates are searched where a row needs them, or
// `always`; `low_is_one` makes the low side branch 1 from the start.
template <class Entry>
PartedNode part_node(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch,
                     Cohort<Entry>& cohort, std::size_t begin, std::size_t end, const Candidate& primary, bool always,
                     bool low_is_one = false);

// Statistics of all rows of a range, which must be an order of `cohort` that holds every row of the node.
template <class Entry>
NodeStats stats_of_node(const Target& target, const GrowOptions& options, const Cohort<Entry>& cohort,
                        std::size_t begin, std::size_t end);

}  // namespace bough
